//! Times that people give: `--since`, `--until`, `--last` and `--tz`.
//!
//! Reads them at the edge into a window, which becomes wall seconds of a log once its zone and its last time
//! are known. Never asks for the time: "now" is an argument.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use thiserror::Error;

use super::zone::Zone;
use crate::model::duration::Length;

/// Seconds.
pub(crate) const DAY: i64 = 86_400;

/// A time, a duration or a zone that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Not a time.
    #[error("`{option}` is no time: `{value}`")]
    NotATime {
        /// The option, `--since`.
        option: &'static str,
        /// What was given.
        value: String,
    },
    /// Not a duration.
    #[error("`--last` is no duration: `{value}`")]
    NotADuration {
        /// What was given.
        value: String,
    },
    /// Not a zone.
    #[error("no such time zone: `{value}`")]
    NotAZone {
        /// What was given.
        value: String,
    },
    /// `--last` beside another bound.
    #[error("`--last` can't be combined with `--since` or `--until`")]
    LastWithBounds,
    /// The window ends before it begins.
    #[error("the time window is empty: `{since}` is not before `{until}`")]
    Empty {
        /// `--since` as given.
        since: String,
        /// `--until` as given.
        until: String,
    },
}

impl TimeError {
    /// The next step for a person.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotATime { .. } => "give a time of the log such as `2026-11-30 03:15`, `2026-11-30T03:15:26` or \
                 `03:15`, a time with an offset such as `2026-11-30T03:15:26+05:30`, or how long ago: `90s`, `5m`, \
                 `2h`, `1d`"
                .to_owned(),
            Self::NotADuration { .. } => "give a number and a unit: `90s`, `5m`, `2h`, `1h30m`, `1d`".to_owned(),
            Self::NotAZone { .. } => {
                "give a name such as `Asia/Kolkata` or `UTC`, or an offset such as `+05:30`".to_owned()
            }
            Self::LastWithBounds => "give either `--last` or `--since` and `--until`".to_owned(),
            Self::Empty { .. } => "swap the two times, or leave one out".to_owned(),
        }
    }
}

/// One bound, as far as it can be known without the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Seconds since 1970-01-01T00:00:00Z.
    Instant(i64),
    /// A wall second of the log.
    Wall(i64),
    /// Seconds since midnight, on the day of the log's last time.
    TimeOfDay(i64),
}

/// A time window as a person gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    since: Option<Bound>,
    until: Option<Bound>,
    last: Option<i64>,
}

/// A window in wall seconds of one log; both bounds belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WallWindow {
    /// The first second of it.
    pub since: Option<i64>,
    /// The last second of it.
    pub until: Option<i64>,
}

impl WallWindow {
    /// Whether a wall second lies in it.
    #[must_use]
    pub fn contains(&self, wall: i64) -> bool {
        self.overlaps(wall, wall)
    }

    /// Whether a time from one wall second to another, both included, touches it.
    #[must_use]
    pub fn overlaps(&self, first: i64, last: i64) -> bool {
        self.since.is_none_or(|since| last >= since) && self.until.is_none_or(|until| first <= until)
    }
}

