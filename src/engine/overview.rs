//! What is told about each session in a list: what the server says, and what its registries say beside it.

use jiff::Timestamp;

use crate::engine::resolve::resolution::each_session;
use crate::engine::resolve::{SessionFacts, TurnNature};
use crate::model::fact::Label;
use crate::model::id::IdKind;
use crate::model::session::Session;
use crate::model::snapshot::Snapshot;

/// A flag of a session (formats, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionFlag {
    /// Its rows are as they were before a stop.
    Frozen,
    /// It is a schedule's run.
    Schedule,
    /// A person is asked for something.
    WaitingForInput,
    /// A row goes on saying "running" although the session was stopped.
    RowLeftRunning,
    /// The next watchdog poll may cancel everything under it.
    LatentDeath,
}

impl SessionFlag {
    /// The name that the machine formats use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Frozen => "frozen",
            Self::Schedule => "schedule",
            Self::WaitingForInput => "waiting_for_input",
            Self::RowLeftRunning => "row_left_running",
            Self::LatentDeath => "latent_death",
        }
    }
}

/// One session of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// Its title, which may be something that a person wrote.
    pub title: Option<Label>,
    /// Name of its workflow, or its folder where it has no name.
    pub workflow: Option<String>,
    /// Status as the server's list says.
    pub status: Option<String>,
    /// Status as the server shows it to people.
    pub display_status: Option<String>,
    /// Status as the registries say: `running` where a row runs, else `idle`; `None` is unknown.
    pub registry_status: Option<&'static str>,
    /// Whether the two statuses contradict each other.
    pub disagrees: bool,
    /// The foreground turn; `None` is unknown.
    pub turn: Option<TurnNature>,
    /// Runs and evaluations at work.
    pub runs: usize,
    /// Background agents, detached steps and sub-agents at work.
    pub agents: usize,
    /// Active terminals with a tmux pane.
    pub panes: usize,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// When it last did something.
    pub last_activity: Option<Timestamp>,
    /// What a session is for: `multi-agent`, `workflow_phase`, …
    pub agent_mode: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// The account that owns it, where known.
    pub user: Option<String>,
    /// Its flags.
    pub flags: Vec<SessionFlag>,
}

/// Every session, by id; those too that only a row or a terminal names.
#[must_use]
pub fn overview(snapshot: &Snapshot) -> Vec<SessionSummary> {
    each_session(snapshot).map(|facts| summarise(&facts)).collect()
}

fn summarise(facts: &SessionFacts<'_>) -> SessionSummary {
    let session = facts.session;
    let text = |of: fn(&Session) -> &Option<String>| session.and_then(|session| of(session).clone());
    let at_work = |holds: &dyn Fn(IdKind) -> bool| {
        facts
            .rows
            .iter()
            .filter(|row| !row.is_orchestrator_run() && holds(row.execution.kind))
            .filter(|row| row.execution.is_running() == Some(true))
            .count()
    };
    let orchestrator_runs = facts
        .rows
        .iter()
        .filter(|row| row.is_orchestrator_run() && row.execution.is_running() == Some(true))
        .count();
    let status = session.and_then(|session| session.status.as_ref()).map(|status| status.as_str().to_owned());
    let registry_status = registry_status(facts);
    SessionSummary {
        id: facts.id.to_owned(),
        title: session.and_then(|session| session.title.clone()),
        workflow: text(|session| &session.workflow).or_else(|| text(|session| &session.workflow_path)),
        disagrees: disagrees(status.as_deref(), registry_status),
        status,
        display_status: text(|session| &session.display_status),
        registry_status,
        turn: facts.turn.value,
        runs: at_work(&IdKind::is_run) + orchestrator_runs,
        agents: at_work(&|kind| matches!(kind, IdKind::Agent | IdKind::Step | IdKind::SubAgent)),
        panes: facts
            .panes
            .iter()
            .filter(|pane| pane.terminal.active == Some(true) && pane.terminal.has_pane() == Some(true))
            .count(),
        created_at: session.and_then(|session| session.created_at),
        last_activity: session.and_then(|session| session.last_activity),
        agent_mode: text(|session| &session.agent_mode),
        triggered_by: text(|session| &session.triggered_by),
        user: session.and_then(|session| session.user.as_ref()).map(|user| user.value.clone()),
        flags: flags(facts),
    }
}

/// `running` where any row runs; `idle` where none does; unknown where a row's status is.
fn registry_status(facts: &SessionFacts<'_>) -> Option<&'static str> {
    let mut statuses = facts.rows.iter().map(|row| row.execution.is_running());
    if statuses.clone().any(|running| running == Some(true)) {
        return Some("running");
    }
    let was_read = facts.session.is_some_and(|session| session.runtime.is_some()) || !facts.rows.is_empty();
    (was_read && statuses.all(|running| running == Some(false))).then_some("idle")
}

/// A running session without a running row, or the other way round. Any other status is no claim that
/// nothing runs: watched runs go on in a completed session.
fn disagrees(status: Option<&str>, registries: Option<&str>) -> bool {
    matches!(
        (status, registries),
        (Some("running"), Some("idle")) | (Some("stopped" | "error" | "dismissed"), Some("running"))
    )
}

fn flags(facts: &SessionFacts<'_>) -> Vec<SessionFlag> {
    let is_waiting = facts.session.and_then(Session::is_waiting) == Some(true);
    [
        (facts.frozen.is_yes(), SessionFlag::Frozen),
        (facts.scheduled, SessionFlag::Schedule),
        (is_waiting, SessionFlag::WaitingForInput),
        (!facts.rows_left_running.is_empty(), SessionFlag::RowLeftRunning),
        (facts.latent_death.is_yes(), SessionFlag::LatentDeath),
    ]
    .into_iter()
    .filter_map(|(holds, flag)| holds.then_some(flag))
    .collect()
}
