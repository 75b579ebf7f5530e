//! The guard of every CSV field against formulas.

use std::borrow::Cow;

/// A field that a spreadsheet would take for a formula gets an apostrophe before it; NUL, which ends
/// the text for some readers, is replaced.
pub(crate) fn guarded(field: &str) -> Cow<'_, str> {
    let field =
        if field.contains('\0') { Cow::Owned(field.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(field) };
    if field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        Cow::Owned(format!("'{field}"))
    } else {
        field
    }
}
