//! The JSON of the server's answers: only the fields that are used, decoded tolerantly (unknown fields, nulls
//! and year-1 times are accepted; server-behaviour.md#requests-and-answers), except that a list must be
//! there: another object is no empty list. Prompts' results, panes' contents and agents' texts
//! are never decoded.

mod server;
mod session;
mod terminal;
mod text;
mod time;

pub use server::{AuthMode, BrowserList, Capabilities, Health, Identity, Login, SchedulerConfig};
pub use session::{ExecutionTree, Node, NodeMetadata, RunningList, RuntimeState, SessionList, SessionRow};
pub use terminal::{TerminalList, TerminalRow};
pub(super) use text::filled;
pub use time::Time;
