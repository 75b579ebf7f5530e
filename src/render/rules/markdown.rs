//! A rule as Markdown, and the table of all for the README.

use std::fmt::Write as _;

use super::json_v1::Rule;
use crate::rules::meta::{HEADINGS, RuleMeta};

/// The rule table of the README.
#[must_use]
pub fn table(rules: &[RuleMeta]) -> String {
    let mut out = String::from("| Code | Name | Severity | What it reports |\n|---|---|---|---|\n");
    for rule in rules {
        let summary = rule.summary.replace('|', "\\|");
        let _ = writeln!(out, "| {} | {} | {} | {summary} |", rule.code, rule.name, rule.severity);
    }
    out
}

/// The whole text of each rule as Markdown.
#[must_use]
pub fn render_all(rules: &[Rule<'_>]) -> String {
    rules.iter().map(render).collect::<Vec<_>>().join("\n")
}

/// The whole text of a rule as Markdown.
#[must_use]
pub fn render(rule: &Rule<'_>) -> String {
    let mut out = if rule.custom {
        format!("# {}\n\n{}\n\nSeverity: {}.\n\n", rule.code, rule.summary, rule.severity)
    } else {
        format!("# {} {}\n\n{}\n\n", rule.code, rule.name, rule.summary)
    };
    if let Some(since) = rule.since {
        let status = rule.standing();
        let _ = writeln!(out, "Severity: {} at most. Status: {status}. Since: {since}.\n", rule.severity);
    }
    for line in rule.text.trim().lines() {
        // The rule's own headings stand below its title.
        let heading = HEADINGS.into_iter().any(|heading| line.strip_prefix("# ") == Some(heading));
        let _ = writeln!(out, "{}{line}", if heading { "#" } else { "" });
    }
    out
}
