//! The rows of a saved snapshot: executions, terminals, browsers and what the server lists as running.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Fact, Label};

/// An execution.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Execution {
    /// Its id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// Whether it is in the tracked registry; null where that is not known.
    pub in_tracked: Option<bool>,
    /// Whether it is in the agents' registry; null where that is not known.
    pub in_background: Option<bool>,
    /// The tracked row.
    pub tracked: Option<TrackedRow>,
    /// The agents' row.
    pub background: Option<BackgroundRow>,
    /// Status as the tree shows it.
    pub tree_status: Option<String>,
    /// Whether `/workflow/running` lists it.
    pub listed_running: Option<bool>,
    /// The status to go by.
    pub status: Option<Fact<String>>,
    /// Name.
    pub name: Option<Fact<Label>>,
    /// Parent as shown.
    pub parent: Option<Fact<Parent>>,
    /// When it started.
    pub started_at: Option<Fact<String>>,
    /// When it ended.
    pub finished_at: Option<Fact<String>>,
    /// Why it failed.
    pub error: Option<Label>,
    /// Metadata.
    pub metadata: Option<Metadata>,
}

/// A parent as shown.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parent {
    /// The session itself, rightly.
    Session,
    /// This id.
    Execution(String),
    /// Rewritten by the server because it knew no such row.
    Lost,
}

/// A tracked row.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrackedRow {
    /// Who writes it.
    pub written_by: Option<Fact<String>>,
    /// Kind.
    pub kind: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// When it was registered.
    pub started_at: Option<String>,
    /// When it ended.
    pub finished_at: Option<String>,
}

/// A row of the agents' registry.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BackgroundRow {
    /// Kind.
    pub kind: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// When it was registered.
    pub started_at: Option<String>,
    /// When it ended.
    pub finished_at: Option<String>,
}

/// Metadata of a row.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Metadata {
    /// `execution_type`.
    pub execution_type: Option<String>,
    /// `run_folder`.
    pub run_folder: Option<String>,
    /// `group_name`.
    pub group_name: Option<String>,
    /// `step_id`.
    pub step_id: Option<String>,
    /// `iteration`.
    pub iteration: Option<String>,
    /// `item_id`.
    pub item_id: Option<String>,
    /// `workflow_path`.
    pub workflow_path: Option<String>,
    /// `completion_mode`.
    pub completion_mode: Option<String>,
}

/// A terminal.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Terminal {
    /// Its id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// Owner.
    pub owner: Option<String>,
    /// The execution that it shows.
    pub execution: Option<String>,
    /// Kind of that execution.
    pub execution_kind: Option<String>,
    /// Whether there is a tmux pane behind it.
    pub has_tmux: Option<bool>,
    /// tmux session.
    pub tmux: Option<String>,
    /// Whether it is active.
    pub active: Option<bool>,
    /// State of the work in it.
    pub state: Option<String>,
    /// State of its process; null where the record was not read, empty where the record says nothing.
    pub process_state: Option<String>,
    /// When the record was made.
    pub created_at: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// Why it was closed.
    pub close_reason: Option<String>,
    /// Step of the plan.
    pub step_id: Option<String>,
    /// Whether it shows a usage wall.
    pub rate_limited: Option<bool>,
    /// Where it comes from.
    pub from: String,
}

/// A row of `/workflow/running`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunningRow {
    /// Its session.
    pub session: String,
    /// The execution's id.
    pub id: String,
    /// Kind of the tracked row.
    pub kind: Option<String>,
    /// Workflow folder.
    pub workflow_path: Option<String>,
    /// Phase of the workflow.
    pub phase: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// Run folder.
    pub run_folder: Option<String>,
    /// Owner.
    pub user: Option<String>,
    /// When it started.
    pub started_at: Option<String>,
}

/// A headless browser.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Browser {
    /// Its id.
    pub id: String,
    /// The agent session that uses it.
    pub agent_session: Option<String>,
    /// The session that owns it.
    pub session: Option<String>,
}

/// A node that only the tree shows.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EventNode {
    /// Its session.
    pub session: String,
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its status.
    pub status: Option<String>,
    /// When it started.
    pub started_at: Option<String>,
}
