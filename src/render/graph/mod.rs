//! A graph.

pub mod diagram;
pub mod facts;
pub mod json_v1;
mod lines;
pub mod markdown;
pub mod table;
pub mod tree;
pub mod view;
