//! The list of sessions as a table.

use super::columns::{Column, ListOptions, value};
use super::view::SessionsView;
use crate::engine::overview::SessionSummary;
use crate::render::text::style::{Style, cut};
use crate::render::text::table::table;

/// The list as a table of the ordinary columns.
#[must_use]
pub fn render(view: &SessionsView<'_>, style: &Style) -> String {
    rows(view.sessions, &view.options(&Column::ORDINARY), style)
}

/// The list as a table of all columns.
#[must_use]
pub fn render_wide(view: &SessionsView<'_>, style: &Style) -> String {
    rows(view.sessions, &view.options(&Column::ALL), style)
}

fn rows(sessions: &[SessionSummary], options: &ListOptions, style: &Style) -> String {
    let headings: Vec<String> = options.columns.iter().map(|column| column.name().to_uppercase()).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |session: &SessionSummary| {
        options.columns.iter().map(|column| cell(session, *column, options, style)).collect()
    };
    let rows: Vec<Vec<String>> = sessions.iter().map(cells).collect();
    table(&headings, rows, options.headings, style)
}

/// A cell of the table, safe for a terminal. Only text of people is cut, and only on a terminal.
fn cell(session: &SessionSummary, column: Column, options: &ListOptions, style: &Style) -> String {
    let text = value(session, column, options);
    if text.is_empty() {
        let is_count = matches!(column, Column::Runs | Column::Agents | Column::Panes);
        return String::from(if is_count { "?" } else { "-" });
    }
    let text = style.safe(&text);
    match (column, style.width) {
        (Column::Title | Column::Workflow, Some(width)) => {
            cut(&text, (width / 5).max(16), style.glyph("\u{2026}", "..."))
        }
        _ => text,
    }
}
