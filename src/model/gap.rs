//! What was not read, not decoded or not certain. To add a code, add its line to [`GapCode`].

use super::words::words;

/// Something that was not read, not decoded or not certain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap {
    /// What kind of gap.
    pub code: GapCode,
    /// The session that it concerns; `None` for all.
    pub session: Option<String>,
    /// What is missing and why, as a sentence fragment for a person.
    pub message: String,
}

words! {
    /// The kinds of gaps; the names are those of the machine formats.
    pub enum GapCode {
        /// The server's execution tree is not to be had (debug gate closed, or not recorded).
        NoTree = "no_tree",
        /// The list of terminals is not to be had (debug gate closed, or not recorded).
        NoTerminals = "no_terminals",
        /// The record of a main terminal was not read.
        NoMainTerminal = "no_main_terminal",
        /// The list shows a session without its runtime snapshot, so nothing is known of its rows.
        NoRuntimeState = "no_runtime_state",
        /// `/workflow/running` was not read.
        NoRunningList = "no_running_list",
        /// The list of browsers was not read.
        NoBrowsers = "no_browsers",
        /// Two answers about the same session come from different moments, also after reading again.
        RevisionsDisagree = "stale_snapshot",
        /// An answer came but could not be read or decoded.
        UnreadableAnswer = "unreadable_answer",
        /// An id that the server listed cannot be asked for (it holds a slash).
        UnaskableId = "unaskable_id",
        /// An answer names the same row twice; one of the two was dropped.
        DuplicateRow = "duplicate_row",
        /// A log was read, and no log tells of these things.
        NotLogged = "not_logged",
        /// The log begins in mid-process, so rows from before it are hidden.
        LogBegins = "log_begins_in_mid_process",
        /// The log ends or has a hole where the answer would need it.
        LogHole = "log_hole",
    }
}

impl GapCode {
    /// Whether the answer is incomplete because of it (exit code 7). A closed debug gate and what a command
    /// did not need to read are gaps, but not incomplete; nor is a log that begins in mid-process
    ///.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        matches!(
            self,
            Self::NoRuntimeState
                | Self::RevisionsDisagree
                | Self::UnreadableAnswer
                | Self::UnaskableId
                | Self::DuplicateRow
        )
    }
}
