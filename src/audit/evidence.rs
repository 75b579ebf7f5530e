//! What a report keeps of a line of a log.

use super::finding::{Evidence, Moment};
use crate::events::{Event, SharedEvent};

/// The moment of a line.
pub(super) fn moment(event: &Event) -> Moment {
    Moment { utc: event.utc(), offset: event.zone_offset }
}

/// The line as evidence of something.
pub(super) fn evidence(event: &SharedEvent, role: &str) -> Evidence {
    Evidence {
        input: event.position.input,
        line: event.position.line_in_file,
        byte_offset: event.position.byte_offset,
        byte_length: event.position.byte_length,
        text: event.text.to_vec(),
        role: role.to_owned(),
    }
}
