//! What one session holds, arranged so that each question about a row takes little time however many rows
//! there are. Concludes nothing.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::intervals::{Intervals, Span};
use super::reason::Evidence;
use crate::model::execution::{Execution, TrackedSource};
use crate::model::fact::Source;
use crate::model::id::{self, IdKind};
use crate::model::session::Session;
use crate::model::snapshot::Snapshot;
use crate::model::terminal::Terminal;

/// More possible containers than this are not listed one by one: no server runs so many at once, and the
/// answer would grow with the square of the input.
pub(super) const MOST_CANDIDATES: usize = 32;

/// A step's execution id that something names.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepId<'a> {
    /// Nanoseconds of its start, from the id.
    pub(super) nanoseconds: i64,
    /// The id, `exec-<step>-<ns>`.
    pub(super) id: &'a str,
    /// The row, for a step that was started on its own.
    pub(super) row: Option<&'a Execution>,
    /// Whether a terminal of it may still be at work.
    pub(super) may_be_open: bool,
    /// What names it.
    pub(super) evidence: Evidence<'a>,
}

/// One session's rows and terminals.
pub(super) struct SessionIndex<'a> {
    pub(super) id: &'a str,
    pub(super) session: Option<&'a Session>,
    pub(super) scheduled: bool,
    pub(super) rows: &'a [Execution],
    pub(super) terminals: &'a [Terminal],
    /// Runs, evaluations and recoveries: what an item's step may belong to.
    pub(super) runs: Intervals<'a>,
    /// The same and the steps that are rows: what a sub-agent may belong to.
    pub(super) containers: Intervals<'a>,
    /// Turns that a message began.
    pub(super) turns: Intervals<'a>,
    /// Turns that the server began.
    pub(super) synthetic_turns: Intervals<'a>,
    /// By name of the step, oldest first.
    steps: BTreeMap<&'a str, Vec<StepId<'a>>>,
}

impl<'a> SessionIndex<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, id: &'a str) -> Self {
        let session = snapshot.session(id);
        let rows = snapshot.executions_of(id);
        let terminals = snapshot.terminals_of(id);
        let spans = |holds: &dyn Fn(&Execution) -> bool| {
            Intervals::new(rows.iter().filter(|row| holds(row)).map(span).collect())
        };
        let is_recovery = |row: &Execution| row.id.starts_with("recover-");
        let mut index = Self {
            id,
            session,
            scheduled: session.map_or_else(|| id::is_schedule_session(id), Session::is_schedule),
            rows,
            terminals,
            runs: spans(&|row| row.kind.is_run() || is_recovery(row)),
            containers: spans(&|row| row.kind.is_run() || is_recovery(row) || row.kind == IdKind::Step),
            turns: spans(&|row| row.kind == IdKind::Turn && !is_orchestrator_run(row)),
            synthetic_turns: spans(&|row| row.kind == IdKind::SyntheticTurn),
            steps: BTreeMap::new(),
        };
        index.steps = steps(&index);
        index
    }

    /// Place of the row with this id.
    pub(super) fn position(&self, id: &str) -> Option<usize> {
        self.rows.binary_search_by(|row| row.id.as_str().cmp(id)).ok()
    }

    /// The row with this id.
    pub(super) fn row(&self, id: &str) -> Option<&'a Execution> {
        self.rows.get(self.position(id)?)
    }

    /// The ids of the step with this name that are not younger than the moment, newest first, as far back as it
    /// makes sense to look.
    pub(super) fn steps_until(
        &self,
        step: &str,
        nanoseconds: i64,
    ) -> impl Iterator<Item = &StepId<'a>> + use<'_, 'a> {
        let steps = self.steps.get(step).map_or(&[][..], Vec::as_slice);
        let until = steps.partition_point(|step| step.nanoseconds <= nanoseconds);
        steps.iter().take(until).rev().take(MOST_CANDIDATES)
    }

    /// Whether anything names a step with this name.
    pub(super) fn knows_step(&self, step: &str) -> bool {
        self.steps.contains_key(step)
    }

    /// The steps that no registry holds, with the name of each, by id.
    pub(super) fn inferred_steps(&self) -> BTreeMap<&'a str, (&'a str, StepId<'a>)> {
        let all = self.steps.iter().flat_map(|(name, ids)| ids.iter().map(|id| (*name, *id)));
        all.filter(|(_, step)| step.row.is_none()).map(|(name, step)| (step.id, (name, step))).collect()
    }
}

