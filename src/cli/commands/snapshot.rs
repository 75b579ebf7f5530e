//! `pulsectl snapshot`: a server's state as a file.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::Outcome;
use crate::cli::exit::{Answer, CommandError, ExitStatus};
use crate::cli::gaps::tell_gaps;
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::model::snapshot::Snapshot;
use crate::render::machine::json;
use crate::render::status;
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
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    pub source: SourceArgs,
}

/// Arguments of `snapshot show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    pub source: SourceArgs,
    /// Format
    #[arg(short = 'o', long = "output", value_enum, default_value_t = ShowFormat::Text, value_name = "FORMAT")]
    pub output: ShowFormat,
}

/// Formats of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// For a person: the server, and how much of it was seen
    Text,
    /// One JSON document, `pulsectl.snapshot/1`
    Json,
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, or the output cannot be written.
pub fn run(args: &SnapshotArgs, ui: &mut Ui) -> Outcome {
    let snapshot = match &args.action {
        SnapshotAction::Save(args) => save(args, ui)?,
        SnapshotAction::Show(args) => show(args, ui)?,
    };
    tell_gaps(snapshot.gaps.iter(), ui);
    Ok(Answer { incomplete: !snapshot.is_complete(), ..Answer::default() }.status())
}

fn save(args: &SaveArgs, ui: &mut Ui) -> Result<Snapshot, CommandError> {
    let snapshot = args.source.load(&Scope::All, ui)?;
    let text = document(&snapshot)?;
    if args.file.as_os_str() == "-" {
        super::rules::print(&text, ui)?;
    } else {
        fs::write(&args.file, text).map_err(|error| {
            CommandError::new(ExitStatus::Failure, format!("could not write `{}`", args.file.display()))
                .detail(error.to_string())
        })?;
    }
    Ok(snapshot)
}

fn show(args: &ShowArgs, ui: &mut Ui) -> Result<Snapshot, CommandError> {
    ui.machine_errors = args.output == ShowFormat::Json;
    let snapshot = args.source.load(&Scope::All, ui)?;
    let text = match args.output {
        ShowFormat::Text => status::text::render(&snapshot, &ui.style()),
        ShowFormat::Json => document(&snapshot)?,
    };
    super::rules::print(&text, ui)?;
    Ok(snapshot)
}

fn document(snapshot: &Snapshot) -> Result<String, CommandError> {
    Ok(json::document(&saved::store(snapshot)).map_err(anyhow::Error::from)?)
}
