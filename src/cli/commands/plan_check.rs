//! `pulsectl plan check`: a saved plan against what a log says then happened.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::audit::options::{AuditOptions, Progress};
use crate::check::plan_check::check;
use crate::check::saved_plan::{self, PlanCheckError};
use crate::cli::exit::{Answer, CommandError, ExitStatus, Outcome};
use crate::cli::file_output::Inputs;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::ui::Ui;
use crate::render::check::view::CheckView;
use crate::render::formats::{Subject, View};

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
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Check), help = output::HELP)]
    pub output: Vec<OutputTarget>,
}

/// Runs the command.
///
/// # Errors
/// When the plan or the log cannot be read, or the log shows no such stop.
pub fn run(args: &PlanCheckArgs, ui: &mut Ui) -> Outcome {
    let mut inputs = Inputs::default();
    inputs.add(&args.plan);
    for path in &args.log {
        inputs.add_log(path);
    }
    let targets = ui.targets(Subject::Check, &args.output, &inputs)?;
    let name = args.plan.display().to_string();
    let text = fs::read_to_string(&args.plan).map_err(|error| {
        CommandError::new(ExitStatus::NothingChecked, format!("could not read `{name}`"))
            .detail(error.to_string())
    })?;
    let plan = saved_plan::read(&text).map_err(|error| plan_error(&name, &error))?;
    let options = AuditOptions {
        paths: args.log.clone(),
        siblings: true,
        // A log that never names the session can say nothing of it.
        session: saved_plan::session(&plan).map(str::to_owned),
        time_zone: args.tz.clone(),
        now: jiff::Timestamp::now(),
        ..AuditOptions::default()
    };
    let progress = Progress::default();
    let report = ui.with_bar(&progress, || crate::audit::run(&options, &progress))?;
    let result = check(&plan, &report).map_err(|error| plan_error(&name, &error))?;
    let view = CheckView { check: &result, plan: &name, report: &report };
    let shown = ui.show(&View::Check(&view), &targets)?;
    let unread = (!result.is_told()).then_some(ExitStatus::NothingChecked);
    let incomplete = !report.complete();
    let failed = shown.failed;
    Ok(Answer { unread, failed, found: !result.agrees, incomplete, ..Answer::default() }.status())
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
