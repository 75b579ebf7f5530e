//! The list of rules as a table.

use super::json_v1::Rule;
use crate::render::text::style::{Style, write_hanging};

/// One line per rule.
#[must_use]
pub fn render(rules: &[Rule<'_>], style: &Style) -> String {
    let width =
        |length: fn(&Rule<'_>) -> usize, least: usize| rules.iter().map(length).max().unwrap_or(0).max(least);
    let codes = width(|rule| rule.code.len(), "PLS000".len());
    let names = width(|rule| if rule.custom { 0 } else { rule.name.len() }, "NAME".len());
    let head = format!("{:<codes$}  {:<8} {:<7} {:<names$}  SUMMARY", "CODE", "SEVERITY", "STATUS", "NAME");
    let mut out = style.bold(&head);
    out.push('\n');
    for rule in rules {
        // A rule of the user has no other name than its id.
        let name = if rule.custom { "" } else { rule.name };
        let (severity, status) = (rule.severity, rule.standing());
        let lead = format!("{:<codes$}  {severity:<8} {status:<7} {name:<names$}  ", rule.code);
        write_hanging(&mut out, &lead, &style.safe(&rule.summary), style);
    }
    out
}
