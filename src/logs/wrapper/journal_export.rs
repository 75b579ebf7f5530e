//! `journalctl -o export`: a block of fields per entry, blocks apart by an empty line.
//!
//! A field is `NAME=text`, or its name alone, eight bytes of length, and as many bytes of whatever kind.

use memchr::memchr;

use super::prefix::{Prefix, Stream};
use super::split::Splitter;

/// A field is no longer than this; journald itself cuts lines at 48 KiB.
const FIELD_REACH: usize = 4 << 20;
/// A field's name is no longer than this.
const NAME_REACH: usize = 128;
/// The bytes that say how long a field is.
const LENGTH_BYTES: usize = 8;

#[derive(Debug, Clone, Copy)]
enum Mode {
    Fields,
    /// In a field that is too long: bytes left of it.
    SkipBytes(u64),
    /// In a line that is no field: up to its end.
    SkipLine,
}

/// The entry that is being read.
#[derive(Debug, Default)]
struct Entry {
    message: Option<Vec<u8>>,
    identifier: Vec<u8>,
    unit: Vec<u8>,
    time: Option<i64>,
    /// The line goes on in the next entry of its stream.
    partial: bool,
    damaged: bool,
    /// The line of the file on which it begins.
    line: u64,
    any: bool,
}

/// Takes the entries apart.
#[derive(Debug)]
pub(super) struct ExportDecoder {
    unread: Vec<u8>,
    mode: Mode,
    entry: Entry,
    line: u64,
}

impl ExportDecoder {
    pub(super) fn new() -> Self {
        Self { unread: Vec::new(), mode: Mode::Fields, entry: Entry::default(), line: 0 }
    }

    /// The next block.
    pub(super) fn push(&mut self, block: &[u8], splitter: &mut Splitter) {
        self.unread.extend_from_slice(block);
        self.walk(splitter, false);
    }

    /// The end of the input.
    pub(super) fn finish(&mut self, splitter: &mut Splitter) {
        self.walk(splitter, true);
        if !self.unread.is_empty() {
            self.entry.damaged = true;
        }
        self.end_entry(splitter);
        splitter.finish();
    }

    fn walk(&mut self, splitter: &mut Splitter, at_end: bool) {
        let data = std::mem::take(&mut self.unread);
        let mut at = 0;
        while let Some(rest) = data.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = match self.mode {
                Mode::Fields => self.read_field(rest, splitter, at_end),
                Mode::SkipBytes(left) => {
                    let taken = usize::try_from(left).unwrap_or(usize::MAX).min(rest.len());
                    let left = left - taken as u64;
                    self.mode = if left == 0 { Mode::Fields } else { Mode::SkipBytes(left) };
                    Some(taken)
                }
                Mode::SkipLine => Some(memchr(b'\n', rest).map_or(rest.len(), |newline| {
                    self.mode = Mode::Fields;
                    newline + 1
                })),
            };
            let Some(taken) = taken else { break };
            at += taken;
        }
        self.unread = data;
        self.unread.drain(..at);
    }

    /// One field: its bytes; `None` where more must be read first.
    fn read_field(&mut self, rest: &[u8], splitter: &mut Splitter, at_end: bool) -> Option<usize> {
        let Some(newline) = memchr(b'\n', rest) else {
            if at_end {
                return self.read_text_field(rest, rest.len());
            }
            if rest.len() < FIELD_REACH {
                return None;
            }
            self.entry.damaged = true;
            self.mode = Mode::SkipLine;
            return Some(rest.len());
        };
        let line = rest.get(..newline)?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            self.line += 1;
            self.end_entry(splitter);
            return Some(newline + 1);
        }
        if is_field_name(line) {
            return self.read_sized_field(rest, line, newline + 1);
        }
        self.read_text_field(line, newline + 1)
    }

    fn read_text_field(&mut self, line: &[u8], taken: usize) -> Option<usize> {
        self.begin_line();
        match memchr(b'=', line.get(..NAME_REACH).unwrap_or(line)) {
            Some(equals) if is_field_name(line.get(..equals)?) => {
                self.take(line.get(..equals)?, line.get(equals + 1..)?);
            }
            _ => self.entry.damaged = true,
        }
        Some(taken)
    }

    fn read_sized_field(&mut self, rest: &[u8], name: &[u8], begin: usize) -> Option<usize> {
        let length = rest.get(begin..)?.first_chunk::<LENGTH_BYTES>()?;
        let length = u64::from_le_bytes(*length);
        let begin = begin + LENGTH_BYTES;
        let short = usize::try_from(length).ok().filter(|length| *length <= FIELD_REACH);
        let Some(short) = short else {
            self.begin_line();
            self.entry.damaged = true;
            self.mode = Mode::SkipBytes(length.saturating_add(1));
            return Some(begin);
        };
        let value = rest.get(begin..begin + short)?;
        if *rest.get(begin + short)? != b'\n' {
            // The length does not end at a line end: the bytes are not what they were.
            self.begin_line();
            self.entry.damaged = true;
            return Some(begin - LENGTH_BYTES);
        }
        self.begin_line();
        self.line += memchr::memchr_iter(b'\n', value).count() as u64 + 1;
        self.take(name, value);
        Some(begin + short + 1)
    }

    fn begin_line(&mut self) {
        self.line += 1;
        if !self.entry.any {
            self.entry.any = true;
            self.entry.line = self.line;
        }
    }

    fn take(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"MESSAGE" => self.entry.message = Some(value.to_vec()),
            b"SYSLOG_IDENTIFIER" => self.entry.identifier = value.to_vec(),
            b"_SYSTEMD_UNIT" => self.entry.unit = value.to_vec(),
            b"_LINE_BREAK" => self.entry.partial = value == b"line-max",
            b"__REALTIME_TIMESTAMP" => self.entry.time = microseconds(value),
            _ => {}
        }
    }

    fn end_entry(&mut self, splitter: &mut Splitter) {
        let entry = std::mem::take(&mut self.entry);
        if entry.damaged {
            splitter.damaged(entry.line);
            return;
        }
        let Some(message) = entry.message else { return };
        let label = if entry.identifier.is_empty() { &entry.unit } else { &entry.identifier };
        let prefix =
            Prefix { length: 0, label, time: entry.time, stream: Stream::Output, partial: entry.partial };
        if splitter.begin(&prefix, &message) {
            splitter.text(&message);
            if !entry.partial {
                splitter.text(b"\n");
            }
            splitter.end(!entry.partial);
        }
    }
}

/// Seconds of UTC.
fn microseconds(value: &[u8]) -> Option<i64> {
    let microseconds: i64 = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
    Some(microseconds.div_euclid(1_000_000))
}

/// Whether a text can be the name of a field.
pub(super) fn is_field_name(text: &[u8]) -> bool {
    let byte_of_name = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    !text.is_empty()
        && text.len() <= NAME_REACH
        && !text.first().is_some_and(u8::is_ascii_digit)
        && text.iter().all(byte_of_name)
}