/// Everything that names the id of a step: rows, terminals (the panes of steps, in every answer), and parents
/// that are no rows (server-behaviour.md#parents-and-steps).
fn steps<'a>(index: &SessionIndex<'a>) -> BTreeMap<&'a str, Vec<StepId<'a>>> {
    let mut ids: BTreeMap<&'a str, StepId<'a>> = BTreeMap::new();
    for row in index.rows.iter().filter(|row| row.kind == IdKind::Step) {
        note(&mut ids, &row.id, Some(row), true, row_evidence(row));
    }
    for terminal in index.terminals {
        let Some(id) = terminal.step_execution() else { continue };
        let evidence = Evidence { source: terminal.source, record: &terminal.id };
        note(&mut ids, id, None, terminal.active != Some(false), evidence);
    }
    for row in index.rows.iter().filter(|row| row.kind == IdKind::Item) {
        if let crate::model::execution::Parent::Execution(parent) = &row.parent.value
            && IdKind::of(parent) == IdKind::Step
        {
            let evidence = Evidence { source: row.parent.source, record: &row.id };
            note(&mut ids, parent, None, row.is_running() != Some(false), evidence);
        }
    }
    let mut steps: BTreeMap<&'a str, Vec<StepId<'a>>> = BTreeMap::new();
    for step in ids.into_values() {
        if let Some(name) = step_name(step.id) {
            steps.entry(name).or_default().push(step);
        }
    }
    for ids in steps.values_mut() {
        ids.sort_by_key(|step| (step.nanoseconds, step.id));
    }
    steps
}

fn note<'a>(
    ids: &mut BTreeMap<&'a str, StepId<'a>>,
    id: &'a str,
    row: Option<&'a Execution>,
    may_be_open: bool,
    evidence: Evidence<'a>,
) {
    let Some(nanoseconds) = id::nanoseconds(id) else { return };
    if IdKind::of(id) != IdKind::Step {
        return;
    }
    ids.entry(id).and_modify(|known| known.may_be_open |= may_be_open).or_insert(StepId {
        nanoseconds,
        id,
        row,
        may_be_open,
        evidence,
    });
}

/// `<step>` of `exec-<step>-<ns>`.
fn step_name(id: &str) -> Option<&str> {
    id.strip_prefix("exec-")?.rsplit_once('-').map(|(name, _)| name).filter(|name| !name.is_empty())
}

fn span(row: &Execution) -> Span<'_> {
    Span {
        start: started_at(row).unwrap_or(Timestamp::MIN),
        end: row.finished_at.map_or(Timestamp::MAX, |finished| finished.value),
        id: &row.id,
    }
}

/// When a row started: as shown, else by the nanoseconds in its id.
pub(super) fn started_at(row: &Execution) -> Option<Timestamp> {
    row.started_at.map(|started| started.value).or_else(|| from_nanoseconds(id::nanoseconds(&row.id)?))
}

/// The moment of these unix nanoseconds.
pub(super) fn from_nanoseconds(nanoseconds: i64) -> Option<Timestamp> {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()
}

/// Whether a row is a run in orchestrator mode, tracked under its query id (server-behaviour.md#registries).
pub(super) fn is_orchestrator_run(row: &Execution) -> bool {
    row.tracked_source() == Some(&TrackedSource::WorkflowRun)
}

/// The record that shows a row at all.
pub(super) fn row_evidence(row: &Execution) -> Evidence<'_> {
    let source = row
        .status
        .as_ref()
        .map(|status| status.source)
        .or(row.started_at.map(|started| started.source))
        .unwrap_or(Source::Given);
    Evidence { source, record: &row.id }
}
