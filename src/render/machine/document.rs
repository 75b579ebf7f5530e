//! What every JSON document holds besides its subject: who wrote it and what was not read.

use schemars::JsonSchema;
use serde::Serialize;

/// Who wrote a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tool {
    /// Always `pulsectl`.
    pub name: &'static str,
    /// The program's version.
    pub version: &'static str,
}

/// This program.
pub const TOOL: Tool = Tool { name: "pulsectl", version: env!("CARGO_PKG_VERSION") };

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
