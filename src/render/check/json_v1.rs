//! A plan held against a log as `pulsectl.plan-check/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::view::CheckView;
use crate::audit::finding::Fate;
use crate::engine::plan::Outcome;
use crate::model::counters::Counters;
use crate::model::document::{TOOL, Tool};
use crate::render::machine::document::Gap;
use crate::render::machine::json;

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.plan-check/1";

/// The check of one plan.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.plan-check/1")]
pub struct Document<'a> {
    /// Always `pulsectl.plan-check/1`.
    #[schemars(extend("const" = "pulsectl.plan-check/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything was read: false where a gap makes the answer incomplete.
    pub complete: bool,
    /// What of the log was not read, not understood or not kept.
    pub gaps: Vec<Gap<'a>>,
    /// The plan's file.
    pub plan: &'a str,
    /// The logs.
    pub log: Vec<&'a str>,
    /// The rows, in the plan's order, then those that the plan does not know.
    pub rows: Vec<Row<'a>>,
    /// The counters; those of the first session that the trigger hits.
    pub counters: CountersCheck,
    /// The counters of every session that the trigger hits.
    pub sessions: Vec<SessionCounters<'a>>,
    /// Whether everything agrees.
    pub agrees: bool,
}

/// One row.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// Its id.
    pub id: &'a str,
    /// What was foreseen; `null` for a row that the plan does not know.
    pub predicted: Option<Outcome>,
    /// What the log tells; `null` where it tells nothing.
    #[schemars(schema_with = "observed_words")]
    pub observed: Option<&'static str>,
    /// Whether both agree; also true where the log tells nothing.
    pub agrees: bool,
    /// Whether the log tells anything of it that could disagree.
    pub told: bool,
    /// Why, in words.
    pub reason: &'static str,
}

/// The fates that a log can tell, `marked` for a row of which it tells no more than that, `null` for nothing.
fn observed_words(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let fates = Fate::ALL.into_iter().filter(|fate| !matches!(fate, Fate::Unknown | Fate::Cut));
    let words: Vec<Option<&str>> =
        fates.map(|fate| Some(fate.name())).chain([Some("marked"), None]).collect();
    schemars::json_schema!({ "type": ["string", "null"], "enum": words })
}

/// Counters, foreseen and observed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CountersCheck {
    /// What was foreseen.
    pub predicted: Option<Counters>,
    /// What the log printed; `null` where it printed none, which is no disagreement.
    pub observed: Option<Counters>,
    /// Whether both agree.
    pub agrees: bool,
}

/// The counters of one session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SessionCounters<'a> {
    /// The session.
    pub session: &'a str,
    /// Its counters.
    #[serde(flatten)]
    pub counters: CountersCheck,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(view: CheckView<'_>) -> serde_json::Result<String> {
    let sessions: Vec<SessionCounters<'_>> = view
        .check
        .counters
        .iter()
        .map(|of| SessionCounters {
            session: &of.session,
            counters: CountersCheck {
                predicted: Some(of.predicted),
                observed: of.observed,
                agrees: of.agrees,
            },
        })
        .collect();
    let first = sessions.first().map(|of| of.counters.clone());
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        complete: view.report.complete(),
        gaps: view
            .report
            .gaps
            .iter()
            .map(|gap| Gap { code: gap.code.name(), message: &gap.message })
            .collect(),
        plan: view.plan,
        log: view.report.inputs.iter().map(|input| input.path.as_str()).collect(),
        rows: view
            .check
            .rows
            .iter()
            .map(|row| Row {
                id: &row.id,
                predicted: row.predicted,
                observed: row.observed,
                agrees: row.agrees,
                told: row.told,
                reason: row.reason,
            })
            .collect(),
        counters: first.unwrap_or(CountersCheck { predicted: None, observed: None, agrees: true }),
        sessions,
        agrees: view.check.agrees,
    };
    json::document(&document)
}
