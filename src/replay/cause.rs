//! Why a stop happened.

use crate::model::words::words;

words! {
    /// Why a stop happened.
    pub enum Cause {
        /// HTTP stop of a session.
        UserStop = "user_stop" as "user stop",
        /// Stop of a running schedule.
        ScheduleStop = "schedule_stop" as "schedule stop",
        /// The main pane disappeared or exited.
        TerminalDeath = "terminal_death" as "terminal death",
        /// The main pane sat on a usage limit.
        UsageWall = "usage_wall" as "usage wall",
        /// An operator killed or failed the main terminal.
        OperatorKill = "operator_kill" as "operator kill",
        /// A child's pane died.
        ChildTerminalDeath = "child_terminal_death" as "child terminal death",
        /// The agent's own `stop_step` or `stop_all_executions`.
        AgentStopTool = "agent_stop_tool" as "agent's stop tool",
        /// A person cancelled the turn only.
        CancelTurn = "cancel_turn" as "cancel turn",
        /// The server shut down.
        Shutdown = "shutdown",
        /// Any other.
        Other = "other" as "other cancel",
    }
}

impl Cause {
    /// The cause that a `begin runtime cancel` or a reconcile line gives
    /// (server-behaviour.md#reading-a-stop-from-a-log).
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
