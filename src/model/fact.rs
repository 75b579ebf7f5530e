//! How the snapshot says what it knows: facts with their source, judgements that may stay open, text that
//! people wrote, and gaps. Owns no subject matter.

use std::borrow::Cow;

/// Where a fact comes from. When a source was read stands in [`super::snapshot::Snapshot::read_at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The list of sessions (`GET /api/sessions/active`), without its runtime snapshots.
    SessionList,
    /// A session's runtime snapshot (pulse-api, section 3), from whichever answer held the newest one.
    RuntimeState,
    /// The server's own tree of one session; behind the debug gate.
    ExecutionTree,
    /// The list of terminals; behind the debug gate.
    TerminalList,
    /// The stored record of one session's main terminal.
    MainTerminal,
    /// The list of running top-level executions (`/workflow/running`).
    RunningList,
    /// The list of headless browsers.
    BrowserList,
    /// The scheduler's global settings.
    SchedulerConfig,
    /// The first frame of a session's event stream.
    EventStream,
    /// The server's health answer.
    Health,
    /// The server's capabilities answer.
    Capabilities,
    /// The server's login mode.
    AuthMode,
    /// Who the server says the caller is.
    Identity,
    /// A line of a log.
    Log {
        /// Which of the logs, by its place in the snapshot's source.
        input: u16,
        /// Line number, from 1.
        line: u64,
    },
    /// Not read anywhere but inferred.
    Rule(Rule),
    /// Said by the person who runs pulsectl, or written by hand in a test.
    Given,
}

impl Source {
    /// The name that the machine formats and messages use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionList => "sessions/active",
            Self::RuntimeState => "runtime_state",
            Self::ExecutionTree => "execution-tree",
            Self::TerminalList => "terminals",
            Self::MainTerminal => "main-terminal",
            Self::RunningList => "workflow/running",
            Self::BrowserList => "browser/sessions",
            Self::SchedulerConfig => "scheduler/config",
            Self::EventStream => "events/stream",
            Self::Health => "health",
            Self::Capabilities => "capabilities",
            Self::AuthMode => "auth/mode",
            Self::Identity => "auth/me",
            Self::Log { .. } => "log",
            Self::Rule(rule) => rule.name(),
            Self::Given => "given",
        }
    }
}

/// An inference that fills a fact of the snapshot. The graph's and the plan's own rules are theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The spelling of an id tells it (stop-model, sections 1.2 and 3).
    IdSpelling,
    /// The row runs in a frozen snapshot, so `/workflow/running` decides (measured, section 11).
    FrozenRow,
    /// The newest time in any answer stands for the moment of reading, since no answer told the server's clock.
    NewestTime,
}

impl Rule {
    /// The name that the machine formats use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::IdSpelling => "rule:id-spelling",
            Self::FrozenRow => "rule:frozen-row",
            Self::NewestTime => "rule:newest-time",
        }
    }

    /// Every rule.
    pub const ALL: [Self; 3] = [Self::IdSpelling, Self::FrozenRow, Self::NewestTime];
}

/// A value together with where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// How it is known.
    pub source: Source,
}

impl<T> Fact<T> {
    /// A fact from this source.
    pub fn new(value: T, source: Source) -> Self {
        Self { value, source }
    }
}

