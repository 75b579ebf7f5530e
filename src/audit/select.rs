//! Which rules' findings are shown: `--only`, `--skip`, `--min-severity`.
//!
//! A selection is applied to a finished report, so that folding and the verdict of every stop never
//! depend on it. What it hides is counted.

use std::collections::BTreeSet;

use crate::model::spelling::did_you_mean;
use crate::rules::custom::CustomRule;
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
    codes: BTreeSet<String>,
    min_severity: Severity,
}

impl RuleSelection {
    /// Reads the selection. A name is a code, a rule's name, a beginning of codes (`PLS03`), or the id of
    /// a custom rule.
    ///
    /// # Errors
    /// When a name fits no rule.
    pub fn new(
        only: &[String],
        skip: &[String],
        min_severity: Severity,
        rules: &[RuleMeta],
        custom: &[CustomRule],
    ) -> Result<Self, UnknownRule> {
        let known: Vec<(&str, &str)> = rules
            .iter()
            .map(|rule| (rule.code, rule.name))
            .chain(custom.iter().map(|rule| (rule.id(), rule.id())))
            .collect();
        let mut codes = BTreeSet::new();
        for name in only {
            codes.extend(members(name, &known)?);
        }
        if only.is_empty() {
            codes.extend(known.iter().map(|&(code, _)| code));
        }
        for name in skip {
            for code in members(name, &known)? {
                codes.remove(code);
            }
        }
        Ok(Self { codes: codes.into_iter().map(str::to_owned).collect(), min_severity })
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

/// The codes of the rules that a name stands for.
fn members<'a>(name: &str, known: &[(&'a str, &'a str)]) -> Result<Vec<&'a str>, UnknownRule> {
    let exact =
        known.iter().find(|(code, rule)| code.eq_ignore_ascii_case(name) || rule.eq_ignore_ascii_case(name));
    if let Some((code, _)) = exact {
        return Ok(vec![code]);
    }
    let begins = |code: &str| code.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    // A single letter would select everything by accident.
    let group: Vec<&str> =
        known.iter().map(|&(code, _)| code).filter(|code| name.len() > 1 && begins(code)).collect();
    if group.is_empty() {
        let names = known.iter().flat_map(|&(code, rule)| [code, rule]);
        let hint = did_you_mean(name, names).unwrap_or_else(|| String::from("`pulsectl rules` lists them"));
        return Err(UnknownRule { name: name.to_owned(), hint });
    }
    Ok(group)
}
