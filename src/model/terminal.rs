//! A terminal record: a pane with a coding CLI, or the display of an API agent.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fact::{Judgement, Source};
use super::id;
use super::words::server_words;

server_words! {
    /// Whether a pane's process lives, as the record says (up to 30 s old). The absence of the word in a record
    /// that was read is a sign in itself, hence its own variant.
    pub enum ProcessState {
        /// It lives.
        Live = "live",
        /// It is being closed.
        Closing = "closing",
        /// It is closed.
        Closed = "closed",
        /// The record was read and says nothing.
        Absent = "",
    }
}

server_words! {
    /// A terminal's state.
    pub enum TerminalState {
        /// At work.
        Running = "running",
        /// Done.
        Completed = "completed",
        /// Failed.
        Failed = "failed",
        /// Being closed.
        Closing = "closing",
        /// Not refreshed.
        Stale = "stale",
    }
}

/// A healthy record is made within this time of its pane's launch (0.13 s in 111 live records); a stale one lay
/// 38 s and more apart (server-behaviour.md#latent-death).
pub const LATENT_AFTER: SignedDuration = SignedDuration::from_secs(5);

/// One terminal record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Terminal {
    /// Its id, `<session>:<owner>`; records of earlier turns end in `:turn-<ns>`.
    pub id: String,
    /// The session whose id it carries.
    pub session: String,
    /// Owner: `main:<session>`, `workflow-step:<execution>:<step>`, or an agent's id.
    pub owner: Option<String>,
    /// The execution that it shows; may change to the enclosing one
    /// (server-behaviour.md#what-a-stop-does-to-a-row).
    pub execution: Option<String>,
    /// Kind of that execution, as the server says.
    pub execution_kind: Option<String>,
    /// Whether there is a tmux pane behind it.
    pub has_tmux: Option<bool>,
    /// Name of the tmux session; readable for the main pane, for others only with the debug gate open.
    pub tmux: Option<String>,
    /// Whether the record is active.
    pub active: Option<bool>,
    /// State of the work in it.
    pub state: Option<TerminalState>,
    /// State of its process; null where the record was not read, empty where the record says nothing.
    pub process_state: Option<ProcessState>,
    /// When the record was made.
    #[schemars(with = "Option<String>")]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[schemars(with = "Option<String>")]
    pub updated_at: Option<Timestamp>,
    /// Why it was closed, in the server's words.
    pub close_reason: Option<String>,
    /// Step of the plan.
    pub step_id: Option<String>,
    /// Whether the pane shows a usage wall.
    pub rate_limited: Option<bool>,
    /// Where most of it comes from: the fullest record that was read.
    #[serde(rename = "from")]
    pub source: Source,
}

impl Terminal {
    /// A terminal of which only id and session are known; the owner follows from the id.
    pub fn new(session: impl Into<String>, id: impl Into<String>) -> Self {
        let (session, id) = (session.into(), id.into());
        let owner = id
            .strip_prefix(session.as_str())
            .and_then(|rest| rest.strip_prefix(':'))
            .map_or_else(|| session.clone(), |owner| without_turn(owner).to_owned());
        Self {
            owner: Some(owner),
            session,
            id,
            execution: None,
            execution_kind: None,
            has_tmux: None,
            tmux: None,
            active: None,
            state: None,
            process_state: None,
            created_at: None,
            updated_at: None,
            close_reason: None,
            step_id: None,
            rate_limited: None,
            source: Source::Given,
        }
    }

    /// An active pane with this owner and tmux name, made at this time.
    pub fn pane(session: &str, owner: &str, tmux: &str, created_at: Timestamp) -> Self {
        Self {
            execution: Some(owner.to_owned()),
            has_tmux: Some(true),
            tmux: Some(tmux.to_owned()),
            active: Some(true),
            state: Some(TerminalState::Running),
            process_state: Some(ProcessState::Live),
            created_at: Some(created_at),
            ..Self::new(session, format!("{session}:{owner}"))
        }
    }

    /// Whether it is the session's main pane or the record of an earlier one
    /// (server-behaviour.md#the-watchdog).
    #[must_use]
    pub fn is_main(&self) -> bool {
        match self.execution_kind.as_deref() {
            Some("main_agent" | "main" | "chat") => true,
            Some(kind) if !kind.is_empty() => false,
            _ => {
                self.owner.as_deref().is_some_and(|owner| owner == self.session || owner.starts_with("main:"))
            }
        }
    }

