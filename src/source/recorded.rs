//! A folder of answers that were recorded with curl or by a test bench: an `index.json` of `file`, `request`,
//! `status` and `content_type`, and the bodies beside it. Opens files; sends nothing.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::file::{self, FileError, LARGEST_FILE};
use crate::model::snapshot::{Origin, Snapshot};
use crate::wire::answers::{Answer, Answers, RawAnswer};
use crate::wire::convert::convert;
use crate::wire::error::AnswerError;
use crate::wire::routes::{Recorded, recorded};

/// A folder of recorded answers.
#[derive(Debug, Clone)]
pub struct RecordedFolder {
    /// The folder.
    pub path: PathBuf,
}

impl RecordedFolder {
    /// The state that the answers show.
    ///
    /// # Errors
    /// As [`answers`].
    pub fn read(&self) -> Result<Snapshot, RecordedError> {
        let origin = Origin::Recorded { path: self.path.display().to_string() };
        Ok(convert(answers(&self.path)?, origin))
    }
}

/// Why a folder gave nothing.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// A file cannot be read.
    #[error("could not read `{path}`: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file is larger than pulsectl reads.
    #[error("`{path}` is larger than {} MiB", LARGEST_FILE / 1024 / 1024)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The index is not what an index must be.
    #[error("`{path}` is not an index of recorded answers: {cause}")]
    BadIndex {
        /// The file.
        path: PathBuf,
        /// The decoder's words.
        cause: serde_json::Error,
    },
    /// The index names a file outside its folder.
    #[error("the index names `{file}`, which is not a plain file name")]
    FileOutside {
        /// The name.
        file: String,
    },
    /// The list of sessions was not recorded.
    #[error("`{path}` holds no answer to `GET /api/sessions/active`")]
    NoSessions {
        /// The folder.
        path: PathBuf,
    },
    /// The list of sessions was recorded, but not as an answer.
    #[error("the recorded list of sessions is no answer: {0}")]
    SessionsFailed(AnswerError),
}

/// One line of the index.
#[derive(Debug, Deserialize)]
struct Entry {
    file: String,
    request: String,
    status: u16,
    #[serde(default)]
    content_type: Option<String>,
}

/// Reads the answers of a folder.
///
/// # Errors
/// When the index or a file that it names cannot be read, or when the list of sessions is not among the answers.
pub fn answers(folder: &Path) -> Result<Answers, RecordedError> {
    let index = folder.join("index.json");
    let entries: Vec<Entry> = serde_json::from_slice(&file::read(&index)?)
        .map_err(|cause| RecordedError::BadIndex { path: index, cause })?;
    let mut answers = Answers::default();
    let mut seen = Vec::new();
    for entry in entries {
        let Recorded::Used(slot) = recorded(&entry.request) else { continue };
        // Of two answers to the same request the first counts, as nothing tells which is newer.
        if seen.contains(&slot) {
            continue;
        }
        let plain = Path::new(&entry.file).components().count() == 1
            && Path::new(&entry.file).file_name().is_some_and(|name| name == entry.file.as_str());
        if !plain {
            return Err(RecordedError::FileOutside { file: entry.file });
        }
        let body = file::read(&folder.join(&entry.file))?;
        let request = entry.request.strip_prefix("GET ").unwrap_or(&entry.request);
        let raw = RawAnswer {
            request,
            status: entry.status,
            content_type: entry.content_type.as_deref().unwrap_or("application/json"),
            location: "",
            body: &body,
            read_at: None,
        };
        answers.put(slot.clone(), raw);
        seen.push(slot);
    }
    match &answers.sessions {
        Answer::Read { .. } => Ok(answers),
        Answer::NotRead => Err(RecordedError::NoSessions { path: folder.to_owned() }),
        Answer::Failed(error) => Err(RecordedError::SessionsFailed(error.clone())),
    }
}

impl From<FileError> for RecordedError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Unreadable { path, cause } => Self::Unreadable { path, cause },
            FileError::TooLarge { path } => Self::TooLarge { path },
        }
    }
}
