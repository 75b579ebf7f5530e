//! Which turn launched a row (server-behaviour.md#frozen-answers). A launcher owns nothing by that alone.

use super::class::{Declared, declared};
use super::index::{MOST_CANDIDATES, SessionIndex, started_at};
use super::reason::{Evidence, Reason, Resolved, shown_parent};
use crate::model::confidence::Confidence;
use crate::model::execution::{Execution, Parent};
use crate::model::id::IdKind;

const LAUNCH: &str = "server-behaviour.md#frozen-answers";

/// The turns, or the agent, that may have launched the row; `None` for what is not launched, and where none is
/// known.
pub(super) fn launched_by<'a>(
    index: &SessionIndex<'a>,
    row: &'a Execution,
) -> Option<Resolved<'a, Vec<&'a str>>> {
    let is_launched = matches!(row.kind, IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent)
        || matches!(declared(row), Declared::Run | Declared::Agent);
    if !is_launched {
        return None;
    }
    if let Parent::Execution(parent) = &row.parent.value {
        let reason = shown_parent(row, "server-behaviour.md#what-a-client-can-read");
        return Some(Resolved::new(vec![parent.as_str()], reason));
    }
    let moment = started_at(row)?;
    let mut turns = index.turns.holding(moment, MOST_CANDIDATES + 1);
    let mut confidence = Confidence::Medium;
    if turns.is_empty() {
        turns = index.synthetic_turns.holding(moment, MOST_CANDIDATES + 1);
        confidence = Confidence::Low;
    }
    if turns.len() > MOST_CANDIDATES {
        return None;
    }
    let first = *turns.first()?;
    let words = if turns.len() == 1 {
        "the turn that was at work when it started"
    } else {
        confidence = Confidence::Low;
        turns.sort_unstable();
        "one of the turns that were at work when it started"
    };
    let source = row.started_at.map_or(super::index::row_evidence(row).source, |started| started.source);
    Some(Resolved::new(turns, Reason::new(confidence, LAUNCH, words, Evidence { source, record: first })))
}
