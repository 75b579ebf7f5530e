//! How long ago something was, and when, for a person.

use jiff::{SignedDuration, Timestamp};

/// `2026-11-30 03:14:56 UTC`.
#[must_use]
pub fn clock(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// The time between two moments in at most two units: `9s`, `3m12s`, `2h05m`, `4d03h`. Clocks of two machines
/// may differ, so what lies ahead counts as now.
#[must_use]
pub fn age(from: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(from).max(SignedDuration::ZERO).as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    if days > 0 {
        format!("{days}d{:02}h", hours % 24)
    } else if hours > 0 {
        format!("{hours}h{:02}m", minutes % 60)
    } else if minutes > 0 {
        format!("{minutes}m{:02}s", seconds % 60)
    } else {
        format!("{seconds}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_two_units_and_never_negative() {
        let at = |second: i64| Timestamp::from_second(second).expect("the test's time is in range");
        for (seconds, text) in [(-5, "0s"), (9, "9s"), (192, "3m12s"), (7_500, "2h05m"), (356_400, "4d03h")] {
            assert_eq!(age(at(0), at(seconds)), text);
        }
        assert_eq!(clock(at(0)), "1970-01-01 00:00:00 UTC");
        assert!(!age(Timestamp::MIN, Timestamp::MAX).is_empty());
    }
}
