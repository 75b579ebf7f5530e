//! PLS034: a usage wall caused a sweep.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// The session's main pane sat on the provider's usage limit in two checks of the watchdog, so the server swept
    /// the session. This line only gives the context of the sweep.
    ///
    /// # Why it matters
    /// The cause is the provider's limit, not the pane; what the sweep took is told by other findings.
    ///
    /// # What to do now
    /// Wait for the limit to pass, or change the provider, before you run the work again.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 18:11:53 [CODING_WATCHDOG] main session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tmux mlp-claude-code-1787313003118204000-2f22765d parked on a usage/rate-limit wall - failing and canceling session runtime
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="claudecode has reached its usage limit. Try again later."
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// None known.
    CAPACITY_WALL = "PLS034", "capacity-wall", Info, Preview;
    summary: "a usage wall caused a sweep";
    literals: ["usage limit"];
    context_only: true;
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if episode.cause != Cause::UsageWall || episode.continued {
        return Vec::new();
    }
    let mut hit = Hit::new("PLS034", &episode.session, Severity::Info, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim("the main pane sat on a usage limit; that is why the session was swept")
        .proof(episode.opener(), "the reason of the sweep")
        .next("wait for the limit to pass, or change the provider, before the work is run again");
    let parked =
        episode.panes.tied.iter().find(|(_, line)| matches!(line.kind, EventKind::MainPaneParked { .. }));
    if let Some((_, line)) = parked {
        hit.confidence = Certainty::Confirmed;
        hit.add_proof(line, "the watchdog saw the wall twice");
    }
    vec![hit]
}
