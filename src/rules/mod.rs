//! The signatures, one file each.

pub mod meta;
