//! Whether something can end a row's worker (server-behaviour.md#who-holds-a-cancel). No answer of the server
//! shows it.

use super::class::{Declared, declared};
use super::index::{is_orchestrator_run, row_evidence};
use super::reason::{Reason, Resolved};
use super::row::{Cancel, Container};
use crate::model::confidence::Confidence;
use crate::model::execution::{Execution, Membership};
use crate::model::fact::Source;
use crate::model::id::IdKind;

const CANCEL: &str = "server-behaviour.md#who-holds-a-cancel";

/// The cancel of a row. `turn_with_cancel` is the row that the session's turn cancel belongs to, `Err` where
/// that cannot be told; `of_container` gives status and cancel of a row that it may run in.
pub(super) fn cancel<'a>(
    row: &'a Execution,
    container: &Resolved<'a, Container<'a>>,
    turn_with_cancel: Result<Option<&str>, &'static str>,
    of_container: impl Fn(&str) -> Option<(Option<bool>, Cancel)>,
) -> Resolved<'a, Cancel> {
    let is = |cancel, confidence, words| {
        Resolved::new(cancel, Reason::new(confidence, CANCEL, words, row_evidence(row)))
    };
    if is_orchestrator_run(row) {
        return match row.is_running() {
            Some(true) => is(Cancel::Own, Confidence::Medium, "its query id carries a cancel"),
            Some(false) => is(Cancel::None, Confidence::High, "it has ended"),
            None => is(Cancel::Unknown, Confidence::Low, "whether it runs is not known"),
        };
    }
    if row.kind.is_turn() {
        // A log never prints that a cancel is registered; it follows from what the turn has printed.
        let sure = match row_evidence(row).source {
            Source::Log { .. } => Confidence::Medium,
            _ => Confidence::High,
        };
        return match turn_with_cancel {
            Ok(Some(turn)) if turn == row.id => {
                is(Cancel::Own, sure, "the session's turn cancel belongs to it")
            }
            Ok(_) => is(Cancel::None, sure, "no turn cancel is registered for it"),
            Err(words) => is(Cancel::Unknown, Confidence::Low, words),
        };
    }
    if row.kind.has_own_cancel() || declared(row) != Declared::Nothing && declared(row) != Declared::Inline {
        return match row.in_background {
            Membership::Present => is(Cancel::Own, Confidence::High, "rows of its kind hold a cancel"),
            Membership::Absent => is(
                Cancel::None,
                Confidence::High,
                "it is not in the agents' registry, which alone holds cancels",
            ),
            Membership::Unknown => {
                is(Cancel::Unknown, Confidence::Low, "whether the agents' registry holds it is not known")
            }
        };
    }
    if row.kind == IdKind::Unknown && declared(row) == Declared::Nothing {
        return is(Cancel::Unknown, Confidence::Low, "its id is of no known spelling");
    }
    inline(container, &of_container)
}

/// The cancel of what holds none itself: that of the nearest running container.
pub(super) fn inline<'a>(
    container: &Resolved<'a, Container<'a>>,
    of_container: &impl Fn(&str) -> Option<(Option<bool>, Cancel)>,
) -> Resolved<'a, Cancel> {
    let is = |cancel, confidence: Confidence, words| {
        let reason = Reason::new(confidence, CANCEL, words, container.reason.evidence);
        Resolved::new(cancel, reason.at_most(container.reason.confidence))
    };
    let unknown = |words| is(Cancel::Unknown, Confidence::Low, words);
    let candidates = match &container.value {
        Container::Session | Container::Unknown => return unknown("what it runs in cannot be told"),
        Container::Missing(_) => {
            return is(Cancel::None, Confidence::Medium, "what it runs in is no row any more");
        }
        Container::Row(_) | Container::OneOf(_) => container.value.candidates(),
    };
    let (mut can, mut cannot) = (0, 0);
    for candidate in candidates {
        match of_container(candidate) {
            Some((Some(true), Cancel::Own | Cancel::Inherited)) => can += 1,
            Some((Some(false), _) | (Some(true), Cancel::None)) => cannot += 1,
            _ => {}
        }
    }
    if can == candidates.len() {
        is(Cancel::Inherited, Confidence::High, "it ends with what it runs in")
    } else if cannot == candidates.len() {
        is(Cancel::None, Confidence::High, "what it runs in has ended or cannot be cancelled")
    } else {
        unknown("whether what it runs in can be cancelled is not known")
    }
}
