//! What is told about each session in a list: what the server says, and what its registries say beside it.

use jiff::Timestamp;

use crate::engine::resolve::resolution::each_session;
use crate::engine::resolve::{Row, SessionFacts, TurnNature};
use crate::model::fact::Label;
use crate::model::gap::GapCode;
use crate::model::id::IdKind;
use crate::model::session::Session;
use crate::model::snapshot::Snapshot;
use crate::model::words::words;

words! {
    /// A session's status as the registries say.
    pub enum RegistryStatus {
        /// A row runs.
        Running = "running",
        /// No row runs.
        Idle = "idle",
    }
}

words! {
    /// A flag of a session.
    pub enum SessionFlag {
        /// Its rows are as they were before a stop.
        Frozen = "frozen",
        /// It is a schedule's run.
        Schedule = "schedule",
        /// A person is asked for something.
        WaitingForInput = "waiting_for_input",
        /// A row goes on saying "running" although the session was stopped.
        RowLeftRunning = "row_left_running",
        /// The next watchdog poll may cancel everything under it.
        LatentDeath = "latent_death",
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
    pub registry_status: Option<RegistryStatus>,
    /// Whether the two statuses contradict each other.
    pub disagrees: bool,
    /// The foreground turn; `None` is unknown.
    pub turn: Option<TurnNature>,
    /// Runs and evaluations at work; from a log with a hole at least so many. `None` is unknown.
    pub runs: Option<usize>,
    /// Background agents, detached steps and sub-agents at work; from a log at least so many. `None` is unknown.
    pub agents: Option<usize>,
    /// Active terminals with a tmux pane; `None` is unknown.
    pub panes: Option<usize>,
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
    let sight = Sight::of(snapshot);
    each_session(snapshot).map(|facts| summarise(&facts, sight)).collect()
}

/// How much the source could show.
#[derive(Clone, Copy)]
struct Sight {
    /// It is a log. None tells of the sub-agents of todo steps.
    is_log: bool,
    /// It is a log with a hole in time, mostly before its first line: what was registered there is not known.
    has_hole: bool,
    /// The list of all terminals was read.
    lists_terminals: bool,
}

impl Sight {
    fn of(snapshot: &Snapshot) -> Self {
        let has = |code| snapshot.gaps.iter().any(|gap| gap.code == code);
        Self {
            is_log: has(GapCode::NotLogged),
            has_hole: snapshot.hides_rows() || has(GapCode::LogHole) || has(GapCode::LogEndsBefore),
            lists_terminals: !has(GapCode::NoTerminals),
        }
    }
}

/// How many of these are so; `None` where it cannot be told of one.
fn count_certain(judged: impl Iterator<Item = Option<bool>>) -> Option<usize> {
    judged.map(|holds| holds.map(usize::from)).sum()
}

/// Active terminals with a pane; unknown where neither a runtime snapshot nor the list of terminals was read.
fn panes(facts: &SessionFacts<'_>, sight: Sight) -> Option<usize> {
    let was_read = sight.lists_terminals || facts.session.is_some_and(|session| session.runtime.is_some());
    if !was_read {
        return None;
    }
    count_certain(facts.panes.iter().map(|pane| match (pane.terminal.active, pane.terminal.has_pane()) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        (None, _) | (_, None) => None,
    }))
}

fn summarise(facts: &SessionFacts<'_>, sight: Sight) -> SessionSummary {
    let session = facts.session;
    let text = |of: fn(&Session) -> &Option<String>| session.and_then(|session| of(session).clone());
    let were_rows_read = sight.is_log || facts.session.is_some_and(|session| session.runtime.is_some());
    let at_work = |holds: &dyn Fn(&Row<'_>) -> bool, may_miss: bool| {
        let rows = facts.rows.iter().filter(|row| holds(row));
        let count = count_certain(rows.map(|row| row.execution.is_running()))?;
        // What was seen is there; that nothing was seen tells nothing where something may be missed.
        (were_rows_read && (count > 0 || !may_miss)).then_some(count)
    };
    let is_run = |row: &Row<'_>| row.is_orchestrator_run() || row.execution.kind.is_run();
    let is_agent = |row: &Row<'_>| {
        let kind = row.execution.kind;
        !row.is_orchestrator_run() && matches!(kind, IdKind::Agent | IdKind::Step | IdKind::SubAgent)
    };
    let status = session.and_then(|session| session.status.as_ref()).map(|status| status.as_str().to_owned());
    let registry_status = registry_status(facts, sight);
    SessionSummary {
        id: facts.id.to_owned(),
        title: session.and_then(|session| session.title.clone()),
        workflow: text(|session| &session.workflow).or_else(|| text(|session| &session.workflow_path)),
        disagrees: disagrees(status.as_deref(), registry_status),
        status,
        display_status: text(|session| &session.display_status),
        registry_status,
        turn: facts.turn.value,
        runs: at_work(&is_run, sight.has_hole),
        agents: at_work(&is_agent, sight.is_log),
        panes: panes(facts, sight),
        created_at: session.and_then(|session| session.created_at),
        last_activity: session.and_then(|session| session.last_activity),
        agent_mode: text(|session| &session.agent_mode),
        triggered_by: text(|session| &session.triggered_by),
        user: session.and_then(|session| session.user.as_ref()).map(|user| user.value.clone()),
        flags: flags(facts),
    }
}

/// `running` where any row runs; `idle` where none does; unknown where a row's status is, or where a row may be
/// missed.
fn registry_status(facts: &SessionFacts<'_>, sight: Sight) -> Option<RegistryStatus> {
    let mut statuses = facts.rows.iter().map(|row| row.execution.is_running());
    if statuses.clone().any(|running| running == Some(true)) {
        return Some(RegistryStatus::Running);
    }
    let was_read = facts.session.is_some_and(|session| session.runtime.is_some()) || !facts.rows.is_empty();
    (was_read && !sight.has_hole && statuses.all(|running| running == Some(false)))
        .then_some(RegistryStatus::Idle)
}

/// A running session without a running row, or the other way round. Any other status is no claim that
/// nothing runs: watched runs go on in a completed session.
fn disagrees(status: Option<&str>, registries: Option<RegistryStatus>) -> bool {
    matches!(
        (status, registries),
        (Some("running"), Some(RegistryStatus::Idle))
            | (Some("stopped" | "error" | "dismissed"), Some(RegistryStatus::Running))
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
