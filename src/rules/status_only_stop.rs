//! PLS006: a stop changed statuses and told nobody.

use super::hit::{Hit, count};
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::model::id;
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::Order;
use crate::replay::episode::{Episode, MarkedRow, Sweep};

rule! {
    /// # What it means
    /// A stop marked executions canceled although it cancelled no turn, no orchestrator and no agent: only their
    /// status changed.
    ///
    /// # Why it matters
    /// Whatever worked under these rows was not told to stop. A turn that was still being prepared goes on to
    /// stream (PLAT-130, the window before the turn has a cancel function).
    ///
    /// # What to do now
    /// Look at the same incident for work-after-stop and relaunch-after-stop; without them, look for later lines of
    /// the rows named here.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=false
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 orchestrator contexts: queries=0 canceled=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 background agents: canceled=0 no_cancel_func=0 already_done=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked execution marked canceled: id=query_1787198529000000000 kind=workflow_builder_task name="Step 2"
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The turn's context was cancelled:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 orchestrator contexts: queries=0 canceled=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 background agents: canceled=0 no_cancel_func=0 already_done=0
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked execution marked canceled: id=query_1787198529000000000 kind=workflow_builder_task name="Step 2"
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A turn that was delivered into a live pane has no cancel function by design and ends with its pane: info.
    STATUS_ONLY_STOP = "PLS006", "status-only-stop", High, Preview;
    summary: "a stop changed statuses and told no worker";
    literals: ["canceled=0"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    let Some(sweep) = episode.sweep() else { return Vec::new() };
    let reached = sweep.turn.as_ref().is_none_or(|(canceled, _)| *canceled)
        || sweep.orchestrator.as_ref().is_none_or(|(_, canceled, _)| *canceled > 0)
        || sweep.agents.as_ref().is_none_or(|(canceled, ..)| *canceled > 0);
    let marked = sweep.marked_count().unwrap_or_default();
    if reached || marked == 0 {
        return Vec::new();
    }
    let in_pane = !sweep.marked.is_empty()
        && sweep.marked.iter().all(|row| was_delivered(episode, row))
        && !works_on(episode);
    let (severity, what, next) = if in_pane {
        (
            Severity::Info,
            "the turn had been delivered into its pane and ended with it",
            "nothing to do: the pane was closed by the same stop",
        )
    } else {
        (
            Severity::High,
            "no turn, orchestrator or agent was cancelled",
            "look for later lines of these rows; see work-after-stop of the same incident",
        )
    };
    vec![hit(episode, sweep, marked, severity, what).next(next)]
}

fn hit(episode: &Episode, sweep: &Sweep, marked: u64, severity: Severity, what: &str) -> Hit {
    let mut hit = Hit::new("PLS006", &episode.session, severity, Certainty::Confirmed).claim(format!(
        "a {} only marked {} canceled; {what}",
        episode.cause.words(),
        count(usize::try_from(marked).unwrap_or(usize::MAX), "execution")
    ));
    if let Some((_, line)) = &sweep.turn {
        hit.add_proof(line, "no turn was cancelled");
    }
    if let Some((_, _, line)) = &sweep.orchestrator {
        hit.add_proof(line, "no orchestrator was cancelled");
    }
    if let Some((.., line)) = &sweep.agents {
        hit.add_proof(line, "no agent was cancelled");
    }
    for row in &sweep.marked {
        hit.add_proof(&row.event, "only the status changed");
        hit = hit.subject(Subject::execution(&*row.id));
    }
    if let Some((_, line)) = &sweep.total
        && sweep.marked.is_empty()
    {
        hit.add_proof(line, "only statuses changed");
    }
    hit
}

/// Whether the row is a turn that a person's message into a live pane began: its id was made in the second of a
/// delivery, and no stream of its own ever started (server-behaviour.md#turns-in-a-live-pane).
fn was_delivered(episode: &Episode, row: &MarkedRow) -> bool {
    let Some(made) = id::nanoseconds(&row.id).filter(|_| row.id.starts_with("query_")) else { return false };
    let streamed = episode.turns.iter().any(|turn| turn.query.as_deref() == Some(&*row.id));
    let second = made.div_euclid(1_000_000_000);
    !streamed && episode.live_inputs.iter().any(|line| (0..=3).contains(&(line.utc() - second)))
}

fn works_on(episode: &Episode) -> bool {
    episode
        .turns
        .iter()
        .any(|turn| episode.turn_order(turn) != Order::Before && !episode.resumed_before(&turn.start))
}
