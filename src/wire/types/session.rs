//! Answers about sessions: the list, runtime snapshots, trees, running executions.

use serde::Deserialize;

use super::rows::{Row, Rows, Told};
use super::time::{Time, nullable};

/// The foreground turn of a runtime snapshot.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Foreground {
    /// The busy flag.
    #[serde(deserialize_with = "nullable")]
    pub busy: bool,
    /// A turn cancel is registered.
    #[serde(deserialize_with = "nullable")]
    pub has_cancel: bool,
    /// A live agent takes input.
    #[serde(deserialize_with = "nullable")]
    pub can_steer: bool,
    /// Started by the server.
    #[serde(deserialize_with = "nullable")]
    pub synthetic: bool,
}

/// A row of a runtime snapshot's `child_executions`: the tracked registry.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ChildExecution {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub execution_id: String,
    /// Kind as stored.
    pub kind: Option<String>,
    /// Status.
    #[serde(deserialize_with = "nullable")]
    pub status: String,
    /// When it was registered.
    pub started_at: Time,
    /// When it ended.
    pub completed_at: Time,
}

/// A row of a runtime snapshot's `background_agents`: the background-agent registry.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BackgroundAgent {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub agent_id: String,
    /// Status.
    #[serde(deserialize_with = "nullable")]
    pub status: String,
    /// When it was registered.
    pub created_at: Time,
    /// When it ended.
    pub completed_at: Time,
}

/// A row of a runtime snapshot's `terminals`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct RuntimeTerminal {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub terminal_id: String,
    /// The execution that it shows.
    pub execution_id: Option<String>,
    /// State of the work in it.
    pub state: Option<String>,
    /// Whether it is active.
    pub active: Option<bool>,
    /// Whether there is a tmux pane behind it.
    pub has_tmux: Option<bool>,
    /// When it last changed.
    pub updated_at: Time,
}

/// A runtime snapshot.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct RuntimeState {
    /// Counts restarts by a message.
    #[serde(deserialize_with = "nullable")]
    pub generation: u64,
    /// Grows with every change.
    #[serde(deserialize_with = "nullable")]
    pub revision: u64,
    /// The phase.
    #[serde(deserialize_with = "nullable")]
    pub phase: String,
    /// Why that phase.
    pub reason: Option<String>,
    /// Status of the session's own row.
    pub raw_session_status: Option<String>,
    /// The foreground turn.
    #[serde(deserialize_with = "nullable")]
    pub foreground_turn: Foreground,
    /// The tracked registry.
    pub child_executions: Rows<ChildExecution>,
    /// The background-agent registry.
    pub background_agents: Rows<BackgroundAgent>,
    /// Any agent running, or ended less than 8 s ago.
    pub background_live: Option<bool>,
    /// Panes.
    pub terminals: Rows<RuntimeTerminal>,
    /// Some live pane looks busy.
    pub terminal_busy: Option<bool>,
    /// A person is asked for input.
    pub waiting_for_user: Option<bool>,
    /// The question.
    pub waiting_message: Option<String>,
    /// When it last changed.
    pub observed_at: Time,
}

/// A runtime snapshot of which only the revision matters: rows repeat it in full.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct RuntimeHead {
    /// Grows with every change.
    #[serde(deserialize_with = "nullable")]
    pub revision: u64,
}

/// A row of `GET /api/sessions/active`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SessionRow {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub session_id: String,
    /// Parent chat.
    pub parent_session_id: Option<String>,
    /// `multi-agent`, `workflow_phase`, …
    pub agent_mode: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// When it last did something.
    pub last_activity: Time,
    /// When it was created.
    pub created_at: Time,
    /// Last message of a person.
    pub query: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// Workflow.
    pub workflow_name: Option<String>,
    /// Workflow, as people call it.
    pub workflow_label: Option<String>,
    /// Workflow folder.
    pub workspace_path: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// `_users/<user id>/Chats`.
    pub chats_folder: Option<String>,
    /// Agents really running.
    pub running_background_agent_count: Option<u64>,
    /// A coding CLI's pane is kept alive.
    pub has_retained_tmux_session: Option<bool>,
    /// A person is asked for input.
    pub needs_user_input: Option<bool>,
    /// Kind of question.
    pub waiting_event_type: Option<String>,
    /// The question.
    pub waiting_message: Option<String>,
    /// Since when.
    pub waiting_since: Time,
    /// `busy`, `idle`, `stopped`.
    pub display_status: Option<String>,
    /// The runtime snapshot.
    pub runtime_state: Option<RuntimeState>,
}

