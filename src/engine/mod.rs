//! Pure questions about a snapshot.

pub mod graph;
pub mod overview;
pub mod plan;
pub mod resolve;
