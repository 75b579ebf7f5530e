//! What the server can do to a session, and why. Data only.

use crate::model::terminal::Terminal;

/// Why the server cancels all work of a session (server-behaviour.md#stops-by-a-person).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The main pane is missing or dead.
    PaneLost,
    /// The main pane shows a usage wall.
    UsageWall,
    /// An operator killed the main pane.
    OperatorKill,
    /// A person stopped the schedule's job.
    ScheduleStop,
}

/// What the server does to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action<'a> {
    /// Nothing to any row.
    Nothing,
    /// The turn cancel is called.
    CancelTurn,
    /// `/api/session/stop`.
    StopSession { agents: bool },
    /// The session sweep that terminal death and schedule stop share.
    RuntimeCancel { cause: Cause },
    /// A turn that the server manages ends by itself with its pane.
    FirstTurnDeath,
    /// A pane that is not the main one dies: the rows that its record names are failed.
    FailChild { terminal: &'a Terminal, targets: Vec<&'a str>, unsure: Vec<&'a str> },
    /// One execution is cancelled.
    StopStep { target: &'a str },
    /// All executions of the session are cancelled.
    StopAll,
    /// The process ends.
    Shutdown,
    /// The session is hidden; the reaper closes its panes.
    Dismiss,
    /// The session's history is erased.
    Clear,
}

impl Action<'_> {
    /// Whether the session is marked as stopped, so that nothing new may begin in it
    /// (server-behaviour.md#the-mark-stopped).
    pub(super) fn sets_guard(&self) -> bool {
        matches!(self, Self::StopSession { .. } | Self::RuntimeCancel { .. })
    }

    /// Whether it can end anything but a turn.
    pub(super) fn touches_executions(&self) -> bool {
        match self {
            Self::Nothing | Self::CancelTurn | Self::FirstTurnDeath | Self::Dismiss | Self::Clear => false,
            Self::FailChild { targets, unsure, .. } => !targets.is_empty() || !unsure.is_empty(),
            Self::StopSession { .. }
            | Self::RuntimeCancel { .. }
            | Self::StopStep { .. }
            | Self::StopAll
            | Self::Shutdown => true,
        }
    }

    /// Whether the rows of turns that end with their pane are settled before the tracked rows are swept, so that the
    /// sweep does not count them (server-behaviour.md#turns-in-a-live-pane).
    pub(super) fn settles_turns_first(&self) -> bool {
        matches!(self, Self::RuntimeCancel { cause } if *cause != Cause::ScheduleStop)
    }

    /// Whether it is not meant for what the session merely watches
    /// (server-behaviour.md#what-a-stop-does-to-a-row: collateral).
    pub(super) fn is_incidental(&self) -> bool {
        match self {
            Self::RuntimeCancel { cause } => *cause != Cause::ScheduleStop,
            Self::StopSession { agents } => !agents,
            Self::FailChild { .. } => true,
            _ => false,
        }
    }
}
