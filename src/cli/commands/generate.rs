//! `pulsectl generate`: writes the files that are made from the program itself.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::cli::exit::ExitStatus;
use crate::cli::ui::Ui;
use crate::cli::{Outcome, command};

/// Write completions and manual pages made from this program's own definitions
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Folder that receives `completions/` and `man/`
    #[arg(default_value = ".", value_name = "DIR")]
    pub directory: PathBuf,
}

/// Writes every generated file below the folder.
///
/// # Errors
/// When a file or folder cannot be written.
pub fn run(args: &GenerateArgs, _ui: &mut Ui) -> Outcome {
    for (path, content) in generated_files()? {
        write(&args.directory.join(path), &content)?;
    }
    Ok(ExitStatus::Clean)
}

/// Every generated file: its path below the project, and its content.
///
/// # Errors
/// When a manual page cannot be rendered.
pub fn generated_files() -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    use clap_complete::Shell;
    let mut files = Vec::new();
    for (shell, name) in
        [(Shell::Bash, "pulsectl.bash"), (Shell::Zsh, "_pulsectl"), (Shell::Fish, "pulsectl.fish")]
    {
        let mut content = Vec::new();
        clap_complete::generate(shell, &mut command(), "pulsectl", &mut content);
        files.push((Path::new("completions").join(name), content));
    }
    let mut root = command();
    root.build();
    let mut pages = vec![(String::from("pulsectl"), root.clone())];
    for child in root.get_subcommands().filter(|child| !child.is_hide_set()) {
        if child.get_name() != "help" {
            pages.push((format!("pulsectl-{}", child.get_name()), child.clone()));
        }
    }
    for (name, page) in pages {
        let mut content = Vec::new();
        clap_mangen::Man::new(page.display_name(name.clone()))
            .title(name.clone())
            .date("")
            .render(&mut content)
            .with_context(|| format!("could not render the manual page of `{name}`"))?;
        files.push((Path::new("man").join(format!("{name}.1")), content));
    }
    Ok(files)
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)
            .with_context(|| format!("could not create the folder `{}`", parent.display()))?;
    }
    std::fs::write(path, content).with_context(|| format!("could not write `{}`", path.display()))
}
