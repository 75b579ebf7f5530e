//! The two logs of a server, read side by side: their events in the order of time. Judges nothing.

use super::custom;
use super::finding::Finding;
use super::options::Progress;
use crate::events::{EventReader, Reading, SharedEvent, Stream};
use crate::logs::{InputStats, LogFile, ReadGap, ReadOptions, Reader, TagTable};
use crate::rules::custom::CustomRule;

/// What reading needs to know, for all servers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reads<'a> {
    pub(super) events: &'a EventReader,
    pub(super) tags: &'a TagTable,
    pub(super) options: &'a ReadOptions,
    pub(super) progress: &'a Progress,
    pub(super) custom_rules: &'a [CustomRule],
}

/// One of the two logs, and the next event in it.
struct Source<'a> {
    reads: Reads<'a>,
    reader: Reader<'a>,
    stream: Stream,
    next: Option<SharedEvent>,
    /// Lines that began like a template and went on otherwise.
    unread: u64,
}

impl<'a> Source<'a> {
    fn new(reads: Reads<'a>, files: Vec<LogFile>, first_input: usize, stream: Stream) -> Self {
        let mut reader = Reader::new(files, first_input, reads.tags, reads.options.clone());
        let mut last = 0;
        reader.set_progress(Box::new(move |consumed| {
            reads.progress.advance(consumed.saturating_sub(last));
            last = consumed;
        }));
        Self { reads, reader, stream, next: None, unread: 0 }
    }

    /// Reads on to the next event; lines that a rule of the user matches become findings on the way.
    fn advance(&mut self, findings: &mut Vec<Finding>) {
        self.next = loop {
            let Some(line) = self.reader.next() else { break None };
            findings.extend(self.reads.custom_rules.iter().filter_map(|rule| custom::finding(rule, &line)));
            if !self.reads.events.knows(line.tag) {
                continue;
            }
            match self.reads.events.read(&line, self.stream) {
                Reading::Event(event) => break Some(event),
                Reading::NotThisTemplate => self.unread += 1,
            }
        };
    }
}

/// Both logs of one server.
pub(super) struct Merged<'a> {
    main: Source<'a>,
    schedule: Source<'a>,
    findings: Vec<Finding>,
}

/// What was counted in both logs.
pub(super) struct Counted {
    pub(super) main: (Vec<InputStats>, Vec<ReadGap>),
    pub(super) schedule: (Vec<InputStats>, Vec<ReadGap>),
    /// Lines that began like a template and went on otherwise.
    pub(super) unread: u64,
}

impl<'a> Merged<'a> {
    /// The files of both logs, which are numbered from `first_input` on.
    pub(super) fn new(
        reads: Reads<'a>,
        main: Vec<LogFile>,
        schedule: Vec<LogFile>,
        first_input: usize,
    ) -> Self {
        let first_schedule = first_input + main.len();
        let mut main = Source::new(reads, main, first_input, Stream::Main);
        let mut schedule = Source::new(reads, schedule, first_schedule, Stream::Schedule);
        let mut findings = Vec::new();
        main.advance(&mut findings);
        schedule.advance(&mut findings);
        Self { main, schedule, findings }
    }

    /// The next event. Within one second the order of the two files is unknown; an event of `schedule.log` comes
    /// first, and the rules never take that for proof.
    pub(super) fn next(&mut self) -> Option<SharedEvent> {
        let from_schedule = match (&self.main.next, &self.schedule.next) {
            (Some(main), Some(schedule)) => schedule.wall <= main.wall,
            (main, _) => main.is_none(),
        };
        let source = if from_schedule { &mut self.schedule } else { &mut self.main };
        let event = source.next.take()?;
        source.advance(&mut self.findings);
        Some(event)
    }

    /// What the user's own rules have found so far and nobody has taken.
    pub(super) fn take_findings(&mut self) -> impl Iterator<Item = Finding> {
        self.findings.drain(..)
    }

    /// Both logs have been read to their ends.
    pub(super) fn finish(self) -> Counted {
        Counted {
            unread: self.main.unread + self.schedule.unread,
            main: self.main.reader.finish(),
            schedule: self.schedule.reader.finish(),
        }
    }
}
