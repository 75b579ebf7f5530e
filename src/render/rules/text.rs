//! A rule explained to a person.

use std::fmt::Write as _;

use super::json_v1::Rule;
use crate::render::text::style::{Style, write_hanging};
use crate::rules::meta::HEADINGS;

/// The whole text of each rule for a person.
#[must_use]
pub fn render_all(rules: &[Rule<'_>], style: &Style) -> String {
    rules.iter().map(|rule| render(rule, style)).collect::<Vec<_>>().join("\n")
}

/// The whole text of a rule for a person.
#[must_use]
pub fn render(rule: &Rule<'_>, style: &Style) -> String {
    let title = if rule.custom { rule.code.to_owned() } else { format!("{} {}", rule.code, rule.name) };
    let title = format!("{title}: {}", style.safe(&rule.summary));
    let mut out = format!("{}\n", style.bold(&title));
    let severity = style.severity(rule.severity, rule.severity.name());
    match rule.since {
        Some(since) => {
            let _ = writeln!(out, "{severity} at most, {}, since {since}\n", rule.standing());
        }
        None => {
            let _ = writeln!(out, "{severity}, {}\n", rule.standing());
        }
    }
    let mut in_example = false;
    for line in rule.text.trim().lines() {
        if line.starts_with("```") {
            in_example = !in_example;
        } else if in_example {
            let _ = writeln!(out, "    {line}");
        } else if let Some(heading) =
            HEADINGS.into_iter().find(|heading| line.strip_prefix("# ") == Some(heading))
        {
            let _ = writeln!(out, "{}", style.bold(heading));
        } else {
            write_hanging(&mut out, "", &style.safe(line), style);
        }
    }
    out
}
