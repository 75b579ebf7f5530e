//! Scan and rules become findings.

mod assemble;
pub mod baseline;
mod custom;
mod evidence;
pub mod finding;
mod fingerprint;
mod ids;
mod note;
pub mod notice;
pub mod options;
pub(crate) mod retain;
mod run;
pub mod select;
mod stop;
pub mod suppress;
mod timeline;
mod unjudged;
mod window;

pub use run::{BeforeStop, audit, read_options, run, run_watched};
