//! PLS033: a stop found nothing to stop, or reached nothing although something ran.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{Order, Turn};

rule! {
    /// # What it means
    /// The sweep found no turn, no agent and no execution. That is normal for an idle session. It is not where a
    /// turn that was open ended much later, with output: then the stop reached nothing.
    ///
    /// # Why it matters
    /// "Nothing to stop" and "stop missed" print the same counters.
    ///
    /// # What to do now
    /// For the harmless form nothing. Otherwise read what the turn did after the stop.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=false
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 orchestrator contexts: queries=0 canceled=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 background agents: canceled=0 no_cancel_func=0 already_done=3
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=0 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 orchestrator contexts: queries=0 canceled=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 background agents: canceled=0 no_cancel_func=0 already_done=3
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// None known.
    NOTHING_TO_STOP = "PLS033", "nothing-to-stop", High, Preview;
    summary: "a stop found nothing to stop, or reached nothing although something ran";
    literals: ["canceled=0"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    let Some(sweep) = episode.sweep() else { return Vec::new() };
    let no_turn = matches!(sweep.turn, Some((false, _)));
    let Some((0, 0, _, counters)) = &sweep.agents else { return Vec::new() };
    let Some((0, total)) = &sweep.total else { return Vec::new() };
    if !no_turn {
        return Vec::new();
    }
    let missed: Option<&Turn> = episode.turns.iter().find(|turn| {
        episode.turn_order(turn) == Order::Before
            && turn.end.as_ref().is_some_and(|end| {
                matches!(end.kind, EventKind::StreamCompleted { chunks, .. } if chunks > 0)
                    && episode.awake_seconds(episode.last_second(), end.utc()) > thresholds.stop_grace
            })
    });
    let severity = if missed.is_some() { Severity::High } else { Severity::Info };
    let mut hit = Hit::new("PLS033", &episode.session, severity, Certainty::Confirmed)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim(if missed.is_some() {
            "the stop reached nothing: a turn that was open ended much later, with output"
        } else {
            "there was nothing to stop"
        })
        .next(if missed.is_some() { "read what the turn did after the stop" } else { "nothing to do" });
    if let Some((_, line)) = &sweep.turn {
        hit.add_proof(line, "no turn");
    }
    hit.add_proof(counters, "no agent");
    hit.add_proof(total, "no execution");
    if let Some(turn) = missed {
        hit.add_proof(&turn.start, "a turn was open");
        if let Some(end) = &turn.end {
            hit.add_proof(end, "it ended after the stop");
        }
    }
    vec![hit]
}