/// `GET /api/sessions/active`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct SessionList {
    /// The sessions, in no order.
    pub active_sessions: Rows<SessionRow>,
    /// How many there are, by the server's word.
    #[serde(default)]
    pub total: Told,
}

/// Metadata of a tree node. The keys are the server's; the model's `Metadata` explains those that are used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NodeMetadata {
    pub parent_execution_id: Option<String>,
    pub execution_source: Option<String>,
    pub execution_type: Option<String>,
    pub run_folder: Option<String>,
    pub group_name: Option<String>,
    pub step_id: Option<String>,
    pub iteration: Option<String>,
    pub item_id: Option<String>,
    pub workflow_path: Option<String>,
    pub completion_mode: Option<String>,
}

/// A node of an execution tree.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub execution_id: String,
    /// Parent as shown, rewritten to the session where unknown.
    pub parent_execution_id: Option<String>,
    /// Which registry it came from.
    pub source: Option<String>,
    /// Kind.
    pub kind: Option<String>,
    /// Name; of a turn, what a person wrote.
    pub name: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// When it started.
    pub started_at: Time,
    /// When it ended.
    pub completed_at: Time,
    /// Why it failed.
    pub error: Option<String>,
    /// Metadata.
    pub metadata: Option<NodeMetadata>,
    /// Children.
    #[serde(deserialize_with = "nullable")]
    pub children: Vec<Node>,
}

/// `GET /api/sessions/{id}/execution-tree`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ExecutionTree {
    /// The session's node.
    pub root: Node,
    /// The runtime snapshot.
    #[serde(default)]
    pub runtime_state: Option<RuntimeState>,
}

/// A row of `GET /api/workflow/running`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct RunningRow {
    /// The execution's id.
    #[serde(deserialize_with = "nullable")]
    pub query_id: String,
    /// Its session.
    #[serde(deserialize_with = "nullable")]
    pub session_id: String,
    /// Kind of the tracked row.
    pub kind: Option<String>,
    /// Workflow folder.
    pub workspace_path: Option<String>,
    /// Run folder.
    pub run_folder: Option<String>,
    /// Phase of the workflow.
    pub phase_id: Option<String>,
    /// Owner.
    pub user_id: Option<String>,
    /// Name of a workshop execution.
    pub title: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// When it started.
    pub started_at: Time,
    /// The session's revision.
    pub runtime_state: Option<RuntimeHead>,
}

/// `GET /api/workflow/running`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RunningList {
    /// The rows, newest first.
    pub running: Rows<RunningRow>,
    /// How many there are, by the server's word.
    #[serde(default)]
    pub count: Told,
}

impl Row for ChildExecution {
    fn is_named(&self) -> bool {
        !self.execution_id.is_empty()
    }
}

impl Row for BackgroundAgent {
    fn is_named(&self) -> bool {
        !self.agent_id.is_empty()
    }
}

impl Row for RuntimeTerminal {
    fn is_named(&self) -> bool {
        !self.terminal_id.is_empty()
    }
}

impl Row for SessionRow {
    fn is_named(&self) -> bool {
        !self.session_id.is_empty()
    }
}

impl Row for RunningRow {
    fn is_named(&self) -> bool {
        !self.query_id.is_empty() && !self.session_id.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // server-behaviour.md#requests-and-answers: unknown fields, absent fields, null arrays, year-1 times.
    #[test]
    fn decoding_is_tolerant() {
        let row: SessionRow = serde_json::from_str(
            r#"{"session_id":"s","new_field":{"a":1},"created_at":"0001-01-01T00:00:00Z","last_activity":null,
                "runtime_state":{"child_executions":null,"terminals":null,"foreground_turn":null,"revision":3}}"#,
        )
        .expect("tolerated");
        assert_eq!(row.created_at, Time(None));
        let runtime = row.runtime_state.expect("present");
        assert_eq!(runtime.revision, 3);
        assert!(runtime.child_executions.is_empty());
    }
}
