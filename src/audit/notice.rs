//! What is to be said of an audit besides its findings, and what it does not show.

/// How many findings are not shown, and why. None of them is ever silent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hidden {
    /// By `--only`, `--skip` or `--min-severity`.
    pub by_selection: usize,
    /// Known by the baseline.
    pub known: usize,
    /// Suppressed by the config file.
    pub suppressed: usize,
}

impl Hidden {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.by_selection + self.known + self.suppressed
    }
}

/// Something that a person should tidy up: a vanished baseline entry, an unused or expired suppression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Machine name: `baseline_vanished`, `suppression_unused`, `suppression_expired`.
    pub code: &'static str,
    /// In words.
    pub message: String,
}
