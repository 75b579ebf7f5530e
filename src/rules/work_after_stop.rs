//! PLS003: work ran in a session after a person had stopped it.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{Episode, Order, Turn};

/// Seconds of work that no mere unwinding takes (server-behaviour.md#reading-a-stop-from-a-log).
const WORKED_SECONDS: i64 = 2;

rule! {
    /// # What it means
    /// A turn of the session began after a person's stop and worked: it called a tool, ran for two seconds or more,
    /// or ended with a good answer. Nobody had resumed the session. Or, as a *ghost item*: an item of a sequence
    /// was refused by the registry but ran all the same, since an item has no cancel function.
    ///
    /// # Why it matters
    /// This is what PLAT-130 is about: everything says "stopped", and work with side effects goes out.
    ///
    /// # What to do now
    /// Read what the turn did, and undo it where it must be undone. The record of the run will say "stopped" and
    /// does not mention it.
    ///
    /// # Fires on
    /// A request that was being prepared when the stop came:
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:22 [workflow=bids group=daily mode=workflow session=schedule-cron--aa11bb22_1787198400000000000] [STREAMING_LIFECYCLE] T+12010ms | Starting StreamWithEvents | session=schedule-cron--aa11bb22_1787198400000000000 query=Step 2
    /// 2026/08/20 09:32:45 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=schedule-cron--aa11bb22_1787198400000000000 chunks=7 duration=34900ms
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// A ghost item:
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:11 [BG AGENT] OnExecutionStart ignored for stopped session schedule-cron--aa11bb22_1787198400000000000 (exec=msgseq-post-second-1787198531000000000)
    /// 2026/08/20 09:33:31 [BG AGENT] OnExecutionComplete ignored for stopped session schedule-cron--aa11bb22_1787198400000000000 (exec=msgseq-post-second-1787198531000000000)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// A turn that was running when the stop came only unwinds, whatever it prints:
    /// ```log,silent
    /// 2026/08/20 09:31:00 [workflow=bids group=daily mode=workflow session=schedule-cron--aa11bb22_1787198400000000000] [STREAMING_LIFECYCLE] T+120ms | Starting StreamWithEvents | session=schedule-cron--aa11bb22_1787198400000000000 query=Step 1
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:20 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=schedule-cron--aa11bb22_1787198400000000000 chunks=1 duration=80120ms
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// A person resumed:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:33:14 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [QUERY] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 enable_browser_access=false query="go on"
    /// 2026/08/20 09:33:15 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+900ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=go on
    /// 2026/08/20 09:34:15 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 chunks=4 duration=60900ms
    /// 2026/08/20 09:37:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// Where only `schedule.log` shows the stop and the turn began in the same second, the order is decided by the
    /// nanoseconds in the ids or by a guard line; where neither is there, the finding is low.
    WORK_AFTER_STOP = "PLS003", "work-after-stop", Critical, Preview;
    summary: "work ran in a session after a person had stopped it";
    literals: ["session"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if !episode.cause.is_person_stop() {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = episode.turns.iter().filter_map(|turn| turn_hit(episode, turn)).collect();
    hits.extend(ghost_items(episode));
    hits
}

fn turn_hit(episode: &Episode, turn: &Turn) -> Option<Hit> {
    let order = episode.turn_order(turn);
    if order == Order::Before || episode.resumed_before(&turn.start) {
        return None;
    }
    let seconds = turn.seconds(episode.evidence_end);
    let tool = turn.tool.as_ref();
    if tool.is_none() && seconds < WORKED_SECONDS && !turn.succeeded() {
        return None;
    }
    let raced = turn.entry_milliseconds().div_euclid(1000) <= episode.last_second();
    let class = if raced { "a request in flight raced the stop" } else { "a new internal dispatch" };
    let certain = order == Order::After;
    let severity = if certain { Severity::Critical } else { Severity::Low };
    let proofs = usize::from(tool.is_some())
        + usize::from(turn.succeeded())
        + usize::from(turn.end.is_some() && seconds >= WORKED_SECONDS);
    let confidence = match (certain, proofs) {
        (true, 2..) => Certainty::Confirmed,
        (true, 1) => Certainty::Probable,
        // That it still ran when the log ended is a hint only.
        (true, 0) | (false, _) => Certainty::Candidate,
    };
    let identity = turn.query.clone().unwrap_or_else(|| format!("turn@{}", turn.start.utc()).into());
    let mut hit = Hit::new("PLS003", &episode.session, severity, confidence)
        .identified_by(&identity)
        .proof(stop_line(episode), "the stop")
        .proof(&turn.start, "a turn begins after it");
    if let Some(query) = &turn.query {
        hit = hit.subject(Subject::new(SubjectKind::Turn, &**query));
    }
    hit = hit.subject(Subject::new(SubjectKind::Session, &*episode.session));
    if let Some(tool) = tool {
        hit.add_proof(tool, "it calls a tool");
    }
    if let Some(answer) = turn.answer.as_ref().filter(|_| turn.succeeded()) {
        hit.add_proof(answer, "it ends with a good answer");
    }
    if let Some(end) = &turn.end {
        hit.add_proof(end, format!("it ends {seconds} s after it began"));
    }
    let length = if turn.end.is_some() { format!("for {seconds} s") } else { "and shows no end".to_owned() };
    Some(
        hit.claim(format!("a turn worked {length} after the {} ({class})", episode.cause.words()))
            .ruled_out("no person's message resumed the session before the turn")
            .next("read what this turn did and check its side effects; the session's record says stopped")
            .doubted_by(episode),
    )
}

fn stop_line(episode: &Episode) -> &SharedEvent {
    episode.main_opener().unwrap_or_else(|| episode.opener())
}

/// An item that the registry refused and that ran all the same (server-behaviour.md#reading-a-stop-from-a-log).
fn ghost_items(episode: &Episode) -> Vec<Hit> {
    let mut hits = Vec::new();
    for start in episode.armed_lines() {
        let EventKind::StartIgnored { id, .. } = &start.kind else { continue };
        if !id.starts_with("msgseq-") {
            continue;
        }
        let end = episode.lines.iter().find(|line| {
            line.position > start.position
                && matches!(&line.kind, EventKind::CompleteIgnored { id: ended, .. } if ended == id)
        });
        let until = end.map_or(episode.evidence_end, |line| line.utc());
        let tool = episode.lines.iter().find(|line| {
            line.position > start.position
                && end.is_none_or(|end| line.position < end.position)
                && matches!(line.kind, EventKind::ToolStarted { .. })
        });
        let seconds = until - start.utc();
        if tool.is_none() && seconds < WORKED_SECONDS {
            continue;
        }
        // Without an end line the length is only what the log still covers.
        let confidence = if end.is_some() { Certainty::Confirmed } else { Certainty::Probable };
        let mut hit = Hit::new("PLS003", &episode.session, Severity::Critical, confidence)
            .subject(Subject::new(SubjectKind::Item, &**id))
            .subject(Subject::new(SubjectKind::Session, &*episode.session))
            .identified_by(id)
            .proof(stop_line(episode), "the stop")
            .proof(start, "an item begins; the registry refuses it, but nothing stops it");
        if let Some(tool) = tool {
            hit.add_proof(tool, "a tool is called while the item runs");
        }
        if let Some(end) = end {
            hit.add_proof(end, format!("the item ends {seconds} s later"));
        }
        hits.push(
            hit.claim(format!(
                "an item began after the {} and ran {} (ghost item: it is in no registry)",
                episode.cause.words(),
                if end.is_some() { format!("for {seconds} s") } else { "without a logged end".to_owned() }
            ))
            .ruled_out("no person's message resumed the session before the item")
            .next("check the side effects of this item; no record shows that it ran"),
        );
    }
    hits
}
