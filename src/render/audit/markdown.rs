//! Markdown: a table of the findings, the lines that prove each, every stop, and what was read.

use std::fmt::Write as _;

use crate::audit::finding::Finding;

use super::evidence::shown;
use super::summary::closing;
use super::view::AuditView;
use crate::render::text::moment::{date_time, span};
use crate::render::text::sanitize::sanitize;
use crate::render::text::style::counted;

/// The document.
#[must_use]
pub fn render(view: &AuditView<'_>) -> String {
    let report = view.report;
    let mut out = format!("## pulsectl audit\n\n**{}**\n", escaped(&closing(view)));
    if !report.findings.is_empty() {
        out.push_str("\n| Severity | Rule | When | What | Where |\n|---|---|---|---|---|\n");
        for finding in &report.findings {
            let place = finding.evidence.first().map(|line| shown(report, line, view.content));
            let place = place.map(|line| format!("{}:{}", line.path, line.line)).unwrap_or_default();
            let _ = writeln!(
                out,
                "| {} | {} {} | {} | {} | {} |",
                finding.severity,
                escaped(&finding.rule),
                escaped(&finding.name),
                span(finding.first_time, finding.last_time),
                escaped(&finding.claim),
                escaped(&place),
            );
        }
        for finding in &report.findings {
            write_details(&mut out, view, finding);
        }
    }
    if !report.stops.is_empty() {
        out.push_str("\n### Stops\n\n| When | Cause | Session | Verdict |\n|---|---|---|---|\n");
        for stop in &report.stops {
            let verdict = format!("{} {}", stop.verdict, stop.note);
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                date_time(stop.time),
                stop.cause.name().replace('_', " "),
                escaped(&stop.session),
                escaped(verdict.trim_end()),
            );
        }
    }
    let _ = writeln!(
        out,
        "\n### Read\n\n{}, {}, {}, {} unparsed.\n",
        counted(report.inputs.len() as u64, "file"),
        counted(view.lines(), "line"),
        counted(view.bytes(), "byte"),
        counted(view.unparsed_lines(), "line"),
    );
    for input in &report.inputs {
        let _ = writeln!(
            out,
            "- {}: {}, zone {} ({})",
            escaped(&input.path),
            counted(input.lines, "line"),
            escaped(&input.time_zone),
            escaped(input.time_zone_source.name()),
        );
    }
    for gap in &report.gaps {
        let lead = if gap.code.is_incomplete() { "gap, answer incomplete" } else { "gap" };
        let _ = writeln!(out, "- {lead}: {}", escaped(&gap.message));
    }
    for notice in view.notices {
        let _ = writeln!(out, "- note: {}", escaped(&notice.message));
    }
    out
}

fn write_details(out: &mut String, view: &AuditView<'_>, finding: &Finding) {
    let _ = writeln!(
        out,
        "\n### {} {}\n\n{}\n",
        escaped(&finding.rule),
        escaped(&finding.name),
        escaped(&finding.claim)
    );
    let lines: Vec<String> = finding
        .evidence
        .iter()
        .map(|line| shown(view.report, line, view.content))
        .map(|line| {
            sanitize(&format!("{}:{}: {}", line.path, line.line, line.text), true)
                + "\n    "
                + &sanitize(line.role, true)
        })
        .collect();
    let block = lines.join("\n");
    let fence = "`".repeat(longest_run(&block).max(2) + 1);
    let _ = writeln!(out, "{fence}text\n{block}\n{fence}\n");
    for reading in &finding.ruled_out {
        let _ = writeln!(out, "- ruled out: {}", escaped(reading));
    }
    let _ = writeln!(out, "- next: {}", escaped(&finding.next_action));
}

/// The longest run of backticks: a fence must be longer.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// Text in which no character is markup, on one line.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in sanitize(text, true).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '|' | '~' | '!' | '$'
            | '@' => {
                escaped.push('\\');
                escaped.push(character);
            }
            character => escaped.push(character),
        }
    }
    escaped
}
