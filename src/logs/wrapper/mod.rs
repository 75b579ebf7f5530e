//! What other programs put around the lines of a log: Docker, compose, Kubernetes, journald.
//!
//! Known by the content of the first block, taken off between decompression and the scan, so that everything
//! behind sees the server's own lines. Opens no file and knows no template. A line that can't be taken out of
//! its wrapper is counted, never guessed.

mod decode;
mod docker_json;
mod join;
mod journal_export;
mod kind;
mod layer;
mod prefix;
mod pulse_line;
mod read;
mod recognise;
mod split;
mod tally;

pub(crate) use layer::Layer;
pub(crate) use read::{Tallies, unwrap};
pub(crate) use recognise::{WrappedLog, recognise};

#[cfg(test)]
mod tests;
