//! A plan for a person: the worst first.

use super::view::{
    Group, PlanView, expected_line, header_words, is_note, refusal_words, row_facts, summary_words,
};
use crate::engine::plan::{PlannedPane, PlannedRow};
use crate::render::text::style::{Style, write_hanging};
use crate::rules::meta::Severity;

/// The plan.
#[must_use]
pub fn render(view: &PlanView<'_>, style: &Style) -> String {
    let mut out = String::new();
    write_hanging(&mut out, "", &style.bold(&style.safe(&header_words(view))), style);
    for warning in &view.plan.warnings {
        let word = if is_note(warning.code) { "note" } else { "warning" };
        let said = format!("{}: {}", warning.code.name(), style.safe(&warning.message));
        write_hanging(&mut out, &format!("{word}: "), &said, style);
    }
    if let (Some(words), Some(refused)) = (refusal_words(view.plan), &view.plan.refused) {
        write_hanging(&mut out, &format!("{words}: "), &style.safe(&refused.reason), style);
    }
    for group in Group::ALL {
        write_group(&mut out, view, group, style);
    }
    write_compared(&mut out, view, style);
    write_panes(&mut out, view, style);
    if !view.plan.revivals.is_empty() {
        heading(&mut out, "What could bring work back", style);
        for revival in &view.plan.revivals {
            let words = format!("{}: {}", revival.what, revival.when);
            write_hanging(&mut out, "  ", &style.safe(&words), style);
        }
    }
    if !view.plan.expected_log.is_empty() {
        heading(&mut out, "Lines to expect in the log", style);
        for line in &view.plan.expected_log {
            out.push_str(&format!("  {}\n", style.safe(&expected_line(line, view.show_content))));
        }
    }
    out.push('\n');
    write_hanging(&mut out, "", &summary_line(view, style), style);
    out
}

fn heading(out: &mut String, title: &str, style: &Style) {
    out.push_str(&format!("\n{}\n", style.bold(title)));
}

fn summary_line(view: &PlanView<'_>, style: &Style) -> String {
    let words = summary_words(view);
    match view.summary.safe {
        Some(false) => style.severity(Severity::High, &words),
        _ => style.bold(&words),
    }
}

fn write_group(out: &mut String, view: &PlanView<'_>, group: Group, style: &Style) {
    let count = group.rows(view.plan).len();
    if count == 0 {
        return;
    }
    let title = format!("{} ({count})", group.title());
    match group {
        Group::Collateral | Group::Ineffective => {
            out.push_str(&format!("\n{}\n", style.severity(Severity::High, &title)));
        }
        _ => heading(out, &title, style),
    }
    if group == Group::EndedBefore && !view.everything {
        out.push_str("  not listed; -v lists them\n");
        return;
    }
    for row in group.rows(view.plan) {
        write_row(out, row, view, style);
    }
}

fn write_row(out: &mut String, row: &PlannedRow, view: &PlanView<'_>, style: &Style) {
    let mut facts = row_facts(row, view.show_content);
    if !row.via.is_empty() {
        facts.insert(1, format!("in {}", row.via.join(" or ")));
    }
    let kind = row.kind.words();
    let line = format!("{kind} {} - {}", row.id, facts.join(" \u{b7} "));
    write_hanging(out, "  ", &style.safe(&line), style);
    let mut because = format!("because {}", row.reason);
    if view.everything {
        because.push_str(&format!(" ({}; {})", row.rule, row.evidence));
    }
    write_hanging(out, "      ", &style.dim(&style.safe(&because)), style);
    let flags: Vec<&str> = row.flags.iter().map(|flag| flag.words()).collect();
    if !flags.is_empty() {
        write_hanging(out, "      ", &style.safe(&flags.join("; ")), style);
    }
    if let Some(other) = &row.otherwise {
        let words = format!("otherwise {} if {}", other.outcome.words(), other.condition);
        write_hanging(out, "      ", &style.safe(&words), style);
    }
}

fn write_panes(out: &mut String, view: &PlanView<'_>, style: &Style) {
    if view.plan.panes.is_empty() {
        return;
    }
    heading(out, &format!("Panes ({})", view.plan.panes.len()), style);
    for pane in &view.plan.panes {
        write_hanging(out, "  ", &style.safe(&pane_words(pane)), style);
    }
}

/// What happens to a pane, in words.
#[must_use]
pub(super) fn pane_words(pane: &PlannedPane) -> String {
    let owner = pane.owner.as_deref().unwrap_or(&pane.terminal);
    let name = pane.tmux.as_deref().map_or_else(String::new, |tmux| format!(" ({tmux})"));
    let outcome = pane.outcome.name().replace('_', " ");
    let collateral = if pane.is_collateral { " \u{b7} collateral" } else { "" };
    let mut words = format!("{owner}{name} - {outcome}{collateral}: {}", pane.reason);
    if let Some(other) = &pane.otherwise {
        words.push_str(&format!(
            "; otherwise {} if {}",
            other.outcome.name().replace('_', " "),
            other.condition
        ));
    }
    words
}

fn write_compared(out: &mut String, view: &PlanView<'_>, style: &Style) {
    let Some(rows) = view.compared() else { return };
    heading(out, "By policy: what the owner's rule would save", style);
    let cells = rows
        .iter()
        .map(|row| {
            let mut cells = vec![row.kind.words().to_owned(), style.safe(row.id)];
            cells.extend(row.outcomes.iter().map(|(_, outcome)| outcome.name().replace('_', " ")));
            cells.push(if row.is_saved() { String::from("saved") } else { String::from("-") });
            let blocked: Vec<String> = row
                .blocked_by
                .iter()
                .map(|flag| flag.name().trim_start_matches("blocked_by:").replace('_', " "))
                .collect();
            cells.push(if blocked.is_empty() { String::from("-") } else { blocked.join(", ") });
            cells
        })
        .collect();
    let headings = ["KIND", "ID", "SERVER", "OWNER", "SWEEPS ONLY", "SAVED", "STILL HIT BY"];
    out.push_str(&crate::render::text::table::table(&headings, cells, true, style));
}
