//! `pulsectl status`: which server, as whom, and what can be seen.

use clap::{Args, ValueEnum};

use crate::cli::Outcome;
use crate::cli::exit::Answer;
use crate::cli::gaps::tell_gaps;
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::render::status;
use crate::wire::fetch::Scope;

/// Say which server this is, as whom it is read, and what can be seen
///
/// Shows what the server hides by its settings, and how to change that.
///
/// Examples:
///   pulsectl status
///   pulsectl status --server https://pulse.example.org --token-file token
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
#[expect(
    rustdoc::bare_urls,
    reason = "the text is the command's help, where an address is an example and no link"
)]
pub struct StatusArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    pub source: SourceArgs,
    /// Format
    #[arg(short = 'o', long = "output", value_enum, default_value_t = StatusFormat::Text, value_name = "FORMAT")]
    pub output: StatusFormat,
}

/// Formats of the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatusFormat {
    /// For a person
    Text,
    /// One JSON document, `pulsectl.status/1`
    Json,
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, or stdout cannot be written.
pub fn run(args: &StatusArgs, ui: &mut Ui) -> Outcome {
    ui.machine_errors = args.output == StatusFormat::Json;
    let snapshot = args.source.load(&Scope::Server, ui)?;
    let text = match args.output {
        StatusFormat::Text => status::text::render(&snapshot, &ui.style()),
        StatusFormat::Json => status::json_v1::render(&snapshot).map_err(anyhow::Error::from)?,
    };
    super::rules::print(&text, ui)?;
    if !snapshot.is_complete() {
        tell_gaps(snapshot.gaps.iter(), ui);
    }
    Ok(Answer { incomplete: !snapshot.is_complete(), ..Answer::default() }.status())
}
