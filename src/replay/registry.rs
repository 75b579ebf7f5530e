//! The registries of a server at one moment, rebuilt from its log: what was registered, what has ended, which
//! turns there were. Watches the replay from outside, which itself forgets what has ended.
//!
//! Knows nothing of findings. What a log never says (cancels, pane states, sub-agents of todo steps) stays unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::engine::{Limits, Losses, Replay};
use super::episode::Container;
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::execution::Status;
use crate::model::id::IdKind;

/// A row that the log shows to have been registered.
#[derive(Debug)]
pub(super) struct LoggedRow {
    pub(super) recorded: SharedEvent,
    /// What it runs in, as far as the log has told it while it was open.
    pub(super) container: Container,
    /// The start line of the turn in which it was registered.
    pub(super) launched_in: Option<SharedEvent>,
    pub(super) end: Option<(SharedEvent, Status)>,
    /// A sweep marked it canceled.
    pub(super) swept: bool,
}

/// A turn that the log shows.
#[derive(Debug)]
pub(super) struct LoggedTurn {
    pub(super) start: SharedEvent,
    pub(super) query: Option<Arc<str>>,
    /// A message that was delivered into a live pane: the log names neither its id nor its end.
    pub(super) delivered: bool,
    pub(super) end: Option<(SharedEvent, Status)>,
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
    /// A stop dropped its agents from their registry.
    pub(super) agents_dropped: bool,
}

/// The registries as the events applied so far leave them.
#[derive(Debug)]
pub struct RegistryReplay {
    pub(super) replay: Replay,
    pub(super) sessions: BTreeMap<Arc<str>, LoggedSession>,
    /// Sessions with a row that has not ended.
    open: BTreeSet<Arc<str>>,
}

