//! `pulsectl generate`: writes the files that are made from the program itself.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::cli::exit::{ExitStatus, Outcome, TABLE};
use crate::cli::file_output::{self, Privacy};
use crate::config::env;
use crate::render::plan::flags;
use crate::render::{rules, schemas};
use crate::source::saved;

/// Write completions, manual pages, schemas and the README's tables from this program's own definitions
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Folder that receives `completions/`, `man/` and `schemas/`, and holds `README.md`
    #[arg(default_value = ".", value_name = "DIR")]
    pub directory: PathBuf,
}

/// Writes every generated file below the folder.
///
/// # Errors
/// When a file or folder cannot be written.
pub fn run(args: &GenerateArgs, command: &clap::Command) -> Outcome {
    for (path, content) in generated_files(command)? {
        write(&args.directory.join(path), &content)?;
    }
    let readme = args.directory.join("README.md");
    let text =
        std::fs::read_to_string(&readme).with_context(|| format!("could not read `{}`", readme.display()))?;
    write(&readme, with_tables(&text)?.as_bytes())?;
    Ok(ExitStatus::Clean)
}

/// Every generated file: its path below the project, and its content.
///
/// # Errors
/// When a manual page cannot be rendered.
pub fn generated_files(command: &clap::Command) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    use clap_complete::Shell;
    let mut files = Vec::new();
    for (shell, name) in
        [(Shell::Bash, "pulsectl.bash"), (Shell::Zsh, "_pulsectl"), (Shell::Fish, "pulsectl.fish")]
    {
        let mut content = Vec::new();
        clap_complete::generate(shell, &mut command.clone(), "pulsectl", &mut content);
        files.push((Path::new("completions").join(name), content));
    }
    let mut root = command.clone();
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
    for (name, text) in schemas::all() {
        files.push((Path::new("schemas").join(name), text.into_bytes()));
    }
    let snapshot = schemas::text::<saved::Document<'_>>();
    files.push((Path::new("schemas").join("pulsectl.snapshot-1.schema.json"), snapshot.into_bytes()));
    Ok(files)
}

/// The README with its generated tables filled in between their markers.
///
/// # Errors
/// When a marker is missing.
pub fn with_tables(readme: &str) -> anyhow::Result<String> {
    let readme = with_section(readme, "exit codes", &exit_code_table())?;
    let readme = with_section(&readme, "rules", &rules::markdown::table(crate::rules::all()))?;
    let readme = with_section(&readme, "flags", &flags::markdown_table())?;
    let readme = with_section(&readme, "policies", &flags::policy_table())?;
    with_section(&readme, "environment", &env::markdown_table())
}

fn with_section(readme: &str, name: &str, content: &str) -> anyhow::Result<String> {
    let (begin, end) =
        (format!("<!-- begin generated: {name} -->\n"), format!("<!-- end generated: {name} -->"));
    let section = readme
        .split_once(&begin)
        .and_then(|(before, rest)| rest.split_once(&end).map(|(_, after)| (before, after)));
    let (before, after) =
        section.with_context(|| format!("the markers of `{name}` are missing in the README"))?;
    Ok(format!("{before}{begin}{content}{end}{after}"))
}

fn exit_code_table() -> String {
    let mut table = String::from("| Code | Meaning |\n|---|---|\n");
    for (status, meaning) in TABLE {
        table.push_str(&format!("| {} | {meaning} |\n", status.code()));
    }
    table
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)
            .with_context(|| format!("could not create the folder `{}`", parent.display()))?;
    }
    file_output::write(path, content, Privacy::Ordinary)
        .with_context(|| format!("could not write `{}`", path.display()))
}
