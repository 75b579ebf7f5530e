//! Records that are lines, in whatever blocks they come.

use memchr::memchr;

use super::docker_json::{RECORD_REACH, read_record};
use super::kind::WrapperKind;
use super::prefix::{PREFIX_REACH, is_left_out, is_remark, read_prefix, read_stamped};
use super::split::Splitter;

/// Docker reads a container's output in pieces of this size; `docker logs -t` puts a time before each piece of
/// a longer line.
const DOCKER_PIECE: usize = 16 << 10;
/// What such a time and its blank take at most.
const TIME_REACH: usize = 40;

#[derive(Debug, Clone, Copy)]
enum Mode {
    /// At the beginning of a line.
    Begin,
    /// In the text of a record that is wanted.
    Text {
        /// The line goes on in another record.
        partial: bool,
        /// Bytes since the last time stamp, while more of them may follow in the line.
        since_time: Option<usize>,
    },
    /// In a line that nobody wants.
    Skip,
}

/// Takes the records apart.
#[derive(Debug)]
pub(super) struct LineDecoder {
    kind: WrapperKind,
    unread: Vec<u8>,
    mode: Mode,
    line: u64,
}

impl LineDecoder {
    pub(super) fn new(kind: WrapperKind) -> Self {
        Self { kind, unread: Vec::new(), mode: Mode::Begin, line: 0 }
    }

    /// The next block.
    pub(super) fn push(&mut self, block: &[u8], splitter: &mut Splitter) {
        self.unread.extend_from_slice(block);
        self.walk(splitter, false);
    }

    /// The end of the input.
    pub(super) fn finish(&mut self, splitter: &mut Splitter) {
        self.walk(splitter, true);
        splitter.finish();
    }

    fn walk(&mut self, splitter: &mut Splitter, at_end: bool) {
        let data = std::mem::take(&mut self.unread);
        let mut at = 0;
        while let Some(rest) = data.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = match self.mode {
                Mode::Begin => self.begin(rest, splitter, at_end),
                Mode::Text { partial, since_time } => {
                    self.pass_text(rest, partial, since_time, splitter, at_end)
                }
                Mode::Skip => self.skip(rest),
            };
            let Some(taken) = taken else { break };
            at += taken;
        }
        self.unread = data;
        self.unread.drain(..at);
    }

    /// The beginning of a line: how much of it was taken; `None` where more must be read first.
    fn begin(&mut self, rest: &[u8], splitter: &mut Splitter, at_end: bool) -> Option<usize> {
        let reach = if self.kind == WrapperKind::DockerJson { RECORD_REACH } else { PREFIX_REACH };
        let newline = memchr(b'\n', rest);
        if newline.is_none() && rest.len() < reach && !at_end {
            return None;
        }
        self.line += 1;
        let line = newline.and_then(|end| rest.get(..end)).unwrap_or(rest);
        if self.kind == WrapperKind::DockerJson && (newline.is_some() || at_end) {
            if let Some((prefix, text)) = read_record(line) {
                splitter.begin(&prefix, text.as_bytes());
                splitter.text(text.as_bytes());
                splitter.end(!prefix.partial);
            } else if !is_remark(self.kind, line) {
                splitter.damaged(self.line);
            }
            return Some(line.len() + usize::from(newline.is_some()));
        }
        self.mode = Mode::Skip;
        let Some(prefix) = read_prefix(self.kind, line) else {
            if !is_remark(self.kind, line) {
                splitter.damaged(self.line);
            }
            return Some(0);
        };
        let text = line.get(prefix.length..).unwrap_or_default();
        if splitter.begin(&prefix, text) {
            if self.kind == WrapperKind::JournalShort && is_left_out(text) {
                splitter.left_out();
            }
            let since_time = (self.kind == WrapperKind::Stamped).then_some(0);
            self.mode = Mode::Text { partial: prefix.partial, since_time };
        }
        Some(prefix.length)
    }

    fn pass_text(
        &mut self,
        rest: &[u8],
        partial: bool,
        since_time: Option<usize>,
        splitter: &mut Splitter,
        at_end: bool,
    ) -> Option<usize> {
        let newline = memchr(b'\n', rest);
        if since_time == Some(DOCKER_PIECE) {
            if newline.is_none() && rest.len() < TIME_REACH && !at_end {
                return None;
            }
            let time = read_stamped(rest.get(..TIME_REACH).unwrap_or(rest));
            let since_time = time.map(|_| 0);
            self.mode = Mode::Text { partial, since_time };
            return Some(time.map_or(0, |time| time.length));
        }
        let end = newline.map_or(rest.len(), |newline| newline + 1);
        let piece_end = since_time.map_or(end, |since| DOCKER_PIECE - since);
        if piece_end < end && newline.is_none_or(|newline| piece_end <= newline) {
            splitter.text(rest.get(..piece_end)?);
            self.mode = Mode::Text { partial, since_time: Some(DOCKER_PIECE) };
            return Some(piece_end);
        }
        let mut text = rest.get(..end)?;
        if partial && newline.is_some() {
            // The line end of a piece is the wrapper's, the carriage return of a copy from Windows too.
            text = text.strip_suffix(b"\n").unwrap_or(text);
            text = text.strip_suffix(b"\r").unwrap_or(text);
        } else if newline.is_none() && !at_end {
            text = text.strip_suffix(b"\r").unwrap_or(text);
            if text.is_empty() {
                return None;
            }
        }
        splitter.text(text);
        if newline.is_some() {
            splitter.end(!partial);
            self.mode = Mode::Begin;
            return Some(end);
        }
        self.mode = Mode::Text { partial, since_time: since_time.map(|since| since + text.len()) };
        Some(text.len())
    }

    fn skip(&mut self, rest: &[u8]) -> Option<usize> {
        let Some(newline) = memchr(b'\n', rest) else { return Some(rest.len()) };
        self.mode = Mode::Begin;
        Some(newline + 1)
    }
}
