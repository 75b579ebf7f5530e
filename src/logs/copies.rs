//! The same log found twice, such as a file and its own `.gz`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::discover::{Candidate, Skipped};
use super::probe::HEAD;
use super::source::{Compression, OpenLog, Origin, WITNESS, read_head};
use super::wrapper::unwrap;
use crate::model::gap::GapCode;

/// Leaves out copies of the same log, such as a file and its own `.gz`: their events would count twice.
pub(crate) fn drop_copies(candidates: Vec<Candidate>, skipped: &mut Vec<Skipped>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let Some(place) = kept.iter().position(|other| are_copies(other, &candidate)) else {
            kept.push(candidate);
            continue;
        };
        let Some(other) = kept.get_mut(place) else { continue };
        let (reads, leaves) = if content_size(&candidate) > content_size(other) {
            let leaves = std::mem::replace(other, candidate);
            (other.file.path.clone(), leaves.file.path)
        } else {
            (other.file.path.clone(), candidate.file.path)
        };
        skipped.push(Skipped {
            message: format!("the same log as `{reads}`, which is read"),
            path: leaves,
            code: GapCode::CopySkipped,
        });
    }
    kept
}

fn are_copies(one: &Candidate, other: &Candidate) -> bool {
    if one.file.first_wall != other.file.first_wall || one.file.kind != other.file.kind {
        return false;
    }
    if one.beginning.len() == WITNESS || other.beginning.len() == WITNESS || one.folder != other.folder {
        return one.beginning == other.beginning && same_head(one, other);
    }
    // In one folder a short file may be an older copy of a log that has grown since.
    one.stem == other.stem
        && (one.beginning.starts_with(&other.beginning) || other.beginning.starts_with(&one.beginning))
}

/// Compares as much as was looked at of both files: two servers may begin alike.
fn same_head(one: &Candidate, other: &Candidate) -> bool {
    let head = |candidate: &Candidate| match &candidate.file.origin {
        Origin::File(path) => OpenLog::open_file(path)
            .ok()
            .map(|log| read_head(&mut *unwrap(log.content, &candidate.file.layers).0, HEAD).0),
        Origin::Stream(_) => None,
    };
    match (head(one), head(other)) {
        (Some(one), Some(other)) => one.starts_with(&other) || other.starts_with(&one),
        _ => true,
    }
}

/// Bytes of content, as far as they can be told without reading it; a plain file comes before its copy.
fn content_size(candidate: &Candidate) -> (u64, bool) {
    let Origin::File(path) = &candidate.file.origin else { return (0, false) };
    if !candidate.file.layers.is_empty() {
        return (0, false); // its size says nothing about that of its content
    }
    let stored = candidate.file.stored_bytes().unwrap_or(0);
    match candidate.compression {
        Compression::None => (stored, true),
        Compression::Gzip => (gzip_size(path).unwrap_or(0), false),
        Compression::Zstd => (0, false),
    }
}

/// The size that a gzip file states in its last four bytes: that of its last member, modulo 4 GiB.
fn gzip_size(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::End(-4)).ok()?;
    let mut size = [0; 4];
    file.read_exact(&mut size).ok()?;
    Some(u64::from(u32::from_le_bytes(size)))
}
