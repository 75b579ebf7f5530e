//! The list of sessions.

pub mod columns;
pub mod csv;
pub mod json_v1;
pub mod table;
pub mod view;
