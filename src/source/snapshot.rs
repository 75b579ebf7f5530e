//! A saved snapshot as a source.

use std::path::PathBuf;

use thiserror::Error;

use super::file::{self, FileError};
use super::saved::{self, SavedError};
use crate::model::snapshot::Snapshot;

/// A file that `pulsectl snapshot save` wrote.
#[derive(Debug, Clone)]
pub struct SavedSnapshot {
    /// The file.
    pub path: PathBuf,
}

/// Why a file gave no snapshot.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is none.
    #[error("could not load `{}`", path.display())]
    NoSnapshot {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: SavedError,
    },
}

impl SavedSnapshot {
    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or is no snapshot.
    pub fn read(&self) -> Result<Snapshot, SnapshotError> {
        let text = file::read(&self.path)?;
        saved::load(&text, &self.path.display().to_string())
            .map_err(|cause| SnapshotError::NoSnapshot { path: self.path.clone(), cause })
    }
}
