//! Raw chunks: `[AGENT DEBUG] raw chunk (len=N): ` and then N bytes of a model's text.
//!
//! The text may quote log lines and the length may be forged, and the end of a chunk may lie far behind the
//! block that is in memory. So a length is only a claim until the reading has come to its end. Until then lines
//! are held back. A claim that ends at a line start (or the end of the input) is true: whatever stood inside
//! is text. A claim that ends elsewhere is false and hides nothing.

use std::collections::VecDeque;

use super::line::HeldLine;

/// What a raw chunk's message begins with (server-behaviour.md#shape-of-a-line).
pub(crate) const CHUNK_OPENING: &[u8] = b"[AGENT DEBUG] raw chunk (len=";

/// Lines held back, in bytes.
const HELD_BYTES: usize = 8 << 20;
/// Claims open at once.
const OPEN_CLAIMS: usize = 1_024;

/// Reads the stated length of a chunk: the length, and where in the message the text begins.
pub(crate) fn read_claim(message: &[u8]) -> Option<(u64, usize)> {
    let rest = message.strip_prefix(CHUNK_OPENING)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || !rest.get(digits..)?.starts_with(b"): ") {
        return None;
    }
    let number = std::str::from_utf8(rest.get(..digits)?).ok()?;
    // A number too large for 64 bits is a claim like any other that no input can fulfil.
    let length = number.parse().unwrap_or(u64::MAX);
    Some((length, CHUNK_OPENING.len() + digits + 3))
}

/// One open claim. `S` is what the reader knew at the header, to go back to when the claim proves true.
#[derive(Debug)]
struct Claim<S> {
    /// Position at which the text ends.
    end: u64,
    /// Number of the first line that was held back inside it.
    first_held: u64,
    state: S,
}

/// Open claims by their start, and the lines that they hold back.
#[derive(Debug)]
pub(crate) struct Claims<S> {
    open: VecDeque<Claim<S>>,
    held: VecDeque<HeldLine>,
    held_bytes: usize,
    /// Number of the first line in `held`, counted over all that were ever held.
    front: u64,
    /// Bytes of text since the oldest claim's line began, every line end counted as one byte in a file whose
    /// lines end in `\r\n`.
    position: u64,
    next_end: u64,
}

/// What the end of a line decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decision<S> {
    /// A claim proved true: what the reader knew at its header.
    pub(crate) accepted: Option<S>,
    /// How many claims proved false.
    pub(crate) refused: u64,
}

impl<S: Copy> Claims<S> {
    pub(crate) fn new() -> Self {
        Self {
            open: VecDeque::new(),
            held: VecDeque::new(),
            held_bytes: 0,
            front: 0,
            position: 0,
            next_end: 0,
        }
    }

    /// Whether any claim is open.
    #[inline]
    pub(crate) fn any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Opens a claim of the line that is being read; its text begins `text_at` bytes after the line's start.
    pub(crate) fn open(&mut self, text_at: u64, length: u64, state: S) {
        if self.open.is_empty() {
            self.position = 0;
        }
        let end = self.position.saturating_add(text_at).saturating_add(length);
        self.open.push_back(Claim { end, first_held: self.front + self.held.len() as u64, state });
        self.find_next_end();
    }

    /// Holds a line back.
    pub(crate) fn hold(&mut self, line: HeldLine) {
        self.held_bytes += line.cost();
        self.held.push_back(line);
    }

    /// The next line that no open claim covers.
    pub(crate) fn release(&mut self) -> Option<HeldLine> {
        if self.open.front().is_some_and(|claim| claim.first_held <= self.front) {
            return None;
        }
        let line = self.held.pop_front()?;
        self.held_bytes -= line.cost();
        self.front += 1;
        Some(line)
    }

    /// The end of a line of `length` bytes, which has an end of its own or is the last of the input.
    pub(crate) fn end_line(&mut self, length: u64, has_end: bool) -> Decision<S> {
        let content_end = self.position.saturating_add(length);
        let line_end = content_end.saturating_add(u64::from(has_end));
        self.position = line_end;
        let mut decision = Decision { accepted: None, refused: 0 };
        if line_end < self.next_end {
            return decision;
        }
        let mut index = 0;
        while let Some(claim) = self.open.get(index) {
            // Go adds one line end only if the text does not end in one.
            if claim.end == content_end || claim.end == line_end {
                decision.accepted = Some(claim.state);
                self.forget_from(claim.first_held);
                self.open.truncate(index);
                break;
            }
            if claim.end < line_end {
                self.open.remove(index);
                decision.refused += 1;
            } else {
                index += 1;
            }
        }
        self.find_next_end();
        decision
    }

    /// Refuses the oldest claims until what is held is within its bounds; how many that were.
    pub(crate) fn shed(&mut self) -> u64 {
        let mut refused = 0;
        while self.open.len() > OPEN_CLAIMS || (self.held_bytes > HELD_BYTES && self.covered_is_too_much()) {
            self.open.pop_front();
            refused += 1;
        }
        if refused > 0 {
            self.find_next_end();
        }
        refused
    }

    /// The input has ended: what is still open was false. How many that were.
    pub(crate) fn end_input(&mut self) -> u64 {
        let refused = self.open.len() as u64;
        self.open.clear();
        refused
    }

    /// Whether the lines that are really covered, not those about to be released, exceed the bound.
    fn covered_is_too_much(&self) -> bool {
        let Some(oldest) = self.open.front() else { return false };
        let free = oldest.first_held.saturating_sub(self.front);
        let free = usize::try_from(free).unwrap_or(usize::MAX);
        self.held.iter().skip(free).map(HeldLine::cost).sum::<usize>() > HELD_BYTES
    }

    fn forget_from(&mut self, first: u64) {
        let keep = usize::try_from(first.saturating_sub(self.front)).unwrap_or(usize::MAX);
        let forgotten: usize = self.held.iter().skip(keep).map(HeldLine::cost).sum();
        self.held_bytes -= forgotten;
        self.held.truncate(keep);
    }

    fn find_next_end(&mut self) {
        self.next_end = self.open.iter().map(|claim| claim.end).min().unwrap_or(u64::MAX);
    }
}
