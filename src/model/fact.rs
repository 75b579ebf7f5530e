//! How the snapshot says what it knows: facts with their source, judgements that may stay open, text that
//! people wrote. Owns no subject matter.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::words::words;

/// Where a fact comes from. When a source was read stands in [`super::snapshot::Snapshot::read_at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The list of sessions (`GET /api/sessions/active`), without its runtime snapshots.
    SessionList,
    /// A session's runtime snapshot (server-behaviour.md#what-a-client-can-read), from whichever answer held
    /// the newest one.
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

/// Those that are always the same; a line of a log is not among them.
const PLAIN: [Source; 14] = [
    Source::SessionList,
    Source::RuntimeState,
    Source::ExecutionTree,
    Source::TerminalList,
    Source::MainTerminal,
    Source::RunningList,
    Source::BrowserList,
    Source::SchedulerConfig,
    Source::EventStream,
    Source::Health,
    Source::Capabilities,
    Source::AuthMode,
    Source::Identity,
    Source::Given,
];

/// Its name; of a line of a log also which one: `log:<input>:<line>`.
impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log { input, line } => write!(formatter, "log:{input}:{line}"),
            source => formatter.write_str(source.name()),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(input)?;
        let line_of_log = || {
            let (input, line) = name.strip_prefix("log:")?.split_once(':')?;
            Some(Self::Log { input: input.parse().ok()?, line: line.parse().ok()? })
        };
        let all = PLAIN.into_iter().chain(Rule::ALL.map(Self::Rule));
        let found = all.into_iter().find(|source| source.name() == name).or_else(line_of_log);
        found.ok_or_else(|| D::Error::custom(format!("`{name}` is no source of a fact")))
    }
}

impl JsonSchema for Source {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

words! {
    /// An inference that fills a fact of the snapshot. The graph's and the plan's own rules are theirs.
    pub enum Rule {
        /// The spelling of an id tells it.
        IdSpelling = "rule:id-spelling",
        /// The row runs in a frozen snapshot, so `/workflow/running` decides.
        FrozenRow = "rule:frozen-row",
        /// The newest time in any answer stands for the moment of reading, since no answer told the server's clock.
        NewestTime = "rule:newest-time",
    }
}

/// A value together with where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// How it is known.
    #[serde(rename = "from")]
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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "SavedLabel", from = "SavedLabel")]
pub enum Label {
    /// A name that the server or a workflow gives.
    Plain(String),
    /// What a person wrote (a message, or a title made of one); masked unless asked for.
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

/// A name, or the length of what a person wrote: nothing that is saved holds more of it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Label")]
enum SavedLabel {
    /// A name that the server or a workflow gives.
    Plain(String),
    /// What a person wrote; it is not in here.
    Removed {
        /// Its length in bytes.
        removed_bytes: u64,
    },
}

impl From<Label> for SavedLabel {
    fn from(label: Label) -> Self {
        match label {
            Label::Plain(text) => Self::Plain(text),
            Label::Written(text) => Self::Removed { removed_bytes: text.len() as u64 },
            Label::Removed(removed_bytes) => Self::Removed { removed_bytes },
        }
    }
}

impl From<SavedLabel> for Label {
    fn from(label: SavedLabel) -> Self {
        match label {
            SavedLabel::Plain(text) => Self::Plain(text),
            SavedLabel::Removed { removed_bytes } => Self::Removed(removed_bytes),
        }
    }
}

impl JsonSchema for Label {
    fn schema_name() -> Cow<'static, str> {
        SavedLabel::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SavedLabel::json_schema(generator)
    }
}

/// Never shows what people wrote, so that a debug print cannot leak it.
impl fmt::Debug for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.shown(false))
    }
}
