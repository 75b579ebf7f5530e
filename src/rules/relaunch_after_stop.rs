//! PLS002: a stopped session's coding CLI was launched again, by nobody.

use std::sync::Arc;

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::id;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::{Episode, Order};

rule! {
    /// # What it means
    /// After a person stopped the session, the server launched its coding CLI again although nobody had written
    /// anything: a request that was already inside the server saw "tmux is gone" and brought the pane back.
    ///
    /// # Why it matters
    /// This is the third mechanism of PLAT-130. The status says "stopped" all the time, while a CLI works on the
    /// next message: posts, writes, orders may go out.
    ///
    /// # What to do now
    /// Check the side effects of the message that ran (see work-after-stop of the same incident). Close the pane
    /// if it still lives. A line "is stopped; refusing to relaunch" just before does not make it harmless.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session schedule-cron--aa11bb22_1787198400000000000 status to: stopped
    /// 2026/08/20 09:32:14 [workflow=bids group=daily mode=workflow session=schedule-cron--aa11bb22_1787198400000000000] [CHAT_HISTORY] Active-tab auto-resume: session schedule-cron--aa11bb22_1787198400000000000 tmux is gone; routing through --resume re-launch + materialize
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// A person wrote again, so the relaunch is wanted:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [SESSION DEBUG] Canceled agent execution context for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:33:14 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [QUERY] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 enable_browser_access=false query="go on"
    /// 2026/08/20 09:33:15 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [CHAT_HISTORY] Active-tab auto-resume: session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tmux is gone; routing through --resume re-launch + materialize
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// The guard held:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session schedule-cron--aa11bb22_1787198400000000000 status to: stopped
    /// 2026/08/20 09:32:14 [workflow=bids group=daily mode=workflow session=schedule-cron--aa11bb22_1787198400000000000] [CHAT_HISTORY] Active-tab auto-resume: session schedule-cron--aa11bb22_1787198400000000000 is stopped; refusing to relaunch its coding-agent tmux (PLAT-130)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// Where the line has no request context at all, nobody can tell who asked: medium.
    RELAUNCH_AFTER_STOP = "PLS002", "relaunch-after-stop", Critical, Preview;
    summary: "a stopped session's coding CLI was launched again by nobody";
    literals: ["[CHAT_HISTORY]"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if !episode.cause.is_person_stop() {
        return Vec::new();
    }
    let mut relaunch: Option<(SharedEvent, Severity)> = None;
    let mut corroboration: Vec<(SharedEvent, &str)> = Vec::new();
    for line in episode.armed_lines() {
        let is_relaunch = matches!(
            line.kind,
            EventKind::AutoResume { .. }
                | EventKind::MaterializeRelaunch { .. }
                | EventKind::RelaunchRegistered { .. }
        );
        if !is_relaunch || line.context.user {
            continue;
        }
        let own_context = line.context.session.as_deref() == Some(&*episode.session);
        let severity = if own_context { Severity::Critical } else { Severity::Medium };
        match &mut relaunch {
            None => relaunch = Some((line.clone(), severity)),
            Some((_, worst)) => {
                *worst = severity.max(*worst);
                corroboration.push((line.clone(), "the new pane went live"));
            }
        }
    }
    let launched = launched_pane(episode);
    let Some((main, severity)) =
        relaunch.or_else(|| launched.as_ref().map(|pane| (pane.executing.clone(), Severity::Critical)))
    else {
        return Vec::new();
    };
    let confirmed = !corroboration.is_empty()
        || launched
            .as_ref()
            .is_some_and(|pane| pane.executing.position != main.position || pane.tie.is_some());
    let confidence = if confirmed { Certainty::Confirmed } else { Certainty::Probable };
    let mut hit = Hit::new("PLS002", &episode.session, severity, confidence)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .proof(episode.main_opener().unwrap_or_else(|| episode.opener()), "the stop")
        .proof(&main, "the relaunch, without a person's request");
    for (line, role) in corroboration {
        hit.add_proof(&line, role);
    }
    if let Some(pane) = &launched {
        hit.add_proof(&pane.executing, "a pane whose name was made after the stop begins to work");
        if let Some(tie) = &pane.tie {
            hit.add_proof(tie, "this pane is the session's");
        }
        hit = hit.subject(Subject::new(SubjectKind::Terminal, &*pane.tmux));
    }
    let hit = hit
        .claim(format!(
            "the {} did not hold: the session's coding CLI was launched again",
            episode.cause.words()
        ))
        .ruled_out("no person's message for this session stands between the stop and the relaunch")
        .next("check the side effects of what ran after the stop, and close the pane if it still lives")
        .doubted_by(episode);
    vec![hit]
}

/// A main pane that was launched after the stop.
struct Launched {
    tmux: Arc<str>,
    executing: SharedEvent,
    tie: Option<SharedEvent>,
}

/// `Executing … T` after the stop with T's name made after it and T the session's, and nobody resumed.
/// `Executing` alone proves no launch: it is also printed for a pane that is already gone
/// (server-behaviour.md#what-the-log-prints).
fn launched_pane(episode: &Episode) -> Option<Launched> {
    episode.panes.used.iter().find_map(|used| {
        let turn = episode.turns.iter().find(|turn| {
            used.event.position > turn.start.position
                && turn.end.as_ref().is_none_or(|end| used.event.position < end.position)
        });
        let late_turn = turn.is_some_and(|turn| episode.turn_order(turn) == Order::After);
        if !(late_turn || episode.order(&used.event) == Order::After) || episode.resumed_before(&used.event) {
            return None;
        }
        let made = id::nanoseconds(&used.tmux)?;
        let stop = episode.main_opener().unwrap_or_else(|| episode.opener());
        let made_after = match episode.stop_nanoseconds {
            Some(nanoseconds) => made >= nanoseconds,
            // The log has whole seconds: within the stop's own second only a turn that began after it proves more.
            None if late_turn => made.div_euclid(1_000_000_000) >= stop.utc(),
            None => made.div_euclid(1_000_000_000) > stop.utc(),
        };
        let tie =
            episode.panes.tied.iter().find(|(tmux, _)| *tmux == used.tmux).map(|(_, line)| line.clone());
        (made_after && (tie.is_some() || !used.ambiguous)).then(|| Launched {
            tmux: used.tmux.clone(),
            executing: used.event.clone(),
            tie,
        })
    })
}
