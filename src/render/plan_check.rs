//! A plan held against a log: `pulsectl.plan-check/1` (formats.md, section 3), and a table for a person.

use schemars::JsonSchema;
use serde::Serialize;

use super::counters_json::Counters;
use super::graph_table::table;
use super::json_text;
use super::json_v1::{Gap, TOOL, Tool};
use super::style::Style;
use crate::audit::finding::Report;
use crate::check::plan_check::{CheckedRow, PlanCheck};
use crate::model::counters;

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
    pub predicted: Option<&'a str>,
    /// What the log tells; `null` where it tells nothing.
    #[schemars(extend("enum" = ["ended", "ended_late", "completed", "worked_on", "no_end", "marked", null]))]
    pub observed: Option<&'static str>,
    /// Whether both agree; also true where the log tells nothing.
    pub agrees: bool,
    /// Whether the log tells anything of it that could disagree.
    pub told: bool,
    /// Why, in words.
    pub reason: &'static str,
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

/// What is checked against what.
#[derive(Debug, Clone, Copy)]
pub struct CheckView<'a> {
    /// The result.
    pub check: &'a PlanCheck,
    /// The plan's file.
    pub plan: &'a str,
    /// The audit of the log.
    pub report: &'a Report,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn json(view: CheckView<'_>) -> serde_json::Result<String> {
    let sessions: Vec<SessionCounters<'_>> = view
        .check
        .counters
        .iter()
        .map(|of| SessionCounters {
            session: &of.session,
            counters: CountersCheck {
                predicted: Some(of.predicted.into()),
                observed: of.observed.map(Counters::from),
                agrees: of.agrees,
            },
        })
        .collect();
    let first = sessions.first().map(|of| of.counters.clone());
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        complete: view.report.complete(),
        gaps: view.report.gaps.iter().map(|gap| Gap { code: gap.code, message: &gap.message }).collect(),
        plan: view.plan,
        log: view.report.inputs.iter().map(|input| input.path.as_str()).collect(),
        rows: view
            .check
            .rows
            .iter()
            .map(|row| Row {
                id: &row.id,
                predicted: row.predicted.as_deref(),
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
    json_text::document(&document)
}

/// One line per row, the disagreements first, then the counters.
#[must_use]
pub fn text(view: CheckView<'_>, style: &Style) -> String {
    let mut rows: Vec<_> = view.check.rows.iter().collect();
    rows.sort_by_key(|row| row.agrees);
    let cells = rows
        .iter()
        .map(|row| {
            vec![
                String::from(match (row.agrees, row.told) {
                    (false, _) => "DIFFERS",
                    (true, true) => "agrees",
                    (true, false) => "not told",
                }),
                style.safe(&row.id),
                style.safe(row.predicted.as_deref().unwrap_or("-")),
                row.observed.unwrap_or("-").to_owned(),
                row.reason.to_owned(),
            ]
        })
        .collect();
    let mut out = table(&["", "ROW", "FORESEEN", "LOG SAYS", "BECAUSE"], cells, true, style);
    for of in &view.check.counters {
        let verdict = match (&of.observed, of.agrees) {
            (None, _) => "no counters in the log, which is no disagreement",
            (Some(_), true) => "counters agree",
            (Some(_), false) => "counters DIFFER",
        };
        out.push_str(&format!("\n{}: {verdict}\n", style.safe(&of.session)));
        if let Some(observed) = of.observed.filter(|_| !of.agrees) {
            out.push_str(&format!(
                "  foreseen {}\n  log says {}\n",
                counter_words(of.predicted),
                counter_words(observed)
            ));
        }
    }
    let count = |holds: fn(&CheckedRow) -> bool| view.check.rows.iter().filter(|row| holds(row)).count();
    let agree = count(|row| row.agrees && row.told);
    let differ = count(|row| !row.agrees);
    let untold = count(|row| row.agrees && !row.told);
    let verdict = match (view.check.agrees, view.check.is_told()) {
        (false, _) => "the plan differs from the log",
        (true, true) => "the plan agrees with the log",
        (true, false) => "nothing was checked: the log tells nothing of the plan",
    };
    let rows = format!("rows: {agree} agree, {differ} differ, {untold} not told");
    out.push_str(&format!("\n{rows}\n{}\n", style.bold(verdict)));
    out
}

/// `canceled=1 no_cancel_func=1`, or `nothing`.
pub(crate) fn counter_words(counters: counters::Counters) -> String {
    let number = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
    let parts: Vec<String> = [
        counters.turn_canceled.map(|canceled| format!("turn={canceled}")),
        number("queries", counters.orchestrator_queries),
        number("orchestrator_canceled", counters.orchestrator_canceled),
        number("canceled", counters.canceled),
        number("no_cancel_func", counters.no_cancel_func),
        number("already_done", counters.already_done),
        number("tracked", counters.tracked_marked),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { String::from("nothing") } else { parts.join(" ") }
}