    /// Whether it is the record of an earlier turn (`…:turn-<ns>`): history, not a pane.
    #[must_use]
    pub fn is_history(&self) -> bool {
        without_turn(&self.id).len() != self.id.len()
    }

    /// Whether there is a tmux pane behind it, by either sign; `None` where neither was read.
    #[must_use]
    pub fn has_pane(&self) -> Option<bool> {
        if self.tmux.as_deref().is_some_and(|name| !name.is_empty()) { Some(true) } else { self.has_tmux }
    }

    /// The step's execution id, `exec-<step>-<ns>`, of a step pane.
    #[must_use]
    pub fn step_execution(&self) -> Option<&str> {
        id::step_of_terminal(&self.id)
    }

    /// When the pane was launched, by the nanoseconds in its tmux name.
    #[must_use]
    pub fn launched_at(&self) -> Option<Timestamp> {
        let nanoseconds = id::nanoseconds(self.tmux.as_deref()?)?;
        Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()
    }

    /// Whether the record names a pane that no longer exists while a healthy one works: the next watchdog poll
    /// (within 30 s) may then cancel everything under the session (server-behaviour.md#latent-death).
    #[must_use]
    pub fn latent_death(&self) -> Judgement {
        if !self.is_main()
            || self.is_history()
            || self.active == Some(false)
            || self.has_pane() == Some(false)
        {
            return Judgement::No;
        }
        let Some(process_state) = &self.process_state else {
            return Judgement::Unknown("the main terminal's record was not read");
        };
        if *process_state != ProcessState::Absent {
            return Judgement::No;
        }
        let (Some(created_at), Some(launched_at)) = (self.created_at, self.launched_at()) else {
            return Judgement::Unknown("the main terminal's record or its tmux name carries no time");
        };
        if created_at.duration_since(launched_at) > LATENT_AFTER {
            return Judgement::Yes("the main terminal's record is newer than the pane that it names");
        }
        Judgement::No
    }
}

/// The id or owner without a trailing `:turn-<ns>`.
fn without_turn(id: &str) -> &str {
    match id.rsplit_once(":turn-") {
        Some((before, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            before
        }
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_pane(tmux: &str, created_at: &str) -> Terminal {
        Terminal::pane("s", "main:s", tmux, created_at.parse().expect("the test's time is well-formed"))
    }

    // Recording plat171-latent-death: launched 03:21:50.438, record made 03:22:33.944, no process state.
    #[test]
    fn a_record_newer_than_its_pane_is_a_latent_death() {
        let mut pane =
            main_pane("mlp-claude-code-1796008910438440166-60689216", "2026-11-30T03:22:33.944214599Z");
        assert!(pane.latent_death().is_no(), "both signs are needed");
        pane.process_state = Some(ProcessState::Absent);
        assert!(pane.latent_death().is_yes());
        pane.process_state = None;
        assert!(matches!(pane.latent_death(), Judgement::Unknown(_)));
        pane.active = Some(false);
        assert!(pane.latent_death().is_no());
    }

    // server-behaviour.md#latent-death: a pane that was just launched also lacks the process state.
    #[test]
    fn a_pane_just_launched_is_healthy() {
        let mut pane =
            main_pane("mlp-claude-code-1796008496981901085-646b8941", "2026-11-30T03:14:57.109412231Z");
        pane.process_state = Some(ProcessState::Absent);
        assert!(pane.latent_death().is_no());
    }

    #[test]
    fn history_and_steps_are_told_from_the_main_pane() {
        let history = Terminal::new("s", "s:main:s:turn-1796008907005186908");
        assert!(history.is_history() && history.is_main());
        assert_eq!(history.owner.as_deref(), Some("main:s"));
        let step = Terminal::new("s", "s:workflow-step:exec-collect-1796008500334087026:collect");
        assert!(!step.is_history() && !step.is_main());
        assert_eq!(step.step_execution(), Some("exec-collect-1796008500334087026"));
        assert!(Terminal::new("s", "s").is_main());
    }
}
