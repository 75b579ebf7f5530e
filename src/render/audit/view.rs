//! What a renderer of an audit is given besides the report itself.

use crate::audit::finding::Report;
use crate::audit::notice::{Hidden, Notice};
use crate::check::explain_stops::Explanation;
use crate::rules::meta::{RuleMeta, Severity};

use crate::render::text::mask::Content;
use crate::render::text::moment::Clock;

/// A report and how it is to be shown.
#[derive(Debug, Clone, Copy)]
pub struct AuditView<'a> {
    /// The result, without the findings that the user's selection hides.
    pub report: &'a Report,
    /// Findings that are not shown; they are counted, never silent.
    pub hidden: Hidden,
    /// What a person should tidy up.
    pub notices: &'a [Notice],
    /// What the model foresaw of each stop, in their order; empty unless it was asked for.
    pub explanations: &'a [Explanation],
    /// The rules that ran, in the order of their codes.
    pub rules: &'a [RuleMeta],
    /// Findings from here on fail the run.
    pub fail_on: Severity,
    /// Whether a stop that is not decided fails too.
    pub fail_on_inconclusive: bool,
    /// Whether what people wrote is shown.
    pub content: Content,
    /// The clock of machine formats.
    pub clock: Clock,
}

impl AuditView<'_> {
    /// How many lines were read in all.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.report.inputs.iter().map(|input| input.lines).sum()
    }

    /// How many bytes of decompressed content were read in all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.report.inputs.iter().map(|input| input.bytes).sum()
    }

    /// How many lines belong to no known line format.
    #[must_use]
    pub fn unparsed_lines(&self) -> u64 {
        self.report.inputs.iter().map(|input| input.unparsed_lines).sum()
    }
}
