//! One source of a state, whichever it is, and how it is read.

use std::path::PathBuf;

use thiserror::Error;

use super::log::{LogAtTime, LogError};
use super::recorded::{RecordedError, RecordedFolder};
use super::server::{RunningServer, ServerError};
use super::snapshot::{SavedSnapshot, SnapshotError};
use crate::model::snapshot::Snapshot;
use crate::wire::fetch::{Fetched, Scope};

/// Where a state comes from.
pub enum Source {
    /// A running server.
    Server(RunningServer),
    /// A folder of recorded answers.
    Recorded(RecordedFolder),
    /// A saved snapshot.
    Saved(SavedSnapshot),
    /// A log at a time.
    Log(LogAtTime),
}

/// What a source gave, with what its reader did for it.
pub struct Reading {
    /// The state, or why there is none.
    pub snapshot: Result<Snapshot, SourceError>,
    /// One line per request; empty for every source but a server.
    pub notes: Vec<String>,
    /// Whether a token went in the clear to another machine.
    pub token_exposed: bool,
    /// Whether a token was not sent because the server was found by probing.
    pub token_withheld: bool,
}

/// Why a source gave no state.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The server gave nothing.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The folder of recorded answers gave nothing.
    #[error("{cause}")]
    Recorded {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: RecordedError,
    },
    /// The file gave no snapshot.
    #[error(transparent)]
    Saved(#[from] SnapshotError),
    /// The log shows no state.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl Source {
    /// A folder of recorded answers or a saved snapshot, whichever lies there.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        if path.is_dir() {
            Self::Recorded(RecordedFolder { path })
        } else {
            Self::Saved(SavedSnapshot { path })
        }
    }

    /// Reads the state. Blocks until it is there.
    #[must_use]
    pub fn read(self, scope: &Scope) -> Reading {
        match self {
            Self::Server(server) => match server.read(scope) {
                Ok(fetched) => Reading::from(fetched),
                Err(error) => Reading::plain(Err(SourceError::Server(error))),
            },
            Self::Recorded(folder) => Reading::plain(
                folder.read().map_err(|cause| SourceError::Recorded { path: folder.path, cause }),
            ),
            Self::Saved(saved) => Reading::plain(saved.read().map_err(SourceError::Saved)),
            Self::Log(log) => Reading::plain(log.read().map_err(SourceError::Log)),
        }
    }
}

impl Reading {
    /// Of a source that has nothing to say besides its state.
    fn plain(snapshot: Result<Snapshot, SourceError>) -> Self {
        Self { snapshot, notes: Vec::new(), token_exposed: false, token_withheld: false }
    }
}

impl From<Fetched> for Reading {
    fn from(fetched: Fetched) -> Self {
        Self {
            snapshot: fetched.snapshot.map_err(|error| SourceError::Server(ServerError::Answer(error))),
            notes: fetched.notes,
            token_exposed: fetched.token_exposed,
            token_withheld: fetched.token_withheld,
        }
    }
}
