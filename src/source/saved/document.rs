//! The shape of `pulsectl.snapshot/1`. Fields may be added; none is renamed or removed without a new number.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use super::rows::{
    BackgroundRow, Browser, EventNode, Execution, Metadata, Parent, RunningRow, Terminal, TrackedRow,
};

/// Name and version of the format.
pub const SCHEMA: &str = "pulsectl.snapshot/1";

/// What is never in a saved snapshot.
pub const REMOVED: [&str; 4] = [
    "what people wrote: messages, names of turns, titles of chats, questions to people (their length is kept)",
    "words of failures (their length is kept)",
    "contents of panes, results, prompts",
    "tokens",
];

/// A snapshot as a document.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "pulsectl.snapshot/1")]
pub struct Document {
    /// Always `pulsectl.snapshot/1`.
    #[schemars(extend("const" = "pulsectl.snapshot/1"))]
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// Whether everything that was asked for was read and decoded.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: Vec<Gap>,
    /// What the snapshot was made from.
    pub source: Origin,
    /// The moment, by the server's clock.
    pub as_of: Option<String>,
    /// When each source was read.
    pub read_at: BTreeMap<String, String>,
    /// What was taken out.
    pub removed: Vec<String>,
    /// The server itself.
    pub server: Server,
    /// Sessions, by id.
    pub sessions: Vec<Session>,
    /// Executions, by session and id.
    pub executions: Vec<Execution>,
    /// Terminals, by session and id.
    pub terminals: Vec<Terminal>,
    /// Rows of `/workflow/running`; null where that was not read.
    pub running: Option<Vec<RunningRow>>,
    /// Headless browsers; null where they were not read.
    pub browsers: Option<Vec<Browser>>,
    /// Nodes that only the server's tree shows.
    pub event_nodes: Vec<EventNode>,
    /// Sessions whose tree was read.
    pub trees_read: Vec<String>,
}

/// Who wrote a document.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tool {
    /// Always `pulsectl`.
    pub name: String,
    /// The program's version.
    pub version: String,
}

/// A gap.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Gap {
    /// Its kind.
    pub code: String,
    /// In words.
    pub message: String,
    /// The session that it concerns; null for all.
    pub session: Option<String>,
}

/// What a snapshot was made from.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Origin {
    /// `server`, `snapshot`, `recorded`, `log`.
    pub kind: String,
    /// The server's address.
    pub address: Option<String>,
    /// The file or folder; of several logs the first.
    pub path: Option<String>,
    /// The logs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Which version the server's stop behaviour is taken to be.
    pub server_version: String,
    /// `probe`, `option`, `assumed`.
    pub server_version_source: String,
}

/// A value and where it comes from.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// How it is known.
    pub from: String,
}

/// A name, or the length of what a person wrote.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Label {
    /// A name that the server or a workflow gives.
    Plain(String),
    /// What a person wrote; it is not in here.
    Removed {
        /// Its length in bytes.
        removed_bytes: u64,
    },
}

/// The server itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Server {
    /// Version of its provider library.
    pub provider_library: Option<Fact<String>>,
    /// Whether trees and terminals can be read.
    pub debug_gate_open: Option<Fact<bool>>,
    /// Whether people log in with their own names.
    pub multi_user: Option<Fact<bool>>,
    /// Who the caller was.
    pub user: Option<Fact<User>>,
    /// Whether all schedules are paused.
    pub schedules_paused: Option<Fact<bool>>,
    /// Whether it has the later external tools API.
    pub external_tools: Option<bool>,
}

/// An account.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct User {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Access to workflows.
    pub workflow_access: Option<String>,
}

/// A session.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Where the facts that are not the runtime snapshot's come from.
    pub from: String,
    /// Title.
    pub title: Option<Label>,
    /// Last message.
    pub query: Option<Label>,
    /// Workflow.
    pub workflow: Option<String>,
    /// Workflow folder.
    pub workflow_path: Option<String>,
    /// Status in the list.
    pub status: Option<String>,
    /// Status as shown to people.
    pub display_status: Option<String>,
    /// When it was created.
    pub created_at: Option<String>,
    /// When it last did something.
    pub last_activity: Option<String>,
    /// Agent mode.
    pub agent_mode: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// Parent chat.
    pub parent_session: Option<String>,
    /// Owner.
    pub user: Option<Fact<String>>,
    /// Agents that the list says are running.
    pub running_agents_listed: Option<u64>,
    /// Whether the list says that a pane is kept alive.
    pub retained_pane_listed: Option<bool>,
    /// Who is asked for input.
    pub waiting: Option<Waiting>,
    /// Whether the waiting state was read.
    pub waiting_known: bool,
    /// The runtime snapshot.
    pub runtime: Option<Runtime>,
    /// The foreground turn as a log tells it.
    pub logged_foreground: Option<Fact<Foreground>>,
    /// Whether a stop was recognised otherwise.
    pub stopped_guard: Option<Fact<bool>>,
    /// Whether the runtime snapshot is frozen by a stop; null where that is not known. For readers only.
    pub frozen: Option<bool>,
}

/// A foreground turn.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Foreground {
    /// The busy flag.
    pub busy: bool,
    /// It has a cancel.
    pub has_cancel: bool,
    /// A live agent takes input.
    pub can_steer: bool,
    /// It was started by the server.
    pub synthetic: bool,
}

/// A question to a person.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Waiting {
    /// Its kind.
    pub event_type: Option<String>,
    /// The question.
    pub message: Option<Label>,
    /// Since when.
    pub since: Option<String>,
}

/// A runtime snapshot without its rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Runtime {
    /// Counts restarts by a message.
    pub generation: u64,
    /// Grows with every change.
    pub revision: u64,
    /// Phase.
    pub phase: String,
    /// Why that phase.
    pub reason: Option<String>,
    /// Status of the session's own row.
    pub raw_status: Option<String>,
    /// The busy flag of the foreground turn.
    pub busy: bool,
    /// The foreground turn has a cancel.
    pub has_cancel: bool,
    /// A live agent takes input.
    pub can_steer: bool,
    /// The turn was started by the server.
    pub synthetic: bool,
    /// An agent runs or ended a moment ago.
    pub background_live: Option<bool>,
    /// A live pane looks busy.
    pub terminal_busy: Option<bool>,
    /// A row was still running in it.
    pub row_running: bool,
    /// When it last changed.
    pub changed_at: Option<String>,
    /// Where it comes from.
    pub from: String,
}
