//! Settings and where they came from.

pub mod env;
pub mod layers;
pub mod schema;
