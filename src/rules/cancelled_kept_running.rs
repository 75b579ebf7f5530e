//! PLS012: an execution was cancelled and went on.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::SharedEvent;
use crate::model::confidence::Confidence;
use crate::model::id::IdKind;
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::account::{self, Entry, EntryKind, Fate};
use crate::replay::episode::{Container, Row};
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// An execution or a turn was open when a stop swept its session, and its own end came much later, as a success
    /// even, or never while the server went on.
    ///
    /// # Why it matters
    /// Between the stop and that end it worked although it was told, or marked, to stop.
    ///
    /// # What to do now
    /// Look for a process group of this execution that is still alive, then for its side effects between the two
    /// times.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent exec-post-1787198460000000000 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:33:50 [FINALIZE_EXEC] exec=exec-post-1787198460000000000 step=post — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/20 09:36:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent exec-post-1787198460000000000 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:11 [FINALIZE_EXEC] exec=exec-post-1787198460000000000 step=post — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/20 09:36:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// The time the host slept is subtracted. An end between 15 and 30 s is low. A message in a live pane and a todo
    /// step's sub-agent never log an end, so their silence is no finding; an item ends with its run.
    CANCELLED_KEPT_RUNNING = "PLS012", "cancelled-kept-running", Critical, Preview;
    summary: "an execution was cancelled and went on";
    literals: ["session"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let (session, opener, account) = match case {
        Case::Stop(episode) => (&episode.session, episode.opener(), account::of_episode(episode, thresholds)),
        Case::Minor(minor) if minor.cause != Cause::Shutdown => {
            (&minor.session, &minor.opener, account::of_minor(minor, thresholds))
        }
        _ => return Vec::new(),
    };
    let over: Vec<&str> =
        account.iter().filter(|entry| is_container(entry)).map(|entry| &*entry.id).collect();
    let alone = |entry: &Entry| match (&entry.kind, case) {
        (EntryKind::Row(IdKind::Item | IdKind::Mirror), Case::Stop(episode)) => {
            !runs_in(episode.row(&entry.id), &over)
        }
        (EntryKind::Row(IdKind::Item | IdKind::Mirror), Case::Minor(minor)) => {
            !runs_in(minor.rows.iter().find(|row| row.id == entry.id), &over)
        }
        _ => true,
    };
    let hits = account.iter().filter(|entry| alone(entry));
    let hits = hits.filter_map(|entry| entry_hit(session, opener, entry, thresholds));
    match case {
        Case::Stop(episode) => hits.map(|hit| hit.doubted_by(episode)).collect(),
        _ => hits.collect(),
    }
}

/// Whether an entry is of something in which others run, and is reported itself.
fn is_container(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Row(IdKind::Run | IdKind::Evaluation | IdKind::Step))
        && matches!(entry.fate, Fate::EndedLate | Fate::EndedAsSuccess | Fate::NoEndSeen)
}

/// Whether a row runs in one of these, so that their finding is about it too.
fn runs_in(row: Option<&Row>, containers: &[&str]) -> bool {
    match row.map(|row| &row.container) {
        Some(Container::Run(of) | Container::Step(of)) => containers.contains(&&**of),
        Some(Container::OneOf(runs)) => runs.iter().any(|of| containers.contains(&&**of)),
        Some(Container::Unknown) | None => !containers.is_empty(),
    }
}

fn entry_hit(session: &str, opener: &SharedEvent, entry: &Entry, thresholds: &Thresholds) -> Option<Hit> {
    let EntryKind::Row(kind) = entry.kind else { return None };
    let thing = match kind {
        IdKind::Turn | IdKind::SyntheticTurn => "a turn",
        _ => "an execution",
    };
    let (severity, claim) = match entry.fate {
        Fate::EndedAsSuccess => {
            let after = entry.after.unwrap_or_default();
            (
                Severity::Critical,
                format!("{thing} ended {after} s after it was cancelled and ended as a success"),
            )
        }
        Fate::EndedLate => {
            let after = entry.after.unwrap_or_default();
            let late = after > thresholds.cancel_lag;
            let severity = if late { Severity::High } else { Severity::Low };
            (severity, format!("{thing} ended {after} s after it was cancelled"))
        }
        Fate::NoEndSeen => {
            // Of these no stop was observed in the measurements, so their silence says less.
            let rare =
                kind == IdKind::Evaluation || ["review-", "kb-"].iter().any(|of| entry.id.starts_with(of));
            let severity = if rare { Severity::Medium } else { Severity::High };
            (
                severity,
                format!("{thing} was cancelled, and no line tells that it ended while the server went on"),
            )
        }
        _ => return None,
    };
    // What only follows from another line has no end time of its own.
    if entry.fate != Fate::NoEndSeen && entry.confidence < Confidence::High {
        return None;
    }
    // An end that is seen proves more than one that is missing.
    let confidence = if entry.after.is_some() { Certainty::Confirmed } else { Certainty::Probable };
    let mut hit = Hit::new("PLS012", session, severity, confidence)
        .subject(Subject::execution(&*entry.id))
        .identified_by(&entry.id)
        .claim(claim)
        .proof(opener, "the stop swept it")
        .next("look for a process of it that is still alive, then check its side effects since the stop");
    for (line, role) in &entry.evidence {
        hit.add_proof(line, *role);
    }
    Some(hit)
}