impl Window {
    /// Reads the options. `None` where none was given.
    ///
    /// # Errors
    ///
    /// A value that is no time or duration, bounds in the wrong order, or `--last` beside a bound.
    pub fn parse(
        since: Option<&str>,
        until: Option<&str>,
        last: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<Self>, TimeError> {
        if last.is_some() && (since.is_some() || until.is_some()) {
            return Err(TimeError::LastWithBounds);
        }
        let window = Self {
            since: since.map(|value| parse_bound("--since", value, now, false)).transpose()?,
            until: until.map(|value| parse_bound("--until", value, now, true)).transpose()?,
            last: last
                .map(|value| {
                    parse_duration(value).ok_or_else(|| TimeError::NotADuration { value: value.to_owned() })
                })
                .transpose()?,
        };
        let (begin, end) = match (window.since, window.until) {
            (Some(Bound::Instant(begin)), Some(Bound::Instant(end)))
            | (Some(Bound::Wall(begin)), Some(Bound::Wall(end)))
            | (Some(Bound::TimeOfDay(begin)), Some(Bound::TimeOfDay(end))) => (begin, end),
            _ => (0, 0),
        };
        if begin > end {
            return Err(TimeError::Empty {
                since: since.unwrap_or_default().to_owned(),
                until: until.unwrap_or_default().to_owned(),
            });
        }
        Ok((window != Self::default()).then_some(window))
    }

    /// Its end, where it has one.
    #[must_use]
    pub fn until(&self) -> Option<Bound> {
        self.until
    }

    /// The window in wall seconds of a log. `named` is the zone of `--tz`; `last_wall` the log's last time.
    #[must_use]
    pub fn resolve(&self, zone: &Zone, named: Option<&TimeZone>, last_wall: Option<i64>) -> WallWindow {
        if let Some(last) = self.last {
            return WallWindow { since: last_wall.map(|wall| wall.saturating_sub(last)), until: None };
        }
        let wall = |bound: Bound| match bound {
            Bound::Instant(instant) => Some(instant + i64::from(offset_at(instant, zone, named))),
            Bound::Wall(wall) => Some(wall),
            Bound::TimeOfDay(seconds) => last_wall.map(|wall| wall - wall.rem_euclid(DAY) + seconds),
        };
        WallWindow { since: self.since.and_then(wall), until: self.until.and_then(wall) }
    }
}

fn offset_at(instant: i64, zone: &Zone, named: Option<&TimeZone>) -> i32 {
    match (named, Timestamp::from_second(instant)) {
        (Some(named), Ok(instant)) => named.to_offset(instant).seconds(),
        _ => zone.offset,
    }
}

fn parse_bound(option: &'static str, value: &str, now: Timestamp, is_end: bool) -> Result<Bound, TimeError> {
    let text = value.trim();
    if let Some(ago) = parse_duration(text) {
        return Ok(Bound::Instant(now.as_second().saturating_sub(ago)));
    }
    // RFC 3339 with an offset; the same text without one is a wall time, so this comes first.
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(Bound::Instant(instant.as_second()));
    }
    if let Ok(date) = text.parse::<Date>()
        && text.len() == "2026-11-30".len()
    {
        let midnight = wall_second(date.to_datetime(Time::midnight()));
        return Ok(Bound::Wall(if is_end { midnight + DAY - 1 } else { midnight }));
    }
    if let Ok(time) = text.parse::<Time>()
        && text.contains(':')
        && !text.contains('-')
    {
        let seconds =
            i64::from(time.hour()) * 3_600 + i64::from(time.minute()) * 60 + i64::from(time.second());
        return Ok(Bound::TimeOfDay(seconds));
    }
    if let Ok(time) = text.replace('/', "-").parse::<DateTime>()
        && text.contains(':')
    {
        return Ok(Bound::Wall(wall_second(time)));
    }
    Err(TimeError::NotATime { option, value: value.to_owned() })
}

fn wall_second(time: DateTime) -> i64 {
    time.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs()
}

/// A length of time in whole seconds, more than nothing.
fn parse_duration(text: &str) -> Option<i64> {
    text.parse::<Length>().ok()?.whole_seconds().filter(|seconds| *seconds > 0)
}

