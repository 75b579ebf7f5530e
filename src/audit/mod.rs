//! Scan and rules become findings.

mod assemble;
pub mod finding;
mod fingerprint;
pub mod options;
mod run;
pub mod select;
mod timeline;

pub use run::{audit, read_options, run};
