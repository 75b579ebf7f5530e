//! The parts that every document about a snapshot has: who wrote it, and what it was made from.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::server::{ServerVersion, VersionSource};
use super::snapshot::{Origin, Snapshot};

/// Who wrote a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `pulsectl`.
    pub name: Cow<'static, str>,
    /// The program's version.
    pub version: Cow<'static, str>,
}

/// This program.
pub const TOOL: Tool =
    Tool { name: Cow::Borrowed("pulsectl"), version: Cow::Borrowed(env!("CARGO_PKG_VERSION")) };

/// What a snapshot was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentSource<'a> {
    /// `server`, `snapshot`, `recorded` or `log`.
    pub kind: Cow<'a, str>,
    /// The server's address; null for all other kinds.
    pub address: Option<Cow<'a, str>>,
    /// The file or folder, of several logs the first; null for a server.
    pub path: Option<Cow<'a, str>>,
    /// The logs, in a saved snapshot: the sources of facts name them by their place.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub paths: Cow<'a, [String]>,
    /// Which version the server's stop behaviour is taken to be.
    pub server_version: ServerVersion,
    /// How the version is known.
    pub server_version_source: VersionSource,
}

impl<'a> DocumentSource<'a> {
    /// The source of a snapshot.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let (kind, address, path) = match &snapshot.origin {
            Origin::Given => ("given", None, None),
            Origin::Server { address } => ("server", Some(address), None),
            Origin::Snapshot { path } => ("snapshot", None, Some(path)),
            Origin::Recorded { path } => ("recorded", None, Some(path)),
            Origin::Log { paths } => ("log", None, paths.first()),
        };
        let known = |text: Option<&'a String>| text.map(|text| Cow::Borrowed(text.as_str()));
        Self {
            kind: Cow::Borrowed(kind),
            address: known(address),
            path: known(path),
            paths: Cow::default(),
            server_version: snapshot.server.version,
            server_version_source: snapshot.server.version_source,
        }
    }
}
