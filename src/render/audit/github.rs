//! GitHub workflow commands: annotations within GitHub's caps. The table goes to the step's summary,
//! which `cli` writes from the Markdown format.

use crate::audit::finding::Finding;
use crate::rules::meta::Severity;

use super::evidence::shown;
use super::summary::closing;
use super::view::AuditView;
use crate::render::text::sanitize::sanitize;

/// GitHub shows no more annotations of one level per step.
const CAP: usize = 10;

/// The commands, worst findings first, and one plain closing line.
#[must_use]
pub fn render(view: &AuditView<'_>) -> String {
    let mut out = String::new();
    for level in ["error", "warning", "notice"] {
        let findings: Vec<&Finding> = view
            .report
            .findings
            .iter()
            .filter(|finding| self::level(finding, view.fail_on) == level)
            .collect();
        let shown = if findings.len() > CAP { CAP - 1 } else { findings.len() };
        for finding in &findings[..shown] {
            out.push_str(&annotation(level, finding, view));
        }
        if shown < findings.len() {
            let more = findings.len() - shown;
            out.push_str(&format!("::{level} title=pulsectl::{more} more in the summary of this step\n"));
        }
    }
    if !view.report.complete() || view.lines() == 0 {
        out.push_str(&format!("::warning title=pulsectl::{}\n", message(&closing(view))));
    }
    out.push_str(&closing(view));
    out.push('\n');
    out
}

fn level(finding: &Finding, fail_on: Severity) -> &'static str {
    if finding.severity >= fail_on {
        "error"
    } else if finding.severity > Severity::Info {
        "warning"
    } else {
        "notice"
    }
}

fn annotation(level: &str, finding: &Finding, view: &AuditView<'_>) -> String {
    let place = finding.evidence.first().map(|line| shown(view.report, line, view.content));
    let place =
        place.map(|line| format!("file={},line={},", property(line.path), line.line)).unwrap_or_default();
    let title = property(&format!("{} {} ({})", finding.rule, finding.name, finding.severity));
    let text = message(&format!("{} Next: {}", finding.claim, finding.next_action));
    format!("::{level} {place}title={title}::{text}\n")
}

/// Escapes a command's message. The old `##[…]` commands are found anywhere in a line, so they are broken.
fn message(text: &str) -> String {
    sanitize(text, true).replace('%', "%25").replace("##[", "## [")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
