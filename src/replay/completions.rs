//! Completions that reach nobody.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::CompletionLoss;
use super::engine::Replay;
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};

/// Seconds in which a dropped completion may still find its way.
pub(super) const COMPLETION_WINDOW: i64 = 120;

impl Replay {
    pub(super) fn follow_completions(&mut self, session: &Arc<str>, event: &SharedEvent) {
        match &event.kind {
            EventKind::CompletionDropped { .. }
            | EventKind::CompletionsDiscarded { .. }
            | EventKind::NoStoredAgent { .. } => self.lose_completion(session, event),
            EventKind::SyntheticTurnStarting { .. } | EventKind::CompletionSteered { .. } => {
                // Delivered after all; only a missing agent is made good this way.
                let Some(state) = self.sessions.get_mut(session) else { return };
                if let Some(loss) = state.completion_loss.as_mut() {
                    loss.losses.retain(|line| !matches!(line.kind, EventKind::NoStoredAgent { .. }));
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
        let loss = state.completion_loss.get_or_insert_with(|| CompletionLoss {
            session: session.clone(),
            losses: Vec::new(),
            labels: BTreeSet::new(),
        });
        push_bounded(&mut loss.losses, event.clone());
        self.due.insert((event.wall + COMPLETION_WINDOW, session.clone()));
    }
}
