//! Events become state: per process and session the stops, turns, executions and panes.
//!
//! Used by the rules; the graph and the dry run read the registry that it rebuilds.

pub mod account;
pub mod case;
mod cause;
mod completions;
mod engine;
pub mod episode;
mod learn;
mod pane_losses;
mod panes;
mod process;
mod rebuilt;
mod record;
mod registry;
mod rows;
mod session;
mod shells;
mod stops;
mod sub_session;
mod turns;
mod windows;

pub use case::Case;
pub use engine::{Limits, Replay};
pub use episode::{Cause, Episode};
pub use rebuilt::RegistryNow;
