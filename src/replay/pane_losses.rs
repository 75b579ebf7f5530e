//! Lost panes of steps, and how the step went on.

use std::sync::Arc;

use super::case::PaneLoss;
use super::engine::Replay;
use super::episode::Container;
use super::session::push_bounded;
use super::sub_session::item_is_of_step;
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::id::{self, IdKind};

/// Seconds within which a lost step pane must show its consequence (server-behaviour.md#reading-a-stop-from-a-log,
/// PLS039).
pub(super) const PANE_LOSS_WINDOW: i64 = 90;

impl Replay {
    pub(super) fn lose_step_pane(&mut self, session: &Arc<str>, terminal: &str, event: &SharedEvent) {
        let Some(exec) = id::step_of_terminal(terminal) else { return };
        let Some((_, step)) = terminal.rsplit_once(':') else { return };
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(known) = state.pane_losses.iter_mut().find(|loss| &*loss.terminal == terminal) {
            push_bounded(&mut known.losses, event.clone());
            return;
        }
        if state.is_stopped() {
            return;
        }
        let started = id::nanoseconds(exec);
        let items: Vec<_> = state
            .rows
            .iter()
            .filter(|row| row.kind == IdKind::Item && row.end.is_none() && item_is_of_step(&row.id, step))
            .filter(|row| id::nanoseconds(&row.id) >= started)
            .cloned()
            .collect();
        if items.is_empty() {
            return;
        }
        state.pane_losses.push(PaneLoss {
            session: session.clone(),
            terminal: terminal.into(),
            losses: vec![event.clone()],
            items,
            continued: None,
            next_item: None,
            stopped: false,
            labels: state.labels.clone(),
        });
        self.due.insert((event.utc() + PANE_LOSS_WINDOW + 1, session.clone()));
    }

    /// An item has begun in this sub-agent session: what does that say of lost panes?
    pub(super) fn note_item_began(&mut self, session: &str, item: &str, sub_session: &str) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        let Some(began) = state.rows.iter().find(|row| &*row.id == item).cloned() else { return };
        let Some(recorded) = began.recorded.clone() else { return };
        for loss in state.pane_losses.iter_mut().filter(|loss| loss.continued.is_none() && !loss.stopped) {
            let first = &loss.losses[0];
            if recorded.position <= first.position || recorded.utc() - first.utc() > PANE_LOSS_WINDOW {
                continue;
            }
            let same_sequence = loss.items.iter().any(|lost| {
                state.item_sessions.iter().any(|(id, of)| *id == lost.id && &**of == sub_session)
            }) || loss.items.iter().any(|lost| {
                // The lost item's own session is gone from the list once it has ended.
                lost.container == began.container
                    && began.container != Container::Unknown
                    && matches!(began.container, Container::Run(_))
            });
            if same_sequence {
                loss.continued = Some((recorded.clone(), "the next item of the same sequence began"));
                loss.next_item = Some(recorded.clone());
            }
        }
    }

    /// A completion line: does it report an item whose pane was lost, or its container, as done?
    pub(super) fn note_item_done(&mut self, session: &str, event: &SharedEvent) {
        if !matches!(event.kind, EventKind::ChildSuccessSuppressed { .. } | EventKind::Finalized { .. }) {
            return;
        }
        let Some(state) = self.sessions.get_mut(session) else { return };
        for loss in state.pane_losses.iter_mut().filter(|loss| loss.continued.is_none() && !loss.stopped) {
            if event.utc() - loss.losses[0].utc() > PANE_LOSS_WINDOW {
                continue;
            }
            let exec = id::step_of_terminal(&loss.terminal).unwrap_or_default();
            let what = match &event.kind {
                EventKind::ChildSuccessSuppressed { id, .. }
                    if loss.items.iter().any(|item| item.id == *id) =>
                {
                    "the item was reported as a success"
                }
                EventKind::Finalized { id, outcome: FinalOutcome::Done } if &**id == exec => {
                    "its step was reported as done"
                }
                EventKind::Finalized { id, outcome: FinalOutcome::Done }
                    if loss.items.iter().any(|item| item.belongs_to(id)) =>
                {
                    "its run was reported as done"
                }
                _ => continue,
            };
            loss.continued = Some((event.clone(), what));
        }
    }
}
