//! How a line of a Pulse server is told from those of other services.

use memchr::memmem;

use crate::logs::head::standard_message;
use crate::logs::shape::LOGRUS_OPENING;
use crate::logs::time::{Stamp, read_standard_stamp};

/// What many messages of a Pulse server begin with (server-behaviour.md#what-the-log-prints).
const MARKS: [&[u8]; 16] = [
    b"[SERVER DEBUG]",
    b"[API] ",
    b"[ACTIVE_SESSION]",
    b"[SESSION DEBUG]",
    b"[SESSION STOP]",
    b"[STOP] ",
    b"[QUERY] ",
    b"[STREAMING_LIFECYCLE]",
    b"[AGENT DEBUG]",
    b"[BG AGENT]",
    b"[TERMINAL RECONCILE]",
    b"[TERMINAL_LEASE]",
    b"[COMPLETION]",
    b"[WORKSHOP]",
    b"[SCHEDULER]",
    b"[PULSE]",
];
/// What a logrus line of the server names as its source (server-behaviour.md#shape-of-a-line).
const LOGRUS_MARK: &[u8] = b" file=\"logger.go:";

/// Whether a line begins as only those of a Pulse server do.
pub(super) fn is_line_of_pulse(line: &[u8]) -> bool {
    if let Stamp::Wall(_) = read_standard_stamp(line) {
        let message = standard_message(line);
        return MARKS.iter().any(|mark| message.starts_with(mark));
    }
    line.starts_with(LOGRUS_OPENING) && memmem::find(line, LOGRUS_MARK).is_some()
}
