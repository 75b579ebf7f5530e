//! One line that matters, borrowed from the read buffer or owned while it is held back.

use std::ops::Range;

use super::shape::Shape;
use super::tag::TagId;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of the input.
    pub input: usize,
    /// Line number in the file, from 1.
    pub line: u64,
    /// The number of the line as they are read, from 1: a file whose newest line comes first is read from its end.
    pub read_as: u64,
    /// Where the line starts, in bytes of the decompressed content.
    pub offset: u64,
    /// The line's whole length in bytes, without its end.
    pub length: u64,
}

/// A line whose message begins with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The tag.
    pub tag: TagId,
    /// Where the line stands.
    pub place: Place,
    /// How the line was written.
    pub shape: Shape,
    /// The physical line without `\n` and `\r`: its first 256 KiB at most, perhaps not UTF-8.
    pub text: &'a [u8],
    /// Whether the line is longer than `text`.
    pub cut: bool,
    /// The inside of the `[workflow=… session=…]` block; empty where there is none.
    pub context: &'a [u8],
    /// From the tag on to the end of `text`. For logrus still escaped, and with the fields that follow.
    pub message: &'a [u8],
    /// For logrus: whether the message stands in quotes.
    pub quoted: bool,
    /// The local wall-clock second, counted as if the digits were UTC; for unstamped lines that of the last
    /// stamped line.
    pub wall: Option<i64>,
    /// Where the line is one of several that are dated before the line before them: the first of those. Whether
    /// they are text that quotes a log is known once a later line is read.
    pub low: Option<u64>,
    /// Seconds east of UTC in force at this line, by what is known so far.
    pub zone_offset: i32,
}

/// What the scan learned about a line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tag: TagId,
    pub(crate) shape: Shape,
    pub(crate) context: Range<usize>,
    pub(crate) message: usize,
    pub(crate) quoted: bool,
    pub(crate) wall: Option<i64>,
    pub(crate) low: Option<u64>,
    pub(crate) zone_offset: i32,
}

impl Found {
    /// The line for its text.
    pub(crate) fn line<'a>(&self, text: &'a [u8], place: Place, cut: bool) -> Line<'a> {
        Line {
            tag: self.tag,
            place,
            shape: self.shape,
            text,
            cut,
            context: text.get(self.context.clone()).unwrap_or_default(),
            message: text.get(self.message..).unwrap_or_default(),
            quoted: self.quoted,
            wall: self.wall,
            low: self.low,
            zone_offset: self.zone_offset,
        }
    }
}

/// A line that waits until it is known whether it is part of a raw chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldLine {
    pub(crate) found: Found,
    pub(crate) place: Place,
    pub(crate) text: Box<[u8]>,
    pub(crate) cut: bool,
}

impl HeldLine {
    /// Bytes it costs to hold it.
    pub(crate) fn cost(&self) -> usize {
        self.text.len() + size_of::<Self>()
    }
}
