//! Scan and rules become findings.

pub mod finding;
