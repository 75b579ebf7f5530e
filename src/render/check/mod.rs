//! A plan held against a log.

pub mod json_v1;
pub mod text;
pub mod view;
