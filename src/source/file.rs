//! Files that are read whole: up to a size, so that a wrong name costs no memory.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The largest file that is read whole, in bytes: ten times a list of 100,000 executions.
pub const LARGEST_FILE: u64 = 600 * 1024 * 1024;

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be opened or read.
    #[error("could not read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// It is larger than pulsectl reads.
    #[error("`{}` is larger than {} MiB", path.display(), LARGEST_FILE / 1024 / 1024)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let unreadable = |cause| FileError::Unreadable { path: path.to_owned(), cause };
    let file = File::open(path).map_err(unreadable)?;
    let expected = file.metadata().map_or(0, |metadata| metadata.len().min(LARGEST_FILE));
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(FileError::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}
