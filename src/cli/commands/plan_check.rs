//! `pulsectl plan check`: a saved plan against what a log says then happened.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::audit::options::{AuditOptions, Progress};
use crate::check::plan_check::check;
use crate::check::saved_plan::{PlanCheckError, SavedPlan};
use crate::cli::Outcome;
use crate::cli::exit::{Answer, CommandError, ExitStatus};
use crate::cli::interrupt::{Ended, run_until_signal};
use crate::cli::ui::Ui;
use crate::render::check::view::CheckView;
use crate::render::check::{json_v1, text};

/// Compare a saved plan with what a log says then happened
///
/// The plan is one that `pulsectl plan … -o json` wrote; the log is that of the
/// same server. Exits with 10 where they differ.
///
/// Example:
///   pulsectl plan check before.json --log logs/server_debug.log
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct PlanCheckArgs {
    /// The saved plan
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Logs: files, globs or directories
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub log: Vec<PathBuf>,
    /// The log's time zone: UTC, +05:30 or Asia/Kolkata [default: found in the log]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub tz: Option<String>,
    /// Format
    #[arg(short = 'o', long = "output", value_enum, default_value_t = CheckFormat::Text, value_name = "FORMAT")]
    pub output: CheckFormat,
}

/// Formats of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// One line per row, for a person
    Text,
    /// One JSON document, `pulsectl.plan-check/1`
    Json,
}

/// Runs the command.
///
/// # Errors
/// When the plan or the log cannot be read, or the log shows no such stop.
pub fn run(args: &PlanCheckArgs, ui: &mut Ui) -> Outcome {
    ui.machine_errors = args.output == CheckFormat::Json;
    let name = args.plan.display().to_string();
    let text = fs::read_to_string(&args.plan).map_err(|error| {
        CommandError::new(ExitStatus::NothingChecked, format!("could not read `{name}`"))
            .detail(error.to_string())
    })?;
    let plan = SavedPlan::parse(&text).map_err(|error| plan_error(&name, &error))?;
    let options = AuditOptions {
        paths: args.log.clone(),
        siblings: true,
        // A log that never names the session can say nothing of it.
        session: plan.session().map(str::to_owned),
        time_zone: args.tz.clone(),
        now: jiff::Timestamp::now(),
        ..AuditOptions::default()
    };
    let progress = Arc::new(Progress::default());
    let shared = Arc::clone(&progress);
    let ended = run_until_signal(&progress, ui.progress, move || crate::audit::run(&options, &shared))
        .map_err(|error| {
            CommandError::new(ExitStatus::Failure, "the log could not be read to its end")
                .detail(error.to_string())
        })?;
    let report = match ended {
        Ended::Finished(result) => result?,
        Ended::Interrupted => return Err(CommandError::new(ExitStatus::Interrupted, "interrupted")),
    };
    let result = check(&plan, &report).map_err(|error| plan_error(&name, &error))?;
    let view = CheckView { check: &result, plan: &name, report: &report };
    let answer = match args.output {
        CheckFormat::Text => text::render(view, &ui.style()),
        CheckFormat::Json => json_v1::render(view).map_err(anyhow::Error::from)?,
    };
    super::rules::print(&answer, ui)?;
    let unread = (!result.is_told()).then_some(ExitStatus::NothingChecked);
    let incomplete = !report.complete();
    Ok(Answer { unread, found: !result.agrees, incomplete, ..Answer::default() }.status())
}

fn plan_error(name: &str, error: &PlanCheckError) -> CommandError {
    let failure = CommandError::new(ExitStatus::NothingChecked, format!("could not check `{name}`"));
    match error {
        PlanCheckError::NotAPlan(cause) => {
            failure.detail(format!("{error}: {cause}")).hint("`pulsectl plan … -o json > FILE` writes one")
        }
        PlanCheckError::OtherFormat(_) | PlanCheckError::OtherPolicy(_) => failure
            .detail(error.to_string())
            .hint("save a plan with `pulsectl plan … --policy server -o json`"),
        PlanCheckError::NoSuchStop { .. } | PlanCheckError::NoServerLog | PlanCheckError::EndsBefore => {
            failure.detail(error.to_string())
        }
    }
}
