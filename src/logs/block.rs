//! The read buffer: one aligned block with room for a carried line in front.
//!
//! `read` always lands at an aligned address (an unaligned one was measured to cost up to 1.9
//! times as much), and the part of a line that a block ends with is moved to just before it. Safe code can't ask for
//! an alignment, so the buffer is larger than needed and the aligned place is looked for in it.

use std::io::{self, Read};

/// Alignment of the place where reads land.
const ALIGNMENT: usize = 4_096;

/// How much is read at once and how long a line may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes per block.
    pub(crate) block: usize,
    /// Bytes that are kept of a line.
    pub(crate) line: usize,
}

/// Measured best, with bounded memory: 1 MiB and 256 KiB.
pub(crate) const LIMITS: Limits = Limits { block: 1 << 20, line: 256 << 10 };

/// The buffer. Content is `storage[start..end]`; everything before `start` has been handed out.
#[derive(Debug)]
pub(crate) struct Block {
    storage: Vec<u8>,
    base: usize,
    limits: Limits,
    start: usize,
    end: usize,
    total: u64,
}

/// What a refill found.
#[derive(Debug)]
pub(crate) enum Refill {
    /// There is more content.
    More,
    /// The source has ended.
    End,
    /// The source failed; what had been read before is there.
    Failed(io::Error),
}

impl Block {
    pub(crate) fn new(limits: Limits) -> Self {
        let storage = vec![0; limits.line + ALIGNMENT + limits.block];
        let unaligned = storage.get(limits.line..).map_or(0, |room| room.as_ptr().align_offset(ALIGNMENT));
        // `align_offset` may decline; then the place is merely slower.
        let base = limits.line + if unaligned < ALIGNMENT { unaligned } else { 0 };
        Self { storage, base, limits, start: base, end: base, total: 0 }
    }

    /// What has been read and not been consumed.
    #[inline]
    pub(crate) fn unread(&self) -> &[u8] {
        self.storage.get(self.start..self.end).unwrap_or_default()
    }

    /// A place in the buffer, counted from its beginning, that stays valid until the next refill.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        self.start
    }

    /// Bytes at such a place.
    pub(crate) fn at(&self, place: usize, length: usize) -> &[u8] {
        self.storage.get(place..place + length).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Offset of the first unread byte in the content.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.total - (self.end - self.start) as u64
    }

    /// Bytes of content so far.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Whether the unread rest is too long to be carried.
    pub(crate) fn rest_is_too_long(&self) -> bool {
        self.end - self.start > self.limits.line
    }

    /// Begins anew, for the next file.
    pub(crate) fn reset(&mut self) {
        self.start = self.base;
        self.end = self.base;
        self.total = 0;
    }

    /// Carries the unread rest to the front and reads the next block behind it. A rest that is too long to be
    /// carried must have been consumed before.
    pub(crate) fn refill(&mut self, source: &mut dyn Read) -> Refill {
        let rest = (self.end - self.start).min(self.limits.line);
        self.storage.copy_within(self.end - rest..self.end, self.base - rest);
        self.start = self.base - rest;
        self.end = self.base;
        let Some(target) = self.storage.get_mut(self.base..self.base + self.limits.block) else {
            return Refill::End;
        };
        let mut filled = 0;
        let mut outcome = Refill::More;
        while let Some(room) = target.get_mut(filled..).filter(|room| !room.is_empty()) {
            match source.read(room) {
                Ok(0) => {
                    outcome = Refill::End;
                    break;
                }
                Ok(count) => filled += count.min(room.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    outcome = Refill::Failed(error);
                    break;
                }
            }
        }
        self.end = self.base + filled;
        self.total += filled as u64;
        match outcome {
            Refill::End if filled > 0 => Refill::More, // the next refill meets the end again
            outcome => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_land_at_an_aligned_address() {
        let block = Block::new(LIMITS);
        assert_eq!(block.at(block.base, 1).as_ptr().align_offset(ALIGNMENT), 0);
        assert_eq!(block.storage.len(), LIMITS.line + LIMITS.block + ALIGNMENT);
    }

    #[test]
    fn the_rest_of_a_line_is_carried_in_front_of_the_next_block() {
        let mut block = Block::new(Limits { block: 4, line: 8 });
        let mut source: &[u8] = b"abcdefghij";
        assert!(matches!(block.refill(&mut source), Refill::More));
        block.consume(1);
        assert!(matches!(block.refill(&mut source), Refill::More));
        assert_eq!(block.unread(), b"bcdefgh");
        assert_eq!(block.offset(), 1);
        block.consume(7);
        assert!(matches!(block.refill(&mut source), Refill::More));
        assert_eq!(block.unread(), b"ij");
        assert!(matches!(block.refill(&mut source), Refill::End));
        assert_eq!((block.unread(), block.total()), (&b"ij"[..], 10));
    }
}
