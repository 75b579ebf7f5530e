//! Records to the text of those services that are wanted.

use super::join::Joiner;
use super::prefix::{Prefix, Stream};
use super::pulse_line::is_line_of_pulse;
use super::tally::WrapperTally;
use crate::logs::time::{Stamp, read_standard_stamp};
use crate::logs::zone::OffsetVotes;

/// Services that are told apart in one file.
const SERVICES: usize = 64;

/// The text of one service.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) label: Vec<u8>,
    pub(super) text: Vec<u8>,
    /// What its stamps and the wrapper's say together about the zone.
    pub(super) votes: OffsetVotes,
    joiner: Joiner,
    wall: Option<i64>,
}

impl Output {
    fn begin(&mut self, prefix: &Prefix<'_>, text: &[u8]) {
        if !self.joiner.begins_line(prefix.stream) {
            return;
        }
        let Stamp::Wall(wall) = read_standard_stamp(text) else { return };
        self.wall = Some(wall);
        if let Some(time) = prefix.time {
            self.votes.vote(wall - time, 0);
        }
    }
}

/// Which services are wanted.
#[derive(Debug)]
enum Wanted {
    /// Every one, each for itself.
    Every,
    /// One. The others are read elsewhere or are none of Pulse.
    One { elsewhere: Vec<Vec<u8>> },
}

/// Takes records and keeps what is wanted.
#[derive(Debug)]
pub(super) struct Splitter {
    wanted: Wanted,
    pub(super) outputs: Vec<Output>,
    pub(super) tally: WrapperTally,
    /// The output that the present record goes to, and the stream that it is of.
    present: Option<(usize, Stream)>,
    last: usize,
}

impl Splitter {
    /// Keeps every service apart.
    pub(super) fn every() -> Self {
        Self {
            wanted: Wanted::Every,
            outputs: Vec::new(),
            tally: WrapperTally::default(),
            present: None,
            last: 0,
        }
    }

    /// Keeps one service.
    pub(super) fn one(label: Vec<u8>, elsewhere: Vec<Vec<u8>>) -> Self {
        let outputs = vec![Output { label, ..Output::default() }];
        Self { wanted: Wanted::One { elsewhere }, outputs, ..Self::every() }
    }

    /// A record begins. `text` is its text, as far as it is at hand. `false`: nobody wants it.
    pub(super) fn begin(&mut self, prefix: &Prefix<'_>, text: &[u8]) -> bool {
        self.present = self.find(prefix.label).map(|at| (at, prefix.stream));
        let Some((at, _)) = self.present else {
            if let Wanted::One { elsewhere } = &self.wanted
                && !elsewhere.iter().any(|label| label == prefix.label)
                && is_line_of_pulse(text)
            {
                self.tally.note_missed(prefix.label);
            }
            return false;
        };
        self.last = at;
        let Some(output) = self.outputs.get_mut(at) else { return false };
        output.begin(prefix, text);
        true
    }

    /// A part of the present record's text.
    pub(super) fn text(&mut self, text: &[u8]) {
        let Some((at, stream)) = self.present else { return };
        let Some(output) = self.outputs.get_mut(at) else { return };
        output.joiner.text(stream, text, &mut output.text);
    }

    /// The end of the present record. `complete`: its line ends with it.
    pub(super) fn end(&mut self, complete: bool) {
        let Some((at, stream)) = self.present.take() else { return };
        let Some(output) = self.outputs.get_mut(at) else { return };
        output.joiner.end(stream, complete, &mut output.text);
    }

    /// The wrapper says that the present record's text was left out.
    pub(super) fn left_out(&mut self) {
        let wall = self.outputs.get(self.last).and_then(|output| output.wall);
        self.tally.note_left_out(wall);
    }

    /// A line of the wrapped file that is no record.
    pub(super) fn damaged(&mut self, line: u64) {
        let wall = self.outputs.get(self.last).and_then(|output| output.wall);
        self.tally.note_damage(line, wall);
    }

    /// The end of the input.
    pub(super) fn finish(&mut self) {
        for output in &mut self.outputs {
            output.joiner.finish(&mut output.text);
            self.tally.broken += output.joiner.broken;
        }
    }

    fn find(&mut self, label: &[u8]) -> Option<usize> {
        if self.outputs.get(self.last).is_some_and(|output| output.label == label) {
            return Some(self.last);
        }
        let found = self.outputs.iter().position(|output| output.label == label);
        if found.is_some() || !matches!(self.wanted, Wanted::Every) || self.outputs.len() >= SERVICES {
            return found;
        }
        self.outputs.push(Output { label: label.to_vec(), ..Output::default() });
        Some(self.outputs.len() - 1)
    }
}
