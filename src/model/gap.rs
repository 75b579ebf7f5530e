//! What was not read, not decoded or not certain. To add a code, add its line to [`GapCode`].

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;

/// Something that was not read, not decoded or not certain.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// Its kind.
    #[schemars(with = "String")]
    pub code: GapCode,
    /// In words: what is missing and why, as a sentence fragment for a person.
    pub message: String,
    /// The session that it concerns; null for all.
    pub session: Option<String>,
}

/// By kind, then by session: those of one session stand together.
impl Ord for Gap {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = (self.code, &self.session, &self.message);
        key.cmp(&(other.code, &other.session, &other.message))
    }
}

impl PartialOrd for Gap {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
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
        /// Rows of an answer have no id, or a value of another type than the server's, and were left out.
        UnreadableRow = "unreadable_row",
        /// An answer tells of more rows than it lists.
        RowsMissing = "rows_missing",
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
        /// The log ends before the moment that was asked for, so the state shown is that of its last line.
        LogEndsBefore = "log_ends_before",
        /// A file that was named or found could not be read as a log.
        InputNotRead = "input_not_read",
        /// A left-over of the log's rotation repeats its lines and was not read.
        RotationLeftOver = "rotation_left_over_skipped",
        /// A file that was found beside others is empty.
        EmptyFile = "empty_file_skipped",
        /// A FIFO, socket or device among the files of a folder was not read.
        SpecialFileSkipped = "special_file_skipped",
        /// A collection of several services' lines holds some that are no Pulse server.
        ServicesSkipped = "services_skipped",
        /// A file holds the same log as another, which is read.
        CopySkipped = "copy_skipped",
        /// A log that was found could not be opened again.
        CannotOpen = "cannot_open",
        /// Reading a log failed before its end.
        CannotRead = "cannot_read",
        /// Decompressing a log failed before its end.
        CannotDecompress = "cannot_decompress",
        /// A log was shortened or written anew while it was read.
        FileChanged = "file_changed_while_reading",
        /// A part of a log begins before the one before it ends, so lines may count twice.
        FilesOverlap = "files_overlap",
        /// The times of a log's lines go back, so lines may be missing or out of order.
        ClockWentBack = "clock_went_back",
        /// A log's newest line comes first, so it was read backwards.
        ReadBackwards = "read_newest_first",
        /// The lines of a log are in no order of time, so what came after what cannot be told.
        OrderUnknown = "order_unknown",
        /// NUL bytes stand where lines were, as after a loss of power.
        NulRuns = "nul_runs",
        /// A known line stands in the middle of another, so the end of the first was lost.
        LostLineEnd = "lost_line_end",
        /// A raw chunk tells a length that does not fit it, so its text was read as log lines.
        ChunkLengthRefused = "raw_chunk_length_refused",
        /// A raw chunk is too long to be checked, so a model's text may have been read as log lines.
        ChunkNotChecked = "raw_chunk_not_checked",
        /// A wrapped log begins inside a record, which was not read.
        WrapperBeginsInside = "wrapper_begins_inside_record",
        /// A line of a wrapped log is no whole record and was not read.
        WrapperLineDamaged = "wrapper_line_damaged",
        /// The program that wrapped a log replaced lines of it.
        WrapperLeftLinesOut = "wrapper_left_lines_out",
        /// The pieces of a wrapped line lie too far apart to be joined.
        WrapperLineBrokenOff = "wrapper_line_broken_off",
        /// Lines like those of a Pulse server begin too late in a collection to be read.
        ServiceNotRead = "service_not_read",
        /// Lines are dated before both their neighbours and were taken for text that quotes a log.
        QuotedLines = "quoted_log_lines",
        /// Lines begin like a known one and go on otherwise, and were not used.
        KnownLinesNotUnderstood = "known_lines_not_understood",
        /// The log of schedules begins before that of the server, and what lies before was not judged.
        ScheduleBegins = "schedule_before_server_log",
        /// No log of schedules was read, and an old server's schedule stops show only there.
        NoScheduleLog = "no_schedule_log",
        /// No log of the server was read, so what a stop reached cannot be told.
        NoServerLog = "no_server_log",
        /// Sessions were forgotten to bound memory.
        SessionsEvicted = "sessions_evicted",
        /// Open executions were forgotten to bound memory.
        ExecutionsDropped = "executions_dropped",
        /// Lines about stops, jobs and panes were too many to be kept, and may prove something.
        LinesDropped = "lines_dropped",
        /// Stops were too many to be listed; what was found about them is.
        StopsOmitted = "stops_omitted",
        /// A stop's counters differ from what the log shows.
        CountersDisagree = "counters_disagree",
        /// The server worked on after it announced its end, and what stood in between was not judged.
        ShutdownWithoutEnd = "shutdown_without_end",
        /// Findings of the user's own rules were counted and not kept.
        CustomFindingsCut = "custom_findings_cut",
        /// No stop or finding belongs to what was asked for.
        NothingMatched = "nothing_matched",
        /// Stops and findings lie outside the time window and are not shown.
        OutsideWindow = "outside_window",
    }
}

impl GapCode {
    /// Whether rows are missing that an answer has or tells of, so that what is not found may be there.
    #[must_use]
    pub fn hides_rows(self) -> bool {
        matches!(self, Self::UnreadableRow | Self::RowsMissing)
    }

    /// Whether the answer is incomplete because of it (exit code 7). A closed debug gate and what a command
    /// did not need to read are gaps, but not incomplete; nor is a log that begins in mid-process.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        matches!(
            self,
            Self::NoRuntimeState
                | Self::RevisionsDisagree
                | Self::UnreadableAnswer
                | Self::UnreadableRow
                | Self::RowsMissing
                | Self::UnaskableId
                | Self::DuplicateRow
                | Self::InputNotRead
                | Self::CannotOpen
                | Self::CannotRead
                | Self::CannotDecompress
                | Self::FileChanged
                | Self::OrderUnknown
                | Self::NulRuns
                | Self::LostLineEnd
                | Self::SpecialFileSkipped
                | Self::ChunkNotChecked
                | Self::WrapperLineDamaged
                | Self::WrapperLeftLinesOut
                | Self::WrapperLineBrokenOff
                | Self::ServiceNotRead
                | Self::ShutdownWithoutEnd
                | Self::NoServerLog
                | Self::LogEndsBefore
                | Self::SessionsEvicted
                | Self::ExecutionsDropped
                | Self::LinesDropped
                | Self::StopsOmitted
                | Self::CustomFindingsCut
        )
    }
}
