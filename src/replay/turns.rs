//! Turns: which are open, which request and answer are theirs.

use std::sync::Arc;

use super::engine::Replay;
use super::episode::Turn;
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};
use crate::model::thresholds::SAME_EPISODE;

impl Replay {
    pub(super) fn follow_turns(&mut self, session: &Arc<str>, event: &SharedEvent) {
        if !concerns_a_turn(&event.kind) {
            return;
        }
        let answer = match &event.kind {
            EventKind::StreamClosed { .. }
            | EventKind::StreamCompleted { .. }
            | EventKind::SyntheticTurnEnded { .. } => self.claim_answer(session, event),
            _ => None,
        };
        let Some(state) = self.sessions.get_mut(session) else { return };
        match &event.kind {
            EventKind::QueryReceived { .. } => state.pending_request = Some(event.clone()),
            EventKind::StreamStarting { after_milliseconds, .. } => {
                let request = state.pending_request.take();
                // A later turn settles what was delivered before it (server-behaviour.md#turns-in-a-live-pane).
                state.delivered.clear();
                let after_milliseconds = *after_milliseconds;
                state.turns.push(Turn { after_milliseconds, request, ..Turn::starting(event) });
            }
            EventKind::SyntheticTurnStarting { .. } => {
                state.turns.push(Turn { synthetic: true, ..Turn::starting(event) });
            }
            EventKind::StreamWaitStarted { query, .. } | EventKind::ChannelOpened { query } => {
                let turn = state.turns.iter_mut().rev().find(|turn| !turn.synthetic && turn.query.is_none());
                if let Some(turn) = turn {
                    turn.query = Some(query.clone());
                }
            }
            EventKind::ToolStarted { .. } => {
                if let Some(turn) = state.open_turn() {
                    turn.tool.get_or_insert_with(|| event.clone());
                }
            }
            EventKind::StreamClosed { query, .. } => {
                let turn = state.turns.iter_mut().find(|turn| turn.query.as_ref() == Some(query));
                if let Some(turn) = turn {
                    turn.answer = turn.answer.take().or(answer);
                }
            }
            EventKind::StreamCompleted { duration_milliseconds, .. } => {
                // The line names no turn; its duration counts from the request's entry, and that tells.
                let entry = event.utc() * 1000 - duration_milliseconds;
                let turn = state
                    .turns
                    .iter_mut()
                    .filter(|turn| !turn.synthetic && turn.end.is_none())
                    .min_by_key(|turn| (turn.entry_milliseconds() - entry).abs());
                if let Some(turn) = turn {
                    turn.answer = turn.answer.take().or(answer);
                    turn.end = Some(event.clone());
                    let ended = turn.clone();
                    state.note_turn_end(&ended);
                }
                if state.episode.is_none() {
                    state.forget_ended();
                }
            }
            EventKind::SyntheticTurnEnded { .. } => {
                if let Some(turn) = state.turns.iter_mut().find(|turn| turn.synthetic && turn.end.is_none()) {
                    turn.answer = turn.answer.take().or(answer);
                    turn.end = Some(event.clone());
                    let ended = turn.clone();
                    state.note_turn_end(&ended);
                }
                if state.episode.is_none() {
                    state.forget_ended();
                }
            }
            EventKind::LiveInputDelivered { .. } => {
                push_bounded(&mut state.live_inputs, event.clone());
                push_bounded(&mut state.delivered, event.clone());
            }
            EventKind::StatusUpdated { status, .. } => {
                if &**status != "running" {
                    state.delivered.clear();
                }
                state.status = Some(status.clone());
            }
            _ => {}
        }
    }

    /// The `AskWithHistory returned` line of the turn that ends now: the newest one, where no other turn
    /// could have printed it.
    pub(super) fn claim_answer(&mut self, session: &str, event: &SharedEvent) -> Option<SharedEvent> {
        while self.answers.front().is_some_and(|answer| event.utc() - answer.utc() > SAME_EPISODE) {
            self.answers.pop_front();
        }
        let start = self
            .sessions
            .get(session)?
            .turns
            .iter()
            .find(|turn| turn.end.is_none())
            .map(|turn| turn.start.position)?;
        let mut candidates = self.answers.iter().filter(|answer| answer.position > start);
        let first = candidates.next()?.clone();
        if candidates.next().is_some() {
            return None;
        }
        self.answers.retain(|answer| answer.position != first.position);
        Some(first)
    }
}

fn concerns_a_turn(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::QueryReceived { .. }
            | EventKind::StreamStarting { .. }
            | EventKind::SyntheticTurnStarting { .. }
            | EventKind::StreamWaitStarted { .. }
            | EventKind::ChannelOpened { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::StreamClosed { .. }
            | EventKind::StreamCompleted { .. }
            | EventKind::SyntheticTurnEnded { .. }
            | EventKind::LiveInputDelivered { .. }
            | EventKind::StatusUpdated { .. }
    )
}
