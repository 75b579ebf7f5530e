//! The counters that the log is expected to print (server-behaviour.md#counters).

use std::borrow::Cow;

use super::action::Action;
use super::decide::settles_first;
use super::nature::{Nature, nature};
use super::question::Question;
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

impl<'a> Question<'a, '_> {
    /// The counters that this action prints.
    pub(super) fn counters(&self) -> Counters {
        if !self.behaviour.prints_stop_lines {
            return Counters::default();
        }
        match self.action {
            Action::RuntimeCancel { .. } => {
                let foreground = self.facts.session.and_then(Session::foreground);
                let queries = self.count(|row| self.is_query(row)).filter(|_| !self.facts.rows_hidden);
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
                let has_orchestrator_run = self.facts.rows.iter().any(|row| self.is_query(row));
                let sweeps_tracked = has_orchestrator_run || self.behaviour.sweeps_tracked_at_every_stop;
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

    fn is_query(&self, row: &Row<'a>) -> bool {
        row.is_orchestrator_run() && row.execution.is_running() == Some(true) && self.has_query_id(row)
    }

    /// The sweep of the agents' registry. Nothing is counted where it cannot be told what is in it.
    fn agents(&self) -> Counters {
        let in_registry = |row: &Row<'_>| row.execution.in_background == Membership::Present;
        let is_clear = |row: &Row<'_>| {
            row.execution.in_background == Membership::Absent
                || (in_registry(row) && row.execution.is_running().is_some())
        };
        // Of a row of an unknown kind it is not known whether it holds a cancel.
        let is_counted = |row: &Row<'a>| {
            row.cancel.value != Cancel::Unknown
                || row.execution.is_running() != Some(true)
                || matches!(row.execution.kind, IdKind::Item | IdKind::Mirror)
        };
        let all_counted = self.facts.rows.iter().all(|row| row.execution.kind.is_turn() || is_counted(row));
        if self.facts.rows_hidden || !all_counted {
            return Counters::default();
        }
        // A turn never stands in it.
        if !self.facts.rows.iter().all(|row| row.execution.kind.is_turn() || is_clear(row)) {
            return Counters::default();
        }
        let runs = |row: &Row<'a>| {
            in_registry(row)
                && row.execution.is_running() == Some(true)
                && self.policy.allows(self.action, row) != Some(false)
        };
        Counters {
            canceled: self.count(|row| runs(row) && row.cancel.value == Cancel::Own),
            no_cancel_func: self.count(|row| runs(row) && row.cancel.value != Cancel::Own),
            already_done: self
                .count(|row| in_registry(row) && row.execution.is_running() == Some(false))
                .filter(|_| !self.facts.rows.iter().any(is_logged_mirror)),
            ..Counters::default()
        }
    }

    fn tracked(&self) -> Option<u64> {
        let is_clear = |row: &Row<'_>| {
            row.execution.in_tracked == Membership::Absent || row.execution.is_running().is_some()
        };
        // A turn that ends with its pane is settled before the sweep; of one that may do so it cannot be told.
        let is_settled = |row: &Row<'a>| {
            !settles_first(self.action)
                || row.execution.is_running() != Some(true)
                || !row.execution.kind.is_turn()
                || row.is_orchestrator_run()
                || nature(row, self.facts).0 != Nature::Unknown
        };
        if self.facts.rows_hidden || !self.facts.rows.iter().all(|row| is_clear(row) && is_settled(row)) {
            return None;
        }
        self.count(|row| self.marks_tracked(row))
    }

    /// Whether the sweep of the tracked rows finds this one running.
    pub(super) fn marks_tracked(&self, row: &Row<'a>) -> bool {
        let ends_before = || {
            settles_first(self.action)
                && row.execution.kind.is_turn()
                && !row.is_orchestrator_run()
                && matches!(nature(row, self.facts).0, Nature::InPane | Nature::Queued)
        };
        row.execution.is_running() == Some(true)
            && row.execution.in_tracked == Membership::Present
            && self.policy.allows(self.action, row) != Some(false)
            && !ends_before()
    }

    fn count(&self, holds: impl Fn(&Row<'a>) -> bool) -> Option<u64> {
        u64::try_from(self.facts.rows.iter().filter(|row| holds(row)).count()).ok()
    }

    /// The counters where a todo step's sub-agent runs beside its mirrors: it has a cancel, and no line of a log
    /// tells that it began (server-behaviour.md#what-the-log-prints).
    fn with_hidden_sub_agent(&self, counters: Counters) -> Option<Otherwise<Counters>> {
        let canceled = counters.canceled.filter(|_| {
            self.facts
                .rows
                .iter()
                .any(|row| is_logged_mirror(row) && row.execution.is_running() != Some(false))
        })?;
        let outcome = Counters { canceled: Some(canceled + 1), ..counters };
        let condition = Cow::Borrowed("a sub-agent of the todo step runs, which a log does not show");
        Some(Otherwise { outcome, condition })
    }

    /// The counters, and those of the other side of a race where they differ.
    pub(super) fn prediction(&self, other: Option<(&Self, &'static str)>) -> Prediction {
        let counters = self.counters();
        let otherwise = other.and_then(|(question, condition)| {
            let other = question.counters();
            (other != counters).then_some(Otherwise { outcome: other, condition: Cow::Borrowed(condition) })
        });
        let otherwise = otherwise.or_else(|| self.with_hidden_sub_agent(counters));
        Prediction { session: self.facts.id.to_owned(), counters, otherwise }
    }
}

/// Whether the row is a mirror that a log tells of: sub-agents may stand beside it that no line names.
fn is_logged_mirror(row: &Row<'_>) -> bool {
    let tracked = row.execution.tracked.as_ref().and_then(|tracked| tracked.written_by.as_ref());
    row.execution.kind == IdKind::Mirror
        && tracked.is_some_and(|written_by| matches!(written_by.source, Source::Log { .. }))
}
