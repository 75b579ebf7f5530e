//! `pulsectl plan`: what a stop or a terminal's death would do, before it happens.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Subcommand};

use crate::cli::exit::{Answer, CommandError, ExitStatus, Outcome};
use crate::cli::lookup::{find_session, one_of};
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::engine::plan::{Flag, PaneState, Plan, Policy, Summary, Trigger, plan};
use crate::model::snapshot::Snapshot;
use crate::render::formats::{Subject, View};
use crate::render::plan::view::PlanView;
use crate::wire::fetch::Scope;

/// Say what a stop or a terminal's death would do, before it happens
///
/// For each row under a session: what would happen and why, what is collateral,
/// what would only be marked and never told to stop, what works on, what could
/// come back. Nothing is changed.
///
/// Examples:
///   pulsectl plan stop 9c1be844 --agents
///   pulsectl plan terminal-death 9c1be844 --compare
///   pulsectl plan stop 9c1be844 --fail-on collateral,ineffective
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct PlanArgs {
    /// What is assumed to happen.
    #[command(subcommand)]
    pub trigger: TriggerArgs,
}

/// The triggers.
#[derive(Debug, Clone, Subcommand)]
pub enum TriggerArgs {
    /// A person stops a session
    Stop {
        /// The session, or the beginning of its id
        session: String,
        /// The button Stop, which also cancels agents; without it a closed tab
        #[arg(long)]
        agents: bool,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// A person cancels a session's turn
    CancelTurn {
        /// The session, or the beginning of its id
        session: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// A person stops a schedule's running job
    ScheduleStop {
        /// The job as its session ids name it, or the session
        #[arg(value_name = "JOB|SESSION")]
        job: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// The watchdog finds a pane missing, dead or at a usage wall
    TerminalDeath {
        /// The session, or the beginning of its id
        session: String,
        /// This terminal instead of the main one
        #[arg(long, value_name = "ID")]
        terminal: Option<String>,
        /// What the watchdog finds
        #[arg(long, value_name = "STATE", value_parser = pane_parser(), default_value = "missing")]
        pane: PaneState,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// An operator kills a terminal
    KillTerminal {
        /// The terminal, or the beginning of its id
        terminal: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// An agent stops one execution by its tool
    StopStep {
        /// The execution, or the beginning of its id
        #[arg(value_name = "ID")]
        target: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// An agent stops all executions of its session by its tool
    StopAll {
        /// The session, or the beginning of its id
        session: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// The server is stopped
    Shutdown {
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// A person hides a session
    Dismiss {
        /// The session, or the beginning of its id
        session: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    /// A person erases a session's history
    Clear {
        /// The session, or the beginning of its id
        session: String,
        #[command(flatten)]
        options: Box<PlanOptions>,
    },
    Check(super::plan_check::PlanCheckArgs),
}

/// What every plan takes.
#[derive(Debug, Clone, Args)]
pub struct PlanOptions {
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Plan), help = output::HELP)]
    pub output: Vec<OutputTarget>,
    /// Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone
    #[arg(long, value_name = "POLICY", value_parser = policy_parser(), default_value = "server")]
    pub policy: Policy,
    /// Put the three policies side by side
    #[arg(long)]
    pub compare: bool,
    /// Exit with 11 if anything would end
    #[arg(long)]
    pub detailed_exitcode: bool,
    /// Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is
    /// anything that speaks against "safe"; a row whose outcome cannot be told fails any of them
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = fail_parser())]
    pub fail_on: Vec<FailOn>,
    /// Exit with 0 in spite of --fail-on and --detailed-exitcode
    #[arg(long)]
    pub exit_zero: bool,
    /// Show what people wrote instead of masking it
    #[arg(long)]
    pub show_content: bool,
}

/// What makes a plan fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// A row with this flag.
    Flag(Flag),
    /// A row whose outcome cannot be told.
    Unknown,
    /// Anything that speaks against "safe".
    Unsafe,
}

impl FailOn {
    /// Whether this plan fails by it. A refused plan answers no question, so it always does.
    fn hits(self, summary: &Summary) -> bool {
        match (self, summary.safe) {
            (_, None) => true,
            // A row whose outcome cannot be told may be just what is asked about.
            (Self::Flag(flag), _) => summary.has(flag) || summary.has_unknown(),
            (Self::Unknown, _) => summary.has_unknown(),
            (Self::Unsafe, Some(safe)) => !safe,
        }
    }
}

fn fail_parser() -> impl clap::builder::TypedValueParser<Value = FailOn> {
    let flags = Flag::ALL.iter().map(|flag| flag.name());
    PossibleValuesParser::new(["unknown", "unsafe"].into_iter().chain(flags)).try_map(|name| {
        match name.as_str() {
            "unknown" => Ok(FailOn::Unknown),
            "unsafe" => Ok(FailOn::Unsafe),
            name => Flag::from_name(name).map(FailOn::Flag).ok_or("no such flag"),
        }
    })
}

fn policy_parser() -> impl clap::builder::TypedValueParser<Value = Policy> {
    PossibleValuesParser::new(Policy::ALL.map(Policy::name))
        .try_map(|name| Policy::ALL.into_iter().find(|policy| policy.name() == name).ok_or("no such policy"))
}

fn pane_parser() -> impl clap::builder::TypedValueParser<Value = PaneState> {
    PossibleValuesParser::new(PaneState::ALL.map(PaneState::name))
        .try_map(|name| PaneState::ALL.into_iter().find(|pane| pane.name() == name).ok_or("no such state"))
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, nothing has the id, or stdout cannot be written.
pub fn run(args: &PlanArgs, ui: &mut Ui) -> Outcome {
    match &args.trigger {
        TriggerArgs::Check(args) => super::plan_check::run(args, ui),
        TriggerArgs::Stop { session, agents, options } => stop(session, *agents, options, ui),
        TriggerArgs::CancelTurn { session, options } => {
            of_session(session, options, ui, |session| Trigger::CancelTurn { session })
        }
        TriggerArgs::TerminalDeath { session, terminal, pane, options } => {
            of_session(session, options, ui, |session| Trigger::TerminalDeath {
                session,
                terminal: terminal.clone(),
                pane: *pane,
            })
        }
        TriggerArgs::StopAll { session, options } => {
            of_session(session, options, ui, |session| Trigger::StopAll { session })
        }
        TriggerArgs::Dismiss { session, options } => {
            of_session(session, options, ui, |session| Trigger::Dismiss { session })
        }
        TriggerArgs::Clear { session, options } => {
            of_session(session, options, ui, |session| Trigger::Clear { session })
        }
        TriggerArgs::ScheduleStop { job, options } => {
            let scope = if job.starts_with("sched") { Scope::Naming(job.clone()) } else { Scope::All };
            with_snapshot(&scope, options, ui, |snapshot, ui| {
                Ok(Trigger::ScheduleStop { session: session_of_job(snapshot, job, ui)? })
            })
        }
        TriggerArgs::KillTerminal { terminal, options } => {
            with_snapshot(&Scope::Naming(terminal.clone()), options, ui, |snapshot, _| {
                let ids = snapshot.terminals().iter().map(|known| known.id.as_str());
                match one_of(snapshot, ids, terminal, "terminal") {
                    // A log shows few terminals, so the full id of another is taken at its word.
                    Err(_) if snapshot.hides_terminal(terminal).is_some() => {
                        Ok(Trigger::KillTerminal { terminal: terminal.clone() })
                    }
                    found => Ok(Trigger::KillTerminal { terminal: found? }),
                }
            })
        }
        TriggerArgs::StopStep { target, options } => {
            with_snapshot(&Scope::Naming(target.clone()), options, ui, |snapshot, _| {
                let ids = snapshot.executions().iter().map(|known| known.id.as_str());
                Ok(Trigger::StopStep { target: one_of(snapshot, ids, target, "execution")? })
            })
        }
        TriggerArgs::Shutdown { options } => {
            with_snapshot(&Scope::All, options, ui, |_, _| Ok(Trigger::Shutdown))
        }
    }
}

/// The dry run of a stop, which has two names.
///
/// # Errors
/// When nothing could be read, nothing has the id, or stdout cannot be written.
pub fn stop(session: &str, agents: bool, options: &PlanOptions, ui: &mut Ui) -> Outcome {
    of_session(session, options, ui, |session| Trigger::Stop { session, agents })
}

fn of_session(
    text: &str,
    options: &PlanOptions,
    ui: &mut Ui,
    trigger: impl FnOnce(String) -> Trigger,
) -> Outcome {
    with_snapshot(&Scope::Naming(text.to_owned()), options, ui, |snapshot, _| {
        session_named(snapshot, text).map(trigger)
    })
}

fn with_snapshot(
    scope: &Scope,
    options: &PlanOptions,
    ui: &mut Ui,
    trigger: impl FnOnce(&Snapshot, &mut Ui) -> Result<Trigger, CommandError>,
) -> Outcome {
    let targets = ui.targets(Subject::Plan, &options.output, &options.source.inputs())?;
    let snapshot = options.source.load(scope, ui)?;
    let trigger = trigger(&snapshot, ui)?;
    let made = plan(&snapshot, &trigger, options.policy);
    let compared: Vec<Plan> = if options.compare {
        Policy::ALL.iter().map(|policy| plan(&snapshot, &trigger, *policy)).collect()
    } else {
        Vec::new()
    };
    let view = PlanView {
        snapshot: &snapshot,
        plan: &made,
        compared: &compared,
        summary: Summary::of(&made),
        show_content: options.show_content,
        everything: ui.verbose > 0,
    };
    let shown = ui.show(&View::Plan(&view), &targets)?;
    Ok(status(&view, options, shown.failed))
}

/// What a plan means for the exit status.
fn status(view: &PlanView<'_>, options: &PlanOptions, failed: bool) -> ExitStatus {
    let ends = view.plan.rows.iter().any(|row| row.outcome.ends());
    Answer {
        failed,
        found: options.fail_on.iter().any(|fail| fail.hits(&view.summary)),
        incomplete: !view.plan.complete,
        plan_not_empty: options.detailed_exitcode && ends,
        exit_zero: options.exit_zero,
        ..Answer::default()
    }
    .status()
}

/// The session that a text names; one that only rows or terminals name counts when it is named in full.
fn session_named(snapshot: &Snapshot, text: &str) -> Result<String, CommandError> {
    if !snapshot.executions_of(text).is_empty() || !snapshot.terminals_of(text).is_empty() {
        return Ok(text.to_owned());
    }
    find_session(snapshot, text).map(|session| session.id.clone())
}

/// The session of a schedule's job: of those whose id names the job, one that runs, else the newest. The list of
/// jobs is not read, since reading it makes the server write.
fn session_of_job(snapshot: &Snapshot, text: &str, ui: &mut Ui) -> Result<String, CommandError> {
    if let Ok(session) = session_named(snapshot, text) {
        return Ok(session);
    }
    // A session id holds the first eight characters of the job's.
    let job: String = text.chars().take(8).collect();
    if job != text {
        ui.warn(&format!("the ids of sessions show eight characters of a job: taken for `{job}`"));
    }
    let runs = snapshot.sessions().iter().filter_map(|session| Some((session, session.schedule_run()?)));
    let of_job = runs.filter(|(_, run)| !run.job.is_empty() && (run.job == text || run.job == job));
    let is_running =
        |session: &str| snapshot.executions_of(session).iter().any(|row| row.is_running() == Some(true));
    let newest = of_job.max_by_key(|(session, run)| (is_running(&session.id), run.started_at, &session.id));
    newest.map(|(session, _)| session.id.clone()).ok_or_else(|| {
        CommandError::new(ExitStatus::NotFound, format!("no session of a job `{text}` is known"))
            .hint("`pulsectl sessions --match schedule` lists the sessions of schedules")
    })
}
