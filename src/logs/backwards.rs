//! A log whose newest line comes first, read the other way round.
//!
//! Line by line, from the end of the file, in bounded memory. Where each line really stands is computed from how
//! many there are.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::{memchr_iter, memrchr};

/// Bytes that are read at once.
const BLOCK: u64 = 1 << 20;
/// A line longer than this is not read backwards.
const LONGEST_LINE: usize = 32 << 20;

/// How much a log that is read backwards holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Backwards {
    /// Lines.
    pub(crate) lines: u64,
    /// Bytes, with an end for every line.
    pub(crate) bytes: u64,
}

impl Backwards {
    /// Counts the lines of a content.
    pub(crate) fn of(content: &mut dyn Read) -> io::Result<Self> {
        let mut block = vec![0; 1 << 20];
        let mut counted = Self { lines: 0, bytes: 0 };
        let mut last = b'\n';
        loop {
            let count = match content.read(&mut block) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let part = block.get(..count).unwrap_or_default();
            counted.lines += memchr_iter(b'\n', part).count() as u64;
            counted.bytes += count as u64;
            last = part.last().copied().unwrap_or(last);
        }
        if last != b'\n' {
            counted.lines += 1;
            counted.bytes += 1;
        }
        Ok(counted)
    }

    /// The number that the line read at this place has in the file.
    pub(crate) fn line(self, line: u64) -> u64 {
        (self.lines + 1).saturating_sub(line)
    }

    /// Where a line begins in the file, of the place behind its end as it is read.
    pub(crate) fn offset(self, end: u64) -> u64 {
        self.bytes.saturating_sub(end)
    }
}

/// Gives the lines of a content from the last to the first, each with an end.
pub(crate) struct BackwardsRead<C> {
    content: C,
    /// Bytes of the content before what was read.
    left: u64,
    /// The beginning of what was read: the end of a line that begins before it.
    carry: Vec<u8>,
    /// Lines in the order in which they are given.
    ready: Vec<u8>,
    given: usize,
}

impl<C: Read + Seek> BackwardsRead<C> {
    pub(crate) fn new(mut content: C) -> io::Result<Self> {
        let left = content.seek(SeekFrom::End(0))?;
        Ok(Self { content, left, carry: Vec::new(), ready: Vec::new(), given: 0 })
    }

    fn refill(&mut self) -> io::Result<()> {
        let is_last = self.left > 0 && self.carry.is_empty() && self.ready.is_empty();
        let count = self.left.min(BLOCK);
        self.left -= count;
        self.content.seek(SeekFrom::Start(self.left))?;
        let mut text = Vec::new();
        self.content.by_ref().take(count).read_to_end(&mut text)?;
        if (text.len() as u64) < count {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it became shorter while it was read"));
        }
        if is_last && text.last() == Some(&b'\n') {
            text.pop();
        }
        text.append(&mut self.carry);
        self.ready.clear();
        self.given = 0;
        let mut end = text.len();
        while let Some(newline) = memrchr(b'\n', text.get(..end).unwrap_or_default()) {
            self.ready.extend_from_slice(text.get(newline + 1..end).unwrap_or_default());
            self.ready.push(b'\n');
            end = newline;
        }
        text.truncate(end);
        if self.left == 0 {
            self.ready.append(&mut text);
            self.ready.push(b'\n');
        } else if text.len() > LONGEST_LINE {
            return Err(io::Error::other("a line is too long to be read backwards"));
        }
        self.carry = text;
        Ok(())
    }
}

impl<C: Read + Seek> Read for BackwardsRead<C> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            if self.left == 0 {
                return Ok(0);
            }
            self.refill()?;
        }
        let rest = self.ready.get(self.given..).unwrap_or_default();
        let count = rest.len().min(target.len());
        if let (Some(room), Some(part)) = (target.get_mut(..count), rest.get(..count)) {
            room.copy_from_slice(part);
        }
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn backwards(text: &[u8]) -> Vec<u8> {
        let mut read = Vec::new();
        BackwardsRead::new(Cursor::new(text))
            .and_then(|mut lines| lines.read_to_end(&mut read))
            .expect("memory");
        read
    }

    #[test]
    fn lines_come_from_the_last_to_the_first() {
        for (text, expected) in [
            (&b""[..], &b""[..]),
            (b"one", b"one\n"),
            (b"one\n", b"one\n"),
            (b"\n", b"\n"),
            (b"one\ntwo", b"two\none\n"),
            (b"\none\n\ntwo\n\n", b"\ntwo\n\none\n\n"),
        ] {
            assert_eq!(backwards(text), expected, "{:?}", String::from_utf8_lossy(text));
            let counted = Backwards::of(&mut Cursor::new(text)).expect("memory");
            assert_eq!(counted.bytes, expected.len() as u64);
            assert_eq!(counted.lines, memchr_iter(b'\n', expected).count() as u64);
        }
    }

    #[test]
    fn lines_are_whole_over_the_ends_of_blocks() {
        let lines: Vec<String> =
            (0..60_000).map(|number| format!("{number} {}", "x".repeat(number % 90))).collect();
        let forwards = lines.join("\n") + "\n";
        let reversed: Vec<&str> = lines.iter().rev().map(String::as_str).collect();
        assert!(forwards.len() as u64 > 2 * BLOCK);
        assert_eq!(backwards(forwards.as_bytes()), (reversed.join("\n") + "\n").into_bytes());
    }
}
