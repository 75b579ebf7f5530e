//! The status of a server.

pub mod json_v1;
mod sights;
pub mod text;
pub mod view;
