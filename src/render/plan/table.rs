//! A plan as a table, one line per row, the worst first.

use super::view::{Group, PlanView};
use crate::engine::plan::PlannedRow;
use crate::render::text::style::Style;
use crate::render::text::table::table;

/// The columns.
const HEADINGS: [&str; 7] = ["OUTCOME", "KIND", "ID", "CLASS", "CONFIDENCE", "VIA", "FLAGS"];

/// One line per row. Not wrapped where the output is not a terminal.
#[must_use]
pub fn render(view: &PlanView<'_>, style: &Style) -> String {
    let rows = Group::ALL.into_iter().flat_map(|group| group.rows(view.plan)).map(|row| line(row, style));
    table(&HEADINGS, rows.collect(), true, style)
}

fn line(row: &PlannedRow, style: &Style) -> Vec<String> {
    let none = |text: String| if text.is_empty() { String::from("-") } else { text };
    let flags: Vec<&str> = row.flags.iter().map(|flag| flag.name()).collect();
    [
        row.outcome.name().to_owned(),
        row.kind.name().to_owned(),
        row.id.clone(),
        row.class.name().to_owned(),
        row.confidence.name().to_owned(),
        none(row.via.join(" or ")),
        none(flags.join(",")),
    ]
    .iter()
    .map(|text| style.safe(text))
    .collect()
}
