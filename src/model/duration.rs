//! A length of time as a person gives it, in flags and settings: `90s`, `1h30m`, `2d`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time; never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length(Duration);

/// A text that is no length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a length of time such as 500ms, 90s, 5m, 1h30m or 2d is needed")]
pub struct NoLength;

impl Length {
    /// As the standard library has it.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }

    /// In whole seconds; `None` where a part of a second is left over.
    #[must_use]
    pub fn whole_seconds(self) -> Option<i64> {
        if self.0.subsec_nanos() == 0 { i64::try_from(self.0.as_secs()).ok() } else { None }
    }
}

impl fmt::Display for Length {
    /// As it can be read again: `1m 30s`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::SignedDuration::try_from(self.0) {
            Ok(time) => write!(formatter, "{time:#}"),
            Err(_) => write!(formatter, "{}s", self.0.as_secs()),
        }
    }
}

impl FromStr for Length {
    type Err = NoLength;

    /// Reads what jiff calls a friendly or an ISO 8601 duration, and days and weeks of 24 hours each besides.
    fn from_str(text: &str) -> Result<Self, NoLength> {
        let text = text.trim();
        // `03:15` is a time of day everywhere else.
        if text.contains(':') {
            return Err(NoLength);
        }
        let time = if text.starts_with(['-', '+', 'P', 'p']) {
            text.parse::<jiff::SignedDuration>().map_err(|_| NoLength)?
        } else {
            let span: jiff::Span = text.parse().map_err(|_| NoLength)?;
            span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(|_| NoLength)?
        };
        Duration::try_from(time).map(Self).map_err(|_| NoLength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The help of `--last`, `--timeout` and the thresholds: 90s, 5m, 1h30m, 1d, 2w, 500ms; a unit is needed.
    #[test]
    fn a_length_has_units_and_is_never_negative() {
        let milliseconds =
            |text: &str| text.parse::<Length>().ok().map(|length| length.duration().as_millis());
        for (text, expected) in [
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("1d", 86_400_000),
            ("2w", 1_209_600_000),
            ("500ms", 500),
            ("0s", 0),
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        for text in ["", "90", "-5s", "5 parsecs", "h", "1mo", "03:15:00", "99999999999999w"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
        for text in ["500ms", "1m 30s", "2h"] {
            assert_eq!(text.parse::<Length>().map(|length| length.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("500ms".parse::<Length>().map(Length::whole_seconds), Ok(None));
    }
}
