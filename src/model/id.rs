//! Ids of a Pulse server: their kinds and the time they carry.
//!
//! Owns the spellings (server-behaviour.md#ids).
//! Classification goes by prefix first; it never looks at names.

use super::words::words;

/// What an execution id stands for, by its spelling alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum IdKind {
    /// One message being worked on: `query_…`, `live-turn:…`; `turn:<session>@<time>` where only a log's line
    /// tells that there was one.
    Turn,
    /// A turn that the server started itself: `synthetic-turn:…`.
    SyntheticTurn,
    /// A full workflow run, a container with its own cancel: `workflow-full-<token>`.
    Run,
    /// A full evaluation run, a container with its own cancel: `eval-full-<folder>-<ns>`.
    Evaluation,
    /// A progress row of a run, without a worker: `<run>-step-<n>-<token>`, `<run>-execution-phase-<i>-<ns>`.
    Mirror,
    /// A step started on its own (`execute_step`): `exec-<step>-<ns>`. Inside a full run the same
    /// spelling is only a terminal owner, with no row behind it.
    Step,
    /// A message-sequence item, run inline by its container: `msgseq-<step>-<item>-<ns>`.
    Item,
    /// Background work with its own cancel: `bg-…`, `review-…`, `kb-…`, `recover-…`, `delegation-…`.
    Agent,
    /// A sub-agent of a todo step, with its own cancel: `todo-…`.
    SubAgent,
    /// None of the known spellings.
    #[default]
    Unknown,
}

words! {
    /// What a row of the registries is.
    pub enum RowKind {
        /// One message being worked on.
        Turn = "turn",
        /// A full run, or a run in orchestrator mode.
        Run = "run",
        /// A full evaluation.
        Evaluation = "evaluation",
        /// A step of the plan.
        Step = "step",
        /// An item of a message sequence.
        Item = "item",
        /// A row that only shows progress.
        Mirror = "mirror",
        /// Background work with its own cancel.
        Agent = "agent",
        /// A sub-agent of a todo step.
        SubAgent = "sub_agent" as "sub-agent",
    }
}

impl RowKind {
    /// The kind of a row with such an id. A row whose id has no known spelling is taken for background work.
    #[must_use]
    pub fn of(kind: IdKind) -> Self {
        match kind {
            IdKind::Turn | IdKind::SyntheticTurn => Self::Turn,
            IdKind::Run => Self::Run,
            IdKind::Evaluation => Self::Evaluation,
            IdKind::Mirror => Self::Mirror,
            IdKind::Step => Self::Step,
            IdKind::Item => Self::Item,
            IdKind::SubAgent => Self::SubAgent,
            IdKind::Agent | IdKind::Unknown => Self::Agent,
        }
    }
}

impl IdKind {
    /// Classifies an execution id by its spelling.
    #[must_use]
    pub fn of(id: &str) -> Self {
        if ["query_", "live-turn:", "main:", "turn:"].iter().any(|prefix| id.starts_with(prefix)) {
            return Self::Turn;
        }
        if id.starts_with("synthetic-turn:") {
            return Self::SyntheticTurn;
        }
        if id.starts_with("workflow-full-") || id.starts_with("eval-full-") {
            return match (container_of_mirror(id), id.starts_with("eval-full-")) {
                (Some(_), _) => Self::Mirror,
                (None, true) => Self::Evaluation,
                (None, false) => Self::Run,
            };
        }
        if container_of_mirror(id).is_some() {
            return Self::Mirror;
        }
        for (prefix, kind) in [
            ("msgseq-", Self::Item),
            ("exec-", Self::Step),
            ("todo-", Self::SubAgent),
            ("bg-", Self::Agent),
            ("review-", Self::Agent),
            ("kb-", Self::Agent),
            ("recover-", Self::Agent),
            ("delegation-", Self::Agent),
        ] {
            if id.starts_with(prefix) {
                return kind;
            }
        }
        Self::Unknown
    }

    /// Whether a registry row of this kind holds a cancel function of its own
    /// (server-behaviour.md#who-holds-a-cancel: items and mirrors never do; a turn's cancel is kept
    /// elsewhere).
    #[must_use]
    pub fn has_own_cancel(self) -> bool {
        matches!(self, Self::Run | Self::Evaluation | Self::Step | Self::Agent | Self::SubAgent)
    }

    /// Whether the id names a turn of either kind.
    #[must_use]
    pub fn is_turn(self) -> bool {
        matches!(self, Self::Turn | Self::SyntheticTurn)
    }

    /// Whether the id names a container that other rows run in (a run or an evaluation).
    #[must_use]
    pub fn is_run(self) -> bool {
        matches!(self, Self::Run | Self::Evaluation)
    }
}

