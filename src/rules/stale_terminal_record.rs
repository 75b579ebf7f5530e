//! PLS038: a healthy pane was killed by a record of a lost one.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::case::LatentDeath;
use crate::replay::episode::Episode;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// The session's main pane had been lost while it was idle. A later turn launched a new, healthy pane, but the
    /// terminal record kept the name of the old one. The watchdog found that name missing and swept the session
    /// in the middle of its work.
    ///
    /// # Why it matters
    /// Nothing was wrong any more. The sweep cancels the running turn and every run under the session, with exactly
    /// the counters of a true death (PLAT-171).
    ///
    /// # What to do now
    /// Run again what the sweep took. Where this is only armed (info), send nothing to the session: stop it or let
    /// its work end first; the next watchdog poll comes within 30 s of a turn.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 18:00:00 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+120ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=hello
    /// time="2026-08-21T18:00:01Z" level=info msg="Executing Claude Code tmux session: mlp-claude-code-1787335200000000000-2f22765d" file="logger.go:177"
    /// 2026/08/21 18:00:20 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 chunks=1 duration=20120ms
    /// 2026/08/21 18:10:00 [QUERY->LIVE] Durable session delivery failed for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70: failed to submit live input: exit status 1: can't find pane: mlp-claude-code-1787335200000000000-2f22765d
    /// 2026/08/21 18:10:01 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+620ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=and now
    /// time="2026-08-21T18:10:02Z" level=info msg="Executing Claude Code tmux session: mlp-claude-code-1787335801000000000-54383f2c" file="logger.go:177"
    /// 2026/08/21 18:10:23 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:10:23 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 begin runtime cancel (reason="tmux pane disappeared unexpectedly" phase=failed)
    /// 2026/08/21 18:10:23 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 active turn context canceled=true
    /// time="2026-08-21T18:10:24Z" level=info msg="[CANCEL_DEBUG] AskWithHistory returned | err=conversation cancelled after LLM generation: context canceled updated_msgs=2 input_msgs=0 http_tools_captured=0" file="logger.go:177"
    /// 2026/08/21 18:10:24 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 chunks=1 duration=23120ms
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The new pane itself was lost, so the death was one:
    /// ```log,silent
    /// 2026/08/21 18:00:00 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+120ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=hello
    /// time="2026-08-21T18:00:01Z" level=info msg="Executing Claude Code tmux session: mlp-claude-code-1787335200000000000-2f22765d" file="logger.go:177"
    /// time="2026-08-21T18:00:10Z" level=info msg="❌ LLM generation failed - provider: claude-code, kind: unknown, error: claude-code \"mlp-claude-code-1787335200000000000-2f22765d\" tmux session lost" file="logger.go:177"
    /// 2026/08/21 18:00:23 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A pane that the server registered as relaunched is named in the record, and is not reported.
    STALE_TERMINAL_RECORD = "PLS038", "stale-terminal-record", Critical, Preview;
    summary: "a healthy pane was killed by a record that named a lost one";
    literals: ["Executing"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    match case {
        Case::Stop(episode) => death(episode).into_iter().collect(),
        Case::LatentDeath(latent) => vec![armed(latent)],
        _ => Vec::new(),
    }
}

fn death(episode: &Episode) -> Option<Hit> {
    if episode.cause != Cause::TerminalDeath || !episode.reason.starts_with("tmux pane") {
        return None;
    }
    let swept = episode.opener();
    let before = |line: &SharedEvent| line.position < swept.position;
    let (new, old, loss) = episode.panes.stale_record(before)?;
    let turn = episode.turns.iter().find(|turn| {
        turn.start.position < new.event.position
            && turn.end.as_ref().is_none_or(|end| end.position > new.event.position)
    })?;
    let canceled = episode.sweeps.iter().find_map(|sweep| match &sweep.turn {
        Some((true, line)) => Some(line),
        _ => None,
    });
    let answered = turn.answer.as_ref().filter(|line| {
        matches!(line.kind, EventKind::AskReturned { canceled: true, .. }) && line.position > swept.position
    });
    let reconciled = matches!(swept.kind, EventKind::MainTerminalFailing { .. });
    let confirmed = reconciled && canceled.is_some() && answered.is_some() && !new.ambiguous;
    let confidence = if confirmed { Certainty::Confirmed } else { Certainty::Probable };
    let mut hit = Hit::new("PLS038", &episode.session, Severity::Critical, confidence)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .subject(Subject::new(SubjectKind::Terminal, &*new.tmux))
        .subject(Subject::new(SubjectKind::Terminal, old))
        .claim("the watchdog looked for a pane that had been lost before, and swept the session while a new pane worked")
        .proof(loss, "the old pane is shown lost")
        .proof(&turn.start, "a later turn begins")
        .proof(&new.event, "it works in a new pane")
        .proof(swept, "the watchdog fails the session for the old pane")
        .ruled_out("no line shows the new pane lost, and none registers it as relaunched")
        .next("run again what the sweep took; the new pane was healthy");
    if let Some(line) = canceled {
        hit.add_proof(line, "the running turn is cancelled");
    }
    if let Some(line) = answered {
        hit.add_proof(line, "its call ends by the cancel, not by a lost pane");
    }
    Some(hit)
}

fn armed(latent: &LatentDeath) -> Hit {
    Hit::new("PLS038", &latent.session, Severity::Info, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*latent.session))
        .subject(Subject::new(SubjectKind::Terminal, &*latent.new))
        .subject(Subject::new(SubjectKind::Terminal, &*latent.old))
        .identified_by(&latent.new)
        .claim("latent death armed: the terminal record names a pane that no longer exists while a new one works")
        .proof(&latent.executing, "a turn works in a new pane")
        .proof(&latent.capture, "the record still names the old one")
        .next("let the session's work end before the next message, or stop it on purpose")
}
