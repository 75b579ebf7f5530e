//! A plan, or the model behind it, held against what a log then says.

pub mod explain_stops;
pub mod plan_check;
pub mod saved_plan;
