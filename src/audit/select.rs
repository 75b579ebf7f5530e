//! Which rules' findings are shown: `--only`, `--skip`, `--min-severity`.
//!
//! A selection is applied to a finished report, so that folding and the verdict of every stop never
//! depend on it. What it hides is counted.

use std::collections::BTreeSet;

use crate::model::spelling::did_you_mean;
use crate::rules::meta::{RuleMeta, Severity};

use super::finding::Report;
use super::retain::retain;

/// A name that no rule has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no rule is named `{name}`")]
pub struct UnknownRule {
    /// The name as it was given.
    pub name: String,
    /// What it may have meant, or an empty string.
    pub hint: String,
}

/// The rules whose findings are shown, and from which severity on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSelection {
    codes: BTreeSet<&'static str>,
    min_severity: Severity,
}

impl RuleSelection {
    /// Reads the selection. A name is a code, a rule's name, or a beginning of codes (`PLS03`).
    ///
    /// # Errors
    /// When a name fits no rule.
    pub fn new(
        only: &[String],
        skip: &[String],
        min_severity: Severity,
        rules: &'static [RuleMeta],
    ) -> Result<Self, UnknownRule> {
        let mut codes = BTreeSet::new();
        for name in only {
            codes.extend(members(name, rules)?);
        }
        if only.is_empty() {
            codes.extend(rules.iter().map(|rule| rule.code));
        }
        for name in skip {
            for code in members(name, rules)? {
                codes.remove(code);
            }
        }
        Ok(Self { codes, min_severity })
    }

    /// Whether a rule's findings are shown.
    #[must_use]
    pub fn includes(&self, code: &str) -> bool {
        self.codes.contains(code)
    }

    /// Takes what is not selected out of a report; returns how many findings that hides.
    pub fn apply(&self, report: &mut Report) -> usize {
        retain(report, |finding| self.includes(&finding.rule) && finding.severity >= self.min_severity)
    }
}

/// The rules that a name stands for.
fn members(name: &str, rules: &'static [RuleMeta]) -> Result<Vec<&'static str>, UnknownRule> {
    if let Some(rule) = rules.iter().find(|rule| rule.answers_to(name)) {
        return Ok(vec![rule.code]);
    }
    let beginning = name.to_ascii_uppercase();
    // `P` alone would select everything by accident.
    let group: Vec<_> = rules
        .iter()
        .map(|rule| rule.code)
        .filter(|code| name.len() > 1 && code.starts_with(&beginning))
        .collect();
    if group.is_empty() {
        let known = rules.iter().flat_map(|rule| [rule.code, rule.name]);
        let hint = did_you_mean(name, known).unwrap_or_else(|| String::from("`pulsectl rules` lists them"));
        return Err(UnknownRule { name: name.to_owned(), hint });
    }
    Ok(group)
}
