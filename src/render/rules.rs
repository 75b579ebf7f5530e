//! The rules: as a table, as text, as Markdown, and as `pulsectl.rules/1`.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::rules::meta::{HEADINGS, RuleMeta};

use super::json_v1::{Gap, TOOL, Tool};
use super::style::{Style, write_hanging};

/// The rules as a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.rules/1")]
pub struct Rules<'a> {
    /// Always `pulsectl.rules/1`.
    #[schemars(extend("const" = "pulsectl.rules/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Always true: the rules are part of the program.
    pub complete: bool,
    /// Always empty.
    pub gaps: Vec<Gap<'a>>,
    /// In the order of the codes.
    pub rules: Vec<Rule>,
}

/// One rule.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rule {
    /// The code, `PLS005`.
    pub code: &'static str,
    /// The name, `collateral-cancel`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The worst severity that it gives.
    #[schemars(extend("enum" = ["critical", "high", "medium", "low", "info"]))]
    pub severity: &'static str,
    /// `preview` or `stable`.
    #[schemars(extend("enum" = ["preview", "stable"]))]
    pub status: &'static str,
    /// The version that first had it.
    pub since: &'static str,
    /// Whether it only gives context.
    pub context_only: bool,
    /// The whole text, Markdown.
    pub text: &'static str,
    /// Example logs on which it fires.
    pub fires: Vec<&'static str>,
    /// Example logs on which it stays silent.
    pub silent: Vec<&'static str>,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn json(rules: &[&RuleMeta]) -> serde_json::Result<String> {
    let document = Rules {
        schema: "pulsectl.rules/1",
        tool: TOOL,
        complete: true,
        gaps: Vec::new(),
        rules: rules
            .iter()
            .map(|rule| Rule {
                code: rule.code,
                name: rule.name,
                summary: rule.summary,
                severity: rule.severity.as_str(),
                status: rule.status.as_str(),
                since: rule.since,
                context_only: rule.context_only,
                text: rule.text,
                fires: rule.examples("log,fires"),
                silent: rule.examples("log,silent"),
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// One line per rule.
#[must_use]
pub fn table(rules: &[&RuleMeta], style: &Style) -> String {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0).max("NAME".len());
    let mut out =
        style.bold(&format!("{:<7} {:<8} {:<7} {:<width$}  SUMMARY", "CODE", "SEVERITY", "STATUS", "NAME"));
    out.push('\n');
    for rule in rules {
        let (severity, status) = (rule.severity.as_str(), rule.status.as_str());
        let lead = format!("{:<7} {severity:<8} {status:<7} {:<width$}  ", rule.code, rule.name);
        write_hanging(&mut out, &lead, rule.summary, style);
    }
    out
}

/// The rule table of the README.
#[must_use]
pub fn markdown_table(rules: &[RuleMeta]) -> String {
    let mut out = String::from("| Code | Name | Severity | What it reports |\n|---|---|---|---|\n");
    for rule in rules {
        let summary = rule.summary.replace('|', "\\|");
        let _ = writeln!(out, "| {} | {} | {} | {summary} |", rule.code, rule.name, rule.severity);
    }
    out
}

/// The whole text of a rule for a person.
#[must_use]
pub fn explain(rule: &RuleMeta, style: &Style) -> String {
    let mut out = format!("{}\n", style.bold(&format!("{} {}: {}", rule.code, rule.name, rule.summary)));
    let severity = style.severity(rule.severity, rule.severity.as_str());
    let _ = writeln!(out, "{severity} at most, {}, since {}\n", rule.status.as_str(), rule.since);
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
            write_hanging(&mut out, "", line, style);
        }
    }
    out
}

/// The whole text of a rule as Markdown.
#[must_use]
pub fn markdown(rule: &RuleMeta) -> String {
    let mut out = format!("# {} {}\n\n{}\n\n", rule.code, rule.name, rule.summary);
    let _ = writeln!(
        out,
        "Severity: {} at most. Status: {}. Since: {}.\n",
        rule.severity,
        rule.status.as_str(),
        rule.since
    );
    for line in rule.text.trim().lines() {
        // The rule's own headings stand below its title.
        let heading = HEADINGS.into_iter().any(|heading| line.strip_prefix("# ") == Some(heading));
        let _ = writeln!(out, "{}{line}", if heading { "#" } else { "" });
    }
    out
}
