//! One line at a time: its format, its stamp, its message, and what is known after it.
//!
//! The inside of the scan's loop. A stamp that equals the last one is known by three loads; nothing is
//! allocated and nothing is decoded.

use std::ops::Range;

use jiff::tz::TimeZone;
use memchr::memchr_iter;

use super::backwards::Backwards;
use super::chunk::read_claim;
use super::clock::LineCounts;
use super::head::standard_message;
use super::inside::{Damage, may_hide, nuls_in, second_line};
use super::line::Found;
use super::probe::{FIRST_MESSAGE, is_opening_banner};
use super::shape::{LOGRUS_OPENING, Shape, skip_ornaments, split_context, split_logrus};
use super::tag::{TagMatch, TagTable};
use super::time::{STAMP_LENGTH, Stamp, read_offset, read_rfc3339_stamp, read_standard_stamp};
use super::word::first_word;
use super::zone::{ZoneInForce, offset_in_zone};

/// A jump back of the clock by up to this many seconds is the server's own disorder.
const CLOCK_SLACK: i64 = 2;
/// The first word of a raw chunk's message.
const CHUNK_WORD: u64 = u64::from_le_bytes(*b"[AGENT D");
/// Where the message of a standard line begins.
const STANDARD_MESSAGE: usize = STAMP_LENGTH + 1;

/// What is known at a line, and gone back to when the lines since prove to be a model's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knowledge {
    pub(crate) wall: Option<i64>,
    pub(crate) first_wall: Option<i64>,
    pub(crate) zone: ZoneInForce,
    pub(crate) unparsed: u64,
    /// Lines with a stamp.
    pub(crate) stamps: u64,
    pub(crate) jumps: Jumps,
    pub(crate) damage: Damage,
    /// Lines that are dated before the line before them, until it is known what they are.
    pub(crate) low: Low,
    /// Unstamped lines continue raw text.
    pub(crate) raw_text: bool,
    pub(crate) counts_mark: usize,
}

/// How often the clock went back.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Jumps {
    pub(crate) count: u64,
    /// Line and wall second of the first one.
    pub(crate) first: Option<(u64, i64)>,
    /// Seconds of the last one, negative.
    last: i64,
    /// Those that are neither the start of a process nor a quoted text.
    shuffled: u64,
    /// Stamps earlier than the one before, and later ones.
    earlier: u64,
    later: u64,
}

impl Jumps {
    /// Whether more than one step in five goes back, however small they are: a server's own lines hardly ever do.
    pub(crate) fn are_common(&self) -> bool {
        let never_goes_on = self.later == 0 && self.earlier > 0;
        never_goes_on || (self.earlier > 2 && self.earlier.saturating_mul(4) > self.later)
    }

    /// Whether at least one in a hundred stamps falls back. One alone is a clock that was set back.
    pub(crate) fn are_shuffled(&self, stamps: u64) -> bool {
        self.shuffled > 1 && self.shuffled.saturating_mul(100) >= stamps
    }
}

/// Lines in a row that are dated more than two seconds before the line before them. Where the next line goes back to
/// the time from before in one step, they were text that quotes a log; where time goes on from them, the clock was
/// set back.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Low {
    /// The first line of the block that is open now, the second from which it fell, and its own first second.
    open: Option<(u64, i64, i64)>,
    /// The blocks that were decided last, by their first lines, and whether each was quoted text; newest first.
    decided: [Option<(u64, bool)>; 4],
}

impl Low {
    /// More lines than this in a row are no quotation.
    const LONGEST: u64 = 64;

    /// The first line of the block that is open now.
    pub(crate) fn block(&self) -> Option<u64> {
        self.open.map(|(line, ..)| line)
    }

    /// Whether a block was quoted text; `None` where that is not known, or no more.
    pub(crate) fn was_quoted(&self, block: u64) -> Option<bool> {
        self.decided.iter().flatten().find(|(line, _)| *line == block).map(|(_, quoted)| *quoted)
    }

    /// A stamp that goes this many seconds beyond the last one, in a zone that has not changed. Whether it shows
    /// that a block was quoted text.
    fn note(&mut self, line: u64, last: i64, wall: i64, step: i64) -> bool {
        let Some((begun, from, first)) = self.open else {
            if step < -CLOCK_SLACK {
                self.open = Some((line, last, wall));
            }
            return false;
        };
        let returns = wall >= from - CLOCK_SLACK;
        if returns || line - begun > Self::LONGEST {
            // A clock that was set back catches up step by step.
            let quoted = returns && step * 2 >= from - first;
            self.decide(begun, quoted);
            return quoted;
        }
        false
    }

    fn decide(&mut self, block: u64, quoted: bool) {
        self.open = None;
        self.decided.rotate_right(1);
        self.decided[0] = Some((block, quoted));
    }
}

