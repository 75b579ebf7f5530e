//! What a Pulse server *is* at one moment: ids, sessions, executions, terminals, and the snapshot that
//! ties them. Pure data and pure questions about it; no files, no HTTP, no clock. Imports nothing of this crate.

pub mod confidence;
pub mod counters;
pub mod document;
pub mod duration;
pub mod execution;
pub mod fact;
pub mod frozen;
pub mod gap;
pub mod id;
pub mod server;
pub mod session;
pub mod snapshot;
pub mod spelling;
pub mod status;
pub mod subject;
pub mod terminal;
pub mod thresholds;
pub mod unjudged;
pub mod words;
