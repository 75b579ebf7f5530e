//! What could not be taken out of a wrapper.

use super::kind::WrapperKind;
use crate::model::gap::GapCode;

/// Damaged places that are kept one by one.
const PLACES: usize = 8;
/// Services that are kept by name.
const SERVICES: usize = 8;

/// What was lost in unwrapping.
#[derive(Debug, Default)]
pub(crate) struct WrapperTally {
    /// Records that are no record of the wrapper, the first line of the file left aside.
    pub(crate) damaged: u64,
    /// The first of them: the line in the wrapped file, and the wall second of the text before.
    pub(crate) places: Vec<(u64, Option<i64>)>,
    /// The first line of the file is no whole record: the copy begins in the middle of one.
    pub(crate) begins_inside_a_record: bool,
    /// Lines that `journalctl` replaced by `[1.2K blob data]`, and the wall second before the first.
    pub(crate) left_out: u64,
    pub(crate) left_out_wall: Option<i64>,
    /// Lines of a service that is not read and yet speaks as a Pulse server does.
    pub(crate) missed: u64,
    /// The names of such services.
    pub(crate) missed_services: Vec<String>,
    /// Lines that were broken off, since too much of the other stream came between their pieces.
    pub(crate) broken: u64,
}

impl WrapperTally {
    pub(super) fn note_damage(&mut self, line: u64, wall: Option<i64>) {
        if line == 1 {
            self.begins_inside_a_record = true;
            return;
        }
        self.damaged += 1;
        if self.places.len() < PLACES {
            self.places.push((line, wall));
        }
    }

    pub(super) fn note_left_out(&mut self, wall: Option<i64>) {
        if self.left_out == 0 {
            self.left_out_wall = wall;
        }
        self.left_out += 1;
    }

    pub(super) fn note_missed(&mut self, label: &[u8]) {
        self.missed += 1;
        let name = String::from_utf8_lossy(label).into_owned();
        if self.missed_services.len() < SERVICES && !self.missed_services.contains(&name) {
            self.missed_services.push(name);
        }
    }
}

/// Something that was lost, for people and for the audit.
pub(crate) struct Loss {
    pub(crate) code: GapCode,
    pub(crate) message: String,
    /// The wall second near which it lies, where that is known.
    pub(crate) wall: Option<i64>,
}

impl WrapperTally {
    /// What was lost, in words.
    pub(crate) fn losses(&self, kind: WrapperKind) -> Vec<Loss> {
        let name = kind.describe();
        let loss = |code, message, wall| Loss { code, message, wall };
        let mut losses = Vec::new();
        if self.begins_inside_a_record {
            let message = format!("it begins inside a record of {name}, which was not read");
            losses.push(loss(GapCode::WrapperBeginsInside, message, None));
        }
        for (line, wall) in &self.places {
            let message = format!("line {line} of the file is no whole record of {name}: it was not read");
            losses.push(loss(GapCode::WrapperLineDamaged, message, *wall));
        }
        let more = self.damaged - self.places.len() as u64;
        if more > 0 {
            let message = format!("{more} further lines are no whole records of {name}: they were not read");
            losses.push(loss(GapCode::WrapperLineDamaged, message, None));
        }
        if self.left_out > 0 {
            let message = format!(
                "{} lines were replaced by `[… blob data]` in {name}: `journalctl -a` or `-o export` keeps them",
                self.left_out
            );
            losses.push(loss(GapCode::WrapperLeftLinesOut, message, self.left_out_wall));
        }
        if self.broken > 0 {
            let message =
                format!("{} lines came in pieces too far apart in {name}; they were broken off", self.broken);
            losses.push(loss(GapCode::WrapperLineBrokenOff, message, None));
        }
        if self.missed > 0 {
            let message = format!(
                "{} lines of {} look like those of a Pulse server and were not read: the service begins too \
                 late in the file",
                self.missed,
                self.missed_services.join(", ")
            );
            losses.push(loss(GapCode::ServiceNotRead, message, None));
        }
        losses
    }
}
