//! An audit for a person: incidents worst first, then every stop, then the summary.
//!
//! Only shows. Everything that came from a log passes the sanitiser here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::audit::finding::{Finding, Incident, StopRecord, Verdict};

use super::evidence::shown;
use super::explained;
use super::frame::write_frames;
use super::summary;
use super::view::AuditView;
use crate::render::text::moment::{date, date_time, span, time_of_day};
use crate::render::text::style::{Style, write_hanging};

/// Findings by the id of their incident, in the order of the report.
type ByIncident<'a> = BTreeMap<&'a str, Vec<&'a Finding>>;

/// The whole text.
#[must_use]
pub fn render(view: &AuditView<'_>, style: &Style) -> String {
    let mut out = String::new();
    let mut by_incident = ByIncident::new();
    for finding in &view.report.findings {
        by_incident.entry(&finding.incident).or_default().push(finding);
    }
    for incident in &view.report.incidents {
        let findings = by_incident.get(incident.id.as_str()).map_or(&[][..], Vec::as_slice);
        write_incident(&mut out, view, incident, findings, style);
    }
    let incidents: BTreeSet<&str> =
        view.report.incidents.iter().map(|incident| incident.id.as_str()).collect();
    for finding in &view.report.findings {
        if !incidents.contains(finding.incident.as_str()) {
            let _ = writeln!(out, "{}", span(finding.first_time, finding.last_time));
            write_finding(&mut out, view, finding, style);
        }
    }
    write_stops(&mut out, view, &by_incident, style);
    summary::write(&mut out, view, style);
    out
}

fn write_incident(
    out: &mut String,
    view: &AuditView<'_>,
    incident: &Incident,
    findings: &[&Finding],
    style: &Style,
) {
    let severity = incident.severity.name().to_uppercase();
    let title = style.safe(&incident.title);
    let title = format!("{}  {}", style.severity(incident.severity, &severity), style.bold(&title));
    let _ = writeln!(out, "{title}");
    if !incident.session.is_empty() {
        let _ = writeln!(out, "  session {}", style.safe(&incident.session));
    }
    let _ = writeln!(out, "  {}", span(incident.first_time, incident.last_time));
    let _ = writeln!(out, "  {}\n", style.dim(&format!("incident {}", style.safe(&incident.id))));
    for finding in findings {
        write_finding(out, view, finding, style);
    }
}

fn write_finding(out: &mut String, view: &AuditView<'_>, finding: &Finding, style: &Style) {
    let code = format!("{}[{}]", finding.severity, style.safe(&finding.rule));
    let code = style.severity(finding.severity, &code);
    let _ = writeln!(out, "{code} {} ({})", style.safe(&finding.name), finding.confidence);
    write_hanging(out, "  ", &style.safe(&finding.claim), style);
    for subject in &finding.subjects {
        let _ = writeln!(out, "  {} {}", style.dim(subject.kind.name()), style.safe(&subject.id));
    }
    let evidence: Vec<_> =
        finding.evidence.iter().map(|line| shown(view.report, line, view.content)).collect();
    write_frames(out, &evidence, &finding.session, style);
    for reading in &finding.ruled_out {
        write_hanging(out, "  ruled out: ", &style.safe(reading), style);
    }
    if !finding.next_action.is_empty() {
        write_hanging(out, "  next: ", &style.safe(&finding.next_action), style);
    }
    let explain = format!("  more: pulsectl explain {}", style.safe(&finding.rule));
    let _ = writeln!(out, "{}\n", style.dim(&explain));
}

fn write_stops(out: &mut String, view: &AuditView<'_>, by_incident: &ByIncident<'_>, style: &Style) {
    let stops = &view.report.stops;
    let Some(first) = stops.first() else { return };
    let one_day = stops.iter().all(|stop| date(stop.time) == date(first.time));
    let head = if one_day { format!("Stops on {}", date(first.time)) } else { String::from("Stops") };
    let _ = writeln!(out, "{}", style.bold(&head));
    for (at, stop) in stops.iter().enumerate() {
        let time = if one_day { time_of_day(stop.time) } else { date_time(stop.time) };
        let lead = format!("  {} {time}, ", stop.cause.name().replace('_', " "));
        write_hanging(out, &lead, &stop_words(stop, by_incident, style), style);
        if let Some(explanation) = view.explanations.get(at) {
            write_hanging(out, "    ", &style.safe(&explained::words(explanation)), style);
        }
    }
    out.push('\n');
}

/// `session …: clean, 1 cancelled, 1 through its container`
fn stop_words(stop: &StopRecord, by_incident: &ByIncident<'_>, style: &Style) -> String {
    let mut line = format!("session {}: ", style.safe(&stop.session));
    line.push_str(stop.verdict.name());
    let findings = by_incident.get(stop.incident.as_str()).filter(|_| !stop.incident.is_empty());
    if stop.verdict == Verdict::Findings
        && let Some(findings) = findings
    {
        let mut codes: Vec<String> = findings.iter().map(|finding| style.safe(&finding.rule)).collect();
        codes.dedup();
        let _ = write!(line, " ({})", codes.join(", "));
    }
    if !stop.note.is_empty() {
        let _ = write!(line, ", {}", style.safe(&stop.note));
    }
    line
}
