//! PLS012: an execution was cancelled and went on.

use super::hit::Hit;
use super::meta::{Confidence, Severity};
use super::registry::rule;
use crate::events::{FinalOutcome, SharedEvent};
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{EndKind, Episode, Row};

rule! {
    /// # What it means
    /// An execution was open when a stop swept its session, and its own end came much later; or it even ended as a
    /// success.
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
    /// The time the host slept is subtracted. Turns have their own rules. An end between 15 and 30 s is low.
    CANCELLED_KEPT_RUNNING = "PLS012", "cancelled-kept-running", Critical, Preview;
    summary: "an execution was cancelled and went on";
    literals: ["session"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    episode.open_at_stop().filter_map(|row| row_hit(episode, row, thresholds)).collect()
}

fn row_hit(episode: &Episode, row: &Row, thresholds: &Thresholds) -> Option<Hit> {
    if row.kind.is_turn() {
        return None;
    }
    let canceled: &SharedEvent = row.canceled_by.as_ref()?;
    let end = row.end.as_ref()?;
    let success = matches!(end.kind, EndKind::ResultSkipped | EndKind::Finalized(FinalOutcome::Done));
    // What only follows from another line has no end time of its own.
    if matches!(end.kind, EndKind::Implied | EndKind::Settled | EndKind::Dropped) {
        return None;
    }
    let lag = episode.awake_seconds(canceled.wall, end.event.wall);
    let severity = if success && lag >= 2 {
        Severity::Critical
    } else if lag > thresholds.cancel_lag {
        Severity::High
    } else if lag >= thresholds.stop_grace {
        Severity::Low
    } else {
        return None;
    };
    let how = if success { " and ended as a success" } else { "" };
    let mut hit = Hit::new("PLS012", &episode.session, severity, Confidence::Probable)
        .subject(Subject::execution(&*row.id))
        .identified_by(&row.id)
        .claim(format!("an execution ended {lag} s after it was cancelled{how}"))
        .proof(canceled, "the stop swept it")
        .proof(&end.event, "its own end")
        .next("look for a process of this execution that is still alive, then check its side effects in between")
        .doubted_by(episode);
    if let Some(recorded) = &row.recorded {
        hit.add_proof(recorded, "it had been registered before");
    }
    Some(hit)
}
