//! Arguments, dispatch and exit codes. May use every other part; nothing may use this one.

mod arguments;
pub mod commands;
pub mod exit;
mod file_output;
mod gaps;
pub mod global;
mod lookup;
pub mod output;
mod progress;
mod run;
mod settings;
pub mod source;
mod source_failure;
mod step_summary;
pub mod ui;
mod watch;

pub use arguments::command;
pub use run::run;
