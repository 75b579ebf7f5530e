//! One line of evidence in the audit's JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::evidence::shown;
use super::view::AuditView;
use crate::audit::finding;

/// One line of a log.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Evidence<'a> {
    /// The input's path.
    pub path: &'a str,
    /// Line number, from 1.
    pub line: u64,
    /// Where the line starts, in bytes of the decompressed content.
    pub byte_offset: u64,
    /// The line's length in bytes, without its end.
    pub byte_length: u64,
    /// The line, valid UTF-8, at most 4 KiB.
    pub text: String,
    /// Whether bytes that are not UTF-8 were replaced in `text`.
    pub lossy: bool,
    /// Whether `text` is only the line's beginning.
    pub cut: bool,
    /// Whether what people wrote was replaced in `text`.
    pub masked: bool,
    /// What the line shows.
    pub role: &'a str,
}

/// The line as the document holds it.
pub(super) fn evidence<'a>(evidence: &'a finding::Evidence, view: &AuditView<'a>) -> Evidence<'a> {
    let line = shown(view.report, evidence, view.content);
    Evidence {
        path: line.path,
        line: line.line,
        byte_offset: line.byte_offset,
        byte_length: line.byte_length,
        text: line.text,
        lossy: line.lossy,
        cut: line.cut,
        masked: line.masked,
        role: line.role,
    }
}
