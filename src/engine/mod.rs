//! Pure questions about a snapshot.

pub mod resolve;
