//! CSV: one line per finding, for a spreadsheet.

use super::evidence::shown;
use super::view::AuditView;
use crate::render::machine::csv::guarded;
use crate::render::text::moment::rfc3339;

const HEADER: [&str; 15] = [
    "rule",
    "name",
    "severity",
    "confidence",
    "session",
    "subjects",
    "first_time",
    "last_time",
    "claim",
    "path",
    "line",
    "text",
    "next_action",
    "fingerprint",
    "incident",
];

/// The table with its header.
///
/// # Errors
/// Never in practice; the writer's error is passed on.
pub fn render(view: &AuditView<'_>) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for finding in &view.report.findings {
        let subjects: Vec<String> = finding
            .subjects
            .iter()
            .map(|subject| format!("{} {}", subject.kind.name(), subject.id))
            .collect();
        let first = finding.evidence.first().map(|line| shown(view.report, line, view.content));
        let (path, line, text) = first.map_or_else(Default::default, |first| {
            (first.path.to_owned(), first.line.to_string(), first.text)
        });
        let fields = [
            &finding.rule,
            &finding.name,
            finding.severity.name(),
            finding.confidence.name(),
            &finding.session,
            &subjects.join("; "),
            &rfc3339(finding.first_time, view.clock),
            &rfc3339(finding.last_time, view.clock),
            &finding.claim,
            &path,
            &line,
            &text,
            &finding.next_action,
            &finding.fingerprint,
            &finding.incident,
        ];
        writer.write_record(fields.map(guarded))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
