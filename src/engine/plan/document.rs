//! `pulsectl.plan/1`: what a plan is written to, and what `plan check` reads back and holds against a log. Keys may be
//! added; none is renamed or removed without a new number.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy::Policy;
use super::revive::RevivalKind;
use super::row::{Flag, Otherwise, Outcome, PaneOutcome};
use super::trigger::{PaneState, TriggerKind};
use crate::engine::resolve::Class;
use crate::model::confidence::Confidence;
use crate::model::counters::Counters;
use crate::model::document::{DocumentSource, Tool};
use crate::model::gap::Gap;
use crate::model::id::RowKind;

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.plan/1";

/// One plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "pulsectl.plan/1")]
pub struct Document<'a> {
    /// Always `pulsectl.plan/1`.
    #[schemars(extend("const" = "pulsectl.plan/1"))]
    pub schema: Cow<'a, str>,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything was read: false where a gap makes the answer incomplete.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: Cow<'a, [Gap]>,
    /// What is assumed to happen.
    pub trigger: Trigger<'a>,
    /// Who may cancel whom.
    pub policy: Policy,
    /// What it was made from.
    pub source: DocumentSource<'a>,
    /// The moment that it is about (RFC 3339), by the server's clock; `null` is unknown.
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Timestamp>,
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
    pub expected_log: Vec<Cow<'a, str>>,
    /// The rows side by side under every policy; `null` where that was not asked for.
    pub compare: Option<Vec<Compared<'a>>>,
    /// Counts, and whether it is safe.
    pub summary: Counts<'a>,
}

/// What is assumed to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trigger<'a> {
    /// Its name.
    pub kind: TriggerKind,
    /// The session that is hit; `null` for a shutdown, or where nothing was found.
    pub session: Option<Cow<'a, str>>,
    /// Of a stop: whether it is asked to cancel agents; else `null`.
    pub agents: Option<bool>,
    /// The terminal that it names; `null` is the main one, or none.
    pub terminal: Option<Cow<'a, str>>,
    /// The execution that it names.
    pub target: Option<Cow<'a, str>>,
    /// Of a terminal's death: what is found.
    pub pane: Option<PaneState>,
}

/// A warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning<'a> {
    /// Machine name, such as `latent_death` or `race`.
    pub code: Cow<'a, str>,
    /// In words.
    pub message: Cow<'a, str>,
}

/// Why the server refuses or does nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused<'a> {
    /// The HTTP status; `null` where the server would just do nothing.
    pub status: Option<u16>,
    /// In words.
    pub reason: Cow<'a, str>,
}

/// What a row ends with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Via<'a> {
    /// One id.
    One(Cow<'a, str>),
    /// One of these ids; which one cannot be told.
    Several(Vec<Cow<'a, str>>),
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Row<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its session.
    pub session: Cow<'a, str>,
    /// What it is.
    pub kind: RowKind,
    /// Its name; what people wrote is masked unless asked for. `null` is unknown.
    pub name: Option<Cow<'a, str>>,
    /// What it is to its session.
    pub class: Class,
    /// Its status before, as the server says; `null` is unknown.
    pub status: Option<Cow<'a, str>>,
    /// What would happen to it.
    pub outcome: Outcome,
    /// What it ends with: an id, a list of ids where it is ambiguous, or `null`.
    pub via: Option<Via<'a>>,
    /// Whether it is removed from the agents' registry.
    pub dropped: bool,
    /// Whether it goes on saying "running" without a worker.
    pub stays_listed: bool,
    /// What a person should know.
    pub flags: Cow<'a, [Flag]>,
    /// Why, in words.
    pub reason: Cow<'a, str>,
    /// The record that it rests on: where it was read, and the id.
    pub evidence: Cow<'a, str>,
    /// The heading of `docs/server-behaviour.md` that says so.
    pub rule: Cow<'a, str>,
    /// How sure it is.
    pub confidence: Confidence,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<Otherwise<Outcome>>,
}

/// One pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pane<'a> {
    /// Id of the terminal.
    pub terminal: Cow<'a, str>,
    /// Its session.
    pub session: Cow<'a, str>,
    /// Its owner, as the record names it.
    pub owner: Option<Cow<'a, str>>,
    /// Name of the tmux session; `null` where it is not readable.
    pub tmux: Option<Cow<'a, str>>,
    /// What it is to its session.
    pub class: Class,
    /// What would happen to it.
    pub outcome: PaneOutcome,
    /// `collateral` where work that the session does not own loses its pane.
    pub flags: Cow<'a, [Flag]>,
    /// Why, in words.
    pub reason: Cow<'a, str>,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<Otherwise<PaneOutcome>>,
}

/// One way in which work could come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revives<'a> {
    /// By what.
    pub kind: RevivalKind,
    /// The session.
    pub session: Cow<'a, str>,
    /// What comes back, in words.
    pub what: Cow<'a, str>,
    /// When, in words.
    pub when: Cow<'a, str>,
    /// The record, or the heading of `docs/server-behaviour.md`, that says so.
    pub evidence: Cow<'a, str>,
}

/// The counters of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Predicted<'a> {
    /// The session.
    pub session: Cow<'a, str>,
    /// Its counters.
    pub counters: Counters,
    /// The other side of a race; `null` where there is none.
    pub otherwise: Option<OtherCounters<'a>>,
}

/// The counters on the other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherCounters<'a> {
    /// The counters then.
    pub counters: Counters,
    /// In which case, in words.
    #[serde(rename = "if")]
    pub condition: Cow<'a, str>,
}

/// One row under every policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compared<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its session.
    pub session: Cow<'a, str>,
    /// Outcome per policy: `server`, `owner`, `sweeps_only`.
    pub outcomes: BTreeMap<Cow<'a, str>, Outcome>,
    /// Whether the owner's policy would save it from the server.
    pub saved: bool,
    /// What would still kill or mute it if only the sweeps were mended.
    pub blocked_by: Vec<Flag>,
}

/// The counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts<'a> {
    /// Rows per outcome; every outcome has an entry.
    pub outcomes: BTreeMap<Cow<'a, str>, usize>,
    /// Rows per flag; only flags that occur.
    pub flags: BTreeMap<Cow<'a, str>, usize>,
    /// The rows that are collateral.
    pub collateral: Vec<Cow<'a, str>>,
    /// Whether nothing speaks against it; `null` where the trigger is refused.
    pub safe: Option<bool>,
}
