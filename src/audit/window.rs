//! The time window: what of one server's part of a report lies in it.

use super::finding::{Input, Moment, Report};
use super::retain::retain;
use crate::logs::WallWindow;

/// Keeps what lies in the window: stops by their time, findings where they overlap it, and what is left of their
/// incidents. The window is in the wall clock of the one server that the report is of. Returns how many stops and
/// findings were left out.
pub(super) fn narrow(report: &mut Report, window: &WallWindow) -> usize {
    let wall = |moment: Moment| moment.utc + i64::from(moment.offset);
    let stops = report.stops.len();
    report.stops.retain(|stop| window.contains(wall(stop.time)));
    report.timeline.retain(|entry| window.contains(wall(entry.time)));
    let outside =
        retain(report, |finding| window.overlaps(wall(finding.first_time), wall(finding.last_time)));
    outside + stops - report.stops.len()
}

pub(super) fn time_range(inputs: &[Input]) -> String {
    let wall = |moment: &Moment| {
        jiff::Timestamp::from_second(moment.utc + i64::from(moment.offset))
            .map(|time| jiff::tz::TimeZone::UTC.to_datetime(time).to_string())
            .unwrap_or_default()
    };
    let first = inputs.iter().filter_map(|input| input.first_time.as_ref()).min();
    let last = inputs.iter().filter_map(|input| input.last_time.as_ref()).max();
    match (first, last) {
        (Some(first), Some(last)) => {
            format!("the log goes from {} to {} in its own zone", wall(first), wall(last))
        }
        _ => "the log has no time stamps".to_owned(),
    }
}
