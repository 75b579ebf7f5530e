//! Whose pane a terminal is (server-behaviour.md#parents-and-steps and
//! server-behaviour.md#what-a-stop-does-to-a-row; server-behaviour.md#what-a-client-can-read).

use super::index::SessionIndex;
use super::reason::{Evidence, Reason, Resolved};
use super::row::PaneOwner;
use crate::model::confidence::Confidence;
use crate::model::id::IdKind;
use crate::model::terminal::Terminal;

const PANES: &str = "server-behaviour.md#parents-and-steps";

/// The owner of a terminal, by the id that its owner string names.
pub(super) fn owner<'a>(index: &SessionIndex<'a>, terminal: &'a Terminal) -> Resolved<'a, PaneOwner<'a>> {
    let evidence = Evidence { source: terminal.source, record: &terminal.id };
    let is = |owner, confidence, words: &'static str| {
        Resolved::new(owner, Reason::new(confidence, PANES, words, evidence))
    };
    if terminal.is_main() {
        return is(PaneOwner::Session, Confidence::High, "it is the session's main terminal");
    }
    let Some(id) = owner_id(terminal) else {
        return is(PaneOwner::Unknown, Confidence::Low, "the record names no owner");
    };
    if index.row(id).is_some() {
        return is(PaneOwner::Row(id), Confidence::High, "the terminal's owner names it");
    }
    if IdKind::of(id) == IdKind::Step && terminal.step_execution() == Some(id) {
        return is(
            PaneOwner::InferredStep(id),
            Confidence::High,
            "the terminal's owner names the step, which no registry holds",
        );
    }
    is(PaneOwner::Missing(id), Confidence::High, "the terminal's owner is no row of this session")
}

/// The execution that a terminal's owner names.
fn owner_id(terminal: &Terminal) -> Option<&str> {
    terminal.step_execution().or(terminal.owner.as_deref()).filter(|id| !id.is_empty())
}

/// A row that the record names as its execution although it is not the owner
/// (server-behaviour.md#what-a-stop-does-to-a-row).
pub(super) fn shows<'a>(
    index: &SessionIndex<'a>,
    terminal: &'a Terminal,
    owner: PaneOwner<'a>,
) -> Option<&'a str> {
    let execution = terminal.execution.as_deref()?;
    let row = index.row(execution)?;
    (owner != PaneOwner::Row(&row.id)).then_some(row.id.as_str())
}