/// Reads `--tz`: a name of the time zone database, `UTC`, `Z`, or an offset such as `+05:30`.
///
/// # Errors
///
/// The text names no zone.
pub fn parse_zone(value: &str) -> Result<TimeZone, TimeError> {
    let not_a_zone = || TimeError::NotAZone { value: value.to_owned() };
    let text = value.trim();
    if text.eq_ignore_ascii_case("utc") || text.eq_ignore_ascii_case("z") {
        return Ok(TimeZone::UTC);
    }
    let Some(digits) = text.strip_prefix(['+', '-']) else {
        return TimeZone::get(text).map_err(|_| not_a_zone());
    };
    let digits = digits.replace(':', "");
    if !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(not_a_zone());
    }
    let number: i32 = digits.parse().map_err(|_| not_a_zone())?;
    let (hours, minutes) = if digits.len() == 2 { (number, 0) } else { (number / 100, number % 100) };
    if hours > 15 || minutes > 59 {
        return Err(not_a_zone());
    }
    let seconds = (hours * 60 + minutes) * 60;
    let seconds = if text.starts_with('-') { -seconds } else { seconds };
    Offset::from_seconds(seconds).map(TimeZone::fixed).map_err(|_| not_a_zone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::zone::ZoneSource;

    /// 2026-11-30T06:00:00Z.
    const NOW: i64 = 1_796_018_400;
    /// The wall second of 2026-11-30 03:15:00.
    const QUARTER_PAST_THREE: i64 = 1_796_008_500;

    fn since(value: &str) -> Result<WallWindow, TimeError> {
        let now = Timestamp::from_second(NOW).expect("a time of this century");
        let window = Window::parse(Some(value), None, None, now)?.expect("a bound was given");
        let zone = Zone { offset: 19_800, name: None, source: ZoneSource::Logrus };
        Ok(window.resolve(&zone, None, Some(QUARTER_PAST_THREE + 7_000)))
    }

    #[test]
    fn naive_times_are_in_the_zone_of_the_log() {
        for value in ["2026-11-30 03:15", "2026-11-30T03:15:00", "03:15", "2026/11/30 03:15:00"] {
            assert_eq!(since(value).map(|window| window.since), Ok(Some(QUARTER_PAST_THREE)), "{value}");
        }
        assert_eq!(since("2026-11-30").map(|window| window.since), Ok(Some(QUARTER_PAST_THREE - 11_700)));
    }

    #[test]
    fn times_with_an_offset_and_durations_are_moments() {
        for value in ["2026-11-30T03:15:00+05:30", "2026-11-29T21:45:00Z"] {
            assert_eq!(since(value).map(|window| window.since), Ok(Some(QUARTER_PAST_THREE)), "{value}");
        }
        for (value, ago) in [("90s", 90), ("5m", 300), ("2h", 7_200), ("1h30m", 5_400), ("1d", 86_400)] {
            assert_eq!(since(value).map(|window| window.since), Ok(Some(NOW + 19_800 - ago)), "{value}");
        }
    }

    #[test]
    fn what_is_no_time_is_an_error_with_a_hint() {
        for value in [
            "",
            "yesterday",
            "5",
            "-5m",
            "5x",
            "25:00",
            "2026-13-01",
            "2026-11-30 03:15:99",
            "0s",
            "99999999999999999999d",
        ] {
            let error = since(value).expect_err(value);
            assert!(matches!(error, TimeError::NotATime { option: "--since", .. }), "{value}");
            assert!(error.hint().contains("2026-11-30 03:15"));
        }
    }

    #[test]
    fn the_last_minutes_count_from_the_end_of_the_log() {
        let now = Timestamp::from_second(NOW).expect("a time of this century");
        let window = Window::parse(None, None, Some("5m"), now).expect("valid").expect("given");
        let wall = window.resolve(&Zone::default(), None, Some(1_000));
        assert_eq!(wall, WallWindow { since: Some(700), until: None });
        assert!(wall.contains(700) && !wall.contains(699));
        assert_eq!(
            Window::parse(None, None, Some("soon"), now),
            Err(TimeError::NotADuration { value: "soon".into() })
        );
        assert_eq!(Window::parse(Some("1h"), None, Some("5m"), now), Err(TimeError::LastWithBounds));
        assert_eq!(Window::parse(None, None, None, now), Ok(None));
    }

    #[test]
    fn a_window_that_ends_before_it_begins_is_an_error() {
        let now = Timestamp::from_second(NOW).expect("a time of this century");
        for (begin, end) in [("03:15", "03:14"), ("2026-11-30 03:15", "2026-11-29"), ("5m", "10m")] {
            let window = Window::parse(Some(begin), Some(end), None, now);
            assert!(matches!(window, Err(TimeError::Empty { .. })), "{begin} {end}");
        }
        assert!(
            Window::parse(Some("2026-11-30 03:15"), Some("2026-11-30"), None, now).is_ok(),
            "to the end of the day"
        );
    }

    #[test]
    fn zones_are_names_or_offsets() {
        for (value, offset) in
            [("UTC", 0), ("Asia/Kolkata", 19_800), ("+05:30", 19_800), ("-0300", -10_800), ("+09", 32_400)]
        {
            let zone = parse_zone(value).expect(value);
            let now = Timestamp::from_second(NOW).expect("a time of this century");
            assert_eq!(zone.to_offset(now).seconds(), offset, "{value}");
        }
        for value in ["", "Mars/Olympus", "+5", "+25:00", "05:30"] {
            assert_eq!(parse_zone(value), Err(TimeError::NotAZone { value: value.into() }));
        }
    }
}
