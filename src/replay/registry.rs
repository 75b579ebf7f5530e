//! The registries of a server at one moment, rebuilt from its log: what was registered, what has ended, which
//! turns there were. The part of the replay that remembers what has ended; kept only where somebody asks for it.
//!
//! Knows nothing of findings. What a log never says (cancels, pane states, sub-agents of todo steps) stays unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::episode::{Container, Turn};
use super::session::SessionState;
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::execution::Status;
use crate::model::id::IdKind;

/// Rows and turns that are kept at once; beyond, what has ended is forgotten first.
const KEPT: usize = 200_000;

/// A row that the log shows to have been registered.
#[derive(Debug)]
pub(super) struct LoggedRow {
    pub(super) recorded: SharedEvent,
    /// What it runs in, as far as the log has told it while it was open.
    pub(super) container: Container,
    /// The start line of the turn in which it was registered.
    pub(super) launched_in: Option<SharedEvent>,
    /// The line by which it has ended, and how; `None` where even that it has is not certain.
    pub(super) end: Option<(SharedEvent, Option<Status>)>,
    /// The line of the stop that marked it canceled.
    pub(super) swept: Option<SharedEvent>,
}

/// How far a turn has come, as the log tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnStage {
    /// The message has come, the turn has not begun to stream. A run in orchestrator mode stays here.
    Preparing,
    /// It streams, so its cancel was registered before.
    Streaming,
    /// The same, begun by the server itself.
    Synthetic,
    /// A message that was delivered into a live pane: the log names neither its id nor its end.
    Delivered,
}

/// A turn that the log shows.
#[derive(Debug)]
pub(super) struct LoggedTurn {
    pub(super) start: SharedEvent,
    pub(super) query: Option<Arc<str>>,
    pub(super) stage: TurnStage,
    pub(super) end: Option<(SharedEvent, Option<Status>)>,
}

impl LoggedTurn {
    fn new(start: &SharedEvent, stage: TurnStage) -> Self {
        Self { start: start.clone(), query: None, stage, end: None }
    }
}

/// What the log shows of one session.
#[derive(Debug, Default)]
pub(super) struct LoggedSession {
    pub(super) rows: BTreeMap<Arc<str>, LoggedRow>,
    pub(super) turns: Vec<LoggedTurn>,
    pub(super) first: Option<SharedEvent>,
    pub(super) last: Option<SharedEvent>,
    pub(super) status: Option<(SharedEvent, Arc<str>)>,
    pub(super) workflow: Option<Arc<str>>,
    /// `workflow_phase`, `multi-agent`, `workflow` (orchestrator mode), …
    pub(super) mode: Option<Arc<str>>,
    /// The line of the last stop that emptied its registry of agents.
    pub(super) agents_dropped: Option<SharedEvent>,
}

/// What every session has registered since its process began.
#[derive(Debug, Default)]
pub(super) struct Registry {
    pub(super) sessions: BTreeMap<Arc<str>, LoggedSession>,
    /// Sessions with a row that has not ended.
    open: BTreeSet<Arc<str>>,
    /// Rows and turns in `sessions`.
    kept: usize,
    /// How many more may come before it is looked again for what has ended.
    refused: usize,
    /// How many were too many to be kept.
    pub(super) forgotten: u64,
}

/// The sessions that the replay holds.
pub(super) type Sessions = FxHashMap<Arc<str>, Box<SessionState>>;

impl Registry {
    /// Takes over one event that was applied to these sessions, and that was held to be of this one.
    pub(super) fn follow(&mut self, sessions: &Sessions, session: Option<&Arc<str>>, event: &SharedEvent) {
        if matches!(event.kind, EventKind::ProcessStarted) {
            *self = Self { forgotten: self.forgotten, ..Self::default() };
            return;
        }
        match session {
            Some(session) => {
                self.follow_session(sessions, session, event);
                if event.kind.execution().is_some() || ends_rows(&event.kind) {
                    self.settle(sessions, session, event);
                }
            }
            // These lines name no session, yet they tie rows to runs and end them.
            None if matches!(
                event.kind,
                EventKind::SubAgentWorkingDirectory { .. } | EventKind::StepProgressed { .. }
            ) =>
            {
                for session in self.open.clone() {
                    self.settle(sessions, &session, event);
                }
            }
            None => {}
        }
    }

