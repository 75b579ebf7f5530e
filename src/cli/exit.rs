//! All exit codes, and the error type that carries one. Nothing else in the program knows the numbers.

use std::fmt;
use std::process::ExitCode;

/// How a command ended (formats.md, section 5). The discriminant is the process's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Everything was read and nothing at or above the threshold was found.
    Clean = 0,
    /// pulsectl itself failed.
    Failure = 1,
    /// The command line was wrong.
    Usage = 2,
    /// Nothing was checked.
    NothingChecked = 3,
    /// The server could not be reached.
    Unreachable = 4,
    /// The server refused the credentials.
    AuthRefused = 5,
    /// No such session, rule or job.
    NotFound = 6,
    /// The answer is incomplete: something could not be read or decoded, or changed meanwhile.
    Incomplete = 7,
    /// Findings at or above `--fail-on`, or differences.
    Findings = 10,
    /// The plan is not empty (only with `--detailed-exitcode`).
    PlanNotEmpty = 11,
    /// The work was cut off by a signal.
    Interrupted = 130,
}

/// Every exit status with its meaning, in the order of the numbers: the one source of the table in
/// `--help`, the man pages and the README.
pub const TABLE: [(ExitStatus, &str); 11] = [
    (ExitStatus::Clean, "clean"),
    (ExitStatus::Failure, "pulsectl itself failed"),
    (ExitStatus::Usage, "wrong usage"),
    (ExitStatus::NothingChecked, "nothing was checked"),
    (ExitStatus::Unreachable, "server unreachable"),
    (ExitStatus::AuthRefused, "authentication refused"),
    (ExitStatus::NotFound, "no such session, rule or job"),
    (ExitStatus::Incomplete, "answer incomplete"),
    (ExitStatus::Findings, "findings at or above --fail-on, or differences"),
    (ExitStatus::PlanNotEmpty, "plan not empty (with --detailed-exitcode)"),
    (ExitStatus::Interrupted, "interrupted"),
];

impl ExitStatus {
    /// The number the process returns.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}

/// A failure that ends a command: what a person is told, and the exit status.
#[derive(Debug)]
pub struct CommandError {
    /// Decides the exit code.
    pub status: ExitStatus,
    /// What failed: a lower-case fragment without a full stop.
    pub error: String,
    /// The cause, or an empty string.
    pub detail: String,
    /// The next step, or an empty string.
    pub hint: String,
}

impl CommandError {
    /// An error without detail or hint.
    pub fn new(status: ExitStatus, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), detail: String::new(), hint: String::new() }
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

impl fmt::Display for CommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.error)
    }
}

impl std::error::Error for CommandError {}

impl From<anyhow::Error> for CommandError {
    fn from(error: anyhow::Error) -> Self {
        let detail = error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>().join(": ");
        Self::new(ExitStatus::Failure, error.to_string()).detail(detail)
    }
}
