//! The same log found twice, such as a file and its own `.gz`.
//!
//! A file is a copy only where all of it is also in another one, compared to its last byte: two logs may begin
//! alike for a long way and end differently. Every file is read once for that, however many begin alike, and
//! only those that do.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::io::Read;

use super::candidate::{Candidate, Skipped};
use super::source::{Compression, OpenLog, Origin, WITNESS};
use super::wrapper::unwrap;
use crate::model::gap::GapCode;

/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;

/// Leaves out copies of the same log, such as a file and its own `.gz`: their events would count twice.
pub(crate) fn drop_copies(candidates: Vec<Candidate>, skipped: &mut Vec<Skipped>) -> Vec<Candidate> {
    let mut copy_of: BTreeMap<usize, usize> = BTreeMap::new();
    for alike in beginning_alike(&candidates) {
        Comparison::new(&candidates, alike).run(&mut copy_of);
    }
    for (&copy, &first) in &copy_of {
        let mut read = first;
        while let Some(&longer) = copy_of.get(&read) {
            read = longer;
        }
        let (Some(copy), Some(read)) = (candidates.get(copy), candidates.get(read)) else { continue };
        skipped.push(Skipped {
            path: copy.file.path.clone(),
            code: GapCode::CopySkipped,
            message: format!("the same log as `{}`, which is read", read.file.path),
        });
    }
    let kept = candidates.into_iter().enumerate().filter(|(index, _)| !copy_of.contains_key(index));
    kept.map(|(_, candidate)| candidate).collect()
}

/// Groups of at least two logs of one kind and one first second, in which the shortest beginning begins all others.
fn beginning_alike(candidates: &[Candidate]) -> Vec<Vec<usize>> {
    let key = |candidate: &Candidate| (candidate.file.first_wall, candidate.file.kind);
    let mut order: Vec<(usize, &Candidate)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| matches!(candidate.file.origin, Origin::File(_)))
        .collect();
    // What begins with a text stands right behind it.
    order.sort_by(|(_, one), (_, other)| (key(one), &one.beginning).cmp(&(key(other), &other.beginning)));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut shortest: Option<&Candidate> = None;
    for (index, candidate) in order {
        let is_alike = shortest.is_some_and(|shortest| {
            key(shortest) == key(candidate) && candidate.beginning.starts_with(&shortest.beginning)
        });
        match groups.last_mut().filter(|_| is_alike) {
            Some(group) => group.push(index),
            None => {
                groups.push(vec![index]);
                shortest = Some(candidate);
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Whether all of `shorter`, which has so many bytes, being the beginning of `longer` makes it a copy of that.
/// Two servers may begin alike, so elsewhere a short beginning is not enough.
fn counts_as_copy(shorter: &Candidate, length: u64, longer: &Candidate, longer_length: u64) -> bool {
    let is_same_log = shorter.folder == longer.folder && shorter.stem == longer.stem;
    is_same_log || length >= WITNESS as u64 || length == longer_length
}

/// What reading one log to its end told.
struct Whole {
    length: u64,
    hash: u64,
    /// The length and the index of each shorter one that is its beginning.
    beginnings: Vec<(u64, usize)>,
}

/// Finds those of some logs that are whole beginnings of others.
///
/// From the shortest to the longest: each is hashed while it is read, and wherever a shorter one ended, the hash so
/// far is compared with the hash of that.
struct Comparison<'a> {
    candidates: &'a [Candidate],
    /// How long each is, a plain file before its compressed copy; the shortest first.
    order: Vec<(u64, bool, usize)>,
    /// Keyed anew in each run, so that nobody can make two contents of one hash.
    hashes: RandomState,
    /// Those that were read: by length, then by hash.
    ends: BTreeMap<u64, HashMap<u64, usize>>,
}

impl<'a> Comparison<'a> {
    fn new(candidates: &'a [Candidate], alike: Vec<usize>) -> Self {
        let mut order: Vec<(u64, bool, usize)> = alike
            .into_iter()
            .filter_map(|index| {
                let candidate = candidates.get(index)?;
                let is_packed = candidate.compression != Compression::None;
                Some((content_length(candidate)?, is_packed, index))
            })
            .collect();
        order.sort_unstable();
        Self { candidates, order, hashes: RandomState::new(), ends: BTreeMap::new() }
    }

    /// Notes for each copy what it is a copy of.
    fn run(mut self, copy_of: &mut BTreeMap<usize, usize>) {
        for (_, _, index) in std::mem::take(&mut self.order) {
            let Some(candidate) = self.candidates.get(index) else { continue };
            let Some(Whole { length, hash, beginnings }) = self.read(candidate) else { continue };
            for (shorter_length, shorter) in beginnings {
                let Some(other) = self.candidates.get(shorter) else { continue };
                if !counts_as_copy(other, shorter_length, candidate, length) {
                    continue;
                }
                if shorter_length == length {
                    copy_of.insert(index, shorter);
                } else {
                    copy_of.entry(shorter).or_insert(index);
                }
            }
            self.ends.entry(length).or_default().entry(hash).or_insert(index);
        }
    }

    /// Reads one. `None` where it can't be
    /// read to its end: then nobody knows what else it holds.
    fn read(&self, candidate: &Candidate) -> Option<Whole> {
        let mut content = open(candidate)?;
        let mut hasher: DefaultHasher = self.hashes.build_hasher();
        let mut beginnings = Vec::new();
        let mut length = 0;
        let mut ends = self.ends.iter().peekable();
        let mut meet = |length: u64, hasher: &DefaultHasher| {
            if let Some((_, by_hash)) = ends.next_if(|(end, _)| **end == length)
                && let Some(&shorter) = by_hash.get(&hasher.finish())
            {
                beginnings.push((length, shorter));
            }
            ends.peek().map_or(u64::MAX, |(end, _)| **end)
        };
        let mut next_end = meet(0, &hasher);
        let mut block = vec![0; BLOCK];
        loop {
            let count = read_some(&mut *content, &mut block)?;
            if count == 0 {
                break;
            }
            let mut rest = block.get(..count)?;
            while !rest.is_empty() {
                let until_end = usize::try_from(next_end - length).unwrap_or(usize::MAX);
                let (part, after) = rest.split_at(until_end.min(rest.len()));
                hasher.write(part);
                length += part.len() as u64;
                if length == next_end {
                    next_end = meet(length, &hasher);
                }
                rest = after;
            }
        }
        Some(Whole { length, hash: hasher.finish(), beginnings })
    }
}

fn open(candidate: &Candidate) -> Option<Box<dyn Read>> {
    let Origin::File(path) = &candidate.file.origin else { return None };
    let log = OpenLog::open_file(path).ok()?;
    Some(unwrap(log.content, &candidate.file.layers).0)
}

/// Bytes of content. What is compressed or wrapped has to be read for that.
fn content_length(candidate: &Candidate) -> Option<u64> {
    if candidate.compression == Compression::None && candidate.file.layers.is_empty() {
        return candidate.file.stored_bytes();
    }
    let mut content = open(candidate)?;
    std::io::copy(&mut content, &mut std::io::sink()).ok()
}

/// Some bytes of a content, none at its end; `None` where it fails.
fn read_some(content: &mut dyn Read, block: &mut [u8]) -> Option<usize> {
    loop {
        match content.read(block) {
            Ok(count) => return Some(count),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
