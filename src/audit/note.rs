//! What a stop reached, in a few words for a person.

use crate::events::EventKind;
use crate::replay::case::MinorStop;
use crate::replay::episode::Sweep;
use crate::replay::{Cause, Episode};

/// One clause for a person: what the stop reached.
pub(super) fn of_episode(episode: &Episode) -> String {
    let mut parts = Vec::new();
    let sweep = episode.sweep();
    let turn = sweep.and_then(|sweep| sweep.turn.as_ref()).is_some_and(|(canceled, _)| *canceled)
        || episode.openers.iter().any(|line| matches!(line.kind, EventKind::TurnCanceledByStop { .. }));
    if turn {
        parts.push("turn cancelled".to_owned());
    }
    match sweep.and_then(|sweep| sweep.agents.as_ref()) {
        Some((own, none, _, _)) => {
            if *own > 0 {
                parts.push(format!("{own} cancelled"));
            }
            if *none > 0 && *own > 0 {
                parts.push(format!("{none} through {} container", if *none == 1 { "its" } else { "their" }));
            } else if *none > 0 {
                parts.push(format!("{none} without a cancel function"));
            }
        }
        None => {
            let open = episode.open_at_stop().filter(|row| row.kind.has_own_cancel()).count();
            let ended = episode
                .open_at_stop()
                .filter(|row| row.kind.has_own_cancel() && episode.end_of(row).is_some())
                .count();
            if open > 0 {
                parts.push(format!("{ended} of {open} running executions logged their end"));
            }
        }
    }
    if parts.is_empty() {
        parts.push(match sweep.and_then(Sweep::marked_count) {
            Some(marked) if marked > 0 => format!("{marked} only marked canceled"),
            _ => "nothing seen running".to_owned(),
        });
    }
    if episode.resumed.is_some() {
        parts.push("resumed by a person later".to_owned());
    }
    parts.join(", ")
}

/// The same for a smaller stop.
pub(super) fn of_minor(minor: &MinorStop) -> String {
    match (&minor.opener.kind, minor.cause) {
        (EventKind::NoTurnToCancel { .. }, _) => "there was no turn to cancel".to_owned(),
        (_, Cause::CancelTurn) => "the turn was cancelled, nothing else".to_owned(),
        (EventKind::ChildTerminalFailed { terminal, .. }, _) => {
            format!("only the owner of {terminal} was failed")
        }
        (EventKind::StepStoppedByTool { id }, _) => format!("{id} was stopped, nothing else"),
        _ => match &minor.sweep.agents {
            Some((own, none, done, _)) => {
                format!("{own} cancelled, {none} without a cancel function, {done} done")
            }
            None => format!("{} marked canceled", minor.sweep.marked_count().unwrap_or_default()),
        },
    }
}
