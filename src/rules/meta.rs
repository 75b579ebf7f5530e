//! What a rule says of itself, and the macro that declares it from its doc comment.

use crate::model::words::words;

words! {
    /// How bad a finding is; ordered from harmless to worst.
    pub enum Severity {
        /// Context, no action.
        Info = "info",
        /// Worth a look some time.
        Low = "low",
        /// Something is not as it should be.
        Medium = "medium",
        /// Work or information was lost, or may go on unseen.
        High = "high",
        /// Work ran after a stop, or foreign work was killed.
        Critical = "critical",
    }
}

impl Severity {
    /// All of them, worst first, as people want to read them.
    #[must_use]
    pub fn worst_first() -> [Self; Self::ALL.len()] {
        let mut severities = Self::ALL;
        severities.reverse();
        severities
    }
}

words! {
    /// How sure a finding is; ordered from the least sure.
    pub enum Certainty {
        /// Needs a look by a person.
        Candidate = "candidate",
        /// One line and the rule.
        Probable = "probable",
        /// Two independent lines agree.
        Confirmed = "confirmed",
    }
}

impl Certainty {
    /// One step less sure; a candidate stays one.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Self::Confirmed => Self::Probable,
            Self::Probable | Self::Candidate => Self::Candidate,
        }
    }
}

words! {
    /// Where a rule stands in its life.
    pub enum Maturity {
        /// Runs and reports like any other, but has not met real logs yet.
        Preview = "preview",
        /// Has met real logs.
        Stable = "stable",
    }
}

/// The declaration of one rule. The text is the doc comment of the rule's file.
#[derive(Debug, Clone, Copy)]
pub struct RuleMeta {
    /// The code, `PLS005`; never reused.
    pub code: &'static str,
    /// The name, kebab-case, of the bad thing: `collateral-cancel`.
    pub name: &'static str,
    /// One line that says what the rule reports.
    pub summary: &'static str,
    /// The worst severity the rule gives.
    pub severity: Severity,
    /// Where the rule stands in its life.
    pub status: Maturity,
    /// The version of pulsectl that first had it.
    pub since: &'static str,
    /// Literals that stand in the log of every firing example.
    pub literals: &'static [&'static str],
    /// The whole text, Markdown with the fixed headings, examples included.
    pub text: &'static str,
    /// Whether the rule only gives context and never counts as an incident.
    pub context_only: bool,
}

/// The headings that every rule's text has, in this order.
pub const HEADINGS: [&str; 6] = [
    "What it means",
    "Why it matters",
    "What to do now",
    "Fires on",
    "Stays silent on",
    "Known false positives",
];

impl RuleMeta {
    /// The text below one of the [`HEADINGS`], without the heading.
    #[must_use]
    pub fn section(&self, heading: &str) -> Option<&'static str> {
        let marker = format!("# {heading}\n");
        let at = if self.text.starts_with(&marker) { 0 } else { self.text.find(&format!("\n{marker}"))? + 1 };
        let rest = &self.text[at + marker.len()..];
        Some(rest.find("\n# ").map_or(rest, |end| &rest[..end]).trim())
    }

    /// The example blocks of a kind (`log,fires` or `log,silent`).
    #[must_use]
    pub fn examples(&self, kind: &str) -> Vec<&'static str> {
        let open = format!("```{kind}\n");
        let mut examples = Vec::new();
        let mut rest = self.text;
        while let Some(at) = rest.find(&open) {
            rest = &rest[at + open.len()..];
            let end = rest.find("```").unwrap_or(rest.len());
            examples.push(&rest[..end]);
            rest = &rest[end..];
        }
        examples
    }

    /// Whether this text names the rule: its code or its name, in any case.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.code.eq_ignore_ascii_case(name) || self.name.eq_ignore_ascii_case(name)
    }
}
