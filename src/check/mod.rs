//! A plan held against what a log then says.

pub mod plan_check;
