//! What the machine formats share.

pub mod csv;
pub mod document;
pub mod json;
pub mod yaml;
