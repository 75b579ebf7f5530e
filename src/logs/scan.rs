//! The line walk: the one loop that sees every byte of a log.
//!
//! Owns the shape of its speed (performance.md, section 6): newlines by `memchr_iter` over a block, a stamp
//! that equals the last one is known by three loads, the message's first word goes to the tag table, and
//! nothing is allocated for a line that matches nothing.

use std::io::{self, Read};

use jiff::tz::TimeZone;
use memchr::{memchr, memchr_iter};

use super::block::{Block, Limits, Refill};
use super::chunk::{Claims, read_claim};
use super::clock::LineCounts;
use super::line::{Found, HeldLine, Line, Place};
use super::probe::is_opening_banner;
use super::shape::{LOGRUS_OPENING, Shape, skip_ornaments, split_context, split_logrus};
use super::tag::{TagMatch, TagTable, first_word};
use super::time::{STAMP_LENGTH, Stamp, read_offset, read_rfc3339_stamp, read_standard_stamp};
use super::zone::{ZoneInForce, offset_in_zone};

/// A jump back of the clock by up to this many seconds is the server's own disorder.
const CLOCK_SLACK: i64 = 2;
/// Where the message of a standard line begins.
const STANDARD_MESSAGE: usize = STAMP_LENGTH + 1;

/// What is known at a line, and gone back to when the lines since prove to be a model's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knowledge {
    pub(crate) wall: Option<i64>,
    pub(crate) first_wall: Option<i64>,
    pub(crate) zone: ZoneInForce,
    pub(crate) unparsed: u64,
    pub(crate) jumps: Jumps,
    /// Unstamped lines continue raw text.
    raw_text: bool,
    counts_mark: usize,
}

/// How often the clock went back.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Jumps {
    pub(crate) count: u64,
    /// Line and wall second of the first one.
    pub(crate) first: Option<(u64, i64)>,
    /// Seconds of the last one, negative.
    last: i64,
}

/// How often something happened, and where first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// Line by which the first one was known, and its wall second.
    pub(crate) first: Option<(u64, Option<i64>)>,
}

impl Tally {
    fn add(&mut self, count: u64, line: u64, wall: Option<i64>) {
        if count > 0 {
            self.count += count;
            self.first = self.first.or(Some((line, wall)));
        }
    }
}

/// What is known about a file before its first line.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileStart {
    pub(crate) zone: ZoneInForce,
    /// The zone that the person named.
    pub(crate) named_zone: Option<TimeZone>,
    /// The file begins with the start of a process, so its unstamped head is the launcher's.
    pub(crate) begins_with_process: bool,
}

/// What one line was.
#[derive(Debug)]
enum Seen {
    /// Nothing that matters.
    Nothing,
    /// A line with a tag.
    Match(Found),
    /// The header of a raw chunk, which may have a tag too.
    Chunk { text_at: u64, length: u64, event: Option<Found> },
}

/// Line by line, what is known so far.
#[derive(Debug)]
struct LineState<'t> {
    tags: &'t TagTable,
    known: Knowledge,
    counts: LineCounts,
    lines: u64,
    /// The last standard stamp: its bytes and what they mean.
    standard_key: (u64, u64, u32),
    standard_wall: Option<i64>,
    /// The last logrus stamp, the place of the quote behind it, and what it means.
    logrus_key: (u64, u64, u64, u64),
    logrus_wall: Option<i64>,
    logrus_end: usize,
    /// Whether lines end in `\r\n`, decided by the first stamped line.
    carriage_returns: Option<bool>,
    start: FileStart,
    /// The quarter of an hour that the named zone was asked for last: offsets change at no other times.
    zone_quarter: Option<i64>,
}