    /// Makes room for one row or turn more: first what has ended is forgotten, then what comes new.
    fn has_room(&mut self) -> bool {
        if self.kept >= KEPT && self.refused > 0 {
            self.refused -= 1;
        } else if self.kept >= KEPT {
            for logged in self.sessions.values_mut() {
                logged.rows.retain(|_, row| row.end.is_none());
                logged.turns.retain(|turn| turn.end.is_none());
            }
            let left = self.sessions.values().map(|logged| logged.rows.len() + logged.turns.len()).sum();
            self.forgotten += self.kept.saturating_sub(left) as u64;
            self.kept = left;
            // Where nearly all is at work, looking again for each line would take too long.
            self.refused = if left > KEPT - KEPT / 8 { KEPT / 8 } else { 0 };
        }
        let has_room = self.kept < KEPT;
        self.kept += usize::from(has_room);
        self.forgotten += u64::from(!has_room);
        has_room
    }

    fn follow_session(&mut self, sessions: &Sessions, session: &str, event: &SharedEvent) {
        let adds = matches!(
            event.kind,
            EventKind::ExecutionRecorded { .. }
                | EventKind::LiveInputDelivered { .. }
                | EventKind::QueryReceived { .. }
                | EventKind::SyntheticTurnStarting { .. }
        );
        if adds && !self.has_room() {
            return;
        }
        let logged = self.sessions.entry(session.into()).or_default();
        logged.first.get_or_insert_with(|| event.clone());
        logged.last = Some(event.clone());
        if let Some(workflow) = &event.context.workflow {
            logged.workflow.get_or_insert_with(|| workflow.clone());
        }
        match &event.kind {
            EventKind::StatusUpdated { status, .. } => {
                if &**status != "running" {
                    logged.end_unnamed(event, &[TurnStage::Delivered, TurnStage::Preparing]);
                }
                logged.status = Some((event.clone(), status.clone()));
            }
            // The line sets the status to running without saying so (server-behaviour.md#what-the-log-prints).
            EventKind::SessionTracked { mode, .. } => {
                logged.mode = Some(mode.clone());
                logged.status = Some((event.clone(), "running".into()));
            }
            EventKind::LiveInputDelivered { .. } => {
                logged.turns.push(LoggedTurn::new(event, TurnStage::Delivered));
            }
            EventKind::QueryReceived { .. } => {
                logged.end_unnamed(event, &[TurnStage::Preparing]);
                logged.turns.push(LoggedTurn::new(event, TurnStage::Preparing));
            }
            EventKind::InternalSessionStarted { query, .. } => {
                if let Some(turn) = logged.turns.iter_mut().rev().find(|turn| turn.end.is_none()) {
                    turn.query.get_or_insert_with(|| query.clone());
                }
            }
            // The row that owns the lost pane is failed at once; its worker unwinds later
            // (server-behaviour.md#a-lost-step-pane).
            EventKind::ChildTerminalFailed { terminal, .. } => {
                let owner = terminal.strip_prefix(session).and_then(|rest| rest.strip_prefix(':'));
                let row = owner.and_then(|owner| logged.rows.get_mut(owner));
                if let Some(row) = row.filter(|row| row.end.is_none()) {
                    row.end = Some((event.clone(), Some(Status::Failed)));
                }
            }
            EventKind::RegistryCleared { .. } => logged.agents_dropped = Some(event.clone()),
            EventKind::ExecutionRecorded { id, .. } => {
                let launched_in = logged.turns.iter().rev().find(|turn| turn.end.is_none());
                let row = LoggedRow {
                    recorded: event.clone(),
                    container: Container::Unknown,
                    launched_in: launched_in.map(|turn| turn.start.clone()),
                    end: None,
                    swept: None,
                };
                logged.rows.insert(id.clone(), row);
                self.open.insert(session.into());
            }
            _ => {}
        }
        self.follow_turns(sessions, session, event);
    }

    /// Takes over the turns that the replay holds; one that it holds no more has ended with this line.
    fn follow_turns(&mut self, sessions: &Sessions, session: &str, event: &SharedEvent) {
        let (Some(state), Some(logged)) = (sessions.get(session), self.sessions.get_mut(session)) else {
            return;
        };
        for turn in &state.turns {
            let status = Some(if turn.succeeded() { Status::Completed } else { ended() });
            let end = turn.end.clone().map(|end| (end, status));
            let at = logged.turns.iter().rposition(|known| known.start.position == turn.start.position);
            let known = match at {
                Some(at) => logged.turns.get_mut(at),
                None => Some(logged.begin(turn)),
            };
            if let Some(known) = known {
                known.query = known.query.take().or_else(|| turn.query.clone());
                known.end = known.end.take().or(end);
            }
        }
        let streams = |turn: &&mut LoggedTurn| {
            matches!(turn.stage, TurnStage::Streaming | TurnStage::Synthetic) && turn.end.is_none()
        };
        for known in logged.turns.iter_mut().filter(streams) {
            if !state.turns.iter().any(|turn| turn.start.position == known.start.position) {
                known.end = Some((event.clone(), Some(ended())));
            }
        }
    }

