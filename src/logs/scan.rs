//! The line walk: the one loop that sees every byte of a log.
//!
//! Newlines by `memchr_iter` over a block, one look at each line, nothing else for a line that does not matter.
//! Long lines, the last line and open claims of raw chunks leave the loop.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};

use super::block::{Block, Limits, Refill};
use super::chunk::Claims;
use super::clock::LineCounts;
use super::examine::{FileStart, Knowledge, LineState, Seen};
use super::inside::Tally;
use super::line::{Found, HeldLine, Line, Place};
use super::tag::TagTable;

/// Where the text of a line is.
#[derive(Debug, Clone, Copy)]
enum Where {
    /// In the block, from a place on.
    Block(usize),
    /// In the buffer for the beginning of a long line.
    Head,
    /// In the line that was released last.
    Released,
}

/// A line that was found, and where its text is.
#[derive(Debug)]
struct Hit {
    found: Found,
    place: Place,
    cut: bool,
    text: Where,
    text_length: usize,
}

/// What a step of the walk came to.
#[derive(Debug)]
enum Step {
    Hit(Hit),
    /// Progress, but nothing to hand out yet.
    Again,
    /// No whole line is left in the block.
    NeedsMore,
    /// The file has ended.
    End,
}

/// A physical line that has been looked at.
#[derive(Debug, Clone, Copy)]
struct Physical {
    text: Where,
    offset: u64,
    /// Bytes without `\n`, but with `\r`.
    length: u64,
    /// How many bytes of it are its own and are kept.
    kept: usize,
    ends_in_carriage_return: bool,
    has_end: bool,
}

/// One file after the other, line by line.
#[derive(Debug)]
pub(crate) struct Scan<'t> {
    limits: Limits,
    input: usize,
    block: Block,
    state: LineState<'t>,
    claims: Claims<Knowledge>,
    /// The beginning of a line that is too long for the block.
    head: Vec<u8>,
    released: Option<HeldLine>,
    ended: bool,
    failure: Option<io::Error>,
    refusals: Refusals,
}

/// Claims of raw chunks that were not believed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Refusals {
    /// Those that ended in the middle of a line.
    pub(crate) false_claims: Tally,
    /// Those that too much would have had to be held back for.
    pub(crate) given_up: Tally,
}

impl<'t> Scan<'t> {
    pub(crate) fn new(tags: &'t TagTable, limits: Limits) -> Self {
        Self {
            limits,
            input: 0,
            block: Block::new(limits),
            state: LineState::new(tags, FileStart::default()),
            claims: Claims::new(),
            head: Vec::new(),
            released: None,
            ended: false,
            failure: None,
            refusals: Refusals::default(),
        }
    }

    /// Begins with the next file.
    pub(crate) fn begin(&mut self, input: usize, start: FileStart) {
        self.input = input;
        self.block.reset();
        self.state = LineState::new(self.state.tags, start);
        self.claims = Claims::new();
        self.ended = false;
        self.failure = None;
        self.refusals = Refusals::default();
    }

    /// What is known at the present line.
    pub(crate) fn knowledge(&self) -> &Knowledge {
        &self.state.known
    }

    /// Lines so far.
    pub(crate) fn lines(&self) -> u64 {
        self.state.lines
    }

