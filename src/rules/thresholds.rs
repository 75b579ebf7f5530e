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
    /// How near to a death the reaper must have acted to be its cause.
    pub reaper_window: i64,
    /// How near to its own command a pane must have died to have killed itself.
    pub self_kill_window: i64,
    /// How long work may go on after the turn that started it: the platform's own constant.
    pub hand_off: i64,
    /// From when on a run counts as stale: the platform's own cap.
    pub stale_run: i64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            stop_grace: 15,
            cancel_lag: 30,
            dead_pane_gap: 60,
            reaper_window: 30,
            self_kill_window: 120,
            hand_off: 120,
            stale_run: 12 * 60 * 60,
        }
    }
}