#[inline]
fn word_at(line: &[u8], at: usize) -> u64 {
    line.get(at..).and_then(|rest| rest.first_chunk::<8>()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[inline]
fn half_word_at(line: &[u8], at: usize) -> u32 {
    line.get(at..).and_then(|rest| rest.first_chunk::<4>()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[inline]
fn standard_key(line: &[u8]) -> (u64, u64, u32) {
    (word_at(line, 0), word_at(line, 8), half_word_at(line, 16))
}

/// The 26 bytes from the year to the end of an offset, and what stands before.
#[inline]
fn logrus_key(line: &[u8]) -> (u64, u64, u64, u64) {
    (word_at(line, 0), word_at(line, 8), word_at(line, 16), word_at(line, 24))
}

impl<'t> LineState<'t> {
    fn new(tags: &'t TagTable, start: FileStart) -> Self {
        Self {
            tags,
            known: Knowledge {
                wall: None,
                first_wall: None,
                zone: start.zone,
                unparsed: 0,
                jumps: Jumps::default(),
                raw_text: false,
                counts_mark: 0,
            },
            counts: LineCounts::default(),
            lines: 0,
            standard_key: (0, 0, 0),
            standard_wall: None,
            logrus_key: (0, 0, 0, 0),
            logrus_wall: None,
            logrus_end: 0,
            carriage_returns: None,
            start,
            zone_quarter: None,
        }
    }

    /// Looks at one line, without its `\n`.
    #[inline]
    fn examine(&mut self, line: &[u8], cut: bool) -> Seen {
        if line.len() >= 32 {
            if standard_key(line) == self.standard_key && self.known.wall == self.standard_wall {
                return self.examine_standard(line);
            }
            if logrus_key(line) == self.logrus_key && self.known.wall == self.logrus_wall {
                return self.examine_logrus(line, self.logrus_end, cut);
            }
        }
        self.examine_new_stamp(line, cut)
    }

    /// A line whose stamp differs from the last one, or that has none.
    fn examine_new_stamp(&mut self, line: &[u8], cut: bool) -> Seen {
        match read_standard_stamp(line) {
            Stamp::Wall(wall) if matches!(line.get(STAMP_LENGTH), Some(b' ' | b'\r') | None) => {
                self.note_line_end(line);
                self.note_wall(wall, self.known.zone.offset());
                self.standard_key = standard_key(line);
                self.standard_wall = Some(wall);
                self.examine_standard(line)
            }
            Stamp::Impossible => self.unparsed(),
            _ if line.starts_with(LOGRUS_OPENING) => self.examine_new_logrus(line, cut),
            _ => self.examine_plain(line),
        }
    }

    fn examine_new_logrus(&mut self, line: &[u8], cut: bool) -> Seen {
        let opening = LOGRUS_OPENING.len();
        let Some(Stamp::Wall(wall)) = line.get(opening..).map(read_rfc3339_stamp) else {
            return self.unparsed();
        };
        let Some((offset, length)) = line.get(opening + STAMP_LENGTH..).and_then(read_offset) else {
            return self.unparsed();
        };
        let end = opening + STAMP_LENGTH + length;
        if split_logrus(line, end, cut).is_none() {
            return self.unparsed();
        }
        self.note_line_end(line);
        let before = self.known.zone.offset();
        self.known.zone.learn(offset);
        self.forgive_jump(self.known.zone.offset() - before);
        self.note_wall(wall, before);
        self.logrus_key = logrus_key(line);
        self.logrus_wall = Some(wall);
        self.logrus_end = end;
        self.examine_logrus(line, end, cut)
    }

    #[inline]
    fn examine_standard(&mut self, line: &[u8]) -> Seen {
        self.known.raw_text = false;
        let Some(rest) = line.get(STANDARD_MESSAGE..) else { return Seen::Nothing };
        let mut context = 0..0;
        let mut start = 0;
        match rest.first() {
            Some(b'[') => {
                if let Some((end, message)) = split_context(rest) {
                    context = STANDARD_MESSAGE + 1..STANDARD_MESSAGE + end;
                    start = message;
                }
            }
            Some(b' ' | 0x80..) => {}
            _ => return self.look_up(line, Shape::Standard, context, STANDARD_MESSAGE, false),
        }
        let message = rest.get(start..).unwrap_or_default();
        start += skip_ornaments(message, false);
        self.look_up(line, Shape::Standard, context, STANDARD_MESSAGE + start, false)
    }

    #[inline]
    fn examine_logrus(&mut self, line: &[u8], stamp_end: usize, cut: bool) -> Seen {
        self.known.raw_text = false;
        let Some((start, quoted)) = split_logrus(line, stamp_end, cut) else { return self.unparsed() };
        let message = line.get(start..).unwrap_or_default();
        let start = start + skip_ornaments(message, quoted);
        self.look_up(line, Shape::Logrus, 0..0, start, quoted)
    }

    #[inline]
    fn look_up(
        &mut self,
        line: &[u8],
        shape: Shape,
        context: std::ops::Range<usize>,
        start: usize,
        quoted: bool,
    ) -> Seen {
        let message = line.get(start..).unwrap_or_default();
        let found = self.tags.find(message);
        let is_chunk = shape == Shape::Standard && first_word(message) == u64::from_le_bytes(*b"[AGENT D");
        if found.is_none() && !is_chunk {
            return Seen::Nothing;
        }
        let event = found.map(|tag| self.found(tag, shape, context, start, quoted));
        if is_chunk && let Some((length, text_at)) = read_claim(message) {
            self.known.raw_text = true;
            return Seen::Chunk { text_at: (start + text_at) as u64, length, event };
        }
        event.map_or(Seen::Nothing, Seen::Match)
    }

    fn found(
        &mut self,
        tag: TagMatch,
        shape: Shape,
        context: std::ops::Range<usize>,
        message: usize,
        quoted: bool,
    ) -> Found {
        self.known.raw_text = tag.raw_text && shape == Shape::Standard;
        Found {
            tag: tag.id,
            shape,
            context,
            message,
            quoted,
            wall: self.known.wall,
            zone_offset: self.known.zone.offset(),
        }
    }

    fn examine_plain(&mut self, line: &[u8]) -> Seen {
        if self.known.wall.is_none() {
            if !is_opening_banner(line) {
                self.known.unparsed += 1;
            }
            if !self.start.begins_with_process {
                return Seen::Nothing;
            }
        }
        if self.known.raw_text {
            return Seen::Nothing;
        }
        let Some(tag) = self.tags.find_plain(line) else { return Seen::Nothing };
        Seen::Match(Found {
            tag: tag.id,
            shape: Shape::Plain,
            context: 0..0,
            message: 0,
            quoted: false,
            wall: self.known.wall,
            zone_offset: self.known.zone.offset(),
        })
    }

    fn unparsed(&mut self) -> Seen {
        self.known.unparsed += 1;
        Seen::Nothing
    }

    fn note_line_end(&mut self, line: &[u8]) {
        if self.carriage_returns.is_none() {
            self.carriage_returns = Some(line.ends_with(b"\r"));
        }
    }

    /// A new stamp. `offset_before` is the zone's offset before this line.
    fn note_wall(&mut self, wall: i64, offset_before: i32) {
        let quarter = wall.div_euclid(900);
        if let Some(zone) = &self.start.named_zone
            && self.zone_quarter != Some(quarter)
        {
            self.zone_quarter = Some(quarter);
            self.known.zone.set_named(offset_in_zone(zone, wall));
        }
        self.known.first_wall = self.known.first_wall.or(Some(wall));
        if let Some(last) = self.known.wall {
            let moved_zone = i64::from(self.known.zone.offset() - offset_before);
            let step = wall.saturating_sub(last) - moved_zone;
            if step < -CLOCK_SLACK {
                self.known.jumps.count += 1;
                self.known.jumps.first = self.known.jumps.first.or(Some((self.lines, wall)));
                self.known.jumps.last = step;
            }
        }
        if self.known.wall != Some(wall) {
            self.counts.begin(wall, self.lines.saturating_sub(1));
            self.known.wall = Some(wall);
        }
    }

    /// The end of summer time makes the wall clock go back before a line tells the new offset: no jump.
    fn forgive_jump(&mut self, moved_zone: i32) {
        let jumps = &mut self.known.jumps;
        if moved_zone < 0 && jumps.count > 0 && jumps.last >= i64::from(moved_zone) && jumps.last < 0 {
            jumps.count -= 1;
            jumps.last = 0;
            if jumps.count == 0 {
                jumps.first = None;
            }
        }
    }
}

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
            let seen = match line.get(..self.limits.line) {
                Some(beginning) if beginning.len() < line.len() => self.state.examine(beginning, true),
                _ => self.state.examine(line, false),
            };
            if !matches!(seen, Seen::Nothing) {
                stop = Some((seen, newline, line.ends_with(b"\r")));
                break;
            }
            start = newline + 1;
        }
        self.block.consume(start);
        let Some((seen, newline, ends_in_carriage_return)) = stop else { return Step::NeedsMore };
        self.finish_block_line(seen, newline - start, ends_in_carriage_return)
    }

    /// The same for a single line, while claims are open.
    fn walk_one_line(&mut self) -> Step {
        let data = self.block.unread();
        let Some(newline) = memchr(b'\n', data) else { return Step::NeedsMore };
        let line = data.get(..newline).unwrap_or_default();
        let ends_in_carriage_return = line.ends_with(b"\r");
        self.state.lines += 1;
        let seen = match line.get(..self.limits.line) {
            Some(beginning) if beginning.len() < line.len() => self.state.examine(beginning, true),
            _ => self.state.examine(line, false),
        };
        self.finish_block_line(seen, newline, ends_in_carriage_return)
    }

    fn finish_block_line(&mut self, seen: Seen, length: usize, ends_in_carriage_return: bool) -> Step {
        let line = Physical {
            text: Where::Block(self.block.place()),
            offset: self.block.offset(),
            length: length as u64,
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
            let kept = usize::try_from(content).unwrap_or(usize::MAX).min(self.limits.line);
            Hit {
                found,
                place: Place {
                    input: self.input,
                    line: self.state.lines,
                    offset: line.offset,
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
        self.head.clear();
        loop {
            let unread = self.block.unread();
            let newline = memchr(b'\n', unread);
            let part = newline.and_then(|newline| unread.get(..newline)).unwrap_or(unread);
            let room = self.limits.line.saturating_sub(self.head.len());
            self.head.extend_from_slice(part.get(..room).unwrap_or(part));
            last = part.last().copied().or(last);
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
        let seen = self.state.examine(&self.head, true);
        let ends_in_carriage_return = last == Some(b'\r');
        self.finish_line(
            seen,
            Physical { text: Where::Head, offset, length, ends_in_carriage_return, has_end },
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
            let seen = match unread.get(..self.limits.line) {
                Some(beginning) if beginning.len() < unread.len() => self.state.examine(beginning, true),
                _ => self.state.examine(unread, false),
            };
            let line = Physical {
                text: Where::Block(self.block.place()),
                offset: self.block.offset(),
                length: length as u64,
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
