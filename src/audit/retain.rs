//! Takes findings out of a finished report and keeps the rest of it consistent.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Report};
use crate::rules::meta::Severity;

/// Keeps the findings that fit; returns how many were taken out.
///
/// Incidents without a finding go too. The verdict of a stop stays: hiding a finding makes no stop clean.
pub(crate) fn retain(report: &mut Report, keep: impl FnMut(&Finding) -> bool) -> usize {
    let before = report.findings.len();
    report.findings.retain(keep);
    let kept: BTreeSet<&str> = report.findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
    let mut worst: BTreeMap<&str, Severity> = BTreeMap::new();
    for finding in &report.findings {
        let worst = worst.entry(&finding.incident).or_insert(finding.severity);
        *worst = finding.severity.max(*worst);
    }
    for incident in &mut report.incidents {
        incident.findings.retain(|fingerprint| kept.contains(fingerprint.as_str()));
        incident.severity = worst.get(incident.id.as_str()).copied().unwrap_or(incident.severity);
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
