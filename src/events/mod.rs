//! A line that matters becomes one typed event. Everything else is only counted by the scan.

mod cursor;
pub mod event;
mod execution;
mod field;
mod process;
mod read;
mod schedule;
pub mod server_log;
mod stop;
mod template;
mod terminal;
mod turn;
mod unjudged;

pub use event::{Event, EventKind, FinalOutcome, SharedEvent, Stream};
pub use read::{EventReader, KEPT_TEXT, Reading};
