//! Lines of the scheduler, most of them in `schedule.log`.

use super::cursor::Cursor;
use super::event::EventKind;
use super::template::{Message, Template, template};

/// The templates of this family.
pub(super) const TEMPLATES: &[Template] = &[
    template("[SCHEDULER] runJob starting for ", &[], job_starting),
    template("[SCHEDULER] Workshop mode: executing ", &[], job_session),
    template("[SCHEDULER] Workshop turn ", &["): "], turn_sent),
    template("[BOT_SESSION] Internal session started: sessionID=", &[], internal_session),
    template("[SCHEDULER] Stopping running job ", &[], job_stopping),
    template("[SCHEDULER] Stopped job ", &["(session: "], job_stopped),
    template("[SCHEDULER] ", &[" stopped by user after "], job_stopped_by_user),
    template("[SCHEDULER] ", &["WAKE_DETECTED gap="], host_woke),
];

fn job_starting(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SCHEDULER] runJob starting for ")?;
    let schedule = cursor.until(" (")?.into();
    // The title is what people wrote; it may itself hold `) at `, so the last one before the time ends it.
    let (title, _) = cursor.rest().rsplit_once(") at ")?;
    Some(EventKind::JobStarting { schedule, title: title.into() })
}

fn job_session(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" messages for ")?;
    let schedule = cursor.until(" (session=")?.into();
    Some(EventKind::JobSession { schedule, session: cursor.word()?.into() })
}

fn turn_sent(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SCHEDULER] Workshop turn ")?;
    let number = cursor.number()?;
    cursor.literal("/")?;
    cursor.number()?;
    cursor.literal(" (")?;
    cursor.until("): ")?;
    Some(EventKind::ScheduledTurnSent { number })
}

fn internal_session(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BOT_SESSION] Internal session started: sessionID=")?;
    let session = cursor.word()?.into();
    cursor.literal(" queryID=")?;
    Some(EventKind::InternalSessionStarted { session, query: cursor.word()?.into() })
}

fn job_stopping(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SCHEDULER] Stopping running job ")?;
    let schedule = cursor.until(" (session: ")?.into();
    Some(EventKind::JobStopping { schedule, session: cursor.word_before(b')')?.into() })
}

fn job_stopped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SCHEDULER] Stopped job ")?;
    let schedule = cursor.until(" (session: ")?.into();
    Some(EventKind::JobStopped { schedule, session: cursor.word_before(b')')?.into() })
}

fn job_stopped_by_user(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SCHEDULER] ")?;
    let schedule = cursor.until(" stopped by user after ")?.into();
    let after_milliseconds = i64::try_from(cursor.number()?).ok()?;
    cursor.literal("ms")?;
    message.context.session.as_ref()?;
    Some(EventKind::JobStoppedByUser { schedule, after_milliseconds })
}

fn host_woke(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until("WAKE_DETECTED gap=")?;
    Some(EventKind::HostWoke { gap_seconds: go_duration_seconds(cursor.word()?)? })
}

/// A Go duration such as `30m12s`, `1h2m3.5s` or `850ms`, in whole seconds.
fn go_duration_seconds(text: &str) -> Option<i64> {
    let mut seconds = 0.0_f64;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let value: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let (unit, factor) =
            [("ms", 0.001), ("µs", 0.000_001), ("ns", 1e-9), ("h", 3600.0), ("m", 60.0), ("s", 1.0)]
                .into_iter()
                .find(|(unit, _)| rest.starts_with(unit))?;
        seconds += value * factor;
        rest = &rest[unit.len()..];
    }
    // A gap of more than ten years is no gap but a broken line.
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (0.0..3.2e8).contains(&seconds).then_some(seconds.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_durations_become_seconds() {
        assert_eq!(go_duration_seconds("30m12s"), Some(1812)); // server-behaviour.md#clocks
        assert_eq!(go_duration_seconds("1h0m0.4s"), Some(3600));
        assert_eq!(go_duration_seconds("850ms"), Some(1));
        assert_eq!(go_duration_seconds("soon"), None);
    }
}
