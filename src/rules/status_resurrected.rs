//! PLS007: a stopped session's status went back to running or completed.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::episode::Episode;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// The session's last status was `stopped`, nobody resumed it, and then the server set it to `running` or
    /// `completed`.
    ///
    /// # Why it matters
    /// The status is what people and schedules look at. "Completed" after a stop hides that the work was cut off;
    /// "running" blocks the next run.
    ///
    /// # What to do now
    /// Trust the stop and not the status; look for work-after-stop in the same incident.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Canceled agent execution context for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:40 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: completed
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The server kept the status:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Canceled agent execution context for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:11 [COMPLETION] Preserving terminal status "stopped" for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// After a schedule stop the status is not `stopped`, and the server's own polling writes `completed`: info.
    STATUS_RESURRECTED = "PLS007", "status-resurrected", High, Preview;
    summary: "a stopped session's status went back to running or completed";
    literals: ["status to: "];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    match episode.cause {
        Cause::UserStop => after_user_stop(episode, thresholds),
        Cause::ScheduleStop => after_schedule_stop(episode),
        _ => Vec::new(),
    }
}

/// The session's last status line before this one, where it says `stopped`
/// (server-behaviour.md#reading-a-stop-from-a-log).
fn stopped_line<'a>(episode: &'a Episode, before: &SharedEvent) -> Option<&'a SharedEvent> {
    let last = episode
        .openers
        .iter()
        .chain(&episode.lines)
        .filter(|line| {
            matches!(line.kind, EventKind::StatusUpdated { .. }) && line.position < before.position
        })
        .max_by_key(|line| line.position)?;
    matches!(&last.kind, EventKind::StatusUpdated { status, .. } if &**status == "stopped").then_some(last)
}

fn is_revival(line: &SharedEvent) -> bool {
    match &line.kind {
        EventKind::StatusUpdated { status, .. } => matches!(&**status, "running" | "completed"),
        EventKind::CompletionUpdating { .. } => true,
        _ => false,
    }
}

fn after_user_stop(episode: &Episode, thresholds: &Thresholds) -> Vec<Hit> {
    let Some(revival) = episode.armed_lines().find(|line| is_revival(line)) else { return Vec::new() };
    let Some(stopped) = stopped_line(episode, revival) else { return Vec::new() };
    let back = episode.lines.iter().find(|line| {
        line.position > revival.position
            && line.utc() - revival.utc() <= thresholds.stop_grace
            && matches!(&line.kind, EventKind::StatusUpdated { status, .. } if &**status == "stopped")
    });
    let severity = if back.is_some() { Severity::Low } else { Severity::High };
    let mut hit = Hit::new("PLS007", &episode.session, severity, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim("the status of a stopped session was set back although nobody resumed it")
        .proof(stopped, "the session is stopped")
        .proof(revival, "its status is set back")
        .ruled_out("no person's message resumed the session in between")
        .next("trust the stop, not the status; look for work after the stop");
    if let Some(back) = back {
        hit.add_proof(back, "it says stopped again");
    }
    vec![hit]
}

fn after_schedule_stop(episode: &Episode) -> Vec<Hit> {
    let revival = episode.armed_lines().find(
        |line| matches!(&line.kind, EventKind::StatusUpdated { status, .. } if &**status == "completed"),
    );
    let Some(revival) = revival else { return Vec::new() };
    let hit = Hit::new("PLS007", &episode.session, Severity::Info, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim("after a schedule stop the session reads completed: the server's own status poll writes that")
        .proof(episode.opener(), "the stop")
        .proof(revival, "the status poll")
        .next("nothing to do: the schedule's own record says stopped");
    vec![hit]
}
