//! What could not be read or not be trusted.

/// Something that was not read, or not understood as it stands. Every gap is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGap {
    /// Index of the input it concerns.
    pub input: usize,
    /// Machine name, `cannot_decompress`.
    pub code: &'static str,
    /// What is missing, in words.
    pub message: String,
    /// Whether lines may be missing or mistaken, rather than only looking odd.
    pub incomplete: bool,
    /// The wall second near which it lies, where that is known.
    pub wall: Option<i64>,
}
