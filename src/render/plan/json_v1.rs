//! `pulsectl.plan/1`: frozen structs of their own. Fields may be added; none is renamed
//! or removed without a new number.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::view::{PlanView, expected_line};
use crate::engine::plan;
use crate::engine::plan::{
    Outcome, PaneOutcome, PaneState, Policy, RevivalKind, Summary, Trigger as PlanTrigger, TriggerKind,
};
use crate::engine::resolve::Class;
use crate::model::confidence::Confidence;
use crate::model::id::RowKind;
use crate::render::machine::counters::Counters;
use crate::render::machine::document::{TOOL, Tool};
use crate::render::machine::json;
use crate::render::machine::source::{SnapshotGap, SourceJson, as_of, gaps};
use crate::render::machine::yaml;

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.plan/1";

/// One plan.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.plan/1")]
pub struct Document<'a> {
    /// Always `pulsectl.plan/1`.
    #[schemars(extend("const" = "pulsectl.plan/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything was read: false where a gap makes the answer incomplete.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: Vec<SnapshotGap<'a>>,
    /// What is assumed to happen.
    pub trigger: Trigger<'a>,
    /// Who may cancel whom.
    pub policy: Policy,
    /// What it was made from.
    pub source: SourceJson<'a>,
    /// The moment that it is about (RFC 3339), by the server's clock; `null` is unknown.
    pub as_of: Option<String>,
    /// What makes it less than certain.
    pub warnings: Vec<Warning<'a>>,
    /// Why the server refuses or does nothing; `null` where it does neither.
    pub refused: Option<Refused<'a>>,
    /// Every row of the sessions that are hit, by session and id.
    pub rows: Vec<Row<'a>>,
    /// Their panes, by session and id.
    pub panes: Vec<Pane<'a>>,
    /// What could bring work back.
    pub revives: Vec<Revives<'a>>,
    /// The counters to expect, per session that is hit.
    pub predicted: Vec<Predicted<'a>>,
    /// The `[STOP]` lines to expect, without time stamps; the lines of rows come in no fixed order.
    pub expected_log: Vec<String>,
    /// The rows side by side under every policy; `null` where that was not asked for.
    pub compare: Option<Vec<Compared<'a>>>,
    /// Counts, and whether it is safe.
    pub summary: SummaryJson<'a>,
}

/// What is assumed to happen.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Trigger<'a> {
    /// Its name.
    pub kind: TriggerKind,
    /// The session that is hit; `null` for a shutdown, or where nothing was found.
    pub session: Option<&'a str>,
    /// Of a stop: whether it is asked to cancel agents; else `null`.
    pub agents: Option<bool>,
    /// The terminal that it names; `null` is the main one, or none.
    pub terminal: Option<&'a str>,
    /// The execution that it names.
    pub target: Option<&'a str>,
    /// Of a terminal's death: what is found.
    pub pane: Option<PaneState>,
}

/// A warning.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Warning<'a> {
    /// Machine name, such as `latent_death` or `race`.
    pub code: &'a str,
    /// In words.
    pub message: &'a str,
}

/// Why the server refuses or does nothing.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Refused<'a> {
    /// The HTTP status; `null` where the server would just do nothing.
    pub status: Option<u16>,
    /// In words.
    pub reason: &'a str,
}

/// What a row ends with.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Via<'a> {
    /// One id.
    One(&'a str),
    /// One of these ids; which one cannot be told.
    Several(Vec<&'a str>),
}

/// One row.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its session.
    pub session: &'a str,
    /// What it is.
    pub kind: RowKind,
    /// Its name; what people wrote is masked unless asked for. `null` is unknown.
    pub name: Option<String>,
    /// What it is to its session.
    pub class: Class,
    /// Its status before, as the server says; `null` is unknown.
    pub status: Option<&'a str>,
    /// What would happen to it.
    pub outcome: Outcome,
    /// What it ends with: an id, a list of ids where it is ambiguous, or `null`.
    pub via: Option<Via<'a>>,
    /// Whether it is removed from the agents' registry.
    pub dropped: bool,
    /// Whether it goes on saying "running" without a worker.
    pub stays_listed: bool,
    /// What a person should know.
    pub flags: Vec<&'static str>,
    /// Why, in words.
    pub reason: &'a str,
    /// The record that it rests on: where it was read, and the id.
    pub evidence: &'a str,
    /// The heading of `docs/server-behaviour.md` that says so.
    pub rule: &'a str,
    /// How sure it is.
    pub confidence: Confidence,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<Otherwise<'a>>,
}

