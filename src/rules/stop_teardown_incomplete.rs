//! PLS010: a stop began and its last line never came.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::Episode;

/// The bracket in `schedule.log` may take 17 s (server-behaviour.md#what-the-log-prints), so this is generous.
const BRACKET: i64 = 30;
/// The sweep itself is a matter of a second.
const SWEEP: i64 = 10;

rule! {
    /// # What it means
    /// The server logged that a stop was requested, or that its sweep began, and never logged that it was done.
    ///
    /// # Why it matters
    /// Part of the teardown may not have happened: rows that were not swept, panes that were not closed.
    ///
    /// # What to do now
    /// Look for a crash or a hang at that moment, and list what still runs under the session.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// ```log,fires
    /// 2026/08/20 09:30:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// --- schedule.log
    /// 2026/08/20 09:32:10 [STOP] ===== stop requested: schedule=nightly run=r1 session=schedule-cron--aa11bb22_1787198400000000000 =====
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 active turn context canceled=true
    /// 2026/08/20 09:32:11 [STOP] session=schedule-cron--aa11bb22_1787198400000000000 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A bracket that is cut by the end of the log or of the process is reported as info.
    STOP_TEARDOWN_INCOMPLETE = "PLS010", "stop-teardown-incomplete", High, Preview;
    summary: "a stop began and its last line never came";
    literals: ["[STOP]"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if episode.continued {
        return Vec::new();
    }
    let mut hits = Vec::new();
    let requested = episode.openers.iter().find(|line| matches!(line.kind, EventKind::StopRequested { .. }));
    if let Some(requested) = requested {
        let complete =
            episode.lines.iter().any(|line| matches!(line.kind, EventKind::StopTeardownComplete { .. }));
        if !complete {
            hits.push(hit(episode, requested, BRACKET, "stop requested", "stop teardown complete"));
        }
    }
    for sweep in &episode.sweeps {
        let Some(begin) = &sweep.begin else { continue };
        if sweep.total.is_none() {
            hits.push(hit(
                episode,
                begin,
                SWEEP,
                "begin runtime cancel",
                "tracked executions marked canceled=",
            ));
        }
    }
    hits.truncate(1);
    hits
}

fn hit(episode: &Episode, begin: &SharedEvent, bound: i64, opened: &str, missing: &str) -> Hit {
    let covered = episode.evidence_end - begin.utc() > bound && !episode.hole && episode.lines_dropped == 0;
    let severity = if covered { Severity::High } else { Severity::Info };
    let claim = if covered {
        format!("`{opened}` has no `{missing}` within {bound} s")
    } else {
        format!("the log ends or has a hole before `{missing}` could come")
    };
    Hit::new("PLS010", &episode.session, severity, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim(claim)
        .proof(begin, "the teardown begins")
        .next("look for a crash or a hang at that moment, and list what still runs under the session")
}
