//! A recording cut: its head off, its shutdown off, or right after its stop.

use super::clock::{find, wall_of};
use super::pieces::{Message, messages, pieces};

/// The log without what comes before the first line that names one of the sessions; `None` where no line
/// does or nothing comes before.
pub(crate) fn head_off<'log>(log: &'log [u8], sessions: &[String]) -> Option<&'log [u8]> {
    let at = first_naming(log, sessions)?;
    (at > 0).then(|| &log[at..])
}

/// As [`head_off`], but the second half of the line before it is left: a file cut in mid-line.
pub(crate) fn head_off_in_mid_line<'log>(log: &'log [u8], sessions: &[String]) -> Option<&'log [u8]> {
    let at = first_naming(log, sessions)?;
    let before = pieces(&log[..at]).last().map(|piece| piece.len())?;
    let mut middle = at - before / 2;
    while log.get(middle).is_some_and(|byte| byte & 0xc0 == 0x80) {
        middle += 1;
    }
    Some(&log[middle..])
}

fn first_naming(log: &[u8], sessions: &[String]) -> Option<usize> {
    let mut at = 0;
    for message in messages(log) {
        if sessions.iter().any(|session| find(message.bytes, session.as_bytes()).is_some()) {
            return Some(at);
        }
        at += message.bytes.len();
    }
    None
}

/// The log up to its first `🛑 Shutting down server...`; all of it where there is none.
pub(crate) fn before_shutdown(log: &[u8]) -> &[u8] {
    let mark = "🛑 Shutting down server...".as_bytes();
    let mut at = 0;
    for piece in pieces(log) {
        if piece.head.starts_with(mark) {
            return &log[..at];
        }
        at += piece.len();
    }
    log
}

/// Where a stop's block ends in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CutLogs<'log> {
    pub(crate) server: &'log [u8],
    pub(crate) schedule: &'log [u8],
}

/// Both logs up to the last line of the first stop of this session: the count of marked rows that ends a
/// sweep, the answer that ends a stop over HTTP, the agents line of a stop by tool, the reconcile line of a
/// server without `[STOP]` lines, the `Stopped job` line where only schedule.log has the stop. `None` where
/// nothing of the session was stopped.
pub(crate) fn after_stop<'log>(
    server: &'log [u8],
    schedule: &'log [u8],
    session: &str,
) -> Option<CutLogs<'log>> {
    let server = before_shutdown(server);
    if let Some(end) = end_of_block(server, session) {
        let last = last_wall(&server[..end])?;
        return Some(CutLogs { server: &server[..end], schedule: until(schedule, last) });
    }
    let stopped = "Stopped job ";
    let named = format!("(session: {session})");
    let mut at = 0;
    for message in messages(schedule) {
        at += message.bytes.len();
        if holds(&message, &[stopped, &named]) {
            return Some(CutLogs { server: until(server, message.wall?), schedule: &schedule[..at] });
        }
    }
    None
}

fn end_of_block(server: &[u8], session: &str) -> Option<usize> {
    let begin = format!("[STOP] session={session} begin runtime cancel");
    let counted = format!("[STOP] session={session} tracked executions marked canceled=");
    let agents = format!("[STOP] session={session} background agents:");
    let reconcile = format!("[TERMINAL RECONCILE] failing main session={session} ");
    let sweeps = find(server, begin.as_bytes()).is_some();
    let mut at = 0;
    let mut in_sweep = false;
    let mut in_request = false;
    let mut request_named_session = false;
    for message in messages(server) {
        at += message.bytes.len();
        if sweeps {
            in_sweep |= holds(&message, &[&begin]);
            if in_sweep && holds(&message, &[&counted]) {
                return Some(at);
            }
            continue;
        }
        if holds(&message, &[&reconcile]) {
            return Some(at);
        }
        if holds(&message, &["[API] --> POST /api/session/stop"]) {
            in_request = true;
        } else if in_request && holds(&message, &["[API] <-- POST /api/session/stop", "status=200"]) {
            if request_named_session {
                return Some(at);
            }
            in_request = false;
        } else if holds(&message, &[session]) {
            if in_request {
                request_named_session = true;
            } else if holds(&message, &[&agents]) {
                return Some(at);
            }
        }
    }
    None
}

fn holds(message: &Message<'_>, parts: &[&str]) -> bool {
    parts.iter().all(|part| find(message.bytes, part.as_bytes()).is_some())
}

fn last_wall(log: &[u8]) -> Option<i64> {
    pieces(log).iter().rev().find_map(|piece| wall_of(piece.head))
}

/// The messages of a log up to this second, that second included.
pub(crate) fn until(log: &[u8], last: i64) -> &[u8] {
    let mut at = 0;
    for message in messages(log) {
        if message.wall.is_some_and(|wall| wall > last) {
            break;
        }
        at += message.bytes.len();
    }
    &log[..at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_goes_up_to_the_first_named_session() {
        let log = b"banner\n2026/11/30 03:00:01 none\n2026/11/30 03:00:02 session=S\n";
        let sessions = ["session=S".to_owned()];
        assert_eq!(head_off(log, &sessions), Some(b"2026/11/30 03:00:02 session=S\n".as_slice()));
        let mid_line = head_off_in_mid_line(log, &sessions).expect("a line comes before");
        assert_eq!(mid_line, b":00:01 none\n2026/11/30 03:00:02 session=S\n");
        assert_eq!(head_off(b"2026/11/30 03:00:02 session=S\n", &sessions), None);
    }

    #[test]
    fn a_stop_over_http_ends_with_its_answer() {
        let log = b"2026/11/30 03:00:02 [API] --> POST /api/session/stop in_flight=1\n\
            2026/11/30 03:00:02 [SESSION DEBUG] Cleared synthetic-turn state for stopped session S\n\
            2026/11/30 03:00:03 [API] <-- POST /api/session/stop status=200 bytes=71 duration=0s in_flight=0\n\
            2026/11/30 03:00:04 more\n";
        let cut = after_stop(log, b"2026/11/30 03:00:03 a\n2026/11/30 03:00:04 b\n", "S").expect("a stop");
        assert!(cut.server.ends_with(b"in_flight=0\n"));
        assert_eq!(cut.schedule, b"2026/11/30 03:00:03 a\n");
        assert_eq!(after_stop(b"2026/11/30 03:00:04 more S\n", b"", "S"), None);
    }
}
