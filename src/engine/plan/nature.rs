//! What each running turn of a session is, and so what can end it (server-behaviour.md#turns-in-a-live-pane).

use crate::engine::resolve::{Row, SessionFacts, TurnNature};
use crate::model::confidence::Confidence;

/// The nature of one running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// The session's turn cancel belongs to it.
    WithCancel,
    /// Delivered into the live pane; ends with that.
    InPane,
    /// Delivered into the pane beside a turn of the server's own; ends with the pane and is settled then.
    Queued,
    /// Being prepared: it cannot be cancelled yet and may begin to work at any moment.
    Preparing,
    /// An older turn without a cancel, beside the one that has it, and no pane to end with.
    Overtaken,
    /// It cannot be told.
    Unknown,
}

/// What is known of one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) nature: Nature,
    pub(super) confidence: Confidence,
    /// Why, as a sentence fragment.
    pub(super) why: &'static str,
}

/// What is known of the turn of this row, if it runs.
pub(super) fn turn(row: &Row<'_>, facts: &SessionFacts<'_>) -> Turn {
    let (nature, confidence, why) = judge(row, facts);
    Turn { nature, confidence, why }
}

fn judge(row: &Row<'_>, facts: &SessionFacts<'_>) -> (Nature, Confidence, &'static str) {
    let sure = facts.turn.reason.confidence;
    let main = facts.main_terminal.filter(|main| main.active != Some(false));
    let pane = main.and_then(|main| main.has_pane());
    match facts.turn.value {
        Some(TurnNature::WithCancel) => {
            if facts.cancellable_turn().is_some_and(|turn| turn.execution.id == row.execution.id) {
                return (Nature::WithCancel, sure, "the session's turn cancel belongs to it");
            }
            match pane {
                Some(true) => (
                    Nature::Queued,
                    Confidence::Medium.min(sure),
                    "it was delivered into the pane beside the turn that has the cancel",
                ),
                _ => (
                    Nature::Overtaken,
                    Confidence::Medium.min(sure),
                    "the session's only turn cancel belongs to another turn",
                ),
            }
        }
        Some(TurnNature::InPane) => match pane {
            Some(true) => (Nature::InPane, sure, "it was delivered into the live pane and has no cancel"),
            _ => (
                Nature::Unknown,
                Confidence::Low,
                "the session is busy without a turn cancel, but no live main pane is known",
            ),
        },
        Some(TurnNature::Preparing) => {
            (Nature::Preparing, sure, "the turn is being prepared and cannot be cancelled yet")
        }
        Some(TurnNature::None) => {
            (Nature::Unknown, Confidence::Low, "the row says running, but the session was stopped before")
        }
        None => (Nature::Unknown, Confidence::Low, "nothing tells whether it has a cancel"),
    }
}
