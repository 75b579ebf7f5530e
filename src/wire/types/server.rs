//! Answers about the server itself.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::rows::{Row, Rows, Told};
use super::time::{Time, nullable};

/// `GET /api/health` (server-behaviour.md#requests-and-answers).
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

/// `GET /api/capabilities`.
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

/// `GET /api/auth/mode`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct AuthMode {
    /// Whether people log in with their own names.
    pub multi_user_mode: Option<bool>,
}

/// `GET /api/auth/me`.
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

/// A row of `GET /api/browser/sessions`.
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
    pub sessions: Rows<BrowserRow>,
    /// How many there are, by the server's word.
    #[serde(default)]
    pub count: Told,
}

/// `GET /api/scheduler/config`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SchedulerConfig {
    /// All schedules are paused.
    pub globally_paused: Option<bool>,
}

/// `POST /api/auth/login`.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Login {
    /// The token; never printed.
    #[serde(deserialize_with = "nullable")]
    pub token: String,
}

impl Row for BrowserRow {
    fn is_named(&self) -> bool {
        !self.browser_session.is_empty()
    }
}
