//! One server's log: its two files, read side by side, once; their events in the order of time. Whatever asks a log
//! something is fed by this, so that all see the same events. Judges nothing.

use std::collections::VecDeque;

use super::{EventKind, EventReader, Reading, SharedEvent, Stream};
use crate::logs::{Group, InputStats, Line, LogFile, ReadGap, ReadOptions, Reader, TagTable};

/// What reading needs to know, for all servers.
#[derive(Clone, Copy)]
pub struct Reads<'a> {
    /// Makes events of lines.
    pub events: &'a EventReader,
    /// The tags of all lines that matter.
    pub tags: &'a TagTable,
    /// Zone and window.
    pub options: &'a ReadOptions,
    /// Is told how many bytes were read since the last time, as they stand on the disk.
    pub progress: &'a dyn Fn(u64),
}

/// One of the two logs, and the next event in it.
struct Source<'a> {
    events: &'a EventReader,
    reader: Reader<'a>,
    stream: Stream,
    next: Option<SharedEvent>,
    /// Events that were read behind the next one.
    ready: VecDeque<SharedEvent>,
    /// Events on lines that may be quoted text, each with its block of lines.
    held: Vec<(u64, SharedEvent)>,
    /// Lines that began like a template and went on otherwise.
    unread: u64,
    /// Lines that would be events and are quoted text.
    quoted: u64,
}

impl<'a> Source<'a> {
    fn new(reads: Reads<'a>, files: Vec<LogFile>, first_input: usize, stream: Stream) -> Self {
        let mut reader = Reader::new(files, first_input, reads.tags, reads.options.clone());
        let mut last = 0;
        reader.set_progress(Box::new(move |consumed| {
            (reads.progress)(consumed.saturating_sub(last));
            last = consumed;
        }));
        let (ready, held) = (VecDeque::new(), Vec::new());
        Self { events: reads.events, reader, stream, next: None, ready, held, unread: 0, quoted: 0 }
    }

    /// Reads on to the next event and shows every line with a known tag on the way.
    fn advance(&mut self, on_line: &mut impl FnMut(&Line<'_>)) {
        self.next = loop {
            if let Some(event) = self.ready.pop_front() {
                break Some(event);
            }
            let Some(line) = self.reader.next() else {
                // Where no line came behind them, nothing shows that they were text.
                self.decide_held(None);
                break self.ready.pop_front();
            };
            let low = line.low;
            let mut event = None;
            on_line(&line);
            if self.events.knows(line.tag) {
                match self.events.read(&line, self.stream) {
                    Reading::Event(read) => event = Some(read),
                    Reading::NotThisTemplate => self.unread += 1,
                }
            }
            if !self.held.is_empty() {
                self.decide_held(low);
            }
            match (event, low) {
                (Some(event), Some(block)) => self.held.push((block, event)),
                (Some(event), None) => self.ready.push_back(event),
                (None, _) => {}
            }
        };
    }

    /// What became of the lines that were held back; those of the block that is still open stay.
    fn decide_held(&mut self, open: Option<u64>) {
        let starts = self.held.iter().any(|(_, event)| matches!(event.kind, EventKind::ProcessStarted));
        let mut kept = Vec::new();
        for (block, event) in self.held.drain(..) {
            if open == Some(block) {
                kept.push((block, event));
            } else if !starts && self.reader.was_quoted(block) {
                self.quoted += 1;
            } else {
                self.ready.push_back(event);
            }
        }
        self.held = kept;
    }
}

/// The log of one server. `F` sees every line whose tag is in the table, also where it is no event.
pub struct ServerLog<'a, F> {
    main: Source<'a>,
    schedule: Source<'a>,
    on_line: F,
    /// Wall second of the first line of `server_debug.log`.
    main_begins: Option<i64>,
    before_main: u64,
}

/// What came of reading both files to their ends.
pub struct ReadThrough {
    /// `server_debug.log` and its older parts.
    pub main: Vec<InputStats>,
    /// `schedule.log` and its older parts.
    pub schedule: Vec<InputStats>,
    /// What is missing in the first.
    pub main_gaps: Vec<ReadGap>,
    /// What is missing in the second.
    pub schedule_gaps: Vec<ReadGap>,
    /// Lines that began like a template and went on otherwise.
    pub unread: u64,
    /// Lines that would be events, but are dated before both their neighbours: text that quotes a log.
    pub quoted: u64,
    /// Events of `schedule.log` from before the other file begins.
    pub before_main: u64,
}

