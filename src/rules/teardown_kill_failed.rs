//! PLS013: a pane could not be closed.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;

rule! {
    /// # What it means
    /// The server tried to close a tmux pane and failed, and no later line shows that the pane was closed.
    ///
    /// # Why it matters
    /// The coding CLI in the pane may still work after the stop that should have ended it.
    ///
    /// # What to do now
    /// Look whether the pane still exists on the server's host, check whose it is, then close it there.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 begin runtime cancel (reason="scheduled job stopped by user" phase=canceled)
    /// 2026/08/20 09:32:10 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tracked executions marked canceled=0 (status only — see background agent counts for actual cancellation)
    /// 2026/08/20 09:32:11 [SESSION CANCEL] failed to close tmux "mlp-claude-code-1787198364901377000-f29bc91b" (owner main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70)
    /// 2026/08/20 09:39:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The pane had been gone already:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:32:11 [SESSION DEBUG] kill-session "mlp-claude-code-1787198364901377000-f29bc91b" (owner workflow-step:exec-a-1:a) failed (may already be gone): exit status 1
    /// 2026/08/20 09:39:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A failure of the regular pane sweep counts as high only near a stop, or when it fails in two sweeps.
    TEARDOWN_KILL_FAILED = "PLS013", "teardown-kill-failed", High, Preview;
    summary: "a pane could not be closed and may still work";
    literals: ["tmux"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::KillFailure(failure) = case else { return Vec::new() };
    let Some(first) = failure.failures.first() else { return Vec::new() };
    let counts = failure.closed.is_none() && (failure.near_stop || failure.failures.len() >= 2);
    let severity = if counts { Severity::High } else { Severity::Info };
    let session = failure.session.as_deref().unwrap_or_default();
    let mut hit = Hit::new("PLS013", session, severity, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Terminal, &*failure.tmux))
        .identified_by(&failure.tmux)
        .claim({
            let owner =
                if failure.owner.is_empty() { String::new() } else { format!(" of {}", failure.owner) };
            if failure.closed.is_some() {
                format!("a pane{owner} could not be closed at first; a later try closed it")
            } else {
                format!("a pane{owner} could not be closed; the CLI in it may still work")
            }
        })
        .proof(first, "the close failed")
        .next(if failure.closed.is_some() {
            "nothing to do: the pane is closed"
        } else {
            "look whether this pane still exists on the server's host, check whose it is, then close it there"
        });
    for line in failure.failures.iter().skip(1) {
        hit.add_proof(line, "it failed again");
    }
    if let Some(closed) = &failure.closed {
        hit.add_proof(closed, "a later try closed it");
    }
    vec![hit]
}
