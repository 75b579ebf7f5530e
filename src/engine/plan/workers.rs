//! Which rows work in which pane (server-behaviour.md#panes-after-a-stop).

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::resolve::{Pane, PaneOwner, Row, SessionFacts};
use crate::model::id::IdKind;
use crate::model::terminal::Terminal;

/// Whether a terminal is one with a tmux pane behind it, for all that is known.
pub(super) fn may_have_pane(pane: &Pane<'_>) -> bool {
    pane.terminal.has_pane() != Some(false)
}

/// The rows that work in each pane, as places among the session's rows, by the terminal's id: the items of the
/// step whose pane it is, else its owner.
pub(super) fn workers<'a>(facts: &SessionFacts<'a>) -> BTreeMap<&'a str, Vec<usize>> {
    let mut by_step: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in facts.rows.iter().enumerate() {
        if row.execution.kind == IdKind::Item
            && row.execution.is_running() != Some(false)
            && let Some(step) = &row.step
        {
            by_step.entry(step.value).or_default().push(at);
        }
    }
    let mut workers = BTreeMap::new();
    for pane in facts.panes.iter().filter(|pane| may_have_pane(pane)) {
        let (PaneOwner::Row(owner) | PaneOwner::InferredStep(owner)) = pane.owner.value else { continue };
        let mut rows = by_step.get(owner).cloned().unwrap_or_default();
        if rows.is_empty()
            && let Ok(at) = facts.rows.binary_search_by(|row| row.execution.id.as_str().cmp(owner))
            && facts.rows.get(at).is_some_and(|row| row.execution.is_running() != Some(false))
        {
            rows.push(at);
        }
        workers.insert(pane.terminal.id.as_str(), rows);
    }
    workers
}

/// The rows with a pane of their own or of something inside them.
pub(super) fn with_panes<'a>(
    facts: &SessionFacts<'a>,
    workers: &BTreeMap<&str, Vec<usize>>,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for pane in facts.panes.iter().filter(|pane| may_have_pane(pane)) {
        let mut next: Vec<&'a str> = match pane.owner.value {
            PaneOwner::Row(id) => vec![id],
            PaneOwner::InferredStep(id) => {
                facts.step(id).map(|step| step.container.value.candidates().to_vec()).unwrap_or_default()
            }
            PaneOwner::Session | PaneOwner::Missing(_) | PaneOwner::Unknown => Vec::new(),
        };
        while let Some(id) = next.pop() {
            if found.insert(id)
                && let Some(row) = facts.row(id)
            {
                next.extend(row.container.value.candidates());
            }
        }
    }
    for rows in workers.values() {
        found.extend(rows.iter().filter_map(|at| facts.rows.get(*at)).map(|row| row.execution.id.as_str()));
    }
    found
}

/// Whether a row's work is its own pane's, so that its death is no collateral of that pane's.
pub(super) fn owns_pane(row: &Row<'_>, terminal: &Terminal) -> bool {
    row.panes.iter().any(|pane| pane.id == terminal.id)
}
