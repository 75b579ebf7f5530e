//! PLS014: a stop dropped the rows of a session without cancelling them.

use super::hit::{Hit, count};
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{Episode, Row};

/// The agents' counter line stands directly before the wipe.
const NEAR: i64 = 5;

rule! {
    /// # What it means
    /// A stop emptied the session's registry while executions were open, and nothing shows that they were cancelled:
    /// no agents line before it, no closed workshop after it.
    ///
    /// # Why it matters
    /// A worker whose row is gone can no longer be stopped, and its result reaches nobody.
    ///
    /// # What to do now
    /// Look for later lines of the executions named here, and stop the session once more with its agents.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent bg-audit-81177 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Cleared synthetic-turn state for stopped session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:49:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The workshop was closed, and the work ended with it:
    /// ```log,silent
    /// 2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent bg-audit-81177 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Cleared synthetic-turn state for stopped session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Closed workshop session "b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70" (all step executions canceled)
    /// 2026/08/20 09:32:11 [FINALIZE_EXEC] exec=bg-audit-81177 step=audit — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/20 09:39:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A stop without `cancelAgents` always wipes; it is harmless where the workshop is closed and all work ends.
    REGISTRY_WIPED_WITHOUT_CANCEL = "PLS014", "registry-wiped-without-cancel", High, Preview;
    summary: "a stop dropped the rows of a session without cancelling them";
    literals: ["Cleared synthetic-turn state"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    let wiped = episode
        .lines
        .iter()
        .chain(&episode.openers)
        .find(|line| matches!(line.kind, EventKind::RegistryCleared { .. }));
    let Some(wiped) = wiped else { return Vec::new() };
    let swept = episode
        .sweeps
        .iter()
        .filter_map(|sweep| sweep.agents.as_ref())
        .any(|(.., line)| line.position < wiped.position && wiped.utc() - line.utc() <= NEAR);
    if swept {
        return Vec::new();
    }
    let open: Vec<&Row> = episode.open_at_stop().filter(|row| !row.kind.is_turn()).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let closed = episode.lines.iter().find(|line| matches!(line.kind, EventKind::WorkshopClosed { .. }));
    let left: Vec<&&Row> = open
        .iter()
        .filter(|row| {
            episode
                .end_of(row)
                .is_none_or(|end| episode.awake_seconds(wiped.utc(), end.event.utc()) > thresholds.stop_grace)
        })
        .collect();
    if closed.is_some() && left.is_empty() {
        return Vec::new();
    }
    vec![hit(episode, wiped, closed, &open, thresholds)]
}

fn hit(
    episode: &Episode,
    wiped: &SharedEvent,
    closed: Option<&SharedEvent>,
    open: &[&Row],
    thresholds: &Thresholds,
) -> Hit {
    let covered = episode.covers(thresholds.stop_grace);
    let later_end = open.iter().any(|row| episode.end_of(row).is_some());
    let severity = if covered { Severity::High } else { Severity::Low };
    let confidence = if later_end { Certainty::Confirmed } else { Certainty::Probable };
    let mut hit = Hit::new("PLS014", &episode.session, severity, confidence)
        .claim(format!(
            "a stop dropped {} without a sign that it was cancelled{}",
            count(open.len(), "open execution"),
            if covered { "" } else { "; the log ends before it could show" }
        ))
        .proof(wiped, "the registry of the session is emptied")
        .next("look for later lines of these executions, and stop the session once more with its agents")
        .doubted_by(episode);
    if let Some(closed) = closed {
        hit.add_proof(closed, "the workshop is closed, but not everything ends");
    }
    for row in open {
        if let Some(recorded) = &row.recorded {
            hit.add_proof(recorded, "it was open");
        }
        hit = hit.subject(Subject::execution(&*row.id));
    }
    hit
}
