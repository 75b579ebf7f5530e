//! One of the wrappers that a log is in.

use super::kind::WrapperKind;

/// A wrapper around one log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) kind: WrapperKind,
    /// Whose lines are wanted; empty where the wrapper does not tell.
    pub(super) label: Vec<u8>,
    /// Services that are read as logs of their own, or reported as not read.
    pub(super) elsewhere: Vec<Vec<u8>>,
}
