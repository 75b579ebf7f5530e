//! PLS001: a stop found rows that had no cancel function.

use super::hit::{Hit, count};
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::model::id::IdKind;
use crate::model::subject::Subject;
use crate::model::thresholds::Thresholds;
use crate::replay::account::{self, Entry};
use crate::replay::episode::{Episode, Row};
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// A stop marked background agents canceled that have no cancel function of their own. Message-sequence items
    /// and progress rows never have one: they run inside a container that does. So the line alone proves little;
    /// what counts is whether every container logged its end.
    ///
    /// # Why it matters
    /// "Marked canceled" is a status. Without a cancel function, and without a container that was cancelled, nobody
    /// told the worker to stop (the first form of PLAT-130).
    ///
    /// # What to do now
    /// Look for later lines of the rows named here. Where a row has no end, its work may still go on: check its
    /// side effects before you run anything again.
    ///
    /// # Fires on
    /// Nothing in the session had a cancel function, so nothing was told to stop:
    /// ```log,fires
    /// 2026/08/20 09:30:01 [BG AGENT] Recorded UI-only background start for agent msgseq-post-second-1787198401000000000 in session schedule-cron--aa11bb22_1787198400000000000
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 background agents: canceled=0 no_cancel_func=1 already_done=2
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=0 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// Every row had a cancel function:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 active turn context canceled=true
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 background agents: canceled=1 no_cancel_func=0 already_done=2
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// Contained rows (every container ended in time) are reported as info, so that a count can be explained.
    NO_CANCEL_FUNC = "PLS001", "no-cancel-func", High, Preview;
    summary: "a stop marked rows canceled that nobody could tell to stop";
    literals: ["no_cancel_func="];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    match case {
        Case::Stop(episode) => episode_hits(episode, thresholds),
        Case::Minor(minor) if minor.cause != Cause::Shutdown => {
            let Some((0, none, _, line)) = &minor.sweep.agents else { return Vec::new() };
            if *none == 0 {
                return Vec::new();
            }
            // Each row that the tool meant to stop logged its end in time.
            let account = account::of_minor(minor, thresholds);
            let contained = account.iter().any(|entry| entry.meant) && account.iter().all(Entry::is_proved);
            let (severity, what, next) = if contained {
                (
                    Severity::Info,
                    "contained: each of them ended in time",
                    "nothing to do: they ended with their containers",
                )
            } else {
                (
                    Severity::Low,
                    "not each of them is seen to end",
                    "look for later lines of the session's items",
                )
            };
            let hit = Hit::new("PLS001", &minor.session, severity, Certainty::Candidate)
                .claim(format!(
                    "a sweep by the agent's own tool met {} that had no cancel function; {what}",
                    count(usize::try_from(*none).unwrap_or(usize::MAX), "row")
                ))
                .proof(line, "the counters of the sweep")
                .next(next);
            vec![hit]
        }
        _ => Vec::new(),
    }
}

fn episode_hits(episode: &Episode, thresholds: &Thresholds) -> Vec<Hit> {
    let mut hits = Vec::new();
    for sweep in &episode.sweeps {
        let Some((own, none, _, line)) = &sweep.agents else { continue };
        if *none == 0 || !hits.is_empty() {
            continue;
        }
        let rows: Vec<&Row> = episode.open_at_stop().filter(|row| !row.kind.has_own_cancel()).collect();
        let lag = thresholds.cancel_lag;
        let in_time = |row: &Row| {
            episode
                .end_of(row)
                .is_some_and(|end| episode.awake_seconds(episode.first_second(), end.event.utc()) <= lag)
        };
        let containers: Vec<&Row> =
            episode.open_at_stop().filter(|row| row.kind.is_run() || row.kind == IdKind::Step).collect();
        let open: Vec<&&Row> = containers.iter().filter(|row| !in_time(row)).collect();
        let all_ended = !rows.is_empty() && rows.iter().all(|row| in_time(row)) && open.is_empty();
        let covered = episode.covers(lag);
        let account = account::of_episode(episode, thresholds);
        let is_lost = |row: &&&Row| account.iter().any(|entry| entry.id == row.id && entry.is_lost());
        let lost = rows.iter().filter(is_lost).count();
        let (severity, what) = if all_ended && lost > 0 {
            (Severity::Info, "their containers ended in time, and they were lost with them")
        } else if all_ended {
            (Severity::Info, "contained: every container logged its end in time")
        } else if *own == 0 && covered {
            (Severity::High, "nothing in this session was told to stop")
        } else if covered && !open.is_empty() {
            (Severity::Medium, "a container logged no end in time")
        } else if *own > 0 && open.is_empty() {
            (Severity::Info, "their containers were cancelled")
        } else {
            (Severity::Low, "the log does not reach far enough to tell")
        };
        let mut hit = Hit::new("PLS001", &episode.session, severity, Certainty::Probable)
            .claim(format!(
                "a {} marked {} canceled that had no cancel function; {what}",
                episode.cause.words(),
                count(usize::try_from(*none).unwrap_or(usize::MAX), "row")
            ))
            .proof(line, "the server's own counters");
        if let Some(warning) = &sweep.warning {
            hit.add_proof(warning, "the server's warning about the same rows");
        }
        for row in &rows {
            hit = hit.subject(Subject::execution(&*row.id));
        }
        hit = hit.next(if lost > 0 {
            "the stop was not meant for all of these rows: run again what was lost".to_owned()
        } else if all_ended {
            "nothing to do: the rows ended with their containers".to_owned()
        } else {
            "look for later lines of these rows, then check their side effects".to_owned()
        });
        hits.push(hit);
    }
    hits
}
