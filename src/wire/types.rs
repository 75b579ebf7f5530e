//! The JSON of the server's answers: only the fields that are used, decoded tolerantly (unknown fields, nulls
//! and year-1 times are accepted; pulse-api, section 12), except that a list must be there: another object is no
//! empty list. Prompts' results, panes' contents and agents' texts
//! are never decoded.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// A time as the server writes it; `None` for an absent, empty or year-1 one, which all mean "unset".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Time(pub Option<Timestamp>);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Time;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a time in RFC 3339 form")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Time, E> {
                // Go's zero time is in year 1, in whatever zone.
                if text.is_empty() || text.starts_with("0001-") || text.starts_with("0000-") {
                    return Ok(Time(None));
                }
                text.parse()
                    .map(|time| Time(Some(time)))
                    .map_err(|_| serde::de::Error::invalid_value(serde::de::Unexpected::Str(text), &self))
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Time, E> {
                Ok(Time(None))
            }

            fn visit_none<E: serde::de::Error>(self) -> Result<Time, E> {
                Ok(Time(None))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Takes a null for the type's empty value.
fn nullable<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// `GET /api/health` (pulse-api, section 2.1).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Health {
    /// `healthy`, or it is no Pulse server.
    #[serde(deserialize_with = "nullable")]
    pub status: String,
    /// The server's clock.
    pub time: Time,
    /// Version of the provider library, not of the server.
    pub version: Option<String>,
    /// Present in later versions only.
    pub drain: Option<IgnoredAny>,
}

/// `GET /api/capabilities` (section 2.2).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    /// Whether trees and terminals can be read.
    pub runtime_debug: Option<bool>,
    /// Present in later versions only.
    pub display_time_zone: Option<IgnoredAny>,
    /// Present in later versions only.
    pub voice: Option<IgnoredAny>,
}

/// `GET /api/auth/mode` (section 2.3).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct AuthMode {
    /// Whether people log in with their own names.
    pub multi_user_mode: Option<bool>,
}

/// `GET /api/auth/me` (section 2.5).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// Account id.
    #[serde(deserialize_with = "nullable")]
    pub id: String,
    /// Name to log in with.
    #[serde(deserialize_with = "nullable")]
    pub username: String,
    /// Access to workflows.
    pub workflow_access: Option<String>,
}

/// The foreground turn of a runtime snapshot (section 3).
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

/// A runtime snapshot (section 3).
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
    #[serde(deserialize_with = "nullable")]
    pub child_executions: Vec<ChildExecution>,
    /// The background-agent registry.
    #[serde(deserialize_with = "nullable")]
    pub background_agents: Vec<BackgroundAgent>,
    /// Any agent running, or ended less than 8 s ago.
    pub background_live: Option<bool>,
    /// Panes.
    #[serde(deserialize_with = "nullable")]
    pub terminals: Vec<RuntimeTerminal>,
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

/// A row of `GET /api/sessions/active` (section 4.1).
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
    #[serde(deserialize_with = "nullable")]
    pub active_sessions: Vec<SessionRow>,
}

/// Metadata of a tree node (section 4.2).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
#[expect(
    missing_docs,
    reason = "the keys are the server's; the model's Metadata explains those that are used"
)]
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

/// A node of an execution tree (section 4.2).
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

/// The part of a terminal's status that is used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TerminalStatus {
    /// It shows a usage wall.
    pub rate_limited: Option<bool>,
}

/// A terminal record (section 7.1), from the list or as the main terminal.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TerminalRow {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub terminal_id: String,
    /// Its session.
    #[serde(deserialize_with = "nullable")]
    pub session_id: String,
    /// Owner.
    pub owner_id: Option<String>,
    /// The execution that it shows.
    pub execution_id: Option<String>,
    /// Kind of that execution.
    pub execution_kind: Option<String>,
    /// Step of the plan.
    pub step_id: Option<String>,
    /// tmux session.
    pub tmux_session: Option<String>,
    /// `live`, `closing`, `closed`, or absent.
    pub process_state: Option<String>,
    /// Why it was closed.
    pub close_reason: Option<String>,
    /// Whether it is active.
    pub active: Option<bool>,
    /// State of the work in it.
    pub state: Option<String>,
    /// What the provider says.
    pub status: Option<TerminalStatus>,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

/// `GET /api/terminals?content=none`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TerminalList {
    /// The records.
    #[serde(deserialize_with = "nullable")]
    pub terminals: Vec<TerminalRow>,
    /// The sessions' revisions.
    #[serde(default, deserialize_with = "nullable")]
    pub runtime_states: BTreeMap<String, RuntimeHead>,
}

/// A row of `GET /api/workflow/running` (section 6.1).
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
    #[serde(deserialize_with = "nullable")]
    pub running: Vec<RunningRow>,
}

/// A row of `GET /api/browser/sessions` (section 9.1).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BrowserRow {
    /// Its id.
    #[serde(deserialize_with = "nullable")]
    pub browser_session: String,
    /// The agent session that uses it.
    pub agent_session: Option<String>,
    /// The session that owns it.
    pub workflow_session: Option<String>,
}

/// `GET /api/browser/sessions`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct BrowserList {
    /// The rows.
    #[serde(deserialize_with = "nullable")]
    pub sessions: Vec<BrowserRow>,
}

/// `GET /api/scheduler/config` (section 8.1).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SchedulerConfig {
    /// All schedules are paused.
    pub globally_paused: Option<bool>,
}

/// `POST /api/auth/login` (section 2.4).
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Login {
    /// The token; never printed.
    #[serde(deserialize_with = "nullable")]
    pub token: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    // pulse-api, section 12: unknown fields, absent fields, null arrays, year-1 times.
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

    #[test]
    fn a_time_that_is_none_is_an_error_and_never_a_guess() {
        assert!(serde_json::from_str::<Time>("\"yesterday\"").is_err());
        assert!(serde_json::from_str::<Time>("\"2026-11-30T03:15:09.9+05:30\"").expect("a time").0.is_some());
    }
}
