//! The counters that the log is expected to print (server-behaviour.md#counters).

use std::borrow::Cow;

use super::action::Action;
use super::course::{Course, CourseRow};
use super::known::Worker;
use super::nature::Nature;
use super::row::Otherwise;
use crate::engine::resolve::{Cancel, Row};
use crate::model::counters::Counters;
use crate::model::execution::Membership;
use crate::model::fact::Source;
use crate::model::id::IdKind;
use crate::model::session::Session;

/// The counters of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// The session.
    pub session: String,
    /// Its counters.
    pub counters: Counters,
    /// The other side of a race.
    pub otherwise: Option<Otherwise<Counters>>,
}

impl<'a, 'b> Course<'a, 'b> {
    /// The counters that this action prints.
    pub(super) fn counters(&self) -> Counters {
        if !self.question.behaviour.prints_stop_lines {
            return Counters::default();
        }
        match self.question.action {
            Action::RuntimeCancel { .. } => {
                let foreground = self.question.facts().session.and_then(Session::foreground);
                let queries =
                    self.count(|row| self.is_query(row)).filter(|_| !self.question.facts().rows_hidden);
                let agents = self.agents();
                Counters {
                    turn_canceled: foreground.map(|foreground| foreground.has_cancel),
                    orchestrator_queries: queries,
                    orchestrator_canceled: queries,
                    tracked_marked: self.tracked(),
                    ..agents
                }
            }
            Action::Shutdown => Counters { tracked_marked: self.tracked(), ..self.agents() },
            Action::StopSession { agents } => {
                let has_orchestrator_run = self.rows.iter().any(|row| self.is_query(row));
                let sweeps_tracked =
                    has_orchestrator_run || self.question.behaviour.sweeps_tracked_at_every_stop;
                let tracked_marked = if sweeps_tracked { self.tracked() } else { None };
                let counted = match (agents, has_orchestrator_run) {
                    (true, _) => self.agents(),
                    // The second sweep finds the registry emptied by the stop itself.
                    (false, true) => Counters {
                        canceled: Some(0),
                        no_cancel_func: Some(0),
                        already_done: Some(0),
                        ..Counters::default()
                    },
                    (false, false) => Counters::default(),
                };
                Counters { tracked_marked, ..counted }
            }
            // Which comes first, the unwinding or the sweep, is a race
            // (server-behaviour.md#what-the-log-prints).
            Action::StopAll
            | Action::StopStep { .. }
            | Action::Nothing
            | Action::CancelTurn
            | Action::FirstTurnDeath
            | Action::FailChild { .. }
            | Action::Dismiss
            | Action::Clear => Counters::default(),
        }
    }

    fn is_query(&self, row: &CourseRow<'_, '_>) -> bool {
        row.known.worker == Worker::OrchestratorRun
            && row.known.row.execution.is_running() == Some(true)
            && self.question.has_query_id(row.known.row)
    }

