//! What an audit is asked for, how far it has come, and why it can end without a report.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::thresholds::Thresholds;
use crate::rules::custom::CustomRule;

/// What an audit is asked for. Texts of zones and times are read by the part that knows the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// Files, globs, directories, or `-` for standard input; empty: `./logs/`.
    pub paths: Vec<PathBuf>,
    /// Whether a `schedule.log` beside a named `server_debug.log` is read with it.
    pub siblings: bool,
    /// The zone of the log: `UTC`, `+05:30` or an IANA name. `None`: found in the log.
    pub time_zone: Option<String>,
    /// The window's begin; a naive time is in the log's zone.
    pub since: Option<String>,
    /// The window's end.
    pub until: Option<String>,
    /// The window's length, counted back from the log's last time.
    pub last: Option<String>,
    /// A session's id or a unique beginning of it.
    pub session: Option<String>,
    /// A run, group, workflow, schedule or title to look for.
    pub matching: Option<String>,
    /// Whether the timeline is filled.
    pub timeline: bool,
    /// The time against which relative times count; only `cli` reads the clock.
    pub now: jiff::Timestamp,
    /// The time limits of the rules.
    pub thresholds: Thresholds,
    /// The user's own rules; their code in findings is their id.
    pub custom_rules: Vec<CustomRule>,
}

/// How far an audit has come. Written by the scan, read by whoever draws it.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicU64,
    done: AtomicU64,
}

impl Progress {
    /// Adds bytes that are to be read, as they stand on the disk.
    pub fn expect(&self, bytes: u64) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Adds bytes that were read, as they stand on the disk.
    pub fn advance(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes read, and bytes to be read in all; a total of 0 is not known (standard input).
    #[must_use]
    pub fn bytes(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}

/// Why an audit ended without a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditErrorKind {
    /// A zone, time or pattern that cannot be read, or no input named and none found.
    Usage,
    /// Not one line was read: no such file, empty, binary, not a Pulse log, or an empty window.
    NothingChecked,
    /// The log names no such session, or the beginning fits several.
    NoSuchSession,
}

/// An audit that ended without a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct AuditError {
    /// Decides the exit code.
    pub kind: AuditErrorKind,
    /// What failed: a lower-case fragment without a full stop.
    pub error: String,
    /// The cause, or an empty string.
    pub detail: String,
    /// The next step, or an empty string.
    pub hint: String,
}

impl AuditError {
    /// An error without detail or hint.
    #[must_use]
    pub fn new(kind: AuditErrorKind, error: impl Into<String>) -> Self {
        Self { kind, error: error.into(), detail: String::new(), hint: String::new() }
    }

    /// Adds the cause.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}
