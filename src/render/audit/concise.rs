//! One line per finding, as compilers write them, and the closing line.

use super::evidence::shown;
use super::summary::closing;
use super::view::AuditView;
use crate::render::text::style::Style;

/// The lines.
#[must_use]
pub fn render(view: &AuditView<'_>, style: &Style) -> String {
    let mut out = String::new();
    for finding in &view.report.findings {
        let place = finding.evidence.first().map(|line| shown(view.report, line, view.content));
        let place =
            place.map(|line| format!("{}:{}: ", style.safe(line.path), line.line)).unwrap_or_default();
        let code = format!("{}[{}]", finding.severity, style.safe(&finding.rule));
        let code = style.severity(finding.severity, &code);
        out.push_str(&format!("{place}{code} {}\n", style.safe(&finding.claim)));
    }
    out + &closing(view) + "\n"
}
