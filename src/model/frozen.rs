//! Recognises a runtime snapshot that a stop has frozen (server-behaviour.md#frozen-answers;
//! server-behaviour.md#what-a-client-can-read).
//!
//! A stop, a schedule stop and a main terminal's death set a boundary on the runtime record. From then until
//! the next real message the server overwrites only phase, reason and flags; the rows keep what was last seen,
//! often "running". Nothing in such rows may be believed.

use super::fact::Judgement;
use super::status::{Phase, SessionStatus};

/// The reasons that the server derives from live registries (server-behaviour.md#what-a-client-can-read). A
/// boundary writes its own words instead; only "session completed" is used by both.
const DERIVED_REASONS: [&str; 11] = [
    "session requires user input",
    "foreground turn is active",
    "tracked child execution is active",
    "background agent is active or in completion grace",
    "coding-agent terminal is busy",
    "session reported failure",
    "session was stopped",
    "session completed",
    "session started and runtime work is not registered yet",
    "session reports running but no live work is registered",
    "no live runtime work is registered",
];

/// What the recognition looks at.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The runtime snapshot's phase.
    pub phase: Option<&'a Phase>,
    /// The runtime snapshot's reason; absent in some answers.
    pub reason: Option<&'a str>,
    /// The session's status in the list.
    pub listed_status: Option<&'a SessionStatus>,
    /// The runtime snapshot's `raw_session_status`.
    pub raw_status: Option<&'a SessionStatus>,
    /// Whether a row is still running in the runtime snapshot.
    pub row_running: bool,
}

/// Whether the runtime snapshot is frozen.
#[must_use]
pub fn judge(evidence: Evidence<'_>) -> Judgement {
    let Some(phase) = evidence.phase else {
        return Judgement::Unknown("no runtime snapshot was read");
    };
    match phase {
        Phase::Completed | Phase::Failed | Phase::Canceled => {}
        Phase::Starting | Phase::Running | Phase::Waiting | Phase::Idle => return Judgement::No,
        Phase::Other(_) => return Judgement::Unknown("the phase is none of the known ones"),
    }
    if evidence.row_running {
        return Judgement::Yes("a row still runs although the session has ended");
    }
    if evidence.reason.is_none_or(|reason| !DERIVED_REASONS.contains(&reason)) {
        return Judgement::Yes("the reason is that of a stop, not one derived from live work");
    }
    match (evidence.listed_status, evidence.raw_status) {
        (Some(listed), Some(raw)) if listed == raw => Judgement::No,
        (Some(_), Some(_)) => Judgement::Yes("the list and the runtime snapshot disagree about the status"),
        _ => Judgement::Unknown(
            "the session's status was not read from both the list and the runtime snapshot",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence<'a>(phase: &'a Phase, reason: &'a str, status: &'a SessionStatus) -> Evidence<'a> {
        Evidence {
            phase: Some(phase),
            reason: Some(reason),
            listed_status: Some(status),
            raw_status: Some(status),
            row_running: false,
        }
    }

    // Each of the three signs of server-behaviour.md#frozen-answers, alone; and none of them.
    #[test]
    fn each_sign_suffices_and_none_is_no() {
        let (completed, stopped) = (SessionStatus::Completed, SessionStatus::Stopped);
        let calm = evidence(&Phase::Completed, "session completed", &completed);
        assert_eq!(judge(calm), Judgement::No);
        assert!(judge(Evidence { row_running: true, ..calm }).is_yes());
        assert!(judge(Evidence { listed_status: Some(&stopped), ..calm }).is_yes());
        assert!(judge(evidence(&Phase::Canceled, "scheduled job stopped by user", &stopped)).is_yes());
    }

    #[test]
    fn a_live_phase_is_never_frozen() {
        let running = SessionStatus::Running;
        let live = evidence(&Phase::Running, "anything", &running);
        assert_eq!(judge(Evidence { row_running: true, ..live }), Judgement::No);
    }

    #[test]
    fn what_was_not_read_stays_unknown() {
        let completed = SessionStatus::Completed;
        let calm = evidence(&Phase::Completed, "session completed", &completed);
        assert!(matches!(judge(Evidence { phase: None, ..calm }), Judgement::Unknown(_)));
        assert!(matches!(judge(Evidence { raw_status: None, ..calm }), Judgement::Unknown(_)));
        let other = Phase::Other("parked".into());
        assert!(matches!(judge(Evidence { phase: Some(&other), ..calm }), Judgement::Unknown(_)));
    }
}
