//! `pulsectl`: see, foresee and find what a stop or a terminal death cancels on a Pulse server.
//!
//! Imports run one way (a test holds it): `cli` may use everything; `render` the results of the inner
//! parts; `model` uses nothing.

/// Scan and rules become findings.
pub mod audit;
/// A plan, or the model behind it, held against what a log then says.
pub mod check;
/// Arguments, commands, exit codes.
pub mod cli;
/// Settings and where each came from.
pub mod config;
/// Pure questions about a snapshot.
pub mod engine;
/// A line that matters becomes one typed event.
pub mod events;
/// Bytes to lines.
pub mod logs;
/// What a server is at one moment.
pub mod model;
/// One file per output format.
pub mod render;
/// Events become state.
pub mod replay;
/// The rules of an audit, one file each.
pub mod rules;
/// Where a state comes from: a server, a recording, a snapshot, a log.
pub mod source;
/// How a server's state is fetched.
pub mod wire;

pub use cli::run;
