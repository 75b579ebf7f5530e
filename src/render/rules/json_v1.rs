//! The rules as `pulsectl.rules/1`, from which their other formats are made too.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::document::{TOOL, Tool};
use crate::render::machine::document::Gap;
use crate::render::machine::json;
use crate::rules::custom::CustomRule;
use crate::rules::meta::{Maturity, RuleMeta, Severity};

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
    pub severity: Severity,
    /// `preview` or `stable`; `null` for a rule of the user.
    pub status: Option<Maturity>,
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
            severity: rule.severity,
            status: Some(rule.status),
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
            severity: rule.severity(),
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
    pub(super) fn standing(&self) -> &'static str {
        self.status.map_or("yours", Maturity::name)
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
pub fn render(rules: &[Rule<'_>]) -> serde_json::Result<String> {
    let document = Rules {
        schema: "pulsectl.rules/1",
        tool: TOOL,
        complete: true,
        gaps: Vec::new(),
        rules: rules.to_vec(),
    };
    json::document(&document)
}
