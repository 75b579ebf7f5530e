//! Takes findings out of a finished report and keeps the rest of it consistent.

use std::collections::BTreeSet;

use super::finding::{Finding, Report};

/// Keeps the findings that fit; returns how many were taken out.
///
/// Incidents without a finding go too. The verdict of a stop stays: hiding a finding makes no stop clean.
pub(crate) fn retain(report: &mut Report, keep: impl FnMut(&Finding) -> bool) -> usize {
    let before = report.findings.len();
    report.findings.retain(keep);
    let kept: BTreeSet<&str> = report.findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
    for incident in &mut report.incidents {
        incident.findings.retain(|fingerprint| kept.contains(fingerprint.as_str()));
        let worst = report
            .findings
            .iter()
            .filter(|finding| finding.incident == incident.id)
            .map(|finding| finding.severity)
            .max();
        incident.severity = worst.unwrap_or(incident.severity);
    }
    report.incidents.retain(|incident| !incident.findings.is_empty());
    // Worst first, then by time, as before.
    report.incidents.sort_by_key(|incident| (std::cmp::Reverse(incident.severity), incident.first_time));
    let incidents: BTreeSet<&str> = report.incidents.iter().map(|incident| incident.id.as_str()).collect();
    for stop in &mut report.stops {
        if !incidents.contains(stop.incident.as_str()) {
            stop.incident.clear();
        }
    }
    before - report.findings.len()
}
