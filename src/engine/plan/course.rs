//! One action played through: what becomes of each row of a session. Counters, lines of the log, panes, flags and
//! what could come back are read off it.

use super::decide::Decision;
use super::known::KnownRow;
use super::question::Question;

/// What becomes of one row.
#[derive(Debug)]
pub(super) struct CourseRow<'a, 'b> {
    pub(super) known: &'b KnownRow<'a, 'b>,
    /// Whether the policy lets the action cancel it; `None` is unknown.
    pub(super) allowed: Option<bool>,
    pub(super) decision: Decision<'a>,
}

/// The course of one action.
#[derive(Debug)]
pub(super) struct Course<'a, 'b> {
    pub(super) question: Question<'a, 'b>,
    /// The rows, in the order of the session's facts.
    pub(super) rows: Vec<CourseRow<'a, 'b>>,
}

impl<'a, 'b> Course<'a, 'b> {
    /// The course that this question is about.
    pub(super) fn of(question: Question<'a, 'b>) -> Self {
        let rows = question.known.rows.iter().zip(question.reach());
        let rows = rows.map(|(known, reached)| CourseRow {
            known,
            allowed: reached.allowed,
            decision: question.decide(known, &reached),
        });
        Self { question, rows: rows.collect() }
    }

    /// Whether the worker of the row at this place ends.
    pub(super) fn ends(&self, at: usize) -> bool {
        self.rows.get(at).is_some_and(|row| row.decision.outcome.ends())
    }
}
