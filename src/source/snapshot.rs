//! A saved snapshot as a source.

use std::path::PathBuf;

use super::file;
use super::read::SourceError;
use super::saved;
use crate::model::snapshot::Snapshot;

/// A file that `pulsectl snapshot save` wrote.
#[derive(Debug, Clone)]
pub struct SavedSnapshot {
    /// The file.
    pub path: PathBuf,
}

impl SavedSnapshot {
    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or is no snapshot.
    pub fn read(&self) -> Result<Snapshot, SourceError> {
        let text = file::read(&self.path)?;
        saved::load(&text, &self.path.display().to_string())
            .map_err(|cause| SourceError::Saved { path: self.path.clone(), cause })
    }
}
