//! All exit codes, and the error type that carries one. Nothing else in the program knows the numbers.

use std::fmt;
use std::process::ExitCode;

/// How a command ended. The discriminant is the process's exit code.
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

/// What a command hands back: how it ended, or why it could not.
pub type Outcome = Result<ExitStatus, CommandError>;

/// Every exit status with its meaning, in the order of the numbers: the one source of the table in
/// `--help`, the man pages and the README.
pub const TABLE: [(ExitStatus, &str); 11] = [
    (ExitStatus::Clean, "clean"),
    (ExitStatus::Failure, "pulsectl itself failed"),
    (ExitStatus::Usage, "wrong usage"),
    (ExitStatus::NothingChecked, "nothing was checked"),
    (ExitStatus::Unreachable, "server unreachable"),
    (ExitStatus::AuthRefused, "authentication refused"),
    (ExitStatus::NotFound, "no such session, rule or job; nothing belongs to `--match`"),
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

/// What a command that has an answer knows about it. Wrong usage never gets this far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// Nothing was read: why, as one of the statuses 3 to 6.
    pub unread: Option<ExitStatus>,
    /// Something of pulsectl's own failed, such as writing a file.
    pub failed: bool,
    /// There are findings at or above `--fail-on`, or differences.
    pub found: bool,
    /// Nothing of what was read belongs to what was asked for (`--match`).
    pub nothing_matched: bool,
    /// Something could not be read or decoded, or changed meanwhile.
    pub incomplete: bool,
    /// The plan is not empty and `--detailed-exitcode` was given.
    pub plan_not_empty: bool,
    /// `--exit-zero`: findings and plans do not fail.
    pub exit_zero: bool,
}

impl Answer {
    /// The exit status by the precedence of README, exit codes.
    #[must_use]
    pub fn status(self) -> ExitStatus {
        if let Some(unread) = self.unread {
            return unread;
        }
        if self.failed {
            return ExitStatus::Failure;
        }
        if self.found && !self.exit_zero {
            return ExitStatus::Findings;
        }
        if self.nothing_matched {
            return ExitStatus::NotFound;
        }
        if self.incomplete {
            return ExitStatus::Incomplete;
        }
        if self.plan_not_empty && !self.exit_zero {
            return ExitStatus::PlanNotEmpty;
        }
        ExitStatus::Clean
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

#[cfg(test)]
mod tests {
    use super::*;

    // README, exit codes: 2; then 3, 4, 5, 6 where nothing was read; 1; 10; 7; 11; 0.
    // `--exit-zero` hides only 10 and 11.
    #[test]
    fn the_precedence_is_that_of_the_contract() {
        let nothing = Answer::default();
        let all = Answer {
            unread: Some(ExitStatus::NothingChecked),
            failed: true,
            found: true,
            nothing_matched: false,
            incomplete: true,
            plan_not_empty: true,
            exit_zero: false,
        };
        for (answer, code) in [
            (nothing, 0),
            (all, 3),
            (Answer { unread: Some(ExitStatus::NotFound), ..all }, 6),
            (Answer { unread: None, ..all }, 1),
            (Answer { unread: None, failed: false, ..all }, 10),
            (Answer { unread: None, failed: false, exit_zero: true, ..all }, 7),
            (Answer { incomplete: true, plan_not_empty: true, ..nothing }, 7),
            (Answer { nothing_matched: true, incomplete: true, ..nothing }, 6),
            (Answer { plan_not_empty: true, ..nothing }, 11),
            (Answer { plan_not_empty: true, found: true, exit_zero: true, ..nothing }, 0),
        ] {
            assert_eq!(answer.status().code(), code, "{answer:?}");
        }
    }
}
