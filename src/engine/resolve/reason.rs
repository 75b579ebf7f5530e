//! How a conclusion says why it holds: words, the record that proves it, the rule, and how sure it is.

use std::borrow::Cow;
use std::fmt;

use crate::model::confidence::Confidence;
use crate::model::execution::Execution;
use crate::model::fact::Source;

/// The record that proves a conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evidence<'a> {
    /// Where the record was read.
    pub source: Source,
    /// Id of the row, terminal or session that it is about.
    pub record: &'a str,
}

/// `execution-tree: workflow-full-…`, or `log 1, line 4711: workflow-full-…`.
impl fmt::Display for Evidence<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Source::Log { input, line } = self.source {
            return write!(formatter, "log {}, line {line}: {}", u32::from(input) + 1, self.record);
        }
        write!(formatter, "{}: {}", self.source.name(), self.record)
    }
}

/// Why a conclusion holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason<'a> {
    /// The reason as a sentence fragment for a person.
    pub words: Cow<'static, str>,
    /// What proves it.
    pub evidence: Evidence<'a>,
    /// The heading of `docs/server-behaviour.md` that the rule comes from.
    pub rule: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
}

impl<'a> Reason<'a> {
    /// A reason with these words, from this rule.
    pub(crate) fn new(
        confidence: Confidence,
        rule: &'static str,
        words: impl Into<Cow<'static, str>>,
        evidence: Evidence<'a>,
    ) -> Self {
        Self { words: words.into(), evidence, rule, confidence }
    }

    /// The same reason, at most this sure.
    #[must_use]
    pub(crate) fn at_most(mut self, confidence: Confidence) -> Self {
        self.confidence = self.confidence.min(confidence);
        self
    }
}

/// The reason of a conclusion from the parent that a row shows: the server's word, or what a log's lines tell.
pub(crate) fn shown_parent<'a>(row: &'a Execution, rule: &'static str) -> Reason<'a> {
    let evidence = Evidence { source: row.parent.source, record: &row.id };
    match row.parent.source {
        Source::Log { .. } => {
            Reason::new(Confidence::Medium, rule, "the lines of the log tie it to it", evidence)
        }
        _ => Reason::new(Confidence::High, rule, "the server shows it as the parent", evidence),
    }
}

/// A conclusion and why it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<'a, Value> {
    /// The conclusion.
    pub value: Value,
    /// Why.
    pub reason: Reason<'a>,
}

impl<'a, Value> Resolved<'a, Value> {
    pub(crate) fn new(value: Value, reason: Reason<'a>) -> Self {
        Self { value, reason }
    }
}
