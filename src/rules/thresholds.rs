//! The time limits that the rules use; the config file may change them.

/// Limits in whole seconds, since a log has whole seconds (signatures, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// How long a turn may unwind after a stop.
    pub stop_grace: i64,
    /// How long a cancelled execution may take to end.
    pub cancel_lag: i64,
    /// How long a dead pane may go unnoticed.
    pub dead_pane_gap: i64,
    /// How soon after the platform's own close of a pane its death is the platform's doing.
    pub self_kill_window: i64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { stop_grace: 15, cancel_lag: 30, dead_pane_gap: 60, self_kill_window: 120 }
    }
}
