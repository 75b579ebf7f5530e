//! Rows of the registries: begin, container, end.

use super::engine::Replay;
use super::episode::{CANCEL_LAG, EndKind};
use crate::events::{EventKind, SharedEvent};
use crate::model::id::IdKind;

impl Replay {
    pub(super) fn follow_rows(&mut self, session: &str, event: &SharedEvent) {
        let end = match &event.kind {
            EventKind::ExecutionRecorded { id, .. } => {
                self.executions.insert(id.clone(), session.into());
                if matches!(IdKind::of(id), IdKind::Agent) {
                    self.agents_without_pane.push((session.into(), id.clone()));
                    if self.agents_without_pane.len() > 64 {
                        self.agents_without_pane.remove(0);
                    }
                }
                if let Some(state) = self.sessions.get_mut(session) {
                    state.record(id, event);
                }
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
            | EventKind::CompletionQueued { id, .. }
            | EventKind::SteerFailed { id, .. }
            | EventKind::CompletionDropped { id, .. } => (id, EndKind::Completed),
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
        if let Some(state) = self.sessions.get_mut(session) {
            state.end_row(end.0, event, end.1);
            if state.episode.is_none() {
                self.executions.remove(end.0);
            }
        }
        self.agents_without_pane.retain(|(_, id)| id != end.0);
    }

    pub(super) fn link_item(&mut self, sub_session: &str, path: &str, event: &SharedEvent) {
        // The line names no session: the newest open item of that step is meant (measured, section 8: match by
        // step and time, not by distance).
        let mut candidates: Vec<(SharedEvent, Box<str>)> = Vec::new();
        for (session, state) in &self.sessions {
            let newest = state
                .rows
                .iter()
                .filter(|row| row.kind == IdKind::Item && row.end.is_none())
                .filter(|row| !state.item_sessions.iter().any(|(item, _)| *item == row.id))
                .filter_map(|row| row.recorded.clone())
                .filter(|recorded| event.wall - recorded.wall <= CANCEL_LAG)
                .max_by_key(|recorded| recorded.position);
            if let Some(recorded) = newest {
                candidates.push((recorded, session.clone()));
            }
        }
        candidates.sort_by_key(|(recorded, _)| std::cmp::Reverse(recorded.position));
        for (_, session) in candidates {
            let Some(state) = self.sessions.get_mut(&session) else { continue };
            if let Some(item) = state.link_item(sub_session, path, event) {
                self.note_item_began(&session, &item, sub_session);
                return;
            }
        }
    }

    /// A progress row ended. The line names no session; where several runs have an open row of that step, none is
    /// ended, since a row too many is seen in the counters and a row too few is not.
    pub(super) fn end_mirror(&mut self, number: u64, event: &SharedEvent) {
        let marker = format!("-step-{number}-");
        let mut found: Vec<(Box<str>, Box<str>)> = Vec::new();
        for (session, state) in &self.sessions {
            let same_workflow =
                event.context.workflow.as_ref().is_none_or(|workflow| state.labels.contains(workflow));
            let open = state
                .rows
                .iter()
                .filter(|row| row.kind == IdKind::Mirror && row.end.is_none() && row.id.contains(&marker));
            found.extend(open.filter(|_| same_workflow).map(|row| (session.clone(), row.id.clone())));
        }
        let [(session, id)] = found.as_slice() else { return };
        if let Some(state) = self.sessions.get_mut(session) {
            state.end_row(id, event, EndKind::Completed);
        }
    }
}
