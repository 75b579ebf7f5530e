//! Completions that reach nobody.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::CompletionLoss;
use super::engine::Replay;
use super::episode::Row;
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};

/// Seconds in which a dropped completion may still find its way.
pub(super) const COMPLETION_WINDOW: i64 = 120;

impl Replay {
    pub(super) fn follow_completions(&mut self, session: &Arc<str>, event: &SharedEvent) {
        match &event.kind {
            EventKind::CompletionQueued { id, .. } => {
                let Some(state) = self.sessions.get_mut(session) else { return };
                state.queued.retain(|(known, _)| known != id);
                push_bounded(&mut state.queued, (id.clone(), event.clone()));
            }
            EventKind::CompletionDropped { id, .. } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    state.queued.retain(|(known, _)| known != id);
                }
                self.lose_completion(session, event);
            }
            EventKind::CompletionsDiscarded { .. } => {
                self.lose_completion(session, event);
                if let Some(state) = self.sessions.get_mut(session) {
                    state.queued.clear();
                }
            }
            EventKind::NoStoredAgent { .. } | EventKind::TurnNotDispatched { .. } => {
                self.lose_completion(session, event);
            }
            EventKind::SyntheticTurnStarting { .. } | EventKind::CompletionSteered { .. } => {
                // Delivered after all; only a missing agent is made good this way.
                let Some(state) = self.sessions.get_mut(session) else { return };
                match &event.kind {
                    EventKind::CompletionSteered { id, .. } => state.queued.retain(|(known, _)| known != id),
                    _ => state.queued.clear(),
                }
                if let Some(loss) = state.completion_loss.as_mut() {
                    loss.losses.retain(|line| !is_retried(&line.kind));
                    if loss.losses.is_empty() {
                        state.completion_loss = None;
                    }
                }
            }
            _ => {}
        }
    }

    fn lose_completion(&mut self, session: &Arc<str>, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session).filter(|state| !state.is_stopped()) else { return };
        let mut named: Vec<Arc<str>> = match &event.kind {
            EventKind::CompletionDropped { id, .. } | EventKind::TurnNotDispatched { id: Some(id), .. } => {
                vec![id.clone()]
            }
            _ => state.queued.iter().map(|(id, _)| id.clone()).collect(),
        };
        if named.is_empty() && matches!(event.kind, EventKind::NoStoredAgent { .. }) {
            // The line names nobody: what ended just before it wants to be told.
            let ended = |row: &&Row| row.end.as_ref().is_some_and(|end| event.utc() - end.event.utc() <= 5);
            named = state.just_ended.iter().rev().find(ended).map(|row| row.id.clone()).into_iter().collect();
        }
        let loss = state.completion_loss.get_or_insert_with(|| CompletionLoss {
            session: session.clone(),
            losses: Vec::new(),
            named: BTreeSet::new(),
            watched: false,
            labels: BTreeSet::new(),
        });
        push_bounded(&mut loss.losses, event.clone());
        loss.named.extend(named);
        self.due.insert((event.utc() + COMPLETION_WINDOW, session.clone()));
    }
}

/// Whether the server tries again after such a line, so that it is made good by a later turn.
fn is_retried(kind: &EventKind) -> bool {
    matches!(kind, EventKind::NoStoredAgent { .. } | EventKind::TurnNotDispatched { .. })
}
