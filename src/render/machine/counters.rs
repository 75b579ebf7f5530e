//! The counters of a stop as the machine formats write them: one frozen struct for all of them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::counters;

/// The counters of one stop; `null` for one that is not logged or not foreseen.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Counters {
    /// Whether the turn's context is cancelled.
    pub turn_canceled: Option<bool>,
    /// Query ids of orchestrator runs.
    pub orchestrator_queries: Option<u64>,
    /// Those whose context is cancelled.
    pub orchestrator_canceled: Option<u64>,
    /// Agents whose own cancel is called.
    pub canceled: Option<u64>,
    /// Agents that hold no cancel.
    pub no_cancel_func: Option<u64>,
    /// Agents that had ended before.
    pub already_done: Option<u64>,
    /// Tracked rows that are marked canceled.
    pub tracked_marked: Option<u64>,
}

impl From<counters::Counters> for Counters {
    fn from(counters: counters::Counters) -> Self {
        Self {
            turn_canceled: counters.turn_canceled,
            orchestrator_queries: counters.orchestrator_queries,
            orchestrator_canceled: counters.orchestrator_canceled,
            canceled: counters.canceled,
            no_cancel_func: counters.no_cancel_func,
            already_done: counters.already_done,
            tracked_marked: counters.tracked_marked,
        }
    }
}
