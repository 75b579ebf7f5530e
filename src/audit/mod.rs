//! Scan and rules become findings.

pub mod baseline;
pub mod finding;
pub mod notice;
pub mod options;
pub(crate) mod retain;
pub mod select;
pub mod suppress;
