//! What a check of a plan is shown from.

use crate::audit::finding::Report;
use crate::check::plan_check::PlanCheck;

/// What is checked against what.
#[derive(Debug, Clone, Copy)]
pub struct CheckView<'a> {
    /// The result.
    pub check: &'a PlanCheck,
    /// The plan's file.
    pub plan: &'a str,
    /// The audit of the log.
    pub report: &'a Report,
}
