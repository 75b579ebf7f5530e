//! The rules: as a table, as text, as Markdown, and as `pulsectl.rules/1`.

use std::borrow::Cow;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::rules::custom::CustomRule;
use crate::rules::meta::{HEADINGS, RuleMeta, Severity};

use super::json_text;
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
    /// Always true: the rules are part of the program and its settings.
    pub complete: bool,
    /// Always empty.
    pub gaps: Vec<Gap<'a>>,
    /// In the order of the codes, then those of the user.
    pub rules: Vec<Rule<'a>>,
}

/// One rule.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rule<'a> {
    /// The code, `PLS005`; of a rule of the user its id, `custom/quota`.
    pub code: &'a str,
    /// The name, `collateral-cancel`; of a rule of the user its id.
    pub name: &'a str,
    /// One line.
    pub summary: Cow<'a, str>,
    /// The worst severity that it gives.
    #[schemars(extend("enum" = ["critical", "high", "medium", "low", "info"]))]
    pub severity: &'static str,
    /// `preview` or `stable`; `null` for a rule of the user.
    #[schemars(extend("enum" = ["preview", "stable", null]))]
    pub status: Option<&'static str>,
    /// The version that first had it; `null` for a rule of the user.
    pub since: Option<&'a str>,
    /// Whether it only gives context.
    pub context_only: bool,
    /// Whether it is a rule of the user, from the settings.
    pub custom: bool,
    /// The whole text, Markdown.
    pub text: Cow<'a, str>,
    /// Example logs on which it fires.
    pub fires: Vec<&'a str>,
    /// Example logs on which it stays silent.
    pub silent: Vec<&'a str>,
}

impl<'a> From<&'a RuleMeta> for Rule<'a> {
    fn from(rule: &'a RuleMeta) -> Self {
        Self {
            code: rule.code,
            name: rule.name,
            summary: Cow::Borrowed(rule.summary),
            severity: rule.severity.as_str(),
            status: Some(rule.status.as_str()),
            since: Some(rule.since),
            context_only: rule.context_only,
            custom: false,
            text: Cow::Borrowed(rule.text),
            fires: rule.examples("log,fires"),
            silent: rule.examples("log,silent"),
        }
    }
}

impl<'a> From<&'a CustomRule> for Rule<'a> {
    fn from(rule: &'a CustomRule) -> Self {
        let text = format!(
            "A rule of your own, from the settings: one line that matches is one finding.\n\n\
             # What it means\n\n\
             A message that begins with `{}` and matches `{}`.\n\n\
             The finding says: {}\n",
            rule.tag(),
            rule.pattern(),
            rule.claim(),
        );
        Self {
            code: rule.id(),
            name: rule.id(),
            summary: Cow::Owned(rule.claim()),
            severity: rule.severity().as_str(),
            status: None,
            since: None,
            context_only: false,
            custom: true,
            text: Cow::Owned(text),
            fires: Vec::new(),
            silent: Vec::new(),
        }
    }
}

impl Rule<'_> {
    /// Whether this text names the rule: its code or its name, in any case.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.code.eq_ignore_ascii_case(name) || self.name.eq_ignore_ascii_case(name)
    }

    /// `stable`, `preview`, or whose it is.
    fn standing(&self) -> &'static str {
        self.status.unwrap_or("yours")
    }
}

/// Every rule that an audit with these rules of the user knows: the built-in ones by their codes, then the
/// user's.
#[must_use]
pub fn list<'a>(built_in: &'a [RuleMeta], custom: &'a [CustomRule]) -> Vec<Rule<'a>> {
    built_in.iter().map(Rule::from).chain(custom.iter().map(Rule::from)).collect()
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn json(rules: &[Rule<'_>]) -> serde_json::Result<String> {
    let document = Rules {
        schema: "pulsectl.rules/1",
        tool: TOOL,
        complete: true,
        gaps: Vec::new(),
        rules: rules.to_vec(),
    };
    json_text::document(&document)
}

/// One line per rule.
#[must_use]
pub fn table(rules: &[Rule<'_>], style: &Style) -> String {
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
pub fn explain(rule: &Rule<'_>, style: &Style) -> String {
    let title = if rule.custom { rule.code.to_owned() } else { format!("{} {}", rule.code, rule.name) };
    let title = format!("{title}: {}", style.safe(&rule.summary));
    let mut out = format!("{}\n", style.bold(&title));
    let severity = match Severity::from_name(rule.severity) {
        Some(severity) => style.severity(severity, rule.severity),
        None => rule.severity.to_owned(),
    };
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

/// The whole text of a rule as Markdown.
#[must_use]
pub fn markdown(rule: &Rule<'_>) -> String {
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