    /// Bytes of content so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.block.total()
    }

    /// The number that a line of the file has, of the place at which it was read.
    pub(crate) fn line_number(&self, line: u64) -> u64 {
        self.state.start.backwards.map_or(line, |backwards| backwards.line(line))
    }

    /// Claims that were not believed.
    pub(crate) fn refusals(&self) -> Refusals {
        self.refusals
    }

    /// Why reading ended early, if it did.
    pub(crate) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// How many lines stand at which moment; ends the counting.
    pub(crate) fn take_counts(&mut self) -> LineCounts {
        let mut counts = std::mem::take(&mut self.state.counts);
        counts.finish(self.state.lines);
        counts
    }

    /// Walks on to the next line that matters; `false` at the end of the file. The line is then
    /// [`Scan::line`]. `after_block` is called after each read.
    pub(crate) fn advance(
        &mut self,
        source: &mut dyn Read,
        after_block: &mut dyn FnMut(),
    ) -> Option<Position> {
        loop {
            if let Some(held) = self.claims.release() {
                let text_length = held.text.len();
                let hit = Hit {
                    found: held.found.clone(),
                    place: held.place,
                    cut: held.cut,
                    text: Where::Released,
                    text_length,
                };
                self.released = Some(held);
                return Some(Position(hit));
            }
            let step = if self.claims.any_open() { self.walk_one_line() } else { self.walk() };
            let step = if matches!(step, Step::NeedsMore) { self.read_on(source, after_block) } else { step };
            match step {
                Step::Hit(hit) => return Some(Position(hit)),
                Step::Again | Step::NeedsMore => {}
                Step::End => return None,
            }
        }
    }

    /// The line at a position that [`Scan::advance`] has just returned.
    pub(crate) fn line(&self, position: &Position) -> Line<'_> {
        let hit = &position.0;
        let text = match hit.text {
            Where::Block(place) => self.block.at(place, hit.text_length),
            Where::Head => self.head.get(..hit.text_length).unwrap_or_default(),
            Where::Released => self.released.as_ref().map_or(&[][..], |line| &line.text),
        };
        hit.found.line(text, hit.place, hit.cut)
    }

    /// The loop. Walks over the whole lines of the block until one matters.
    fn walk(&mut self) -> Step {
        let data = self.block.unread();
        let mut start = 0;
        let mut stop = None;
        for newline in memchr_iter(b'\n', data) {
            let line = data.get(start..newline).unwrap_or_default();
            self.state.lines += 1;
            let (seen, kept) = self.state.look(line, self.limits.line, false);
            if !matches!(seen, Seen::Nothing) {
                stop = Some((seen, kept, newline, line.ends_with(b"\r")));
                break;
            }
            start = newline + 1;
        }
        self.block.consume(start);
        let Some((seen, kept, newline, ends_in_carriage_return)) = stop else { return Step::NeedsMore };
        self.finish_block_line(seen, kept, newline - start, ends_in_carriage_return)
    }

    /// The same for a single line, while claims are open.
    fn walk_one_line(&mut self) -> Step {
        let data = self.block.unread();
        let Some(newline) = memchr(b'\n', data) else { return Step::NeedsMore };
        let line = data.get(..newline).unwrap_or_default();
        let ends_in_carriage_return = line.ends_with(b"\r");
        self.state.lines += 1;
        let (seen, kept) = self.state.look(line, self.limits.line, false);
        self.finish_block_line(seen, kept, newline, ends_in_carriage_return)
    }

    fn finish_block_line(
        &mut self,
        seen: Seen,
        kept: usize,
        length: usize,
        ends_in_carriage_return: bool,
    ) -> Step {
        let line = Physical {
            text: Where::Block(self.block.place()),
            offset: self.block.offset(),
            length: length as u64,
            kept,
            ends_in_carriage_return,
            has_end: true,
        };
        let step = self.finish_line(seen, line);
        self.block.consume(length + 1);
        step
    }

    /// A line has been looked at: hand it out, or hold it back while claims are open.
    fn finish_line(&mut self, seen: Seen, line: Physical) -> Step {
        let (event, claim) = match seen {
            Seen::Nothing => (None, None),
            Seen::Match(found) => (Some(found), None),
            Seen::Chunk { text_at, length, event } => (event, Some((text_at, length))),
        };
        let content = line.length - u64::from(line.ends_in_carriage_return);
        let hit = event.map(|found| {
            let kept = usize::try_from(content).unwrap_or(usize::MAX).min(line.kept);
            let (number, offset) = match self.state.start.backwards {
                None => (self.state.lines, line.offset),
                Some(backwards) => {
                    (backwards.line(self.state.lines), backwards.offset(line.offset + line.length + 1))
                }
            };
            Hit {
                found,
                place: Place {
                    input: self.input,
                    line: number,
                    read_as: self.state.lines,
                    offset,
                    length: content,
                },
                cut: (kept as u64) < content,
                text: line.text,
                text_length: kept,
            }
        });
        if claim.is_none() && !self.claims.any_open() {
            return hit.map_or(Step::Again, Step::Hit);
        }
        if let Some(hit) = hit {
            let position = Position(hit);
            let text = self.line(&position).text.into();
            let Position(Hit { found, place, cut, .. }) = position;
            self.claims.hold(HeldLine { found, place, text, cut });
        }
        if let Some((text_at, length)) = claim {
            let knowledge =
                Knowledge { raw_text: false, counts_mark: self.state.counts.mark(), ..self.state.known };
            self.claims.open(text_at, length, knowledge);
        }
        let counted = if self.state.carriage_returns == Some(true) { content } else { line.length };
        let decision = self.claims.end_line(counted, line.has_end);
        if let Some(knowledge) = decision.accepted {
            self.state.counts.rewind(knowledge.counts_mark);
            self.state.known = knowledge;
        }
        let (number, wall) = (self.state.lines, self.state.known.wall);
        self.refusals.false_claims.add(decision.refused, number, wall);
        self.refusals.given_up.add(self.claims.shed(), number, wall);
        Step::Again
    }

    /// No whole line is left in the block: read, or come to the end.
    fn read_on(&mut self, source: &mut dyn Read, after_block: &mut dyn FnMut()) -> Step {
        if self.ended {
            return self.end_file();
        }
        if self.block.rest_is_too_long() {
            return self.read_long_line(source, after_block);
        }
        self.refill(source, after_block);
        Step::Again
    }

    fn refill(&mut self, source: &mut dyn Read, after_block: &mut dyn FnMut()) {
        if !self.claims.any_open() {
            self.state.counts.settle();
        }
        match self.block.refill(source) {
            Refill::More => {}
            Refill::End => self.ended = true,
            Refill::Failed(error) => {
                self.ended = true;
                self.failure = Some(error);
            }
        }
        after_block();
    }

    /// A line longer than what is kept of one: keep its beginning, pass over the rest.
    fn read_long_line(&mut self, source: &mut dyn Read, after_block: &mut dyn FnMut()) -> Step {
        let offset = self.block.offset();
        let mut length = 0;
        let mut last = None;
        let mut has_end = false;
        let mut nuls = 0;
        self.head.clear();
        loop {
            let unread = self.block.unread();
            let newline = memchr(b'\n', unread);
            let part = newline.and_then(|newline| unread.get(..newline)).unwrap_or(unread);
            let room = self.limits.line.saturating_sub(self.head.len());
            self.head.extend_from_slice(part.get(..room).unwrap_or(part));
            last = part.last().copied().or(last);
            nuls += part.get(room..).map_or(0, |rest| memchr_iter(0, rest).count() as u64);
            length += part.len() as u64;
            let consumed = part.len() + usize::from(newline.is_some());
            self.block.consume(consumed);
            if newline.is_some() {
                has_end = true;
                break;
            }
            if self.ended {
                break;
            }
            self.refill(source, after_block);
        }
        self.state.lines += 1;
        if !has_end && self.failure.is_some() {
            self.state.known.unparsed += 1;
            return Step::Again;
        }
        let (seen, kept) = self.state.look(&self.head, self.limits.line, true);
        self.state.note_nuls_behind(&seen, nuls);
        let ends_in_carriage_return = last == Some(b'\r');
        self.finish_line(
            seen,
            Physical { text: Where::Head, offset, length, kept, ends_in_carriage_return, has_end },
        )
    }

    /// The last line may have no end. After a failure it is only a piece, which could name a wrong id.
    fn end_file(&mut self) -> Step {
        let unread = self.block.unread();
        if !unread.is_empty() {
            let length = unread.len();
            let ends_in_carriage_return = unread.ends_with(b"\r");
            self.state.lines += 1;
            if self.failure.is_some() {
                self.state.known.unparsed += 1;
                self.block.consume(length);
                return Step::Again;
            }
            let (seen, kept) = self.state.look(unread, self.limits.line, false);
            let line = Physical {
                text: Where::Block(self.block.place()),
                offset: self.block.offset(),
                length: length as u64,
                kept,
                ends_in_carriage_return,
                has_end: false,
            };
            let step = self.finish_line(seen, line);
            self.block.consume(length);
            return step;
        }
        if self.claims.any_open() {
            let refused = self.claims.end_input();
            self.refusals.false_claims.add(refused, self.state.lines, self.state.known.wall);
            return Step::Again;
        }
        Step::End
    }
}

/// Where a line is that was just found.
#[derive(Debug)]
pub(crate) struct Position(Hit);
