//! PLS011: a run or helper was registered in a stopped session.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::id::IdKind;
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::Case;

rule! {
    /// # What it means
    /// A run, helper or sub-agent was registered in a session after a person had stopped it. The guard that
    /// cancels late starts was passed.
    ///
    /// # Why it matters
    /// What is registered after the sweep is not in the sweep: nothing will cancel it.
    ///
    /// # What to do now
    /// Stop the session once more, and check what the execution named here did.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:12 [BG AGENT] Recorded UI-only background start for agent bg-audit-81177 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The guard held:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:12 [BG AGENT] OnExecutionStart ignored for stopped session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 (exec=bg-audit-81177)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// None known. Items and steps are dispatch-after-stop's.
    LATE_REGISTRATION_AFTER_STOP = "PLS011", "late-registration-after-stop", High, Preview;
    summary: "a run or helper was registered in a stopped session";
    literals: ["Recorded UI-only background start"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if !episode.cause.is_person_stop() {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for line in episode.armed_lines() {
        let EventKind::ExecutionRecorded { id, .. } = &line.kind else { continue };
        if matches!(IdKind::of(id), IdKind::Item | IdKind::Step) {
            continue;
        }
        let stop = episode.openers.iter().find(|opener| opener.stream == line.stream);
        hits.push(
            Hit::new("PLS011", &episode.session, Severity::High, Certainty::Probable)
                .subject(Subject::execution(&**id))
                .identified_by(id)
                .claim(format!(
                    "an execution was registered {} s after the stop",
                    line.utc() - episode.first_second()
                ))
                .proof(stop.unwrap_or_else(|| episode.opener()), "the stop")
                .proof(line, "a new execution is registered; it is in no sweep")
                .ruled_out("no person's message resumed the session before it")
                .next("stop the session once more and check what this execution did"),
        );
    }
    hits
}
