//! What could not be read or not be trusted.

use crate::model::gap::GapCode;

/// Something that was not read, or not understood as it stands. Every gap is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGap {
    /// Index of the input it concerns.
    pub input: usize,
    /// What kind.
    pub code: GapCode,
    /// What is missing, in words.
    pub message: String,
    /// The wall second near which it lies, where that is known.
    pub wall: Option<i64>,
}
