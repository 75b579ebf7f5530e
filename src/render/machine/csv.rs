//! The guard of every CSV field against formulas and against what steers a terminal.

use crate::render::text::sanitize::sanitize;

/// A field as it stands in a table: control characters are made visible as in every text for a person, since a
/// table is looked at with `cat` and `column`; what a spreadsheet would take for a formula gets an apostrophe
/// before it.
pub(crate) fn guarded(field: &str) -> String {
    let field = sanitize(field, true);
    if field.starts_with(['=', '+', '-', '@']) { format!("'{field}") } else { field }
}
