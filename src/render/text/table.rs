//! A table for a person, without rules.

use comfy_table::{ContentArrangement, Table, presets};

use super::style::Style;

/// A table without rules, for a person and for line-wise tools. Cells hold no line ends and are safe already.
#[must_use]
pub fn table(headings: &[&str], rows: Vec<Vec<String>>, with_headings: bool, style: &Style) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if with_headings {
        table.set_header(headings.to_vec());
    }
    if rows.is_empty() && !with_headings {
        return String::new();
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut out = String::new();
    for (at, line) in table.to_string().lines().enumerate() {
        let line = line.trim_end();
        let is_heading = at == 0 && with_headings;
        out.push_str(&if is_heading { style.bold(line) } else { line.to_owned() });
        out.push('\n');
    }
    out
}