/// The container of a mirror id: the part before `-step-<n>-<token>` or `-execution-phase-<i>-<ns>`.
///
/// The last such part counts, since a run folder inside an `eval-full-` id may itself hold `-step-`.
#[must_use]
pub fn container_of_mirror(id: &str) -> Option<&str> {
    if !(id.starts_with("workflow-full-") || id.starts_with("eval-full-") || id.starts_with("exec-")) {
        return None;
    }
    for marker in ["-execution-phase-", "-step-"] {
        if let Some(at) = id.rfind(marker) {
            let rest = &id[at + marker.len()..];
            let (number, token) = rest.split_once('-')?;
            let numeric = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let plain = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
            // `exec-` ids end in nanoseconds, so `exec-my-step-2-<ns>` is a step named `my-step-2`.
            let is_step_id = id.starts_with("exec-") && nanoseconds(id).is_some();
            if numeric && plain && !is_step_id {
                return Some(&id[..at]);
            }
        }
    }
    None
}

/// The unix nanoseconds (UTC) that an id ends with, or carries in a tmux name; `None` where it carries none.
#[must_use]
pub fn nanoseconds(id: &str) -> Option<i64> {
    let mut end = id.len();
    for part in id.rsplit(['-', '_', ':']) {
        if part.len() == 19 && part.bytes().all(|byte| byte.is_ascii_digit()) {
            return part.parse().ok();
        }
        // Only a trailing token (the eight hex digits of a tmux name) may follow the number.
        if end != id.len() {
            return None;
        }
        end -= part.len();
    }
    None
}

/// The id that stands for a turn which a log does not name: its session and when it began.
#[must_use]
pub fn made_up_turn(session: &str, began: &str) -> String {
    format!("turn:{session}@{began}")
}

/// Whether an id is one of [`made_up_turn`], which no server knows.
#[must_use]
pub fn is_made_up_turn(id: &str) -> bool {
    id.starts_with("turn:") && id.contains('@')
}

/// Whether a session id is a schedule's (`schedule-…`, before 2026-04-23 `sched_…`).
#[must_use]
pub fn is_schedule_session(session: &str) -> bool {
    session.starts_with("schedule-") || session.starts_with("sched_")
}

/// The step's execution id in a step pane's terminal or owner id:
/// `exec-<step>-<ns>` of `<session>:workflow-step:exec-<step>-<ns>:<step>`.
#[must_use]
pub fn step_of_terminal(terminal: &str) -> Option<&str> {
    let (_, owner) = terminal.split_once("workflow-step:")?;
    owner.split(':').next().filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Spellings: server-behaviour.md#ids; server-behaviour.md#parents-and-steps.
    #[test]
    fn kinds_follow_the_spelling() {
        for (id, kind) in [
            ("query_1796008496789106013", IdKind::Turn),
            ("synthetic-turn:steer-message-1796008496789106013", IdKind::SyntheticTurn),
            ("workflow-full-mx2p37yb01", IdKind::Run),
            ("workflow-full-mx2p37yb01-step-0-mx2p37yc02", IdKind::Mirror),
            ("workflow-full-mx2p37yb01-execution-phase-0-1796008496789106013", IdKind::Mirror),
            ("eval-full-iteration-0/group-1-1796008496789106013", IdKind::Evaluation),
            ("eval-full-iteration-0/group-1-1796008496789106013-step-0-ab12", IdKind::Mirror),
            ("exec-collect-invoices-1796008500111869424", IdKind::Step),
            ("exec-my-step-2-1796008500111869424", IdKind::Step),
            ("msgseq-collect-invoices-fetch-1796008500334093566", IdKind::Item),
            ("todo-generic-1-1796008500334093566", IdKind::SubAgent),
            ("bg-audit-81177", IdKind::Agent),
            ("review-plan-12345", IdKind::Agent),
            ("something", IdKind::Unknown),
        ] {
            assert_eq!(IdKind::of(id), kind, "{id}");
        }
    }

    #[test]
    fn nanoseconds_are_read_from_the_end_or_before_a_tmux_token() {
        assert_eq!(nanoseconds("query_1796008496789106013"), Some(1_796_008_496_789_106_013));
        assert_eq!(
            nanoseconds("mlp-claude-code-1796008496981901085-646b8941"),
            Some(1_796_008_496_981_901_085)
        );
        assert_eq!(nanoseconds("workflow-full-mx2p37yb01"), None);
        assert_eq!(nanoseconds("a-1796008496981901085-b-c"), None);
        assert_eq!(nanoseconds(""), None);
    }

    #[test]
    fn a_step_pane_names_its_step() {
        assert_eq!(
            step_of_terminal("s:workflow-step:exec-collect-1796008500111869424:collect"),
            Some("exec-collect-1796008500111869424")
        );
        assert_eq!(step_of_terminal("s:main:s"), None);
    }
}
