//! The rules.

pub mod json_v1;
pub mod markdown;
pub mod table;
pub mod text;
pub mod view;