    /// The sweep of the agents' registry. Nothing is counted where it cannot be told what is in it.
    fn agents(&self) -> Counters {
        let in_registry = |row: &Row<'_>| row.execution.in_background == Membership::Present;
        let is_clear = |row: &Row<'_>| {
            row.execution.in_background == Membership::Absent
                || (in_registry(row) && row.execution.is_running().is_some())
        };
        // Of a row of an unknown kind it is not known whether it holds a cancel.
        let is_counted = |row: &Row<'_>| {
            row.cancel.value != Cancel::Unknown
                || row.execution.is_running() != Some(true)
                || matches!(row.execution.kind, IdKind::Item | IdKind::Mirror)
        };
        // A turn never stands in it.
        let mut others =
            self.rows.iter().map(|row| row.known.row).filter(|row| !row.execution.kind.is_turn());
        if self.question.facts().rows_hidden || !others.all(|row| is_counted(row) && is_clear(row)) {
            return Counters::default();
        }
        let runs = |row: &CourseRow<'_, '_>| {
            in_registry(row.known.row)
                && row.known.row.execution.is_running() == Some(true)
                && row.allowed != Some(false)
        };
        Counters {
            canceled: self.count(|row| runs(row) && row.known.row.cancel.value == Cancel::Own),
            no_cancel_func: self.count(|row| runs(row) && row.known.row.cancel.value != Cancel::Own),
            already_done: self
                .count(|row| {
                    in_registry(row.known.row) && row.known.row.execution.is_running() == Some(false)
                })
                .filter(|_| !self.rows.iter().any(|row| is_logged_mirror(row.known.row))),
            ..Counters::default()
        }
    }

    fn tracked(&self) -> Option<u64> {
        let is_clear = |row: &Row<'_>| {
            row.execution.in_tracked == Membership::Absent || row.execution.is_running().is_some()
        };
        // A turn that ends with its pane is settled before the sweep; of one that may do so it cannot be told.
        let is_settled = |row: &CourseRow<'_, '_>| {
            !self.question.action.settles_turns_first()
                || row.known.row.execution.is_running() != Some(true)
                || row.known.turn().is_none_or(|turn| turn.nature != Nature::Unknown)
        };
        let is_known = self.rows.iter().all(|row| is_clear(row.known.row) && is_settled(row));
        if self.question.facts().rows_hidden || !is_known {
            return None;
        }
        self.count(|row| self.marks_tracked(row))
    }

    /// Whether the sweep of the tracked rows finds this one running.
    pub(super) fn marks_tracked(&self, row: &CourseRow<'_, '_>) -> bool {
        let ends_before = self.question.action.settles_turns_first()
            && row.known.turn().is_some_and(|turn| matches!(turn.nature, Nature::InPane | Nature::Queued));
        let execution = row.known.row.execution;
        execution.is_running() == Some(true)
            && execution.in_tracked == Membership::Present
            && row.allowed != Some(false)
            && !ends_before
    }

    fn count(&self, holds: impl Fn(&CourseRow<'a, 'b>) -> bool) -> Option<u64> {
        u64::try_from(self.rows.iter().filter(|row| holds(row)).count()).ok()
    }

    /// The counters where a todo step's sub-agent runs beside its mirrors: it has a cancel, and no line of a log
    /// tells that it began (server-behaviour.md#what-the-log-prints).
    fn with_hidden_sub_agent(&self, counters: Counters) -> Option<Otherwise<Counters>> {
        let canceled = counters.canceled.filter(|_| {
            self.rows.iter().any(|row| {
                is_logged_mirror(row.known.row) && row.known.row.execution.is_running() != Some(false)
            })
        })?;
        let outcome = Counters { canceled: Some(canceled + 1), ..counters };
        let condition = Cow::Borrowed("a sub-agent of the todo step runs, which a log does not show");
        Some(Otherwise { outcome, condition })
    }

    /// The counters, and those of the other side of a race where they differ.
    pub(super) fn prediction(&self, other: Option<(&Self, &'static str)>) -> Prediction {
        let counters = self.counters();
        let otherwise = other.and_then(|(course, condition)| {
            let other = course.counters();
            (other != counters).then_some(Otherwise { outcome: other, condition: Cow::Borrowed(condition) })
        });
        let otherwise = otherwise.or_else(|| self.with_hidden_sub_agent(counters));
        Prediction { session: self.question.facts().id.to_owned(), counters, otherwise }
    }
}

/// Whether the row is a mirror that a log tells of: sub-agents may stand beside it that no line names.
fn is_logged_mirror(row: &Row<'_>) -> bool {
    let tracked = row.execution.tracked.as_ref().and_then(|tracked| tracked.written_by.as_ref());
    row.execution.kind == IdKind::Mirror
        && tracked.is_some_and(|written_by| matches!(written_by.source, Source::Log { .. }))
}
