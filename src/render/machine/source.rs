//! The parts that every document about a snapshot has: `source`, `as_of`, `complete`, `gaps`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::server::{ServerVersion, VersionSource};
use crate::model::snapshot::{Origin, Snapshot};

/// What a snapshot was made from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SourceJson<'a> {
    /// `server`, `snapshot`, `recorded` or `log`.
    pub kind: &'static str,
    /// The server's address; null for all other kinds.
    pub address: Option<&'a str>,
    /// The file or folder, of several logs the first; null for a server.
    pub path: Option<&'a str>,
    /// Which version the server's stop behaviour is taken to be.
    pub server_version: ServerVersion,
    /// How the version is known.
    pub server_version_source: VersionSource,
}

impl<'a> SourceJson<'a> {
    /// The source of a snapshot.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let (kind, address, path) = match &snapshot.origin {
            Origin::Given => ("given", None, None),
            Origin::Server { address } => ("server", Some(address.as_str()), None),
            Origin::Snapshot { path } => ("snapshot", None, Some(path.as_str())),
            Origin::Recorded { path } => ("recorded", None, Some(path.as_str())),
            Origin::Log { paths } => ("log", None, paths.first().map(String::as_str)),
        };
        Self {
            kind,
            address,
            path,
            server_version: snapshot.server.version,
            server_version_source: snapshot.server.version_source,
        }
    }
}

/// Something that was not read, not decoded or not certain.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SnapshotGap<'a> {
    /// Its kind.
    pub code: &'static str,
    /// In words.
    pub message: &'a str,
    /// The session that it concerns; null for all.
    pub session: Option<&'a str>,
}

/// The gaps of a snapshot.
#[must_use]
pub fn gaps(snapshot: &Snapshot) -> Vec<SnapshotGap<'_>> {
    snapshot
        .gaps
        .iter()
        .map(|gap| SnapshotGap {
            code: gap.code.name(),
            message: &gap.message,
            session: gap.session.as_deref(),
        })
        .collect()
}

/// The moment of a snapshot, RFC 3339 in UTC.
#[must_use]
pub fn as_of(snapshot: &Snapshot) -> Option<String> {
    snapshot.as_of.map(|time| time.to_string())
}
