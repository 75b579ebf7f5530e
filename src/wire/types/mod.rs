//! The JSON of the server's answers: only the fields that are used, decoded tolerantly (unknown fields, nulls
//! and year-1 times are accepted, a row that cannot be read is counted; server-behaviour.md#requests-and-answers), except that a list must be
//! there: another object is no empty list. Prompts' results, panes' contents and agents' texts
//! are never decoded.

mod rows;
mod server;
mod session;
mod terminal;
mod text;
mod time;

pub(super) use rows::count_rows;
pub use rows::{Rows, Told};
pub use server::{AuthMode, BrowserList, Capabilities, Health, Identity, Login, SchedulerConfig};
pub use session::{ExecutionTree, Node, NodeMetadata, RunningList, RuntimeState, SessionList, SessionRow};
pub use terminal::{TerminalList, TerminalRow};
pub(super) use text::filled;
pub use time::Time;
