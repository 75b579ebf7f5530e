//! PLS017: a pane was dead for a while before anyone noticed.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::EvidenceEnd;

rule! {
    /// # What it means
    /// The log shows a first sign that a session's pane is gone, and the server noticed it only much later, or not
    /// at all. The sign is the first one in the log, not the death: an idle pane dies without a line.
    ///
    /// # Why it matters
    /// In between the session looks alive. When the death is noticed, a sweep takes everything under the session
    /// (PLAT-171: five and a half minutes).
    ///
    /// # What to do now
    /// `pulsectl graph` on the session shows what such a sweep would hit. Send the session a message, or stop it on
    /// purpose, before the server notices by itself.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 18:05:00 [BG AGENT] Live steer delivery failed for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 agent bg-audit-81177: exit status 1: can't find pane: mlp-claude-code-1787313003118204000-2f22765d — falling back to queue
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:55:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// ```log,silent
    /// 2026/08/21 18:05:00 [BG AGENT] Session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 busy, queued completion for agent bg-audit-81177
    /// 2026/08/21 18:55:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A discovery within a minute is reported as info. One timeout alone is no sign of death.
    DEAD_PANE_UNDETECTED = "PLS017", "dead-pane-undetected", Medium, Preview;
    summary: "a pane was dead for a while before anyone noticed";
    literals: ["session"];
    check: check
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::PaneSign(sign) = case else { return Vec::new() };
    let Some(first) = sign.signs.first() else { return Vec::new() };
    let until = sign.discovery.as_ref().map_or(sign.evidence_end, |line| line.utc());
    let gap = until - first.utc();
    let ended = sign.evidence_end_reason != EvidenceEnd::Settled && sign.discovery.is_none();
    if gap <= thresholds.dead_pane_gap && ended {
        return Vec::new();
    }
    let severity = if gap > thresholds.dead_pane_gap { Severity::Medium } else { Severity::Info };
    let confidence = if sign.discovery.is_some() { Certainty::Probable } else { Certainty::Candidate };
    let mut hit = Hit::new("PLS017", &sign.session, severity, confidence)
        .subject(Subject::new(SubjectKind::Session, &*sign.session))
        .claim(match &sign.discovery {
            Some(_) => format!("the first sign of a dead pane came {gap} s before the server acted on it"),
            None => format!("a sign of a dead pane was not acted on for {gap} s"),
        })
        .proof(first, "the first sign in the log")
        .next("look with `pulsectl graph` what a sweep of this session would hit");
    if let Some(discovery) = &sign.discovery {
        hit.add_proof(discovery, "the server acts on it");
    }
    vec![hit]
}
