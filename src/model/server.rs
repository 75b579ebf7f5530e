//! The server itself: which version, what it lets a client see, and as whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fact::Fact;
use super::words::words;

words! {
    /// The versions whose stop behaviour differs.
    #[derive(Default)]
    pub enum ServerVersion {
        /// 2026-08-17: prints no `[STOP]` lines.
        August17 = "2026-08-17",
        /// 2026-08-20: prints them; relaunches are refused.
        August20 = "2026-08-20",
        /// 2026-08-22: the version that the references were read from and measured on.
        #[default]
        August22 = "2026-08-22",
        /// After August 2026.
        Later = "later",
    }
}

words! {
    /// How the version is known.
    #[derive(Default)]
    pub enum VersionSource {
        /// Features of the server tell it.
        Probe = "probe",
        /// `--server-version` said so.
        Option = "option",
        /// Nothing tells it; the August versions cannot be told apart from outside.
        #[default]
        Assumed = "assumed",
    }
}

/// What is known about the server. Every absent value is "not known".
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Server {
    /// Which version its stop behaviour is taken to be. A document says it of its source.
    #[serde(skip)]
    pub version: ServerVersion,
    /// How the version is known.
    #[serde(skip)]
    pub version_source: VersionSource,
    /// Version of the provider library that the health answer names; not the server's.
    pub provider_library: Option<Fact<String>>,
    /// Whether execution trees and terminals can be read (`AGENTWORKS_RUNTIME_DEBUG` on the server).
    pub debug_gate_open: Option<Fact<bool>>,
    /// Whether people log in with their own names.
    pub multi_user: Option<Fact<bool>>,
    /// Who the caller is to the server.
    pub user: Option<Fact<User>>,
    /// Whether all schedules are paused.
    pub schedules_paused: Option<Fact<bool>>,
    /// Whether the server has the later external tools API; only `pulsectl status` asks.
    pub external_tools: Option<bool>,
}

/// An account on the server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct User {
    /// Account id.
    pub id: String,
    /// Name to log in with.
    pub name: String,
    /// Access to workflows, as the server says it (`owner`, `write`, …).
    pub workflow_access: Option<String>,
}
