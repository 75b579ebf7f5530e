//! Where the recordings of a real server are; they may be absent.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of what is not part of the project.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared")
}

/// The folders of the recordings, sorted; empty where they are absent.
pub(crate) fn recordings() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(shared().join("captures")) else { return Vec::new() };
    let folders = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut folders: Vec<PathBuf> =
        folders.filter(|folder| folder.join("server_debug.log.gz").is_file()).collect();
    folders.sort();
    folders
}

/// Says that a test did not run.
#[expect(clippy::print_stderr, reason = "a test that did not run says so")]
pub(crate) fn skipped() {
    eprintln!("skipped: the recordings are absent");
}