    /// Takes over what the replay has learnt of a session's open rows.
    fn settle(&mut self, sessions: &Sessions, session: &str, event: &SharedEvent) {
        let (Some(state), Some(logged)) = (sessions.get(session), self.sessions.get_mut(session)) else {
            return;
        };
        let stopped = state.is_stopped();
        let held: BTreeMap<&str, &super::episode::Row> =
            state.rows.iter().map(|row| (&*row.id, row)).collect();
        let mut open = false;
        for (id, row) in logged.rows.iter_mut().filter(|(_, row)| row.end.is_none()) {
            match held.get(&**id) {
                Some(held) => {
                    row.container = held.container.clone();
                    row.swept = row.swept.take().or_else(|| held.canceled_by.clone());
                    if let Some(end) = &held.end {
                        row.end = Some((end.event.clone(), status_of(id, &end.event.kind, stopped)));
                    }
                }
                None => row.end = Some((event.clone(), status_of(id, &event.kind, stopped))),
            }
            open |= row.end.is_none();
        }
        if !open {
            self.open.remove(session);
        }
    }
}

impl LoggedSession {
    /// Ends the turns of these stages, of which no line of their own tells the end.
    fn end_unnamed(&mut self, event: &SharedEvent, stages: &[TurnStage]) {
        let ends = |turn: &&mut LoggedTurn| turn.end.is_none() && stages.contains(&turn.stage);
        for turn in self.turns.iter_mut().filter(ends) {
            turn.end = Some((event.clone(), Some(ended())));
        }
    }

    /// A turn begins to stream: the one that was being prepared, else a new one.
    fn begin(&mut self, turn: &Turn) -> &mut LoggedTurn {
        let stage = if turn.synthetic { TurnStage::Synthetic } else { TurnStage::Streaming };
        let prepared = |known: &LoggedTurn| known.stage == TurnStage::Preparing && known.end.is_none();
        let at = self.turns.iter().rposition(prepared).filter(|_| stage == TurnStage::Streaming);
        let at = at.unwrap_or_else(|| {
            self.turns.push(LoggedTurn::new(&turn.start, stage));
            self.turns.len() - 1
        });
        let known = &mut self.turns[at];
        known.start = turn.start.clone();
        known.stage = stage;
        known
    }
}

/// Ended, but the log does not tell how.
fn ended() -> Status {
    Status::Ended
}

/// Whether a line may end rows without naming one of them first.
fn ends_rows(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::ProgressChildrenSettled { .. }
            | EventKind::BackgroundAgents { .. }
            | EventKind::TrackedMarked { .. }
            | EventKind::WorkshopClosed { .. }
            | EventKind::RegistryCleared { .. }
            | EventKind::AgentsCanceledByStop { .. }
    )
}

/// How a row ended, by the line that ended it; a line about another row tells only that it did. A mirror may go on
/// saying "running" after a stop although its run has ended (server-behaviour.md#what-ends-a-row), and no line
/// tells which do.
fn status_of(id: &str, kind: &EventKind, stopped: bool) -> Option<Status> {
    if kind.execution() != Some(id) {
        return (!stopped || IdKind::of(id) != IdKind::Mirror).then(ended);
    }
    Some(match kind {
        EventKind::Finalized { outcome: FinalOutcome::Done, .. }
        | EventKind::ChildSuccessSuppressed { .. } => Status::Completed,
        EventKind::Finalized { outcome: FinalOutcome::Failed | FinalOutcome::TimedOut, .. } => Status::Failed,
        EventKind::Finalized { outcome: FinalOutcome::Cancelled | FinalOutcome::StoppedByTool, .. }
        | EventKind::CompleteIgnored { .. }
        | EventKind::CompleteSkipped { .. }
        | EventKind::ResultSkipped { .. }
        | EventKind::ErrorSkipped { .. } => Status::Canceled,
        _ => ended(),
    })
}

/// Whether a turn launches rows of this kind (server-behaviour.md#whose-work-it-is).
pub(super) fn is_launched(kind: IdKind) -> bool {
    matches!(kind, IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent)
}
