//! What the machine formats share.

pub mod counters;
pub mod csv;
pub mod document;
pub mod json;
pub mod source;
pub mod yaml;