/// The other side of a race.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Otherwise<'a> {
    /// What happens then.
    pub outcome: &'static str,
    /// In which case, in words.
    #[serde(rename = "if")]
    pub condition: &'a str,
}

/// One pane.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Pane<'a> {
    /// Id of the terminal.
    pub terminal: &'a str,
    /// Its session.
    pub session: &'a str,
    /// Its owner, as the record names it.
    pub owner: Option<&'a str>,
    /// Name of the tmux session; `null` where it is not readable.
    pub tmux: Option<&'a str>,
    /// What it is to its session.
    pub class: Class,
    /// What would happen to it.
    pub outcome: PaneOutcome,
    /// `collateral` where work that the session does not own loses its pane.
    pub flags: Vec<&'static str>,
    /// Why, in words.
    pub reason: &'a str,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<Otherwise<'a>>,
}

/// One way in which work could come back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revives<'a> {
    /// By what.
    pub kind: RevivalKind,
    /// The session.
    pub session: &'a str,
    /// What comes back, in words.
    pub what: &'a str,
    /// When, in words.
    pub when: &'a str,
    /// The record, or the heading of `docs/server-behaviour.md`, that says so.
    pub evidence: &'a str,
}

/// The counters of one session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Predicted<'a> {
    /// The session.
    pub session: &'a str,
    /// Its counters.
    pub counters: Counters,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<OtherCounters<'a>>,
}

/// The counters on the other side of a race.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OtherCounters<'a> {
    /// The counters then.
    pub counters: Counters,
    /// In which case, in words.
    #[serde(rename = "if")]
    pub condition: &'a str,
}

/// One row under every policy.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Compared<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its session.
    pub session: &'a str,
    /// Outcome per policy: `server`, `owner`, `sweeps_only`.
    pub outcomes: BTreeMap<&'static str, &'static str>,
    /// Whether the owner's policy would save it from the server.
    pub saved: bool,
    /// What would still kill or mute it if only the sweeps were mended.
    pub blocked_by: Vec<&'static str>,
}

/// The counts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SummaryJson<'a> {
    /// Rows per outcome; every outcome has an entry.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Rows per flag; only flags that occur.
    pub flags: BTreeMap<&'static str, usize>,
    /// The rows that are collateral.
    pub collateral: Vec<&'a str>,
    /// Whether nothing speaks against it; `null` where the trigger is refused.
    pub safe: Option<bool>,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(view: &PlanView<'_>) -> serde_json::Result<String> {
    json::document(&document(view))
}

/// The document as YAML, the same for every reader.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render_yaml(view: &PlanView<'_>) -> yaml_serde::Result<String> {
    Ok(yaml::document(&yaml_serde::to_value(document(view))?))
}

fn document<'a>(view: &'a PlanView<'a>) -> Document<'a> {
    let plan = view.plan;
    Document {
        schema: SCHEMA,
        tool: TOOL,
        complete: plan.complete,
        gaps: gaps(view.snapshot),
        trigger: trigger(view),
        policy: plan.policy,
        source: SourceJson::of(view.snapshot),
        as_of: as_of(view.snapshot),
        warnings: plan
            .warnings
            .iter()
            .map(|warning| Warning { code: warning.code.name(), message: &warning.message })
            .collect(),
        refused: plan
            .refused
            .as_ref()
            .map(|refused| Refused { status: refused.status, reason: &refused.reason }),
        rows: plan.rows.iter().map(|of| row(of, view.show_content)).collect(),
        panes: plan.panes.iter().map(pane).collect(),
        revives: plan.revivals.iter().map(revives).collect(),
        predicted: plan.predicted.iter().map(predicted).collect(),
        expected_log: plan.expected_log.iter().map(|line| expected_line(line, view.show_content)).collect(),
        compare: view.compared().map(|rows| rows.iter().map(compared).collect()),
        summary: summary(&view.summary),
    }
}

