//! Pure questions about a snapshot.

pub mod graph;
mod names;
pub mod overview;
pub mod plan;
pub mod resolve;
