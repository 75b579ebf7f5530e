//! `pulsectl stop --dry-run`: another name of `pulsectl plan stop`. Never stops anything.

use clap::Args;

use super::plan::{self, PlanOptions};
use crate::cli::exit::{CommandError, ExitStatus, Outcome};
use crate::cli::ui::Ui;

/// Say what a stop would do: another name of `plan stop`
///
/// pulsectl never stops anything, so --dry-run is needed.
///
/// Examples:
///   pulsectl stop 9c1be844 --dry-run
///   pulsectl stop 9c1be844 --agents --dry-run --fail-on unsafe
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct StopArgs {
    /// The session, or the beginning of its id
    #[arg(value_name = "SESSION")]
    pub session: String,
    /// The button Stop, which also cancels agents; without it a closed tab
    #[arg(long)]
    pub agents: bool,
    /// Only say what would happen
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub options: PlanOptions,
}

/// Runs the command.
///
/// # Errors
/// Without `--dry-run`; else as `plan stop`.
pub fn run(args: &StopArgs, ui: &mut Ui) -> Outcome {
    if !args.dry_run {
        return Err(CommandError::new(ExitStatus::Usage, "pulsectl never stops anything")
            .hint("`--dry-run` says what a stop would do"));
    }
    plan::stop(&args.session, args.agents, &args.options, ui)
}
