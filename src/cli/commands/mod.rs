//! One file per command: its arguments (the doc comment is the help text) and one function.

pub mod audit;
pub mod config;
pub mod demo;
pub mod explain;
pub mod generate;
pub mod rules;
pub mod snapshot;
pub mod status;
