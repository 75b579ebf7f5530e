//! Where a snapshot comes from, in one line of words.

use super::age::clock;
use crate::model::server::VersionSource;
use crate::model::snapshot::{Origin, Snapshot};

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
        VersionSource::Assumed => "assumed",
        VersionSource::Probe => "by its features",
        VersionSource::Option => "as given",
    };
    let as_of = snapshot.as_of.map_or_else(|| String::from("an unknown time"), clock);
    format!("{from} as of {as_of}, behaviour of {version} ({how})")
}