impl RegistryReplay {
    /// Empty registries.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { replay: Replay::new(limits), sessions: BTreeMap::new(), open: BTreeSet::new() }
    }

    /// What could not be kept.
    #[must_use]
    pub fn losses(&self) -> &Losses {
        self.replay.losses()
    }

    /// Applies one event; the order is that of [`Replay::apply`].
    pub fn apply(&mut self, event: SharedEvent) {
        let session = self.replay.session_of(&event);
        self.replay.apply(event.clone());
        // Nothing is judged here.
        drop(self.replay.take_cases());
        if matches!(event.kind, EventKind::ProcessStarted) {
            self.sessions.clear();
            self.open.clear();
            return;
        }
        match session {
            Some(session) => {
                self.follow(&session, &event);
                if event.kind.execution().is_some() || ends_rows(&event.kind) {
                    self.settle(&session, &event);
                }
            }
            // These lines name no session, yet they tie rows to runs and end them.
            None if matches!(
                event.kind,
                EventKind::SubAgentWorkingDirectory { .. } | EventKind::StepProgressed { .. }
            ) =>
            {
                for session in self.open.clone() {
                    self.settle(&session, &event);
                }
            }
            None => {}
        }
    }

    fn follow(&mut self, session: &str, event: &SharedEvent) {
        let logged = self.sessions.entry(session.into()).or_default();
        logged.first.get_or_insert_with(|| event.clone());
        logged.last = Some(event.clone());
        if let Some(workflow) = &event.context.workflow {
            logged.workflow.get_or_insert_with(|| workflow.clone());
        }
        match &event.kind {
            EventKind::StatusUpdated { status, .. } => {
                if &**status != "running" {
                    logged.end_delivered(event);
                }
                logged.status = Some((event.clone(), status.clone()));
            }
            EventKind::LiveInputDelivered { .. } => logged.turns.push(LoggedTurn {
                start: event.clone(),
                query: None,
                delivered: true,
                end: None,
            }),
            EventKind::RegistryCleared { .. } => logged.agents_dropped = true,
            EventKind::ExecutionRecorded { id, .. } => {
                let launched_in = logged.turns.iter().rev().find(|turn| turn.end.is_none());
                let row = LoggedRow {
                    recorded: event.clone(),
                    container: Container::Unknown,
                    launched_in: launched_in.map(|turn| turn.start.clone()),
                    end: None,
                    swept: false,
                };
                logged.rows.insert(id.clone(), row);
                self.open.insert(session.into());
            }
            _ => {}
        }
        self.follow_turns(session, event);
    }

    /// Takes over the turns that the replay holds; one that it holds no more has ended with this line.
    fn follow_turns(&mut self, session: &str, event: &SharedEvent) {
        let (Some(state), Some(logged)) = (self.replay.sessions.get(session), self.sessions.get_mut(session))
        else {
            return;
        };
        for turn in &state.turns {
            let status = if turn.succeeded() { Status::Completed } else { ended() };
            let end = turn.end.clone().map(|end| (end, status));
            match logged.turns.iter_mut().rev().find(|known| known.start.position == turn.start.position) {
                Some(known) => {
                    known.query = known.query.take().or_else(|| turn.query.clone());
                    known.end = known.end.take().or(end);
                }
                None => logged.turns.push(LoggedTurn {
                    start: turn.start.clone(),
                    query: turn.query.clone(),
                    delivered: false,
                    end,
                }),
            }
        }
        for known in logged.turns.iter_mut().filter(|known| !known.delivered && known.end.is_none()) {
            if !state.turns.iter().any(|turn| turn.start.position == known.start.position) {
                known.end = Some((event.clone(), ended()));
            }
        }
    }

    /// Takes over what the replay has learnt of a session's open rows.
    fn settle(&mut self, session: &str, event: &SharedEvent) {
        let (Some(state), Some(logged)) = (self.replay.sessions.get(session), self.sessions.get_mut(session))
        else {
            return;
        };
        let held: BTreeMap<&str, &super::episode::Row> =
            state.rows.iter().map(|row| (&*row.id, row)).collect();
        let mut open = false;
        for (id, row) in logged.rows.iter_mut().filter(|(_, row)| row.end.is_none()) {
            match held.get(&**id) {
                Some(held) => {
                    row.container = held.container.clone();
                    row.swept |= held.canceled_by.is_some();
                    if let Some(end) = &held.end {
                        row.end = Some((end.event.clone(), status_of(id, &end.event.kind)));
                    }
                }
                None => row.end = Some((event.clone(), status_of(id, &event.kind))),
            }
            open |= row.end.is_none();
        }
        if !open {
            self.open.remove(session);
        }
    }
}

impl LoggedSession {
    fn end_delivered(&mut self, event: &SharedEvent) {
        for turn in self.turns.iter_mut().filter(|turn| turn.delivered && turn.end.is_none()) {
            turn.end = Some((event.clone(), ended()));
        }
    }
}

/// Ended, but the log does not tell how.
fn ended() -> Status {
    Status::Other("ended".into())
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

/// How a row ended, by the line that ended it; a line about another row tells only that it did.
fn status_of(id: &str, kind: &EventKind) -> Status {
    if kind.execution() != Some(id) {
        return ended();
    }
    match kind {
        EventKind::Finalized { outcome: FinalOutcome::Done, .. }
        | EventKind::ChildSuccessSuppressed { .. } => Status::Completed,
        EventKind::Finalized { outcome: FinalOutcome::Failed | FinalOutcome::TimedOut, .. } => Status::Failed,
        EventKind::Finalized { outcome: FinalOutcome::Cancelled | FinalOutcome::StoppedByTool, .. }
        | EventKind::CompleteIgnored { .. }
        | EventKind::CompleteSkipped { .. }
        | EventKind::ResultSkipped { .. }
        | EventKind::ErrorSkipped { .. } => Status::Canceled,
        _ => ended(),
    }
}

/// Whether a turn launches rows of this kind (stop-model, section 3).
pub(super) fn is_launched(kind: IdKind) -> bool {
    matches!(kind, IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent)
}
