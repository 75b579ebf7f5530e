//! Answers about terminals.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rows::{Row, Rows, Told};
use super::session::RuntimeHead;
use super::time::{Time, nullable};

/// The part of a terminal's status that is used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TerminalStatus {
    /// It shows a usage wall.
    pub rate_limited: Option<bool>,
}

/// A terminal record, from the list or as the main terminal.
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
    pub terminals: Rows<TerminalRow>,
    /// How many there are, by the server's word.
    #[serde(default)]
    pub total: Told,
    /// The sessions' revisions.
    #[serde(default, deserialize_with = "nullable")]
    pub runtime_states: BTreeMap<String, RuntimeHead>,
}

impl Row for TerminalRow {
    fn is_named(&self) -> bool {
        !self.terminal_id.is_empty() && !self.session_id.is_empty()
    }
}
