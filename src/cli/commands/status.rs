//! `pulsectl status`: which server, as whom, and what can be seen.

use clap::Args;

use crate::cli::exit::{Answer, Outcome};
use crate::cli::gaps::tell_gaps;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::render::formats::{Subject, View};
use crate::render::status::view::StatusView;
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
pub struct StatusArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Status), help = output::HELP)]
    pub output: Vec<OutputTarget>,
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, or stdout cannot be written.
pub fn run(args: &StatusArgs, ui: &mut Ui) -> Outcome {
    let targets = ui.targets(Subject::Status, &args.output, &args.source.inputs())?;
    let snapshot = args.source.load(&Scope::Server, ui)?;
    let shown = ui.show(&View::Status(&StatusView { snapshot: &snapshot }), &targets)?;
    if !snapshot.is_complete() {
        tell_gaps(snapshot.gaps.iter(), ui);
    }
    let incomplete = !snapshot.is_complete();
    Ok(Answer { failed: shown.failed, incomplete, ..Answer::default() }.status())
}
