//! What makes a plan less than certain, or the session's state dangerous by itself.

use jiff::SignedDuration;

use super::action::Action;
use super::trigger::Trigger;
use super::verdict::Verdict;
use crate::engine::graph;
use crate::engine::resolve::SessionFacts;
use crate::model::gap::GapCode;
use crate::model::snapshot::Snapshot;
use crate::model::words::wider_words;

wider_words! {
    /// What makes a plan less than certain, or the session's state dangerous by itself.
    pub enum WarningCode {
        /// Which of two things happens depends on which comes first.
        Race = "race",
        /// The next turn arms a latent death.
        LatentDeathArms = "latent_death_arms",
        /// The server answers this request only with its debug gate open.
        NeedsDebugGate = "needs_debug_gate",
        ..
        /// Something about the session's state or about what could be seen of it.
        State(graph::WarningCode),
    }
}

impl WarningCode {
    /// Whether a plan with it may still be safe (`safe`).
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::State(graph::WarningCode::Gap(GapCode::NoTree | GapCode::NoTerminals)))
    }
}

/// One warning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// What kind.
    pub code: WarningCode,
    /// What it means, as a sentence for a person.
    pub message: String,
}

/// The warnings about a session that is hit.
pub(super) fn of_session(
    snapshot: &Snapshot,
    facts: &SessionFacts<'_>,
    verdict: &Verdict<'_>,
) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = graph::warning::warnings(snapshot, facts)
        .into_iter()
        .filter(|warning| matters(warning.code))
        .map(|warning| Warning { code: WarningCode::State(warning.code), message: warning.message })
        .collect();
    if let Some((_, condition)) = &verdict.otherwise {
        warnings.push(race(condition));
    }
    let mut warn = |code, message: String| warnings.push(Warning { code, message });
    if verdict.action == Action::Dismiss
        && facts.panes.iter().any(|pane| pane.terminal.has_pane() != Some(false))
    {
        warn(
            WarningCode::Race,
            String::from(
                "a completion notification revives the session; whether the reaper closes its panes first, \
                 within 2 min, is a race",
            ),
        );
    }
    // Recording schedule-stop-relaunch-window: nothing runs, and ten seconds of work follow the stop.
    if facts.scheduled
        && verdict.action.sets_guard()
        && facts.running_turns.is_empty()
        && !facts.frozen.is_yes()
        && !is_quiet(snapshot, facts)
    {
        warn(
            WarningCode::Race,
            String::from(
                "if the schedule's job is between two messages, the next one is being prepared and works on after \
                 the stop",
            ),
        );
    }
    // An idle main pane that is lost cancels nothing, but the next turn makes the record active again.
    if let Some(lost) = verdict.lost
        && lost.is_main()
        && lost.active == Some(false)
    {
        warn(
            WarningCode::LatentDeathArms,
            String::from(
                "nothing happens at once, but the next turn relaunches the pane under a new name and makes the \
                 old record active: then the watchdog may cancel everything under this session",
            ),
        );
    }
    warnings
}

/// Whether a session has done nothing for so long that no message of a job is on its way to it.
fn is_quiet(snapshot: &Snapshot, facts: &SessionFacts<'_>) -> bool {
    const BETWEEN_MESSAGES: SignedDuration = SignedDuration::from_mins(2);
    let last = facts.session.and_then(|session| session.last_activity);
    snapshot.as_of.zip(last).is_some_and(|(now, last)| now.duration_since(last) > BETWEEN_MESSAGES)
}

/// Which of two things happens depends on this.
pub(super) fn race(condition: &str) -> Warning {
    Warning { code: WarningCode::Race, message: format!("it comes out otherwise if {condition}") }
}

/// What could not be seen of the server as a whole: it counts too where no session is hit.
pub(super) fn of_server(snapshot: &Snapshot) -> impl Iterator<Item = Warning> {
    graph::warning::gaps(snapshot, None)
        .filter(|warning| matters(warning.code))
        .map(|warning| Warning { code: WarningCode::State(warning.code), message: warning.message })
}

/// What is asked for needs more than the server grants by default.
pub(super) fn of_trigger(snapshot: &Snapshot, trigger: &Trigger) -> Option<Warning> {
    let is_closed = snapshot.server.debug_gate_open.as_ref().is_some_and(|open| !open.value);
    (is_closed && matches!(trigger, Trigger::KillTerminal { .. })).then(|| Warning {
        code: WarningCode::NeedsDebugGate,
        message: String::from("the server answers 404 to a kill while its debug gate is closed"),
    })
}

/// Whether the warning is about something that the plan rests on.
fn matters(code: graph::WarningCode) -> bool {
    code != graph::WarningCode::Gap(GapCode::NoBrowsers)
}