/// What is known about a file before its first line.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileStart {
    pub(crate) zone: ZoneInForce,
    /// The zone that the person named.
    pub(crate) named_zone: Option<TimeZone>,
    /// It is read from its last line to its first.
    pub(crate) backwards: Option<Backwards>,
    /// The file begins with the start of a process, so its unstamped head is the launcher's.
    pub(crate) begins_with_process: bool,
}

/// What one line was.
#[derive(Debug)]
pub(crate) enum Seen {
    /// Nothing that matters.
    Nothing,
    /// A line with a tag.
    Match(Found),
    /// The header of a raw chunk, which may have a tag too.
    Chunk { text_at: u64, length: u64, event: Option<Found> },
}

/// Line by line, what is known so far.
#[derive(Debug)]
pub(crate) struct LineState<'t> {
    pub(crate) tags: &'t TagTable,
    pub(crate) known: Knowledge,
    pub(crate) counts: LineCounts,
    pub(crate) lines: u64,
    /// The last standard stamp: its bytes and what they mean.
    standard_key: [u64; 3],
    standard_wall: Option<i64>,
    /// The last logrus stamp up to its offset, what it means, and the place of the quote behind it.
    logrus_key: [u64; 4],
    logrus_wall: Option<i64>,
    logrus_end: usize,
    /// Whether lines end in `\r\n`, decided by the first stamped line.
    pub(crate) carriage_returns: Option<bool>,
    pub(crate) start: FileStart,
    /// The quarter of an hour that the named zone was asked for last: offsets change at no other times.
    zone_quarter: Option<i64>,
}

/// The first 32 bytes of a line, as words.
#[inline(always)]
fn first_words(line: &[u8]) -> Option<[u64; 4]> {
    match line.first_chunk::<32>()?.as_chunks::<8>().0 {
        [first, second, third, fourth] => {
            Some([first, second, third, fourth].map(|word| u64::from_le_bytes(*word)))
        }
        _ => None,
    }
}

/// The stamp of a standard line and the blank behind it, of the line's first words.
#[inline(always)]
fn standard_key([first, second, third, _]: [u64; 4]) -> [u64; 3] {
    [first, second, third & 0xffff_ffff]
}

impl<'t> LineState<'t> {
    pub(crate) fn new(tags: &'t TagTable, start: FileStart) -> Self {
        Self {
            tags,
            known: Knowledge {
                wall: None,
                first_wall: None,
                zone: start.zone,
                unparsed: 0,
                stamps: 0,
                damage: Damage::default(),
                jumps: Jumps::default(),
                low: Low::default(),
                raw_text: false,
                counts_mark: 0,
            },
            counts: LineCounts::default(),
            lines: 0,
            standard_key: [0; 3],
            standard_wall: None,
            logrus_key: [0; 4],
            logrus_wall: None,
            logrus_end: 0,
            carriage_returns: None,
            start,
            zone_quarter: None,
        }
    }

    /// Looks at one line, without its `\n`, of which no more than `limit` bytes are kept and which may be cut
    /// already. Gives what it was and how much of it is its own.
    #[inline(always)]
    pub(crate) fn look(&mut self, line: &[u8], limit: usize, is_cut: bool) -> (Seen, usize) {
        match line.split_at_checked(limit) {
            Some((kept, rest)) if !rest.is_empty() => self.look_at_long(kept, rest),
            _ => self.look_at_kept(line, is_cut),
        }
    }

    #[inline(always)]
    fn look_at_kept(&mut self, line: &[u8], is_cut: bool) -> (Seen, usize) {
        if may_hide(line) {
            return self.look_closer(line, is_cut);
        }
        let seen = self.examine(line, is_cut);
        match seen {
            Seen::Nothing => (seen, 0),
            _ => (self.without_nuls(seen, line), line.len()),
        }
    }

    #[cold]
    fn look_at_long(&mut self, kept: &[u8], rest: &[u8]) -> (Seen, usize) {
        let (seen, own) = self.look_at_kept(kept, true);
        self.note_nuls_behind(&seen, memchr_iter(0, rest).count() as u64);
        (seen, own)
    }

    /// A line that may hold NULs or a second line. The second one is no event: it may be text.
    #[cold]
    fn look_closer(&mut self, line: &[u8], is_cut: bool) -> (Seen, usize) {
        let second = second_line(line, self.tags);
        let own = second.and_then(|at| line.get(..at)).unwrap_or(line);
        let seen = self.examine(own, is_cut && second.is_none());
        if second.is_some() {
            self.known.damage.joined.add(1, self.lines, self.known.wall);
        }
        (self.without_nuls(seen, line), own.len())
    }

