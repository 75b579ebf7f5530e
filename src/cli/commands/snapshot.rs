//! `pulsectl snapshot`: a server's state as a file.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::exit::{Answer, CommandError, Outcome};
use crate::cli::file_output::{self, Output, Privacy};
use crate::cli::gaps::tell_gaps;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::model::snapshot::Snapshot;
use crate::render::formats::{Subject, View};
use crate::render::machine::json;
use crate::render::status::view::SnapshotView;
use crate::source::saved;
use crate::wire::fetch::Scope;

/// Save a server's state as a file, and look at such a file
///
/// Every reading command takes the file by --from. It holds no prompts, no
/// names of turns, no contents of panes and no tokens, and says so.
///
/// Examples:
///   pulsectl snapshot save before.json
///   pulsectl status --from before.json
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct SnapshotArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: SnapshotAction,
}

/// What to do with snapshots.
#[derive(Debug, Clone, Subcommand)]
pub enum SnapshotAction {
    /// Read everything that can be seen and write it to a file
    Save(SaveArgs),
    /// Print a snapshot
    Show(ShowArgs),
}

/// Arguments of `snapshot save`.
#[derive(Debug, Clone, Args)]
pub struct SaveArgs {
    /// The file; - is standard output
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub source: SourceArgs,
}

/// Arguments of `snapshot show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Snapshot), help = output::HELP)]
    pub output: Vec<OutputTarget>,
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, or the output cannot be written.
pub fn run(args: &SnapshotArgs, ui: &mut Ui) -> Outcome {
    let (snapshot, failed) = match &args.action {
        SnapshotAction::Save(args) => (save(args, ui)?, false),
        SnapshotAction::Show(args) => show(args, ui)?,
    };
    tell_gaps(snapshot.gaps.iter(), ui);
    Ok(Answer { failed, incomplete: !snapshot.is_complete(), ..Answer::default() }.status())
}

fn save(args: &SaveArgs, ui: &mut Ui) -> Result<Snapshot, CommandError> {
    let is_stdout = args.file.as_os_str() == "-";
    if !is_stdout {
        let output = Output { path: &args.file, is_baseline: false };
        file_output::check(&[output], &args.source.inputs())?;
    }
    let snapshot = args.source.load(&Scope::All, ui)?;
    let text = document(&snapshot).map_err(anyhow::Error::from)?;
    if is_stdout {
        ui.print(&text)?;
    } else {
        ui.save(&args.file, &text, Privacy::Private)?;
    }
    Ok(snapshot)
}

fn show(args: &ShowArgs, ui: &mut Ui) -> Result<(Snapshot, bool), CommandError> {
    let targets = ui.targets(Subject::Snapshot, &args.output, &args.source.inputs())?;
    let snapshot = args.source.load(&Scope::All, ui)?;
    let shown = ui.show(&View::Snapshot(&SnapshotView { snapshot: &snapshot, document }), &targets)?;
    Ok((snapshot, shown.failed))
}

fn document(snapshot: &Snapshot) -> serde_json::Result<String> {
    json::document(&saved::Document::of(snapshot))
}
