//! What a rule says of itself, and the macro that declares it from its doc comment.

use std::fmt;

/// How bad a finding is; ordered from harmless to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Context, no action.
    Info,
    /// Worth a look some time.
    Low,
    /// Something is not as it should be.
    Medium,
    /// Work or information was lost, or may go on unseen.
    High,
    /// Work ran after a stop, or foreign work was killed.
    Critical,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 5] = [Self::Critical, Self::High, Self::Medium, Self::Low, Self::Info];

    /// The name in every format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Reads the name back.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// How sure a finding is (signatures, head): two independent lines, one line and the rule, or a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Needs a look by a person.
    Candidate,
    /// One line and the rule.
    Probable,
    /// Two independent lines agree.
    Confirmed,
}

impl Confidence {
    /// The name in every format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Probable => "probable",
            Self::Confirmed => "confirmed",
        }
    }

    /// One step less sure; a candidate stays one.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Self::Confirmed => Self::Probable,
            Self::Probable | Self::Candidate => Self::Candidate,
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Where a rule stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Runs and reports like any other, but has not met real logs yet.
    Preview,
    /// Has met real logs.
    Stable,
}

impl Status {
    /// The name in every format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preview => "preview",
            Self::Stable => "stable",
        }
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
    pub status: Status,
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
