//! PLS004: the server handed out new work after a person's stop.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::id::{self, IdKind};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{Episode, Order};

rule! {
    /// # What it means
    /// After a person stopped the session, the scheduler sent its next message, or a new item or step was
    /// registered. The guard that should refuse new work was passed.
    ///
    /// # Why it matters
    /// The first form of PLAT-130: the next post of a sequence goes out after Stop. An item or step that began
    /// (critical) may have had side effects; a message that was only sent (high) may have been refused later.
    ///
    /// # What to do now
    /// Follow the id named here: did it run (work-after-stop)? Then check its side effects.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt0z6rli0c in session schedule-cron--aa11bb22_1787198400000000000
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:15 [BG AGENT] Recorded UI-only background start for agent msgseq-post-second-1787198535000000000 in session schedule-cron--aa11bb22_1787198400000000000
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The gate refused the next item:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// time="2026-08-20T09:32:13Z" level=info msg="[STOP] message_sequence step \"post\": refusing to start item \"second\" (2 of 3) — run is canceled: context canceled" file="logger.go:177" group=daily workflow=bids
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// An item that was refused by the registry and ended within two seconds is reported as low: it started dark.
    /// Across two files within one second the order is taken from nanoseconds, else the finding is low.
    DISPATCH_AFTER_STOP = "PLS004", "dispatch-after-stop", Critical, Preview;
    summary: "the server handed out new work after a person's stop";
    literals: ["session"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if !episode.cause.is_person_stop() {
        return Vec::new();
    }
    episode.lines.iter().filter_map(|line| line_hit(episode, line)).collect()
}

fn line_hit(episode: &Episode, line: &SharedEvent) -> Option<Hit> {
    if episode.resumed_before(line) {
        return None;
    }
    let order = episode.order(line);
    match &line.kind {
        EventKind::ScheduledTurnSent { number } if order != Order::Before => {
            let severity = if order == Order::After { Severity::High } else { Severity::Low };
            Some(
                hit(episode, line, severity, "the scheduler sends its next message")
                    .identified_by(&format!("message-{number}"))
                    .claim(format!("message {number} of the schedule was sent after the stop")),
            )
        }
        EventKind::InternalSessionStarted { query, .. } if order != Order::Before => {
            let by_id = episode.stop_nanoseconds.and_then(|stop| Some(id::nanoseconds(query)? >= stop));
            let severity = match (by_id, order) {
                (Some(false), _) => return None,
                (Some(true), _) | (None, Order::After) => Severity::High,
                _ => Severity::Low,
            };
            Some(
                hit(episode, line, severity, "an internal turn is started")
                    .subject(Subject::new(SubjectKind::Turn, &**query))
                    .identified_by(query)
                    .claim("an internal turn was started after the stop"),
            )
        }
        EventKind::ExecutionRecorded { id, .. }
            if order == Order::After && matches!(IdKind::of(id), IdKind::Item | IdKind::Step) =>
        {
            Some(
                hit(episode, line, Severity::Critical, "a new execution is registered")
                    .subject(Subject::execution(&**id))
                    .identified_by(id)
                    .claim("an execution with side effects began after the stop"),
            )
        }
        EventKind::StartIgnored { id, .. } if order == Order::After && IdKind::of(id) == IdKind::Item => {
            let ended = episode.lines.iter().find(|end| {
                end.position > line.position
                    && matches!(&end.kind, EventKind::CompleteIgnored { id: of, .. } if of == id)
            });
            // Longer ones are work-after-stop's ghost items.
            let ended = ended.filter(|end| end.utc() - line.utc() < 2)?;
            let mut hit = hit(episode, line, Severity::Low, "an item starts unregistered")
                .subject(Subject::new(SubjectKind::Item, &**id))
                .identified_by(id)
                .claim("an item was started after the stop, unregistered, and ended at once");
            hit.add_proof(ended, "it ends at once");
            Some(hit)
        }
        _ => None,
    }
}

fn hit(episode: &Episode, line: &SharedEvent, severity: Severity, role: &str) -> Hit {
    let stop = episode
        .openers
        .iter()
        .find(|opener| opener.stream == line.stream)
        .unwrap_or_else(|| episode.opener());
    Hit::new("PLS004", &episode.session, severity, Certainty::Probable)
        .proof(stop, "the stop")
        .proof(line, role)
        .ruled_out("no person's message resumed the session before it")
        .next("follow this id: where it ran, check its side effects")
        .doubted_by(episode)
}
