//! A plan as Markdown, for a ticket: warnings, then lists, the worst first.

use super::text::pane_words;
use super::view::{
    Group, PlanView, expected_line, header_words, is_note, refusal_words, row_facts, summary_words,
    trigger_words,
};
use crate::engine::plan::PlannedRow;
use crate::render::text::markdown::{capital, code, plain};

/// The plan.
#[must_use]
pub fn render(view: &PlanView<'_>) -> String {
    let plan = view.plan;
    let mut out = format!("## Dry run: {}\n\n", plain(&trigger_words(plan)));
    out.push_str(&format!("{}\n\n", plain(&header_words(view))));
    for warning in &plan.warnings {
        let word = if is_note(warning.code) { "Note" } else { "Warning" };
        out.push_str(&format!("> **{word}** {}: {}\n\n", code(warning.code.name()), plain(&warning.message)));
    }
    if let (Some(words), Some(refused)) = (refusal_words(plan), &plan.refused) {
        out.push_str(&format!("**{}**: {}\n\n", capital(&words), plain(&refused.reason)));
    }
    for group in Group::ALL {
        let count = group.rows(plan).len();
        if count == 0 {
            continue;
        }
        out.push_str(&format!("### {} ({count})\n\n", group.title()));
        for row in group.rows(plan) {
            out.push_str(&item(row, view));
        }
        out.push('\n');
    }
    compared(&mut out, view);
    list(&mut out, "Panes", plan.panes.iter().map(|pane| plain(&pane_words(pane))));
    let revivals = plan.revivals.iter().map(|revival| plain(&format!("{}: {}", revival.what, revival.when)));
    list(&mut out, "What could bring work back", revivals);
    let lines = plan.expected_log.iter().map(|line| code(&expected_line(line, view.show_content)));
    list(&mut out, "Lines to expect in the log", lines);
    out.push_str(&format!("**{}**\n", plain(&summary_words(view))));
    out
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.map(|item| format!("- {item}\n")).collect();
    if !items.is_empty() {
        out.push_str(&format!("### {title}\n\n{}\n", items.concat()));
    }
}

fn item(row: &PlannedRow, view: &PlanView<'_>) -> String {
    let mut facts = row_facts(row, view.show_content);
    facts.push(row.reason.clone());
    facts.extend(row.flags.iter().map(|flag| flag.words().to_owned()));
    if let Some(other) = &row.otherwise {
        facts.push(format!("otherwise {} if {}", other.outcome.words(), other.condition));
    }
    let facts: Vec<String> = facts.iter().map(|fact| plain(fact)).collect();
    format!("- {} {} \u{b7} {}\n", row.kind.words(), code(&row.id), facts.join(" \u{b7} "))
}

fn compared(out: &mut String, view: &PlanView<'_>) {
    let Some(rows) = view.compared() else { return };
    out.push_str(
        "### By policy\n\n| Row | server | owner | sweeps only | Still hit by |\n|---|---|---|---|---|\n",
    );
    for row in rows {
        let outcomes: Vec<String> = row.outcomes.iter().map(|(_, outcome)| plain(outcome.name())).collect();
        let blocked: Vec<String> = row.blocked_by.iter().map(|flag| plain(flag.name())).collect();
        let id = code(row.id).replace('|', "\\|");
        out.push_str(&format!("| {id} | {} | {} |\n", outcomes.join(" | "), blocked.join(", ")));
    }
    out.push('\n');
}
