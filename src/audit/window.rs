//! The time window: what of a finished report lies in it.

use std::collections::BTreeSet;

use super::finding::{Gap, Input, Moment, Report};
use crate::logs::WallWindow;

/// Keeps what lies in the window: stops by their time, findings and incidents where they overlap it.
pub(super) fn narrow(report: &mut Report, window: &WallWindow) {
    let wall = |moment: Moment| moment.utc + i64::from(moment.offset);
    let overlaps = |first: Moment, last: Moment| {
        window.since.is_none_or(|since| wall(last) >= since)
            && window.until.is_none_or(|until| wall(first) <= until)
    };
    let before = report.stops.len() + report.findings.len();
    report.stops.retain(|stop| window.contains(wall(stop.time)));
    report.findings.retain(|finding| overlaps(finding.first_time, finding.last_time));
    report.timeline.retain(|entry| window.contains(wall(entry.time)));
    let kept: BTreeSet<String> = report.findings.iter().map(|finding| finding.fingerprint.clone()).collect();
    for incident in &mut report.incidents {
        incident.findings.retain(|fingerprint| kept.contains(fingerprint));
    }
    report.incidents.retain(|incident| !incident.findings.is_empty());
    let outside = before - report.stops.len() - report.findings.len();
    if outside > 0 {
        report.gaps.push(Gap {
            code: "outside_window",
            message: format!("{outside} stops and findings lie outside the time window and are not shown"),
            incomplete: false,
        });
    }
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
