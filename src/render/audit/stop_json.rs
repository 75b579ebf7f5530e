//! The stops of `pulsectl.audit/1`: frozen structs of their own.

use schemars::JsonSchema;
use serde::Serialize;

use super::evidence_json::{Evidence, evidence};
use super::explained::{self, Explained};
use super::view::AuditView;
use crate::audit::finding::{self, Cause, Fate, Reached, Right, Verdict};
use crate::model::confidence::Confidence;
use crate::model::counters::Counters;
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

/// One thing that was open when a stop came.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AccountEntry<'a> {
    /// `turn`, `run`, `evaluation`, `mirror`, `step`, `item`, `sub_agent`, `agent`, `shell`, `pane` or
    /// `completion`.
    pub kind: &'static str,
    /// Its id; of a turn that the log never names a made-up one.
    pub id: &'a str,
    /// Its name, masked by default: people wrote it; `null` where the log gives none.
    pub name: Option<String>,
    /// Whose it was.
    pub right: Right,
    /// Whether the stop was meant to end it.
    pub meant: bool,
    /// How the stop reached it.
    pub reached: Reached,
    /// What became of it.
    pub fate: Fate,
    /// How sure the fate is.
    pub confidence: Confidence,
    /// Whether its row goes on saying "running" although it has ended.
    pub stays_listed: bool,
    /// Seconds between the stop and its end, less the time that the host slept; `null` where no end is seen.
    pub after_s: Option<i64>,
    /// The lines that prove it.
    pub evidence: Vec<Evidence<'a>>,
}

fn entry<'a>(entry: &'a finding::AccountEntry, view: &AuditView<'a>) -> AccountEntry<'a> {
    AccountEntry {
        kind: entry.kind.name(),
        id: &entry.id,
        name: known(&entry.name).map(|name| mask_value(name, view.content).into_owned()),
        right: entry.right,
        meant: entry.meant,
        reached: entry.reached,
        fate: entry.fate,
        confidence: entry.confidence,
        stays_listed: entry.stays_listed,
        after_s: entry.after,
        evidence: entry.evidence.iter().map(|line| evidence(line, view)).collect(),
    }
}

/// One stop episode.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stop<'a> {
    /// The session.
    pub session: &'a str,
    /// When it began (RFC 3339).
    pub time: String,
    /// The cause's fixed name.
    pub cause: Cause,
    /// The reason as the log gives it; `null` where it gives none.
    pub reason: Option<&'a str>,
    /// `null` where the server logged none.
    pub counters: Option<Counters>,
    /// Rows marked canceled.
    pub marked: Vec<Marked<'a>>,
    /// `clean`, `findings` or `inconclusive`.
    pub verdict: Verdict,
    /// One entry per thing that was open when the stop came.
    pub account: Vec<AccountEntry<'a>>,
    /// How many further entries were counted and not kept.
    pub account_omitted: u64,
    /// Later lines of its session that tell of something that no rule judges yet.
    pub unjudged: u64,
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
        counters: stop.counters,
        marked: stop
            .marked
            .iter()
            .map(|row| Marked {
                id: &row.id,
                kind: &row.kind,
                name: mask_value(&row.name, view.content).into_owned(),
            })
            .collect(),
        verdict: stop.verdict,
        account: stop.account.iter().map(|of| entry(of, view)).collect(),
        account_omitted: stop.account_omitted,
        unjudged: stop.unjudged,
        note: &stop.note,
        incident: known(&stop.incident),
        explained: view.explanations.get(at).map(explained::document),
    }
}
