//! Wall-clock stamps as the log writes them: fixed width, digits, no zone.
//!
//! A wall second is counted as if the digits were UTC; the zone is another module's business.

/// What a text that should be a stamp turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// A possible date and time, as a wall second.
    Wall(i64),
    /// Shaped like a stamp, but no day or time of any calendar.
    Impossible,
    /// Not shaped like a stamp.
    Absent,
}

/// How many bytes a stamp has, in both spellings.
pub(crate) const STAMP_LENGTH: usize = 19;

/// Reads `YYYY/MM/DD HH:MM:SS`, the stamp of Go's `log` (server-behaviour.md#shape-of-a-line).
pub(crate) fn read_standard_stamp(text: &[u8]) -> Stamp {
    read_stamp(text, b'/', b' ')
}

/// Reads `YYYY-MM-DDTHH:MM:SS`, the first part of an RFC 3339 time.
pub(crate) fn read_rfc3339_stamp(text: &[u8]) -> Stamp {
    read_stamp(text, b'-', b'T')
}

fn read_stamp(text: &[u8], date_separator: u8, between: u8) -> Stamp {
    let Some(text) = text.first_chunk::<STAMP_LENGTH>() else { return Stamp::Absent };
    let [y0, y1, y2, y3, s0, m0, m1, s1, d0, d1, s2, h0, h1, c0, n0, n1, c1, t0, t1] = *text;
    if s0 != date_separator || s1 != date_separator || s2 != between || c0 != b':' || c1 != b':' {
        return Stamp::Absent;
    }
    if ![y0, y1, y2, y3, m0, m1, d0, d1, h0, h1, n0, n1, t0, t1].iter().all(u8::is_ascii_digit) {
        return Stamp::Absent;
    }
    let two = |tens: u8, ones: u8| i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
    let year = two(y0, y1) * 100 + two(y2, y3);
    let (month, day) = (two(m0, m1), two(d0, d1));
    let (hour, minute, second) = (two(h0, h1), two(n0, n1), two(t0, t1));
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return Stamp::Impossible;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return Stamp::Impossible;
    }
    Stamp::Wall(days_since_epoch(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days between 1970-01-01 and a date of the Gregorian calendar. The year is taken to begin in March, so
/// that the leap day is its last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_before_month = (153 * month + 2) / 5;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + days_before_month + day
        - 719_469
}

/// Reads `Z`, `+05:30` or `-03:00`: seconds east of UTC, and how many bytes that took.
pub(crate) fn read_offset(text: &[u8]) -> Option<(i32, usize)> {
    let sign = match text.first()? {
        b'Z' => return Some((0, 1)),
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let [h0, h1, colon, m0, m1] = *text.get(1..)?.first_chunk::<5>()?;
    if colon != b':' || ![h0, h1, m0, m1].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |tens: u8, ones: u8| i32::from(tens - b'0') * 10 + i32::from(ones - b'0');
    let (hours, minutes) = (two(h0, h1), two(m0, m1));
    (hours <= 15 && minutes <= 59).then_some((sign * (hours * 3_600 + minutes * 60), 6))
}

/// Writes a wall second for a person: `2026-08-20 09:32:10`.
pub(crate) fn describe_wall(wall: i64) -> String {
    jiff::Timestamp::from_second(wall)
        .map_or_else(|_| wall.to_string(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_counts_seconds_as_if_it_were_utc() {
        // `date -u -d "2026-08-20 09:32:10" +%s`
        assert_eq!(read_standard_stamp(b"2026/08/20 09:32:10 [STOP]"), Stamp::Wall(1_787_218_330));
        assert_eq!(read_rfc3339_stamp(b"2026-08-20T09:32:10+05:30"), Stamp::Wall(1_787_218_330));
        assert_eq!(read_standard_stamp(b"1970/01/01 00:00:00"), Stamp::Wall(0));
        assert_eq!(read_standard_stamp(b"2024/02/29 23:59:59"), Stamp::Wall(1_709_251_199));
    }

    #[test]
    fn an_impossible_date_is_told_from_no_date() {
        for text in
            ["2026/13/01 00:00:00", "2026/02/29 00:00:00", "2026/04/31 10:00:00", "2026/01/01 24:00:00"]
        {
            assert_eq!(read_standard_stamp(text.as_bytes()), Stamp::Impossible, "{text}");
        }
        for text in ["2026-08-20 09:32:10", "2026/08/20 09:32:1x", "2026/08/20", "  - continued line of text"]
        {
            assert_eq!(read_standard_stamp(text.as_bytes()), Stamp::Absent, "{text}");
        }
    }

    #[test]
    fn every_day_of_a_century_follows_the_one_before() {
        let mut expected = days_since_epoch(1970, 1, 1);
        assert_eq!(expected, 0);
        for year in 1970..2100 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(days_since_epoch(year, month, day), expected, "{year}-{month}-{day}");
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn offsets() {
        assert_eq!(read_offset(b"Z\" level=info"), Some((0, 1)));
        assert_eq!(read_offset(b"+05:30\""), Some((19_800, 6)));
        assert_eq!(read_offset(b"-03:00"), Some((-10_800, 6)));
        assert_eq!(read_offset(b"+0530"), None);
        assert_eq!(read_offset(b""), None);
    }
}
