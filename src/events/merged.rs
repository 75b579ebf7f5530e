//! The two logs of a server, read side by side: their events in the order of time. Judges nothing.

use std::collections::VecDeque;

use super::{EventKind, EventReader, Reading, SharedEvent, Stream};
use crate::logs::{InputStats, Line, LogFile, ReadGap, ReadOptions, Reader, TagTable};

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

/// Both logs of one server. `F` sees every line whose tag is in the table, also where it is no event.
pub struct Merged<'a, F> {
    main: Source<'a>,
    schedule: Source<'a>,
    on_line: F,
}

/// What was counted in both logs.
pub struct Counted {
    /// Of `server_debug.log`.
    pub main: (Vec<InputStats>, Vec<ReadGap>),
    /// Of `schedule.log`.
    pub schedule: (Vec<InputStats>, Vec<ReadGap>),
    /// Lines that began like a template and went on otherwise.
    pub unread: u64,
    /// Lines that would be events, but are dated before both their neighbours: text that quotes a log.
    pub quoted: u64,
}

impl<'a, F: FnMut(&Line<'_>)> Merged<'a, F> {
    /// The files of both logs, which are numbered from `first_input` on.
    pub fn new(
        reads: Reads<'a>,
        main: Vec<LogFile>,
        schedule: Vec<LogFile>,
        first_input: usize,
        mut on_line: F,
    ) -> Self {
        let first_schedule = first_input + main.len();
        let mut main = Source::new(reads, main, first_input, Stream::Main);
        let mut schedule = Source::new(reads, schedule, first_schedule, Stream::Schedule);
        main.advance(&mut on_line);
        schedule.advance(&mut on_line);
        Self { main, schedule, on_line }
    }

    /// The next event. Within one second the order of the two files is unknown; an event of `schedule.log` comes
    /// first, and the rules never take that for proof.
    #[expect(clippy::should_implement_trait, reason = "nobody wants the adapters of an iterator here")]
    pub fn next(&mut self) -> Option<SharedEvent> {
        let from_schedule = match (&self.main.next, &self.schedule.next) {
            (Some(main), Some(schedule)) => schedule.wall <= main.wall,
            (main, _) => main.is_none(),
        };
        let source = if from_schedule { &mut self.schedule } else { &mut self.main };
        let event = source.next.take()?;
        source.advance(&mut self.on_line);
        Some(event)
    }

    /// Both logs have been read to their ends.
    pub fn finish(self) -> Counted {
        Counted {
            unread: self.main.unread + self.schedule.unread,
            quoted: self.main.quoted + self.schedule.quoted,
            main: self.main.reader.finish(),
            schedule: self.schedule.reader.finish(),
        }
    }
}