impl<'a, F: FnMut(&Line<'_>)> ServerLog<'a, F> {
    /// The files of both logs, which are numbered from `first_input` on.
    pub fn new(reads: Reads<'a>, files: Group, first_input: usize, mut on_line: F) -> Self {
        let Group { main, schedule } = files;
        let main_begins = main.iter().filter_map(|file| file.first_wall).min();
        let first_schedule = first_input + main.len();
        let mut main = Source::new(reads, main, first_input, Stream::Main);
        let mut schedule = Source::new(reads, schedule, first_schedule, Stream::Schedule);
        main.advance(&mut on_line);
        schedule.advance(&mut on_line);
        Self { main, schedule, on_line, main_begins, before_main: 0 }
    }

    /// The next event. Within one second the order of the two files is unknown; an event of `schedule.log` comes
    /// first, and the rules never take that for proof.
    pub fn next(&mut self) -> Option<SharedEvent> {
        loop {
            let event = self.next_of_both()?;
            if !self.is_before(&event) {
                return Some(event);
            }
            self.before_main += 1;
        }
    }

    fn next_of_both(&mut self) -> Option<SharedEvent> {
        let from_schedule = match (&self.main.next, &self.schedule.next) {
            (Some(main), Some(schedule)) => schedule.wall <= main.wall,
            (main, _) => main.is_none(),
        };
        let source = if from_schedule { &mut self.schedule } else { &mut self.main };
        let event = source.next.take()?;
        source.advance(&mut self.on_line);
        Some(event)
    }

    /// Whether an event of `schedule.log` lies before the begin of the other file. It is never truncated, so what
    /// lies there can't be judged; which job ran in which session is still worth to know.
    fn is_before(&self, event: &SharedEvent) -> bool {
        event.stream == Stream::Schedule
            && self.main_begins.is_some_and(|begin| event.wall < begin)
            && !matches!(event.kind, EventKind::JobStarting { .. } | EventKind::JobSession { .. })
    }

    /// Both files have been read to their ends.
    pub fn finish(self) -> ReadThrough {
        let (unread, quoted) =
            (self.main.unread + self.schedule.unread, self.main.quoted + self.schedule.quoted);
        let (main, main_gaps) = self.main.reader.finish();
        let (schedule, schedule_gaps) = self.schedule.reader.finish();
        ReadThrough {
            main,
            schedule,
            main_gaps,
            schedule_gaps,
            unread,
            quoted,
            before_main: self.before_main,
        }
    }
}

impl ReadThrough {
    /// The last line's wall second of `server_debug.log`.
    #[must_use]
    pub fn last_wall(&self) -> Option<i64> {
        self.main.iter().filter_map(|stats| stats.last_wall).max()
    }

    /// The first line's wall second of `server_debug.log`.
    #[must_use]
    pub fn first_wall(&self) -> Option<i64> {
        self.main.iter().filter_map(|stats| stats.first_wall).min()
    }

    /// Seconds east of UTC at the end; where the zone changed in between, it stands for a hole too.
    #[must_use]
    pub fn offset(&self) -> i64 {
        let last = self.main.iter().max_by_key(|stats| stats.last_wall);
        last.map(|stats| i64::from(stats.zone.offset)).unwrap_or_default()
    }

    /// UTC second of the last line of `server_debug.log`.
    #[must_use]
    pub fn end(&self) -> i64 {
        self.last_wall().unwrap_or_default() - self.offset()
    }

    /// UTC seconds near which lines of `server_debug.log` are missing.
    #[must_use]
    pub fn holes(&self) -> Vec<i64> {
        let missing = self.main_gaps.iter().filter(|gap| gap.code.is_incomplete());
        missing.map(|gap| gap.wall.map_or(self.end(), |wall| wall - self.offset())).collect()
    }

    /// UTC second of the first line where it stands in mid-process.
    #[must_use]
    pub fn cut_head(&self) -> Option<i64> {
        let first = self.main.iter().min_by_key(|stats| stats.first_wall)?;
        first.first_wall.filter(|_| first.begins_in_mid_process).map(|wall| wall - self.offset())
    }
}
