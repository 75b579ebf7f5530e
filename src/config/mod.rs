//! Settings and where they came from.

pub mod layers;
pub mod schema;
