//! `pulsectl`: see, foresee and find what a stop or a terminal death cancels on a Pulse server.
//!
//! Imports run one way (a test holds it): `cli` may use everything; `render` the results of the inner
//! parts; `model` uses nothing.

/// Scan and rules become findings.
mod audit;
/// A plan, or the model behind it, held against what a log then says.
mod check;
/// Arguments, commands, exit codes.
mod cli;
/// Settings and where each came from.
mod config;
/// Pure questions about a snapshot.
mod engine;
/// A line that matters becomes one typed event.
mod events;
/// What must hold for any input; for `fuzz/` and its short run in `cargo test`.
mod fuzzing;
/// Bytes to lines.
mod logs;
/// What a server is at one moment.
mod model;
/// One file per output format.
mod render;
/// Events become state.
mod replay;
/// The rules of an audit, one file each.
mod rules;
/// Where a state comes from: a server, a recording, a snapshot, a log.
mod source;
/// How a server's state is fetched.
mod wire;

#[doc(hidden)]
pub mod testing;

pub use cli::run;
