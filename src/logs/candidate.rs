//! Files of which it is not decided yet, or decided against, that they are read.

use std::path::PathBuf;

use super::source::{Compression, LogFile};
use crate::model::gap::GapCode;

/// A file that is deliberately not read. Nothing is missing because of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The path as shown to people.
    pub path: String,
    /// Why.
    pub code: GapCode,
    /// Why, in words that follow the path.
    pub message: String,
}

/// A file that will be read.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) file: LogFile,
    pub(crate) folder: PathBuf,
    pub(crate) stem: String,
    /// The beginning of the content.
    pub(crate) beginning: Vec<u8>,
    pub(crate) compression: Compression,
}
