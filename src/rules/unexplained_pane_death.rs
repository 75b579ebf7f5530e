//! PLS036: a pane died and the log does not say why.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// The main pane disappeared or exited, and nothing in the log closed it before. This line only says that the
    /// log does not know the reason.
    ///
    /// # Why it matters
    /// The reason must be sought elsewhere: in the host's own logs, not here.
    ///
    /// # What to do now
    /// Look at the host at that time: out of memory, a killed tmux server, a person in the terminal.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="killed by operator"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// None: it is a statement about the log, not about the pane.
    UNEXPLAINED_PANE_DEATH = "PLS036", "unexplained-pane-death", Info, Preview;
    summary: "a pane died and the log does not say why";
    literals: ["tmux pane"];
    context_only: true;
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if episode.cause != Cause::TerminalDeath || episode.continued {
        return Vec::new();
    }
    let death = episode.openers.iter().find(|line| match &line.kind {
        EventKind::MainTerminalFailing { reason, .. } | EventKind::BeginRuntimeCancel { reason, .. } => {
            reason.starts_with("tmux pane")
        }
        _ => false,
    });
    let Some(death) = death else { return Vec::new() };
    let own = episode
        .panes
        .own_closes
        .iter()
        .any(|line| (0..=thresholds.self_kill_window).contains(&(death.utc() - line.utc())));
    if own {
        return Vec::new();
    }
    let hit = Hit::new("PLS036", &episode.session, Severity::Info, Certainty::Candidate)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim("the log does not say why the pane died")
        .proof(death, "the death is noticed")
        .ruled_out(format!(
            "no line in the {} s before shows that the platform closed this session's pane; the log tells of this process since {}",
            thresholds.self_kill_window.min(death.utc() - episode.known_since),
            jiff::Timestamp::from_second(episode.known_since).map(|time| time.to_string()).unwrap_or_default()
        ))
        .next("look at the host at that time: memory, the tmux server, a person in the terminal");
    vec![hit]
}
