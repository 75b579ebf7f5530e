//! Texts of a server: it writes an empty one where it has none.

/// An optional text; an empty one is none.
pub(in crate::wire) fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}
