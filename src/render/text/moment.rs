//! How a moment of a log is written: RFC 3339 for machines, the log's own clock for people.

use jiff::Timestamp;
use jiff::tz::Offset;

use crate::audit::finding::Moment;

/// Which clock a machine format shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// UTC: the default.
    Utc,
    /// The zone of `--tz`, which is the log's zone then.
    Log,
}

/// RFC 3339 with offset.
#[must_use]
pub fn rfc3339(moment: Moment, clock: Clock) -> String {
    let timestamp = timestamp(moment);
    match clock {
        Clock::Utc => timestamp.to_string(),
        Clock::Log => timestamp.display_with_offset(offset(moment)).to_string(),
    }
}

/// `2026-11-30` on the log's clock.
#[must_use]
pub fn date(moment: Moment) -> String {
    offset(moment).to_datetime(timestamp(moment)).date().to_string()
}

/// `03:11:54` on the log's clock.
#[must_use]
pub fn time_of_day(moment: Moment) -> String {
    offset(moment).to_datetime(timestamp(moment)).time().to_string()
}

/// `2026-11-30 03:11:54` on the log's clock.
#[must_use]
pub fn date_time(moment: Moment) -> String {
    format!("{} {}", date(moment), time_of_day(moment))
}

/// A time range; the second date only where it differs.
pub(crate) fn span(first: Moment, last: Moment) -> String {
    if first == last {
        date_time(first)
    } else if date(first) == date(last) {
        format!("{} to {}", date_time(first), time_of_day(last))
    } else {
        format!("{} to {}", date_time(first), date_time(last))
    }
}

/// Seconds outside jiff's range (a forged id can carry any number) are shown as its nearest end.
fn timestamp(moment: Moment) -> Timestamp {
    let nearest = if moment.utc < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(moment.utc).unwrap_or(nearest)
}

fn offset(moment: Moment) -> Offset {
    Offset::from_seconds(moment.offset).unwrap_or(Offset::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_and_the_ends_of_time() {
        let moment = Moment { utc: 1_796_008_496, offset: 19_800 };
        assert_eq!(rfc3339(moment, Clock::Utc), "2026-11-30T03:14:56Z");
        assert_eq!(rfc3339(moment, Clock::Log), "2026-11-30T08:44:56+05:30");
        assert_eq!(date_time(moment), "2026-11-30 08:44:56");
        for utc in [i64::MIN, i64::MAX] {
            assert!(!rfc3339(Moment { utc, offset: i32::MAX }, Clock::Log).is_empty());
            assert!(!date_time(Moment { utc, offset: 80_000 }).is_empty());
        }
    }
}
