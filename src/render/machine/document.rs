//! What a JSON document about a log holds besides its subject: what was not read.

use schemars::JsonSchema;
use serde::Serialize;

/// Something that was not read, not understood or not kept.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Gap<'a> {
    /// Machine name.
    pub code: &'a str,
    /// What is missing, in words.
    pub message: &'a str,
}

/// Absent knowledge is `null`, never an empty text.
pub(crate) fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
