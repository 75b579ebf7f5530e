//! What the dry run assumes to happen. Owns the names of the triggers; knows nothing of their effects.

/// The state of the pane whose death is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum PaneState {
    /// The tmux pane is gone.
    #[default]
    Missing,
    /// The pane is there, its process has ended.
    Dead,
    /// The pane shows a usage wall in two polls of the watchdog.
    Wall,
}

impl PaneState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Missing, Self::Dead, Self::Wall];

    /// The name on the command line and in the machine formats.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Dead => "dead",
            Self::Wall => "wall",
        }
    }
}

/// A trigger (formats, section 3).
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
    /// The name in the machine formats.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stop { .. } => "stop",
            Self::CancelTurn { .. } => "cancel_turn",
            Self::ScheduleStop { .. } => "schedule_stop",
            Self::TerminalDeath { .. } => "terminal_death",
            Self::KillTerminal { .. } => "kill_terminal",
            Self::StopStep { .. } => "stop_step",
            Self::StopAll { .. } => "stop_all",
            Self::Shutdown => "shutdown",
            Self::Dismiss { .. } => "dismiss",
            Self::Clear { .. } => "clear",
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
