//! The lines of a file's head, before it is known what it is.

use memchr::memchr;

use super::chunk::read_claim;
use super::shape::{skip_ornaments, split_context};
use super::time::{STAMP_LENGTH, Stamp, read_standard_stamp};

/// The message of a standard line.
pub(crate) fn standard_message(line: &[u8]) -> &[u8] {
    let rest = line.get(STAMP_LENGTH + 1..).unwrap_or_default();
    let message = split_context(rest).and_then(|(_, start)| rest.get(start..)).unwrap_or(rest);
    message.get(skip_ornaments(message, false)..).unwrap_or_default()
}

/// The lines of a head that is in memory, raw chunks passed over. A line that the head does not hold whole is
/// left out.
#[derive(Debug)]
pub(crate) struct HeadLines<'a> {
    rest: &'a [u8],
}

impl<'a> HeadLines<'a> {
    pub(crate) fn new(head: &'a [u8]) -> Self {
        Self { rest: head }
    }

    /// Passes over a chunk's text, if its length is true. `text` is where it begins in its first line, `rest`
    /// what follows that line.
    fn skip_chunk(&mut self, first_line: &[u8], length: u64) {
        let carriage_returns = first_line.ends_with(b"\r");
        let counted =
            |line: &[u8]| (line.len() - usize::from(carriage_returns && line.ends_with(b"\r"))) as u64;
        let mut left = length;
        let mut rest = self.rest;
        let mut line = first_line;
        loop {
            let content = counted(line);
            if left == content || left == content + 1 {
                self.rest = rest;
                return;
            }
            if left < content {
                return;
            }
            left -= content + 1;
            let Some(newline) = memchr(b'\n', rest) else {
                // The chunk ends behind the head: nothing after it can be told from text.
                self.rest = &[];
                return;
            };
            (line, rest) =
                (rest.get(..newline).unwrap_or_default(), rest.get(newline + 1..).unwrap_or_default());
        }
    }
}

impl<'a> Iterator for HeadLines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let line = self.rest.get(..end)?;
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        if let Stamp::Wall(_) = read_standard_stamp(line)
            && let message = standard_message(line)
            && let Some((length, text_at)) = read_claim(message)
        {
            self.skip_chunk(message.get(text_at..).unwrap_or_default(), length);
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_in_the_head_is_passed_over_only_if_its_length_is_true() {
        let head = |length: usize| {
            format!(
                "2026/11/30 03:06:26 [AGENT DEBUG] raw chunk (len={length}): one\ntwo\n2026/11/30 03:06:27 x\n"
            )
        };
        let lines = |length| HeadLines::new(head(length).as_bytes()).count();
        assert_eq!(lines(7), 2, "Go adds a line end");
        assert_eq!(lines(8), 2, "the text ends in one");
        assert_eq!(lines(5), 3, "a false length hides nothing");
        assert_eq!(lines(9_999), 1, "behind the head nothing is certain");
        let windows = head(7).replace('\n', "\r\n");
        assert_eq!(HeadLines::new(windows.as_bytes()).count(), 2);
    }
}
