//! A document becomes a snapshot again. The file is outside data: a word that is not known is an error, not a guess.

use serde::Deserialize;
use thiserror::Error;

use super::document::{Document, SCHEMA};
use crate::model::execution::Execution;
use crate::model::id::IdKind;
use crate::model::snapshot::{Origin, Snapshot};

/// Why a file is no snapshot.
#[derive(Debug, Error)]
pub enum SavedError {
    /// It is not JSON, JSON of another shape, or it holds a word or a time that this version cannot read.
    #[error("it is no snapshot: {0}")]
    Undecodable(#[from] serde_json::Error),
    /// It is a document of another kind, or of a later version.
    #[error("its schema is `{found}` and not `{SCHEMA}`")]
    OtherSchema {
        /// What it says.
        found: String,
    },
}

/// Reads a saved snapshot. Its origin is the file: what it was made from is history.
///
/// # Errors
/// When the text is no such document.
pub fn load(text: &[u8], path: &str) -> Result<Snapshot, SavedError> {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }
    let head: Head = serde_json::from_slice(text)?;
    if head.schema != SCHEMA {
        return Err(SavedError::OtherSchema { found: head.schema });
    }
    let document: Document<'static> = serde_json::from_slice(text)?;
    let mut snapshot = Snapshot::default();
    snapshot.origin = Origin::Snapshot { path: path.to_owned() };
    snapshot.as_of = document.as_of;
    snapshot.read_at = document.read_at.into_owned();
    snapshot.server = document.server.into_owned();
    snapshot.server.version = document.source.server_version;
    snapshot.server.version_source = document.source.server_version_source;
    snapshot.gaps = document.gaps.into_owned();
    snapshot.removed = document.removed.into_iter().map(String::from).collect();
    snapshot.trees_read = document.trees_read.into_owned();
    snapshot.trees_read.sort();
    snapshot.running = document.running.map(|rows| rows.into_owned());
    snapshot.browsers = document.browsers.map(|browsers| browsers.into_owned());
    snapshot.event_nodes = document.event_nodes.into_owned();
    snapshot.set_sessions(document.sessions.into_iter().map(|listed| listed.session.into_owned()).collect());
    let known = |row: Execution| Execution { kind: IdKind::of(&row.id), ..row };
    snapshot.set_executions(document.executions.into_owned().into_iter().map(known).collect());
    snapshot.set_terminals(document.terminals.into_owned());
    Ok(snapshot)
}
