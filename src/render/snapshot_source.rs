//! What a document about a snapshot says of its source; shared by the graph, the plan and the lists.

use schemars::JsonSchema;
use serde::Serialize;

use super::json_v1::Gap;
use crate::model::snapshot::{Origin, Snapshot};

/// What a document was made from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Source<'a> {
    /// `server`, `snapshot`, `recorded` or `log`.
    #[schemars(extend("enum" = ["server", "snapshot", "recorded", "log"]))]
    pub kind: &'static str,
    /// The server's address; only for `server`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<&'a str>,
    /// The file or folder; only for the others. Of several logs the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// All logs; only for `log`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<&'a [String]>,
    /// The version that the server's behaviour is taken from.
    #[schemars(extend("enum" = ["2026-08-17", "2026-08-20", "2026-08-22", "later"]))]
    pub server_version: &'static str,
    /// How that is known.
    #[schemars(extend("enum" = ["probe", "option", "assumed"]))]
    pub server_version_source: &'static str,
}

/// The source of a snapshot.
#[must_use]
pub fn source(snapshot: &Snapshot) -> Source<'_> {
    let (kind, address, path, paths) = match &snapshot.origin {
        Origin::Server { address } => ("server", Some(address.as_str()), None, None),
        Origin::Snapshot { path } => ("snapshot", None, Some(path.as_str()), None),
        Origin::Recorded { path } => ("recorded", None, Some(path.as_str()), None),
        Origin::Log { paths } => ("log", None, paths.first().map(String::as_str), Some(paths.as_slice())),
        Origin::Given => ("snapshot", None, None, None),
    };
    Source {
        kind,
        address,
        path,
        paths,
        server_version: snapshot.server.version.name(),
        server_version_source: snapshot.server.version_source.name(),
    }
}

/// What was not read, not decoded or not certain.
#[must_use]
pub fn gaps(snapshot: &Snapshot) -> Vec<Gap<'_>> {
    snapshot.gaps.iter().map(|gap| Gap { code: gap.code.name(), message: &gap.message }).collect()
}

/// Where a snapshot comes from and how old it is, for a person.
#[must_use]
pub fn described(snapshot: &Snapshot) -> String {
    let from = match &snapshot.origin {
        Origin::Server { address } => format!("server {address}"),
        Origin::Snapshot { path } => format!("snapshot {path}"),
        Origin::Recorded { path } => format!("recorded answers {path}"),
        Origin::Log { paths } => format!("logs {}", paths.join(", ")),
        Origin::Given => String::from("a snapshot"),
    };
    let version = snapshot.server.version.name();
    let how = match snapshot.server.version_source {
        crate::model::server::VersionSource::Assumed => "assumed",
        crate::model::server::VersionSource::Probe => "by its features",
        crate::model::server::VersionSource::Option => "as given",
    };
    let as_of = snapshot.as_of.map_or_else(|| String::from("an unknown time"), super::age::clock);
    format!("{from} as of {as_of}, behaviour of {version} ({how})")
}
