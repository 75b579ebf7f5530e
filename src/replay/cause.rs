//! Why a stop happened.

/// Why a stop happened; the names are those of formats.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// HTTP stop of a session.
    UserStop,
    /// Stop of a running schedule.
    ScheduleStop,
    /// The main pane disappeared or exited.
    TerminalDeath,
    /// The main pane sat on a usage limit.
    UsageWall,
    /// An operator killed or failed the main terminal.
    OperatorKill,
    /// A child's pane died.
    ChildTerminalDeath,
    /// The agent's own `stop_step` or `stop_all_executions`.
    AgentStopTool,
    /// A person cancelled the turn only.
    CancelTurn,
    /// The server shut down.
    Shutdown,
    /// Any other.
    Other,
}

impl Cause {
    /// The name in every format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserStop => "user_stop",
            Self::ScheduleStop => "schedule_stop",
            Self::TerminalDeath => "terminal_death",
            Self::UsageWall => "usage_wall",
            Self::OperatorKill => "operator_kill",
            Self::ChildTerminalDeath => "child_terminal_death",
            Self::AgentStopTool => "agent_stop_tool",
            Self::CancelTurn => "cancel_turn",
            Self::Shutdown => "shutdown",
            Self::Other => "other",
        }
    }

    /// The name for a person.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::UserStop => "user stop",
            Self::ScheduleStop => "schedule stop",
            Self::TerminalDeath => "terminal death",
            Self::UsageWall => "usage wall",
            Self::OperatorKill => "operator kill",
            Self::ChildTerminalDeath => "child terminal death",
            Self::AgentStopTool => "agent's stop tool",
            Self::CancelTurn => "cancel turn",
            Self::Shutdown => "shutdown",
            Self::Other => "other cancel",
        }
    }

    /// The cause that a `begin runtime cancel` or a reconcile line gives (measured, section 9).
    #[must_use]
    pub fn from_reason(reason: &str, phase: &str) -> Self {
        if phase == "canceled" {
            return if reason.starts_with("scheduled job stopped") {
                Self::ScheduleStop
            } else {
                Self::Other
            };
        }
        if reason.starts_with("tmux pane ") || reason.starts_with("retained ") {
            Self::TerminalDeath
        } else if reason.contains("has reached its usage limit") {
            Self::UsageWall
        } else if reason.starts_with("killed by operator") || reason.starts_with("failed by operator") {
            Self::OperatorKill
        } else {
            Self::Other
        }
    }

    /// Whether a person wanted the session's work to end: a stop that must hold.
    #[must_use]
    pub fn is_person_stop(self) -> bool {
        matches!(self, Self::UserStop | Self::ScheduleStop)
    }

    /// Whether the sweep took everything under the session although only its main terminal was concerned.
    #[must_use]
    pub fn is_incidental(self) -> bool {
        matches!(self, Self::TerminalDeath | Self::UsageWall | Self::OperatorKill)
    }
}
