//! Pure questions about a snapshot.

pub mod plan;
pub mod resolve;