/// An answer to a yes-or-no question that may stay open. Open is never taken for "no".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// It is so, for this reason.
    Yes(&'static str),
    /// It is not so.
    No,
    /// It cannot be told, for this reason.
    Unknown(&'static str),
}

impl Judgement {
    /// Whether it is known to be so.
    #[must_use]
    pub fn is_yes(self) -> bool {
        matches!(self, Self::Yes(_))
    }

    /// Whether it is known not to be so.
    #[must_use]
    pub fn is_no(self) -> bool {
        self == Self::No
    }

    /// `Some(true)`, `Some(false)`, or `None` for unknown.
    #[must_use]
    pub fn as_option(self) -> Option<bool> {
        match self {
            Self::Yes(_) => Some(true),
            Self::No => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

/// A name or a text, which may be something that a person wrote to an agent.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A name that the server or a workflow gives.
    Plain(String),
    /// What a person wrote (a message, or a title made of one); masked unless asked for (formats, section 1).
    Written(String),
    /// What a person wrote, already taken out of a saved snapshot; only its length in bytes is left.
    Removed(u64),
}

impl Label {
    /// The text to show: as it is, or `<masked 412 bytes>`, `<removed 412 bytes>` in place of what people wrote.
    #[must_use]
    pub fn shown(&self, show_content: bool) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Written(text) if show_content => Cow::Borrowed(text),
            Self::Written(text) => Cow::Owned(format!("<masked {} bytes>", text.len())),
            Self::Removed(bytes) => Cow::Owned(format!("<removed {bytes} bytes>")),
        }
    }

    /// The text of a name that the server or a workflow gives; `None` for what a person wrote.
    #[must_use]
    pub fn plain(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Written(_) | Self::Removed(_) => None,
        }
    }
}

/// Never shows what people wrote, so that a debug print cannot leak it.
impl std::fmt::Debug for Label {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", self.shown(false))
    }
}

/// Something that was not read, not decoded or not certain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap {
    /// What kind of gap.
    pub code: GapCode,
    /// The session that it concerns; `None` for all.
    pub session: Option<String>,
    /// What is missing and why, as a sentence fragment for a person.
    pub message: String,
}

/// The kinds of gaps; the names are those of the machine formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GapCode {
    /// The server's execution tree is not to be had (debug gate closed, or not recorded).
    NoTree,
    /// The list of terminals is not to be had (debug gate closed, or not recorded).
    NoTerminals,
    /// The record of a main terminal was not read.
    NoMainTerminal,
    /// The list shows a session without its runtime snapshot, so nothing is known of its rows.
    NoRuntimeState,
    /// `/workflow/running` was not read.
    NoRunningList,
    /// The list of browsers was not read.
    NoBrowsers,
    /// Two answers about the same session come from different moments, also after reading again.
    RevisionsDisagree,
    /// An answer came but could not be read or decoded.
    UnreadableAnswer,
    /// An id that the server listed cannot be asked for (it holds a slash).
    UnaskableId,
    /// An answer names the same row twice; one of the two was dropped.
    DuplicateRow,
    /// A log was read, and no log tells of these things.
    NotLogged,
    /// The log begins in mid-process, so rows from before it are hidden.
    LogBegins,
    /// The log ends or has a hole where the answer would need it.
    LogHole,
}

impl GapCode {
    /// Every code.
    pub const ALL: [Self; 13] = [
        Self::NoTree,
        Self::NoTerminals,
        Self::NoMainTerminal,
        Self::NoRuntimeState,
        Self::NoRunningList,
        Self::NoBrowsers,
        Self::RevisionsDisagree,
        Self::UnreadableAnswer,
        Self::UnaskableId,
        Self::DuplicateRow,
        Self::NotLogged,
        Self::LogBegins,
        Self::LogHole,
    ];

    /// The name that the machine formats use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoTree => "no_tree",
            Self::NoTerminals => "no_terminals",
            Self::NoMainTerminal => "no_main_terminal",
            Self::NoRuntimeState => "no_runtime_state",
            Self::NoRunningList => "no_running_list",
            Self::NoBrowsers => "no_browsers",
            Self::RevisionsDisagree => "stale_snapshot",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::UnaskableId => "unaskable_id",
            Self::DuplicateRow => "duplicate_row",
            Self::NotLogged => "not_logged",
            Self::LogBegins => "log_begins_in_mid_process",
            Self::LogHole => "log_hole",
        }
    }

    /// Whether the answer is incomplete because of it (exit code 7). A closed debug gate and what a command
    /// did not need to read are gaps, but not incomplete; nor is a log that begins in mid-process
    /// (formats, section 5).
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        matches!(
            self,
            Self::NoRuntimeState
                | Self::RevisionsDisagree
                | Self::UnreadableAnswer
                | Self::UnaskableId
                | Self::DuplicateRow
        )
    }
}
