//! What the formats for people share.

pub mod age;
pub mod counters;
pub mod markdown;
pub mod mask;
pub mod moment;
pub mod sanitize;
pub mod source;
pub mod style;
pub mod table;
