//! What a server's status, and its whole state, are shown from.

use crate::model::snapshot::Snapshot;

/// The status of a server.
#[derive(Debug, Clone, Copy)]
pub struct StatusView<'a> {
    /// What was read.
    pub snapshot: &'a Snapshot,
}

/// The whole state of a server.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotView<'a> {
    /// What was read.
    pub snapshot: &'a Snapshot,
    /// Makes the document that is saved and loaded too.
    pub document: fn(&Snapshot) -> serde_json::Result<String>,
}
