//! PLS018: the platform closed a pane and then failed the session for it.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// The server closed the session's main pane itself (idle timer, pane sweep, conflict clean-up), and within two
    /// minutes its own watchdog took the missing pane for a death and swept the session.
    ///
    /// # Why it matters
    /// Work was cancelled for a death that was none.
    ///
    /// # What to do now
    /// Run again what the sweep took; report the reason of the close, it is in the line.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 18:10:00 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+120ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=hello
    /// time="2026-08-21T18:10:01Z" level=info msg="Executing Claude Code tmux session: mlp-claude-code-1787335801118204000-2f22765d" file="logger.go:177"
    /// time="2026-08-21T18:11:00Z" level=debug msg="Closing persistent Claude Code tmux session mlp-claude-code-1787335801118204000-2f22765d for owner b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70: idle timeout" file="logger.go:173"
    /// 2026/08/21 18:11:23 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/21 18:11:23 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A stop by a person explains the close; such episodes are not looked at.
    SELF_INFLICTED_PANE_DEATH = "PLS018", "self-inflicted-pane-death", Critical, Preview;
    summary: "the platform closed a pane and then failed the session for it";
    literals: ["[TERMINAL RECONCILE] failing main"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if episode.cause != Cause::TerminalDeath {
        return Vec::new();
    }
    let death = episode.openers.iter().find(|line| {
        matches!(&line.kind, EventKind::MainTerminalFailing { reason, .. } if reason.starts_with("tmux pane"))
    });
    let Some(death) = death else { return Vec::new() };
    let close = episode.panes.own_closes.iter().rev().find(|line| {
        line.position < death.position
            && (0..=thresholds.self_kill_window).contains(&(death.utc() - line.utc()))
    });
    let Some(close) = close else { return Vec::new() };
    let in_flight = episode.turns.iter().any(|turn| {
        turn.start.position < death.position
            && turn.end.as_ref().is_none_or(|end| end.position > death.position)
    });
    let severity = if in_flight { Severity::Critical } else { Severity::High };
    let hit = Hit::new("PLS018", &episode.session, severity, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim(format!(
            "the platform closed the main pane itself and failed the session for it {} s later",
            death.utc() - close.utc()
        ))
        .proof(close, "the platform closes the pane")
        .proof(death, "its watchdog takes that for a death")
        .ruled_out("no person stopped the session")
        .next("run again what the sweep took, and report the reason of the close");
    vec![hit]
}
