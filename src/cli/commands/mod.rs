//! One file per command: its arguments (the doc comment is the help text) and one function.

pub mod audit;
pub mod config;
pub mod demo;
pub mod explain;
pub mod generate;
pub mod graph;
pub mod plan;
pub mod plan_check;
pub mod rules;
pub mod sessions;
pub mod snapshot;
pub mod status;
pub mod stop;