    /// Counts the NULs of a line. With some it is no event, since what they replaced is not known; but people and
    /// models may write any byte.
    fn without_nuls(&mut self, seen: Seen, line: &[u8]) -> Seen {
        let nuls = nuls_in(line);
        if nuls == 0 {
            return seen;
        }
        self.known.damage.nuls.add(nuls, self.lines, self.known.wall);
        if self.known.raw_text { seen } else { Seen::Nothing }
    }

    /// NULs behind what was kept of a line. Those of a raw chunk are text.
    pub(crate) fn note_nuls_behind(&mut self, seen: &Seen, count: u64) {
        if !matches!(seen, Seen::Chunk { .. }) {
            self.known.damage.nuls.add(count, self.lines, self.known.wall);
        }
    }

    /// Looks at the text of one line.
    #[inline(always)]
    fn examine(&mut self, line: &[u8], cut: bool) -> Seen {
        if let Some(words) = first_words(line) {
            if standard_key(words) == self.standard_key && self.known.wall == self.standard_wall {
                return self.examine_standard(line);
            }
            if words == self.logrus_key && self.known.wall == self.logrus_wall {
                return self.examine_logrus(line, self.logrus_end, cut);
            }
        }
        self.examine_new_stamp(line, cut)
    }

    /// A line whose stamp differs from the last one, or that has none.
    #[inline(never)]
    fn examine_new_stamp(&mut self, line: &[u8], cut: bool) -> Seen {
        match read_standard_stamp(line) {
            Stamp::Wall(wall) if matches!(line.get(STAMP_LENGTH), Some(b' ' | b'\r') | None) => {
                self.note_line_end(line);
                self.note_wall(
                    wall,
                    self.known.zone.offset(),
                    standard_message(line).starts_with(FIRST_MESSAGE),
                );
                if let Some(words) = first_words(line) {
                    self.standard_key = standard_key(words);
                    self.standard_wall = Some(wall);
                }
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
        self.note_wall(wall, before, false);
        if let Some(words) = first_words(line) {
            self.logrus_key = words;
            self.logrus_wall = Some(wall);
            self.logrus_end = end;
        }
        self.examine_logrus(line, end, cut)
    }

    #[inline(always)]
    fn examine_standard(&mut self, line: &[u8]) -> Seen {
        self.known.raw_text = false;
        self.known.stamps += 1;
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
        self.known.stamps += 1;
        let Some((start, quoted)) = split_logrus(line, stamp_end, cut) else { return self.unparsed() };
        let message = line.get(start..).unwrap_or_default();
        let start = start + skip_ornaments(message, quoted);
        self.look_up(line, Shape::Logrus, 0..0, start, quoted)
    }

    #[inline(always)]
    fn look_up(
        &mut self,
        line: &[u8],
        shape: Shape,
        context: Range<usize>,
        start: usize,
        quoted: bool,
    ) -> Seen {
        let message = line.get(start..).unwrap_or_default();
        let word = first_word(message);
        let found = self.tags.find(word, message);
        let is_chunk = shape == Shape::Standard && word == CHUNK_WORD;
        if found.is_none() && !is_chunk {
            return Seen::Nothing;
        }
        self.see(line, found, is_chunk, shape, context, start, quoted)
    }

    /// A line that has a tag, or is the header of a raw chunk.
    #[cold]
    #[expect(clippy::too_many_arguments, reason = "the loop's own values, kept out of its way")]
    fn see(
        &mut self,
        line: &[u8],
        found: Option<TagMatch>,
        is_chunk: bool,
        shape: Shape,
        context: Range<usize>,
        start: usize,
        quoted: bool,
    ) -> Seen {
        let message = line.get(start..).unwrap_or_default();
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
        context: Range<usize>,
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
            low: self.known.low.block(),
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
            low: self.known.low.block(),
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

    /// A new stamp. `offset_before` is the zone's offset before this line; a process that starts may have another
    /// clock than the one before.
    fn note_wall(&mut self, wall: i64, offset_before: i32, starts_process: bool) {
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
            if moved_zone == 0 {
                let quoted = self.known.low.note(self.lines, last, wall, step);
                self.known.jumps.shuffled -= u64::from(quoted).min(self.known.jumps.shuffled);
            } else if let Some(block) = self.known.low.block() {
                self.known.low.decide(block, false);
            }
            self.known.jumps.earlier += u64::from(step < 0 && !starts_process);
            self.known.jumps.later += u64::from(step > 0);
            if step < -CLOCK_SLACK {
                self.known.jumps.shuffled += u64::from(!starts_process);
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
            jumps.shuffled = jumps.shuffled.saturating_sub(1);
            jumps.earlier = jumps.earlier.saturating_sub(1);
            jumps.last = 0;
            if jumps.count == 0 {
                jumps.first = None;
            }
        }
    }
}
