//! Two recordings in one file, and lines that do not belong to the incident between the lines that do.

use super::pieces::{Message, joined, messages};
use super::random::Random;

/// Both logs as one, by time; within a second in the order of the seed, each log in its own order. Messages
/// and raw chunks stay whole.
pub(crate) fn interleaved(one: &[u8], other: &[u8], seed: u64) -> Vec<u8> {
    let (one, other) = (stamped(one), stamped(other));
    let mut random = Random::new(seed);
    let (mut first, mut second) = (one.iter().peekable(), other.iter().peekable());
    let mut woven: Vec<&[u8]> = Vec::with_capacity(one.len() + other.len());
    loop {
        let take_first = match (first.peek(), second.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(one), Some(other)) if one.0 == other.0 => random.below(2) == 0,
            (Some(one), Some(other)) => one.0 < other.0,
        };
        let next = if take_first { first.next() } else { second.next() };
        woven.extend(next.map(|message| message.1));
    }
    joined(woven)
}

/// Each message with its time; one without, or from a clock that stepped back, counts as of the one before.
fn stamped(log: &[u8]) -> Vec<(i64, &[u8])> {
    let mut latest = i64::MIN;
    let with_time = |message: Message<'_>| message.wall.unwrap_or(i64::MIN);
    messages(log)
        .into_iter()
        .map(|message| {
            latest = latest.max(with_time(message));
            (latest, message.bytes)
        })
        .collect()
}

/// The log with strangers' lines between its messages: `often` of a hundred places get one. A stranger is
/// made from the wall clock of the message before it.
pub(crate) fn with_strangers(
    log: &[u8],
    seed: u64,
    often: usize,
    stranger: impl Fn(&str, u64) -> String,
) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut mixed: Vec<u8> = Vec::with_capacity(log.len() * 2);
    for message in messages(log) {
        mixed.extend(message.bytes);
        let ends_its_line = message.bytes.last() == Some(&b'\n');
        let Some(wall) = message.wall else { continue };
        if ends_its_line && random.below(100) < often {
            let stamp = jiff::Timestamp::from_second(wall).expect("a time of a log");
            let stamp = stamp.strftime("%Y/%m/%d %H:%M:%S").to_string();
            mixed.extend(stranger(&stamp, random.next()).into_bytes());
        }
    }
    mixed
}

/// What a busy server writes all the time: polling, and the chatter of a session that is not in the log.
pub(crate) fn chatter(stamp: &str, number: u64) -> String {
    let session = format!("{:08x}-5555-4abc-8def-0123456789ab", number >> 40);
    match number % 6 {
        0 => format!("{stamp} [API] --> GET /api/workflow/running in_flight=1\n"),
        1 => format!("{stamp} [API] <-- GET /api/health status=200 bytes=211 duration=0s in_flight=0\n"),
        2 => format!(
            "{stamp} [API] <-- GET /api/sessions/{session}/status status=200 bytes=2473 duration=0s in_flight=0\n"
        ),
        3 => format!("{stamp} [STREAM] session={session} turn started\n"),
        4 => format!("{stamp} [ACTIVE_SESSION] Updated session {session} status to: running\n"),
        _ => format!(
            "{stamp} [USER_ID_DEBUGGING] WARNING: no user ID available (client.UserID empty, context key missing)\n"
        ),
    }
}

/// A raw chunk of another session's model that quotes a log: text, never events.
pub(crate) fn quoting_chunk(stamp: &str, quoted: &[u8]) -> String {
    let text = format!("The log says:\n{}\nThat is all.", String::from_utf8_lossy(quoted));
    format!("{stamp} [AGENT DEBUG] raw chunk (len={}): {text}\n", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaving_keeps_order_time_and_chunks() {
        let one = b"banner one\n2026/11/30 03:00:01 a\n2026/11/30 03:00:03 [AGENT DEBUG] raw chunk (len=27): x\n2026/11/30 03:00:00 quoted\n2026/11/30 03:00:05 b";
        let other = b"2026/11/30 03:00:02 c\ngoes on\n2026/11/30 03:00:04 d\n";
        let woven = interleaved(one, other, 3);
        let expected = "banner one\n2026/11/30 03:00:01 a\n2026/11/30 03:00:02 c\ngoes on\n2026/11/30 03:00:03 [AGENT DEBUG] raw chunk (len=27): x\n2026/11/30 03:00:00 quoted\n2026/11/30 03:00:04 d\n2026/11/30 03:00:05 b";
        assert_eq!(String::from_utf8_lossy(&woven), expected);
    }

    #[test]
    fn strangers_stand_between_messages_only() {
        let log = b"2026/11/30 03:00:01 a\n2026/11/30 03:00:02 [AGENT DEBUG] raw chunk (len=4): x\ny\n2026/11/30 03:00:03 b\n";
        let mixed = with_strangers(log, 1, 100, |stamp, _| format!("{stamp} stranger\n"));
        let expected = "2026/11/30 03:00:01 a\n2026/11/30 03:00:01 stranger\n2026/11/30 03:00:02 [AGENT DEBUG] raw chunk (len=4): x\ny\n2026/11/30 03:00:02 stranger\n2026/11/30 03:00:03 b\n2026/11/30 03:00:03 stranger\n";
        assert_eq!(String::from_utf8_lossy(&mixed), expected);
        let chunk = quoting_chunk("2026/11/30 03:00:01", b"one\ntwo");
        assert_eq!(super::super::pieces::pieces(chunk.as_bytes()).len(), 1, "{chunk}");
    }
}
