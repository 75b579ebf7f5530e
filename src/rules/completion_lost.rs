//! PLS015: a completion reached nobody.

use super::hit::{Hit, count};
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::id::IdKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::case::CompletionLoss;
use crate::replay::episode::Episode;

rule! {
    /// # What it means
    /// A run or agent ended, and the message about it was dropped: its session was stopped, unreachable or had no
    /// agent left to tell.
    ///
    /// # Why it matters
    /// Whoever waited for the result learns nothing, and the next step of the work never starts (acceptance test 3
    /// of PLAT-171).
    ///
    /// # What to do now
    /// Read the real outcome of the executions named here from their own records, and tell whoever waited.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 17:41:12 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt2wrr0g07 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:11:54 [BG AGENT] OnExecutionComplete ignored for stopped session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 (exec=workflow-full-mt2wrr0g07)
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// ```log,fires
    /// 2026/08/21 17:00:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json
    /// 2026/08/21 18:11:54 [BG AGENT] Session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 is unreachable, dropping completion for agent bg-audit-81177
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// Queued and then delivered:
    /// ```log,silent
    /// 2026/08/21 18:11:54 [BG AGENT] Session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 busy, queued completion for agent bg-audit-81177
    /// 2026/08/21 18:11:59 [BG AGENT] Executing synthetic turn for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 via stored agent
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// In a person's stop the drop is deliberate: info. Where the log begins in mid-process, the stop may stand
    /// before its first line.
    COMPLETION_LOST = "PLS015", "completion-lost", High, Preview;
    summary: "a completion reached nobody";
    literals: ["[BG AGENT]"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    match case {
        Case::Stop(episode) => in_episode(episode),
        Case::CompletionLoss(loss) => outside(loss),
        _ => Vec::new(),
    }
}

fn in_episode(episode: &Episode) -> Vec<Hit> {
    let mut lines: Vec<&SharedEvent> = Vec::new();
    let mut subjects: Vec<Subject> = Vec::new();
    for line in &episode.lines {
        let subject = match &line.kind {
            EventKind::CompleteIgnored { id, .. } if IdKind::of(id).is_run() => {
                Some(Subject::execution(&**id))
            }
            EventKind::CompletionDropped { id, .. } => Some(Subject::execution(&**id)),
            EventKind::CompletionsDiscarded { .. } => None,
            _ => continue,
        };
        if episode.resumed_before(line) {
            continue;
        }
        lines.push(line);
        subjects.extend(subject);
    }
    // What waited in the queue goes with the sweep, without a line of its own
    // (server-behaviour.md#what-the-log-prints).
    for (id, line) in &episode.queued {
        if !subjects.iter().any(|known| *known.id == **id) {
            lines.push(line);
            subjects.push(Subject::execution(&**id));
        }
    }
    if lines.is_empty() {
        return Vec::new();
    }
    // One that was tried twice is one; a line that discards a batch names none and counts as it stands.
    subjects.sort_unstable();
    subjects.dedup();
    let batches =
        lines.iter().filter(|line| matches!(line.kind, EventKind::CompletionsDiscarded { .. })).count();
    let number = subjects.len() + if subjects.is_empty() { batches } else { 0 };
    let (severity, what, next) = if episode.cause.is_person_stop() {
        (Severity::Info, "dropped in a person's stop, on purpose", "nothing to do: the stop was meant")
    } else {
        (
            Severity::High,
            "dropped because the session had been swept, not stopped by a person",
            "read the real outcome of these executions from their own records, and tell whoever waited",
        )
    };
    let mut hit = Hit::new("PLS015", &episode.session, severity, Certainty::Probable)
        .claim(format!("{} reached nobody: {what}", count(number, "completion")))
        .proof(episode.opener(), "the session is swept")
        .next(next);
    for subject in subjects {
        hit = hit.identified_by(&subject.id.clone()).subject(subject);
    }
    for line in lines {
        let role = match line.kind {
            EventKind::CompletionQueued { .. } => {
                "the completion waits for the session to be idle, and is swept"
            }
            _ => "the completion is dropped",
        };
        hit.add_proof(line, role);
    }
    vec![hit]
}

fn outside(loss: &CompletionLoss) -> Vec<Hit> {
    let retried = loss.losses.iter().all(|line| {
        matches!(line.kind, EventKind::NoStoredAgent { .. } | EventKind::TurnNotDispatched { .. })
    });
    // A missing agent is often made good later, so it counts only where the log reaches so far and names whom.
    let (severity, confidence) = match (retried, loss.watched && !loss.named.is_empty()) {
        (true, false) => (Severity::Low, Certainty::Candidate),
        _ => (Severity::High, Certainty::Probable),
    };
    let number = if loss.named.is_empty() { loss.losses.len() } else { loss.named.len() };
    let mut hit = Hit::new("PLS015", &loss.session, severity, confidence)
        .subject(Subject::new(SubjectKind::Session, &*loss.session))
        .claim(format!(
            "{} reached nobody although no one had stopped the session",
            count(number, "completion")
        ))
        .ruled_out("the log shows no stop of this session before it")
        .next("read the real outcome of these executions from their own records, and tell whoever waited");
    for id in &loss.named {
        hit = hit.subject(Subject::execution(&**id)).identified_by(id);
    }
    for line in &loss.losses {
        hit.add_proof(line, "the completion is dropped, or cannot be handed over");
    }
    vec![hit]
}
