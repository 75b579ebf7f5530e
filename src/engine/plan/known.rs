//! What is known of a session's rows before any trigger is looked at, computed once: what each stands for, what
//! its turn is, and who works in which pane. Everything that follows reads it off.

use std::collections::BTreeMap;

use super::nature::{Turn, turn};
use super::workers::{with_panes, workers};
use crate::engine::resolve::{Row, SessionFacts};
use crate::model::id::IdKind;
use crate::model::terminal::Terminal;

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worker {
    /// A turn, and what that is.
    Turn(Turn),
    /// A run in orchestrator mode, tracked under its query id.
    OrchestratorRun,
    /// A run, evaluation, detached step or agent: what notifies the session.
    Root,
    /// A sub-agent of a todo step.
    SubAgent,
    /// A sequence item.
    Item,
    /// Only shows progress.
    Mirror,
}

/// One row.
#[derive(Debug)]
pub(super) struct KnownRow<'a, 'b> {
    pub(super) row: &'b Row<'a>,
    pub(super) worker: Worker,
    /// It runs outside every workshop, so that closing one does not reach it (server-behaviour.md#versions).
    pub(super) is_delegation: bool,
    /// It, or something inside it, has a pane.
    pub(super) has_pane: bool,
}

impl KnownRow<'_, '_> {
    /// What its turn is; `None` where it is none.
    pub(super) fn turn(&self) -> Option<Turn> {
        match self.worker {
            Worker::Turn(turn) => Some(turn),
            _ => None,
        }
    }
}

/// One session.
#[derive(Debug)]
pub(super) struct Known<'a, 'b> {
    pub(super) facts: &'b SessionFacts<'a>,
    /// Its rows, in the order of the facts.
    pub(super) rows: Vec<KnownRow<'a, 'b>>,
    workers: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a, 'b> Known<'a, 'b> {
    /// What is known of this session.
    pub(super) fn of(facts: &'b SessionFacts<'a>) -> Self {
        let workers = workers(facts);
        let with_panes = with_panes(facts, &workers);
        let known = |row: &'b Row<'a>| KnownRow {
            row,
            worker: worker(row, facts),
            is_delegation: is_delegation(row),
            has_pane: with_panes.contains(row.execution.id.as_str()),
        };
        let rows = facts.rows.iter().map(known).collect();
        Self { facts, rows, workers }
    }

    /// The rows that work in this pane, as places among the session's rows.
    pub(super) fn workers_in(&self, terminal: &Terminal) -> &[usize] {
        self.workers.get(terminal.id.as_str()).map_or(&[], Vec::as_slice)
    }
}

fn worker(row: &Row<'_>, facts: &SessionFacts<'_>) -> Worker {
    if row.is_orchestrator_run() {
        return Worker::OrchestratorRun;
    }
    match row.execution.kind {
        IdKind::Turn | IdKind::SyntheticTurn => Worker::Turn(turn(row, facts)),
        IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent | IdKind::Unknown => Worker::Root,
        IdKind::SubAgent => Worker::SubAgent,
        IdKind::Item => Worker::Item,
        IdKind::Mirror => Worker::Mirror,
    }
}

fn is_delegation(row: &Row<'_>) -> bool {
    row.execution.id.starts_with("delegation-")
        || [row.execution.declared_kind(), row.execution.tracked_kind()].contains(&Some("delegation"))
}