fn trigger<'a>(view: &PlanView<'a>) -> Trigger<'a> {
    let trigger = &view.plan.trigger;
    let (agents, pane) = match trigger {
        PlanTrigger::Stop { agents, .. } => (Some(*agents), None),
        PlanTrigger::TerminalDeath { pane, .. } => (None, Some(*pane)),
        _ => (None, None),
    };
    Trigger {
        kind: trigger.kind(),
        session: trigger.session().or(view.plan.session.as_deref()),
        agents,
        terminal: trigger.terminal(),
        target: trigger.target(),
        pane,
    }
}

fn row(row: &plan::PlannedRow, show_content: bool) -> Row<'_> {
    Row {
        id: &row.id,
        session: &row.session,
        kind: row.kind,
        name: row.name.as_ref().map(|name| name.shown(show_content).into_owned()),
        class: row.class,
        status: row.status.as_deref(),
        outcome: row.outcome,
        via: match row.via.as_slice() {
            [] => None,
            [one] => Some(Via::One(one)),
            several => Some(Via::Several(several.iter().map(String::as_str).collect())),
        },
        dropped: row.dropped,
        stays_listed: row.stays_listed,
        flags: row.flags.iter().map(|flag| flag.name()).collect(),
        reason: &row.reason,
        evidence: &row.evidence,
        rule: row.rule,
        confidence: row.confidence,
        otherwise: row
            .otherwise
            .as_ref()
            .map(|other| Otherwise { outcome: other.outcome.name(), condition: &other.condition }),
    }
}

fn pane(pane: &plan::PlannedPane) -> Pane<'_> {
    Pane {
        terminal: &pane.terminal,
        session: &pane.session,
        owner: pane.owner.as_deref(),
        tmux: pane.tmux.as_deref(),
        class: pane.class,
        outcome: pane.outcome,
        flags: pane.is_collateral.then_some("collateral").into_iter().collect(),
        reason: pane.reason,
        otherwise: pane
            .otherwise
            .as_ref()
            .map(|other| Otherwise { outcome: other.outcome.name(), condition: &other.condition }),
    }
}

fn revives(revival: &plan::Revival) -> Revives<'_> {
    Revives {
        kind: revival.kind,
        session: &revival.session,
        what: &revival.what,
        when: revival.when,
        evidence: &revival.evidence,
    }
}

fn predicted(prediction: &plan::Prediction) -> Predicted<'_> {
    Predicted {
        session: &prediction.session,
        counters: prediction.counters.into(),
        otherwise: prediction
            .otherwise
            .as_ref()
            .map(|other| OtherCounters { counters: other.outcome.into(), condition: &other.condition }),
    }
}

fn compared<'a>(row: &super::view::ComparedRow<'a>) -> Compared<'a> {
    Compared {
        id: row.id,
        session: row.session,
        outcomes: row.outcomes.iter().map(|(policy, outcome)| (policy.name(), outcome.name())).collect(),
        saved: row.is_saved(),
        blocked_by: row.blocked_by.iter().map(|flag| flag.name()).collect(),
    }
}

fn summary(summary: &Summary) -> SummaryJson<'_> {
    SummaryJson {
        outcomes: summary.outcomes.iter().map(|(outcome, count)| (outcome.name(), *count)).collect(),
        flags: summary.flags.iter().map(|(flag, count)| (flag.name(), *count)).collect(),
        collateral: summary.collateral.iter().map(String::as_str).collect(),
        safe: summary.safe,
    }
}
