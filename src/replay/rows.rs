//! Rows of the registries: begin, container, end.

use std::sync::Arc;

use super::engine::{OpenMirror, Replay};
use super::episode::EndKind;
use crate::events::{EventKind, SharedEvent};
use crate::model::id::IdKind;

/// Seconds within which the working directory of an item follows its registration
/// (server-behaviour.md#what-the-log-prints).
const LINK_WINDOW: i64 = 30;
/// How many rows that wait for a further line are kept, over all sessions.
const KEPT: usize = 256;

/// Names of rows that only a stop's own lines tell.
const KEPT_NAMED: usize = 262_144;

/// Whether every row of this class logs its own end (server-behaviour.md#what-ends-a-row).
fn logs_its_end(id: &str) -> bool {
    matches!(IdKind::of(id), IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent)
}

fn push_newest<T>(list: &mut Vec<T>, item: T) {
    if list.len() == KEPT {
        list.remove(0);
    }
    list.push(item);
}

impl Replay {
    pub(super) fn follow_rows(&mut self, session: &Arc<str>, event: &SharedEvent) {
        let end = match &event.kind {
            EventKind::ExecutionRecorded { id, .. } => {
                self.executions.insert(id.clone(), session.clone());
                match IdKind::of(id) {
                    IdKind::Agent => {
                        push_newest(&mut self.agents_without_pane, (session.clone(), id.clone()))
                    }
                    IdKind::Mirror => self.note_mirror(session, id),
                    IdKind::Item => {
                        if self.items_waiting.len() == KEPT {
                            self.items_waiting.pop_front();
                        }
                        self.items_waiting.push_back((session.clone(), event.clone()));
                    }
                    _ => {}
                }
                if let Some(state) = self.sessions.get_mut(session) {
                    state.record(id, event);
                }
                return;
            }
            // Started although the session is stopped: the server must end it at once, so the stop waits for it
            // (server-behaviour.md#what-ends-a-row).
            EventKind::StartIgnored { id, .. } if logs_its_end(id) => {
                self.executions.insert(id.clone(), session.clone());
                if let Some(state) = self.sessions.get_mut(session) {
                    state.record(id, event);
                    state.cancel_open_rows(event);
                }
                return;
            }
            // A row whose start stands before the first line: what is said of it later is of this session.
            EventKind::TrackedMarked { id, .. } if self.executions.len() < KEPT_NAMED => {
                self.executions.entry(id.clone()).or_insert_with(|| session.clone());
                return;
            }
            EventKind::Finalized { id, outcome } => (id, EndKind::Finalized(*outcome)),
            EventKind::CompleteIgnored { id, .. } => (id, EndKind::Ignored),
            EventKind::CompleteSkipped { id } => (id, EndKind::Skipped),
            EventKind::ResultSkipped { id } => (id, EndKind::ResultSkipped),
            EventKind::ErrorSkipped { id } => (id, EndKind::ErrorSkipped),
            EventKind::EndedFromContextLoss { id } => (id, EndKind::ContextLoss),
            EventKind::ChildSuccessSuppressed { id, .. }
            | EventKind::CompletionSteered { id, .. }
            | EventKind::SteerFailed { id, .. }
            | EventKind::CompletionDropped { id, .. } => (id, EndKind::Completed),
            // Work that a tool stops is told by its own end; a completion that waits only settles its row.
            EventKind::CompletionQueued { id, .. } if !logs_its_end(id) => (id, EndKind::Completed),
            EventKind::StaleExecutionReaped { id } => (id, EndKind::Dropped),
            EventKind::ProgressChildrenSettled { ids, .. } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    for id in ids {
                        state.end_row(id, event, EndKind::Settled);
                    }
                }
                return;
            }
            _ => return,
        };
        self.note_item_done(session, event);
        // An id that was never registered ends nothing.
        if !self.executions.contains_key(end.0) {
            return;
        }
        if let Some(state) = self.sessions.get_mut(session) {
            state.end_row(end.0, event, end.1);
            if state.is_awaited() {
                self.due.insert((event.utc() + self.thresholds.settle(), session.clone()));
            }
            if state.episode.is_none() {
                self.executions.remove(end.0);
            }
        }
        self.agents_without_pane.retain(|(_, id)| id != end.0);
    }

    /// Ties an item to its run or step by its working directory. The line names no session: an item of that step
    /// that was registered shortly before is meant, best one whose session knows the run folder
    /// (server-behaviour.md#what-the-log-prints).
    pub(super) fn link_item(&mut self, sub_session: &str, path: &str, event: &SharedEvent) {
        while self
            .items_waiting
            .front()
            .is_some_and(|(_, recorded)| event.utc() - recorded.utc() > LINK_WINDOW)
        {
            self.items_waiting.pop_front();
        }
        let mut sessions: Vec<Arc<str>> = Vec::new();
        for (session, _) in self.items_waiting.iter().rev() {
            if !sessions.contains(session) {
                sessions.push(session.clone());
            }
        }
        let explained = sessions.iter().position(|session| {
            self.sessions.get(session).is_some_and(|state| state.explains(sub_session, path))
        });
        if let Some(first) = explained {
            let session = sessions.remove(first);
            sessions.insert(0, session);
        }
        for session in sessions {
            let Some(state) = self.sessions.get_mut(&session) else { continue };
            if let Some(item) = state.link_item(sub_session, path, event) {
                let is_it = |recorded: &SharedEvent| matches!(&recorded.kind, EventKind::ExecutionRecorded { id, .. } if *id == item);
                self.items_waiting.retain(|(_, recorded)| !is_it(recorded));
                self.note_item_began(&session, &item, sub_session);
                return;
            }
        }
    }

    /// A progress row began. The oldest go first; what has ended before that is only looked for now and then.
    fn note_mirror(&mut self, session: &Arc<str>, id: &Arc<str>) {
        if self.mirrors.len() >= KEPT {
            if self.mirrors_unseen == 0 {
                let sessions = &self.sessions;
                self.mirrors.retain(|mirror| {
                    sessions.get(&mirror.session).is_some_and(|state| {
                        state.rows.iter().any(|row| row.id == mirror.id && row.end.is_none())
                    })
                });
                self.mirrors_unseen = KEPT;
            }
            self.mirrors_unseen -= 1;
        }
        let number = |part: &str| part.split_once('-').and_then(|(number, _)| number.parse().ok());
        let steps = id.split("-step-").skip(1).filter_map(number).collect();
        push_newest(&mut self.mirrors, OpenMirror { session: session.clone(), id: id.clone(), steps });
    }

    /// A progress row ended. The line names no session; where several runs have an open row of that step, none is
    /// ended, since a row too many is seen in the counters and a row too few is not.
    pub(super) fn end_mirror(&mut self, number: u64, event: &SharedEvent) {
        let open = |mirror: &&OpenMirror| {
            mirror.steps.contains(&number)
                && self.sessions.get(&mirror.session).is_some_and(|state| {
                    event.context.workflow.as_ref().is_none_or(|workflow| state.labels.contains(workflow))
                        && state.rows.iter().any(|row| row.id == mirror.id && row.end.is_none())
                })
        };
        let found: Vec<(Arc<str>, Arc<str>)> = self
            .mirrors
            .iter()
            .filter(open)
            .map(|mirror| (mirror.session.clone(), mirror.id.clone()))
            .take(2)
            .collect();
        let [(session, id)] = found.as_slice() else { return };
        let (session, id) = (session.clone(), id.clone());
        if let Some(state) = self.sessions.get_mut(&session) {
            state.end_row(&id, event, EndKind::Completed);
        }
    }
}
