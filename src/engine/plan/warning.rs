//! What makes a plan less than certain, or the session's state dangerous by itself.

use super::preflight::{Action, Verdict};
use super::trigger::Trigger;
use crate::engine::resolve::SessionFacts;
use crate::model::fact::{GapCode, Judgement};
use crate::model::snapshot::Snapshot;

/// The kinds of warnings; the names are those of the machine formats (formats, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningCode {
    /// The next watchdog poll may cancel everything under the session although its pane is healthy.
    LatentDeath,
    /// The next turn arms such a death.
    LatentDeathArms,
    /// Which of two things happens depends on which comes first.
    Race,
    /// A row goes on saying "running" without a worker.
    RowLeftRunning,
    /// The rows are as they were before a stop.
    FrozenSnapshot,
    /// The server does not list the session.
    NotListed,
    /// The server answers this request only with its debug gate open.
    NeedsDebugGate,
    /// Something was not read, or not at one moment.
    Gap(GapCode),
}

impl WarningCode {
    /// The name that the machine formats use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LatentDeath => "latent_death",
            Self::LatentDeathArms => "latent_death_arms",
            Self::Race => "race",
            Self::RowLeftRunning => "row_left_running",
            Self::FrozenSnapshot => "frozen_snapshot",
            Self::NotListed => "not_listed",
            Self::NeedsDebugGate => "needs_debug_gate",
            Self::Gap(code) => code.name(),
        }
    }

    /// Whether a plan with it may still be safe (formats, section 3: `safe`).
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Gap(GapCode::NoTree | GapCode::NoTerminals))
    }
}

/// One warning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// What kind.
    pub code: WarningCode,
    /// The session that it concerns; `None` for all.
    pub session: Option<String>,
    /// What it means, as a sentence for a person.
    pub message: String,
}

/// The warnings about a session that is hit.
pub(super) fn of_session(facts: &SessionFacts<'_>, verdict: &Verdict<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code, message: String| {
        warnings.push(Warning { code, session: Some(facts.id.to_owned()), message });
    };
    if facts.latent_death.is_yes() {
        let pane =
            facts.main_terminal.and_then(|terminal| terminal.tmux.as_deref()).unwrap_or("an earlier pane");
        warn(
            WarningCode::LatentDeath,
            format!(
                "the main terminal's record names {pane}, which is not the pane that works now: without any \
                 trigger the next watchdog poll (within 30 s) may cancel everything under this session"
            ),
        );
    }
    if let Judgement::Yes(why) = facts.frozen {
        warn(
            WarningCode::FrozenSnapshot,
            format!("the session was stopped before and its rows are as they were then ({why})"),
        );
    }
    if facts.session.is_none() {
        warn(
            WarningCode::NotListed,
            String::from("rows carry this session's id, but the server does not list the session"),
        );
    }
    match facts.rows_left_running.as_slice() {
        [] => {}
        [row] => warn(
            WarningCode::RowLeftRunning,
            format!("{} still says running although the session was stopped", row.id),
        ),
        several => warn(
            WarningCode::RowLeftRunning,
            format!("{} rows still say running although the session was stopped", several.len()),
        ),
    }
    if let Some((_, condition)) = &verdict.otherwise {
        warn(WarningCode::Race, format!("it comes out otherwise if {condition}"));
    }
    if verdict.action == Action::Dismiss
        && facts.panes.iter().any(|pane| pane.terminal.has_pane() == Some(true))
    {
        warn(
            WarningCode::Race,
            String::from(
                "a completion notification revives the session; whether the reaper closes its panes first, \
                 within 2 min, is a race",
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

/// The warnings about the reading.
pub(super) fn of_snapshot(snapshot: &Snapshot, trigger: &Trigger, sessions: &[&str]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = snapshot
        .gaps
        .iter()
        .filter(|gap| gap.session.as_deref().is_none_or(|session| sessions.contains(&session)))
        .filter(|gap| matters(gap.code))
        .map(|gap| Warning {
            code: WarningCode::Gap(gap.code),
            session: gap.session.clone(),
            message: gap.message.clone(),
        })
        .collect();
    let is_closed = snapshot.server.debug_gate_open.as_ref().is_some_and(|open| !open.value);
    if is_closed && matches!(trigger, Trigger::KillTerminal { .. }) {
        warnings.push(Warning {
            code: WarningCode::NeedsDebugGate,
            session: None,
            message: String::from("the server answers 404 to a kill while its debug gate is closed"),
        });
    }
    warnings
}

/// Whether the gap is about something that the plan rests on.
fn matters(code: GapCode) -> bool {
    !matches!(code, GapCode::NoBrowsers)
}
