//! What is to be said of an audit besides its findings, and what it does not show.

use crate::model::words::words;

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

words! {
    /// What a person should tidy up.
    pub enum NoticeCode {
        /// A finding of the baseline was not found again.
        BaselineVanished = "baseline_vanished",
        /// A suppression of the config file fits no finding.
        SuppressionUnused = "suppression_unused",
        /// A suppression of the config file has expired.
        SuppressionExpired = "suppression_expired",
    }
}

/// Something that a person should tidy up: a vanished baseline entry, an unused or expired suppression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What kind.
    pub code: NoticeCode,
    /// In words.
    pub message: String,
}
