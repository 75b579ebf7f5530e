//! What a person is told about a source that gave nothing, and the exit status.

use std::path::Path;

use super::exit::{CommandError, ExitStatus};
use crate::logs::TimeError;
use crate::source::file::FileError;
use crate::source::log::LogError;
use crate::source::read::SourceError;
use crate::source::recorded::RecordedError;
use crate::source::server::ServerError;
use crate::source::snapshot::SnapshotError;
use crate::wire::error::{AnswerError, TlsFault, WireError};

impl From<SourceError> for CommandError {
    fn from(error: SourceError) -> Self {
        let text = error.to_string();
        match error {
            SourceError::Server(ServerError::Client(cause)) => {
                Self::new(ExitStatus::Failure, text).detail(cause.to_string())
            }
            SourceError::Server(ServerError::Answer(error)) => Self::from(error),
            SourceError::Server(ServerError::Deadline(_)) => {
                Self::new(ExitStatus::Unreachable, text).hint("--deadline grants more time")
            }
            SourceError::Recorded { path, cause } => recorded_error(&path, &cause),
            SourceError::Saved(SnapshotError::File(error)) => Self::from(error),
            SourceError::Saved(SnapshotError::NoSnapshot { cause, .. }) => {
                Self::new(ExitStatus::NothingChecked, text)
                    .detail(cause.to_string())
                    .hint("`pulsectl snapshot save FILE` writes such a file")
            }
            SourceError::Log(error) => Self::from(error),
        }
    }
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        let failure = Self::new(ExitStatus::NothingChecked, error.to_string());
        match error {
            FileError::Unreadable { cause, .. } => failure.detail(cause.to_string()),
            FileError::TooLarge { .. } => failure,
        }
    }
}

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        let status = match &error {
            LogError::SeveralServers(_) => ExitStatus::Usage,
            LogError::Problem(_) | LogError::NoLog | LogError::NoLine | LogError::BeforeFirst { .. } => {
                ExitStatus::NothingChecked
            }
        };
        Self::new(status, error.to_string()).hint(error.hint())
    }
}

impl From<TimeError> for CommandError {
    fn from(error: TimeError) -> Self {
        Self::new(ExitStatus::Usage, error.to_string().replace("--until", "--at")).hint(error.hint())
    }
}

fn recorded_error(folder: &Path, error: &RecordedError) -> CommandError {
    let status = match error {
        RecordedError::SessionsFailed(answer) => answer_status(answer),
        RecordedError::Unreadable { .. }
        | RecordedError::TooLarge { .. }
        | RecordedError::BadIndex { .. }
        | RecordedError::FileOutside { .. }
        | RecordedError::NoSessions { .. } => ExitStatus::NothingChecked,
    };
    let failure = CommandError::new(status, error.to_string());
    match error {
        // The words of the error hold the cause already.
        RecordedError::Unreadable { path, .. } if path.parent() == Some(folder) => {
            failure.hint("--from takes a saved snapshot, or a folder of recorded answers with an index.json")
        }
        RecordedError::BadIndex { .. } => {
            failure.hint("an index is a list of `file`, `request`, `status` and `content_type`")
        }
        RecordedError::NoSessions { .. } => failure.hint("record at least `GET /api/sessions/active`"),
        _ => failure,
    }
}

impl From<WireError> for CommandError {
    fn from(error: WireError) -> Self {
        let text = error.to_string();
        match error {
        WireError::BadAddress { .. } | WireError::BadCertificates { .. } => {
            CommandError::new(ExitStatus::Usage, text)
        }
        WireError::NoneFound { tried } => CommandError::new(ExitStatus::Unreachable, text)
            .detail(tried.join("; "))
            .hint("name the server with --server or PULSECTL_SERVER"),
        WireError::Unreachable { cause, .. } => CommandError::new(ExitStatus::Unreachable, text)
            .detail(cause)
            .hint("is the server running, and is it reachable from here?"),
        WireError::Tls { fault, .. } => {
            let failure = CommandError::new(ExitStatus::Unreachable, text).detail(fault.to_string());
            match tls_hint(&fault) {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
        WireError::NotPulse { cause, .. } => {
            CommandError::new(ExitStatus::Unreachable, text).detail(cause).hint(
                "the address must be that of the Pulse server itself, not of its workspace or a login page",
            )
        }
        WireError::NeedsToken { withheld: false, .. } => CommandError::new(ExitStatus::AuthRefused, text)
            .hint("log in with a browser and give its token by --token-file or PULSECTL_TOKEN"),
        WireError::NeedsToken { withheld: true, .. } => CommandError::new(ExitStatus::AuthRefused, text)
            .hint("a token is sent only to a server that is named; use --server or PULSECTL_SERVER"),
        WireError::LoginRefused(answer) => {
            let status = match answer_status(&answer) {
                ExitStatus::Unreachable => ExitStatus::Unreachable,
                _ => ExitStatus::AuthRefused,
            };
            CommandError::new(status, text)
                .detail(answer.to_string())
                .hint("give a token by --token-file or PULSECTL_TOKEN")
        }
        WireError::Answer(answer) => {
            let failure = CommandError::new(answer_status(&answer), text);
            match answer_hint(&answer) {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
    }
    }
}

fn answer_status(error: &AnswerError) -> ExitStatus {
    match error {
        AnswerError::Unauthorized { .. } | AnswerError::Forbidden { .. } => ExitStatus::AuthRefused,
        AnswerError::NoConnection { .. }
        | AnswerError::Broken { .. }
        | AnswerError::NoSecureConnection { .. }
        | AnswerError::Slow { .. }
        | AnswerError::GivenUp { .. } => ExitStatus::Unreachable,
        AnswerError::Html { .. }
        | AnswerError::NotJson { .. }
        | AnswerError::NoStream { .. }
        | AnswerError::Undecodable { .. }
        | AnswerError::NoRoute { .. }
        | AnswerError::NotFound { .. }
        | AnswerError::Conflict { .. }
        | AnswerError::TooManyRequests { .. }
        | AnswerError::Redirect { .. }
        | AnswerError::ServerFailed { .. }
        | AnswerError::Cut { .. }
        | AnswerError::TooLarge { .. }
        | AnswerError::TooManyRows { .. }
        | AnswerError::UnexpectedStatus { .. } => ExitStatus::Incomplete,
    }
}

fn answer_hint(error: &AnswerError) -> Option<&'static str> {
    match error {
        AnswerError::Unauthorized { .. } => {
            Some("tokens run out after seven days; log in again for a new one")
        }
        AnswerError::Forbidden { .. } => {
            Some("an access token (aw_pat_…) opens only the external tools; a login token is needed")
        }
        AnswerError::Html { .. } => {
            Some("a login page or another web application may stand in front of the server")
        }
        AnswerError::Redirect { .. } => Some("name the final address with --server"),
        AnswerError::Slow { .. } | AnswerError::GivenUp { .. } => Some("--timeout grants more time"),
        AnswerError::TooManyRequests { .. } => Some("wait a while before the next try"),
        _ => None,
    }
}

fn tls_hint(fault: &TlsFault) -> Option<&'static str> {
    match fault {
        TlsFault::UnknownAuthority => Some("--ca-cert FILE trusts a private authority"),
        TlsFault::OtherName { .. } => Some("name the server as its certificate does"),
        TlsFault::Expired | TlsFault::NotYetValid => {
            Some("if this machine's clock is right, the server needs a new certificate")
        }
        TlsFault::NoTls => Some("a server without encryption is named with http://"),
        TlsFault::Other(_) => None,
    }
}
