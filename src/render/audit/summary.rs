//! The end of an audit for a person: what was read, what was not, and one closing line.
//!
//! Owns the wording of the closing line, which never says "clean" of something that was not checked.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::audit::finding::{Input, Verdict};
use crate::audit::notice::Hidden;
use crate::model::unjudged::Unjudged;
use crate::rules::meta::Severity;

use super::explained;
use super::view::AuditView;
use crate::render::text::moment::span;
use crate::render::text::style::{Style, counted, write_hanging};

/// Writes the summary.
pub(crate) fn write(out: &mut String, view: &AuditView<'_>, style: &Style) {
    let report = view.report;
    let _ = writeln!(out, "{}", style.bold("Summary"));
    let _ = writeln!(
        out,
        "  read: {}, {}, {}, {} unparsed",
        counted(report.inputs.len() as u64, "file"),
        counted(view.lines(), "line"),
        counted(view.bytes(), "byte"),
        counted(view.unparsed_lines(), "line"),
    );
    for input in &report.inputs {
        let lead = format!("    {}: ", style.safe(&input.path));
        write_hanging(out, &lead, &input_words(input, style), style);
    }
    let _ = writeln!(
        out,
        "  seen: {}, {}",
        counted(report.sessions, "session"),
        counted(report.stops.len() as u64, "stop")
    );
    if !view.explanations.is_empty() {
        let _ = writeln!(out, "  {}", explained::summary(view.explanations));
    }
    if report.gaps.is_empty() {
        let _ = writeln!(out, "  gaps: none");
    }
    for gap in &report.gaps {
        let lead = if gap.code.is_incomplete() { "  gap (answer incomplete): " } else { "  gap: " };
        write_hanging(out, lead, &style.safe(&gap.message), style);
    }
    for notice in view.notices {
        write_hanging(out, "  note: ", &style.safe(&notice.message), style);
    }
    let counts: Vec<String> =
        report.counts().iter().rev().map(|(severity, count)| format!("{count} {severity}")).collect();
    let _ = write!(out, "  findings: {}", counts.join(", "));
    if view.hidden.total() > 0 {
        let _ = write!(out, " ({})", hidden_words(view.hidden));
    }
    let _ = writeln!(out, "\n{}", style.bold(&closing(view)));
}

fn input_words(input: &Input, style: &Style) -> String {
    let mut line = format!("{}, ", input.kind.name().replace('_', " "));
    let _ = write!(line, "{}, {}", counted(input.lines, "line"), counted(input.bytes, "byte"));
    match (input.first_time, input.last_time) {
        (Some(first), Some(last)) => {
            let _ = write!(line, ", {}", span(first, last));
        }
        _ => line.push_str(", no time stamp"),
    }
    let source = input.time_zone_source.words();
    let _ = write!(line, ", zone {} ({source})", style.safe(&input.time_zone));
    line
}

/// `2 known, 1 suppressed, 3 hidden by the selection`
fn hidden_words(hidden: Hidden) -> String {
    let parts = [
        (hidden.known, "known"),
        (hidden.suppressed, "suppressed"),
        (hidden.by_selection, "hidden by the selection"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    parts.join(", ")
}

/// `7 lines that no rule judges: schedule failed (2), …`
fn unjudged_words(unjudged: &BTreeMap<Unjudged, u64>) -> String {
    let total = unjudged.values().sum();
    let parts: Vec<String> =
        unjudged.iter().map(|(what, count)| format!("{} ({count})", what.words())).collect();
    format!("{} that no rule judges: {}", counted(total, "line"), parts.join(", "))
}

/// The one line that says how it ended.
pub(crate) fn closing(view: &AuditView<'_>) -> String {
    let report = view.report;
    if view.lines() == 0 {
        return String::from("Nothing was checked.");
    }
    let failing = report.findings.iter().filter(|finding| finding.severity >= view.fail_on).count();
    let shown = report.findings.iter().filter(|finding| finding.severity > Severity::Info).count();
    let undecided = report.stops.iter().filter(|stop| stop.verdict == Verdict::Inconclusive).count();
    let stops = report.stops.len();
    let verdict = if failing > 0 {
        format!("{} at or above {}.", counted(failing as u64, "finding"), view.fail_on)
    } else if shown > 0 {
        format!("Nothing at or above {}, {}.", view.fail_on, counted(shown as u64, "lesser finding"))
    } else if view.hidden.total() > 0 {
        format!("Nothing new: {}.", hidden_words(view.hidden))
    } else if report.stops.iter().any(|stop| stop.verdict == Verdict::Findings) {
        String::from("No finding is shown, yet not every stop held.")
    } else if undecided > 0 {
        String::from("No finding.")
    } else if !report.unjudged.is_empty() {
        format!("No finding; {}.", unjudged_words(&report.unjudged))
    } else if !report.complete() || !report.gaps.is_empty() {
        String::from("No finding in what was read.")
    } else if stops == 0 && !report.findings.is_empty() {
        format!("No stop, and nothing above info in {}.", counted(view.lines(), "line"))
    } else if stops == 0 {
        format!("Clean: {} read, no stop and no finding in them.", counted(view.lines(), "line"))
    } else {
        format!(
            "Clean: {}, everything that was open at them is accounted for.",
            counted(stops as u64, "stop")
        )
    };
    let mut line = verdict;
    if undecided > 0 {
        let _ = write!(
            line,
            " {undecided} of {} cannot be judged: what became of something in them is not known.",
            counted(stops as u64, "stop")
        );
    }
    if !report.complete() {
        line.push_str(" The answer is incomplete: see the gaps.");
    } else if !report.gaps.is_empty() {
        line.push_str(" The gaps make it less sure.");
    }
    line
}
