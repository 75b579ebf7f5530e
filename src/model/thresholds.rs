//! Every limit of time by which a log is judged, once: replay, rules, fates and verdicts are passed the same set.

/// The longest limit that may be set, in seconds: beyond an hour a stop that did not hold would pass for one that did.
pub const LONGEST: i64 = 3600;

/// Openers at most this many seconds apart are one episode: people click twice
/// (server-behaviour.md#reading-a-stop-from-a-log).
pub const SAME_EPISODE: i64 = 10;
/// Seconds of quiet after which an episode can be judged, at the default limits.
const SETTLE: i64 = 120;

/// Limits in whole seconds, since a log has whole seconds (server-behaviour.md#reading-a-stop-from-a-log).
/// The config file may change them.
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

impl Thresholds {
    /// Seconds of quiet after which an episode can be judged: no limit is still running by then.
    #[must_use]
    pub fn settle(&self) -> i64 {
        SETTLE.max(self.stop_grace + 1).max(self.cancel_lag + 1)
    }
}
