//! The wall clock of a log: reading it, shifting it, writing it in another zone.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use regex::bytes::{Captures, Regex};

use super::pieces::rewrite;

static STAMP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u)^(?:time=")?(\d{4}[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d)"#).expect("a correct pattern")
});

/// The wall clock of a stamped line, in seconds since 1970 as if its zone were UTC.
pub(crate) fn wall_of(line: &[u8]) -> Option<i64> {
    let found = STAMP.captures(line)?;
    seconds(found.get(1)?.as_bytes())
}

/// Reads `2026/11/30 03:14:56` or `2026-11-30T03:14:56`.
pub(crate) fn seconds(stamp: &[u8]) -> Option<i64> {
    let digits = |range: std::ops::Range<usize>| -> Option<i16> {
        std::str::from_utf8(stamp.get(range)?).ok()?.parse().ok()
    };
    let small = |range| digits(range).and_then(|number| i8::try_from(number).ok());
    let time = DateTime::new(
        digits(0..4)?,
        small(5..7)?,
        small(8..10)?,
        small(11..13)?,
        small(14..16)?,
        small(17..19)?,
        0,
    );
    Some(jiff::tz::Offset::UTC.to_timestamp(time.ok()?).ok()?.as_second())
}

/// Writes a wall clock in the shape of `like`; what is no date stays.
pub(crate) fn shifted(like: &[u8], by: i64) -> Vec<u8> {
    let Some(time) = seconds(like).and_then(|wall| jiff::Timestamp::from_second(wall + by).ok()) else {
        return like.to_vec();
    };
    let format = if like.get(4) == Some(&b'/') { "%Y/%m/%d %H:%M:%S" } else { "%Y-%m-%dT%H:%M:%S" };
    time.strftime(format).to_string().into_bytes()
}

/// The same log as a server in the zone +05:30 would have written it: wall clocks show other digits, logrus
/// lines say the offset, ids (unix nanoseconds) stay. As in the recordings of that zone, times that the
/// server writes in UTC itself stay too.
pub(crate) fn in_india(log: &[u8]) -> Vec<u8> {
    static WALL: LazyLock<Regex> = LazyLock::new(|| {
        let patterns = [
            r"^(?P<plain>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)",
            r"(?P<zoned>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?P<offset>Z)(?P<after>[, \x22])",
        ];
        Regex::new(&format!("(?-u){}", patterns.join("|"))).expect("a correct pattern")
    });
    const OFFSET: i64 = 5 * 3600 + 30 * 60;
    rewrite(
        log,
        |line| {
            let server_writes_utc =
                find(line, b"[SCHEDULER").is_some() && find(line, b"Server time").is_none();
            WALL.replace_all(line, |found: &Captures<'_>| {
                if let Some(plain) = found.name("plain") {
                    return shifted(plain.as_bytes(), OFFSET);
                }
                let (Some(zoned), Some(after)) = (found.name("zoned"), found.name("after")) else {
                    return found[0].to_vec();
                };
                if server_writes_utc {
                    return found[0].to_vec();
                }
                [&shifted(zoned.as_bytes(), OFFSET), b"+05:30".as_slice(), after.as_bytes()].concat()
            })
            .into_owned()
        },
        <[u8]>::to_vec,
    )
}

/// Where `needle` first stands in `text`.
pub(crate) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_stamps_are_read_and_shifted_over_midnight() {
        assert_eq!(
            wall_of(b"2026/11/30 03:14:56 [A] b"),
            wall_of(b"time=\"2026-11-30T03:14:56+05:30\" level=info msg=a")
        );
        assert_eq!(wall_of(b"Workflow 2026/11/30 03:14:56"), None);
        assert_eq!(wall_of(b"2026/13/30 03:14:56 no month"), None);
        assert_eq!(shifted(b"2026/11/30 23:59:59", 1), b"2026/12/01 00:00:00");
        assert_eq!(shifted(b"2026-11-30T00:00:00", -1), b"2026-11-29T23:59:59");
    }

    /// As the recordings of the zone +05:30 have it (`terminal-death-ist-blanks`).
    #[test]
    fn a_zone_changes_digits_and_offsets_but_no_ids() {
        let log = b"2026/11/30 20:10:56 [A] id=query_1796008496981901085 at 2026-11-30T20:10:56.5Z\n\
            time=\"2026-11-30T20:10:56Z\" level=info msg=\"START - Time: 2026-11-30T20:10:56Z, T\"\n\
            2026/11/30 20:10:56 [SCHEDULER] runJob starting for nightly at 2026-11-30T20:10:56Z, groups=[a]\n";
        let expected = b"2026/12/01 01:40:56 [A] id=query_1796008496981901085 at 2026-11-30T20:10:56.5Z\n\
            time=\"2026-12-01T01:40:56+05:30\" level=info msg=\"START - Time: 2026-12-01T01:40:56+05:30, T\"\n\
            2026/12/01 01:40:56 [SCHEDULER] runJob starting for nightly at 2026-11-30T20:10:56Z, groups=[a]\n";
        assert_eq!(String::from_utf8_lossy(&in_india(log)), String::from_utf8_lossy(expected));
    }
}
