//! The stops of `pulsectl.audit/1`: frozen structs of their own.

use schemars::JsonSchema;
use serde::Serialize;

use super::explained::{self, Explained};
use super::view::AuditView;
use crate::audit::finding;
use crate::render::machine::counters::Counters;
use crate::render::machine::document::known;
use crate::render::text::mask::mask_value;
use crate::render::text::moment::rfc3339;

/// A row that a stop marked canceled.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Marked<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its kind as the log gives it.
    pub kind: &'a str,
    /// Its name, masked by default: people wrote it.
    pub name: String,
}

/// One stop episode.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stop<'a> {
    /// The session.
    pub session: &'a str,
    /// When it began (RFC 3339).
    pub time: String,
    /// The cause's fixed name.
    #[schemars(extend("enum" = [
        "user_stop", "schedule_stop", "terminal_death", "usage_wall", "operator_kill", "child_terminal_death",
        "agent_stop_tool", "cancel_turn", "shutdown", "other"
    ]))]
    pub cause: &'a str,
    /// The reason as the log gives it; `null` where it gives none.
    pub reason: Option<&'a str>,
    /// `null` where the server logged none.
    pub counters: Option<Counters>,
    /// Rows marked canceled.
    pub marked: Vec<Marked<'a>>,
    /// `clean`, `findings` or `inconclusive`.
    #[schemars(extend("enum" = ["clean", "findings", "inconclusive"]))]
    pub verdict: &'static str,
    /// One clause for a person.
    pub note: &'a str,
    /// The id of the incident of its findings; `null` where there are none.
    pub incident: Option<&'a str>,
    /// What the model foresaw of it. Only where `--explain-stops` asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explained<'a>>,
}

/// One stop of the report; `at` is its place there.
pub(super) fn stop<'a>(stop: &'a finding::StopRecord, view: &AuditView<'a>, at: usize) -> Stop<'a> {
    Stop {
        session: &stop.session,
        time: rfc3339(stop.time, view.clock),
        cause: stop.cause,
        reason: known(&stop.reason),
        counters: stop.counters.map(Counters::from),
        marked: stop
            .marked
            .iter()
            .map(|row| Marked {
                id: &row.id,
                kind: &row.kind,
                name: mask_value(&row.name, view.content).into_owned(),
            })
            .collect(),
        verdict: stop.verdict.as_str(),
        note: &stop.note,
        incident: known(&stop.incident),
        explained: view.explanations.get(at).map(explained::document),
    }
}
