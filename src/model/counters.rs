//! What one stop reached, in numbers: as a server's log counts it, or as the dry run foresees it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The counters of one stop; `null` for one that is not logged or not foreseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
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

impl Counters {
    /// Whether what was observed is what was foreseen; what either side leaves open is no disagreement.
    #[must_use]
    pub fn allows(&self, observed: &Self) -> bool {
        fn same<T: PartialEq>(foreseen: Option<T>, observed: Option<T>) -> bool {
            observed.is_none() || foreseen.is_none() || foreseen == observed
        }
        same(self.turn_canceled, observed.turn_canceled)
            && same(self.orchestrator_queries, observed.orchestrator_queries)
            && same(self.orchestrator_canceled, observed.orchestrator_canceled)
            && same(self.canceled, observed.canceled)
            && same(self.no_cancel_func, observed.no_cancel_func)
            && same(self.already_done, observed.already_done)
            && same(self.tracked_marked, observed.tracked_marked)
    }
}
