//! A folder of answers that were recorded with curl or by a test bench: an `index.json` of `file`, `request`,
//! `status` and `content_type`, and the bodies beside it. Opens files; sends nothing.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::answers::{Answer, Answers, RawAnswer};
use super::error::AnswerError;
use super::routes::{Recorded, recorded};

/// The largest file that is read: ten times a list of 100,000 executions.
const LARGEST_FILE: u64 = 600 * 1024 * 1024;

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
pub fn read(folder: &Path) -> Result<Answers, RecordedError> {
    let index = folder.join("index.json");
    let entries: Vec<Entry> = serde_json::from_slice(&read_file(&index)?)
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
        let body = read_file(&folder.join(&entry.file))?;
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

fn read_file(path: &Path) -> Result<Vec<u8>, RecordedError> {
    let unreadable = |cause| RecordedError::Unreadable { path: path.to_owned(), cause };
    let file = File::open(path).map_err(unreadable)?;
    let expected = file.metadata().map_or(0, |metadata| metadata.len().min(LARGEST_FILE));
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(RecordedError::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}
