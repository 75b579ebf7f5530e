//! Scan and rules become findings.

pub mod finding;
pub mod options;
pub mod select;
