//! What the dry run assumes to happen. Owns the names of the triggers; knows nothing of their effects.

use crate::model::words::words;

words! {
    /// The state of the pane whose death is assumed.
    #[derive(Default)]
    pub enum PaneState {
        /// The tmux pane is gone.
        #[default]
        Missing = "missing",
        /// The pane is there, its process has ended.
        Dead = "dead",
        /// The pane shows a usage wall in two polls of the watchdog.
        Wall = "wall",
    }
}

words! {
    /// The kinds of triggers.
    pub enum TriggerKind {
        /// A person stops a session over HTTP.
        Stop = "stop",
        /// A person cancels the turn of a session.
        CancelTurn = "cancel_turn",
        /// A person stops a schedule's running job.
        ScheduleStop = "schedule_stop",
        /// The watchdog finds a pane missing, dead or at a usage wall.
        TerminalDeath = "terminal_death",
        /// An operator kills a terminal.
        KillTerminal = "kill_terminal",
        /// An agent stops one execution by its tool.
        StopStep = "stop_step",
        /// An agent stops all executions of its session by its tool.
        StopAll = "stop_all",
        /// The server gets SIGTERM.
        Shutdown = "shutdown",
        /// A person hides a session.
        Dismiss = "dismiss",
        /// A person erases a session's history.
        Clear = "clear",
    }
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// A person stops a session over HTTP.
    Stop {
        /// The session.
        session: String,
        /// `cancelAgents=true`: the button Stop; without it a closed tab.
        agents: bool,
    },
    /// A person cancels the turn of a session.
    CancelTurn {
        /// The session.
        session: String,
    },
    /// A person stops a schedule's running job.
    ScheduleStop {
        /// The job's session.
        session: String,
    },
    /// The watchdog finds a pane missing, dead or at a usage wall.
    TerminalDeath {
        /// The session.
        session: String,
        /// The terminal; `None` is the session's main terminal.
        terminal: Option<String>,
        /// What the watchdog finds.
        pane: PaneState,
    },
    /// An operator kills a terminal.
    KillTerminal {
        /// The terminal.
        terminal: String,
    },
    /// An agent stops one execution by its tool.
    StopStep {
        /// The execution.
        target: String,
    },
    /// An agent stops all executions of its session by its tool.
    StopAll {
        /// The session.
        session: String,
    },
    /// The server gets SIGTERM.
    Shutdown,
    /// A person hides a session.
    Dismiss {
        /// The session.
        session: String,
    },
    /// A person erases a session's history.
    Clear {
        /// The session.
        session: String,
    },
}

impl Trigger {
    /// Which of the kinds it is.
    #[must_use]
    pub fn kind(&self) -> TriggerKind {
        match self {
            Self::Stop { .. } => TriggerKind::Stop,
            Self::CancelTurn { .. } => TriggerKind::CancelTurn,
            Self::ScheduleStop { .. } => TriggerKind::ScheduleStop,
            Self::TerminalDeath { .. } => TriggerKind::TerminalDeath,
            Self::KillTerminal { .. } => TriggerKind::KillTerminal,
            Self::StopStep { .. } => TriggerKind::StopStep,
            Self::StopAll { .. } => TriggerKind::StopAll,
            Self::Shutdown => TriggerKind::Shutdown,
            Self::Dismiss { .. } => TriggerKind::Dismiss,
            Self::Clear { .. } => TriggerKind::Clear,
        }
    }

    /// The session that it names; `None` where it names none.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Stop { session, .. }
            | Self::CancelTurn { session }
            | Self::ScheduleStop { session }
            | Self::TerminalDeath { session, .. }
            | Self::StopAll { session }
            | Self::Dismiss { session }
            | Self::Clear { session } => Some(session),
            Self::KillTerminal { .. } | Self::StopStep { .. } | Self::Shutdown => None,
        }
    }

    /// The terminal that it names.
    #[must_use]
    pub fn terminal(&self) -> Option<&str> {
        match self {
            Self::TerminalDeath { terminal, .. } => terminal.as_deref(),
            Self::KillTerminal { terminal } => Some(terminal),
            _ => None,
        }
    }

    /// The execution that it names.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::StopStep { target } => Some(target),
            _ => None,
        }
    }
}
