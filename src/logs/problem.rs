//! Why an input can't be audited, in words, with the next step.

use thiserror::Error;

/// An input that can't be read as a log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputProblem {
    /// There is no such file.
    #[error("no such file: `{path}`")]
    NotFound {
        /// As given.
        path: String,
    },
    /// A directory holds no log of a server.
    #[error("no log of a Pulse server in `{path}`")]
    NoLogsInDirectory {
        /// As given.
        path: String,
        /// Its folders, those with logs if there are any; empty where it has none.
        folders: String,
    },
    /// A folder in a folder holds logs and was not looked into.
    #[error("`{path}` holds logs too and was not read")]
    FolderNotRead {
        /// The folder inside.
        path: String,
    },
    /// A file in a folder is a log, but its name is none that is read unasked.
    #[error("`{path}` looks like the log of a Pulse server by what it holds and was not read")]
    LogNotRead {
        /// The file.
        path: String,
    },
    /// A pattern matches nothing.
    #[error("nothing matches `{path}`")]
    GlobWithoutMatch {
        /// The pattern.
        path: String,
    },
    /// Binary content.
    #[error("`{path}` is not text: it looks like {looks_like}")]
    Binary {
        /// As given.
        path: String,
        /// A guess.
        looks_like: &'static str,
    },
    /// Nothing is in it.
    #[error("`{path}` is empty")]
    Empty {
        /// As given.
        path: String,
    },
    /// Text of another kind.
    #[error("`{path}` is no log of a Pulse server: it looks like {looks_like}")]
    NotAPulseLog {
        /// As given.
        path: String,
        /// A guess.
        looks_like: &'static str,
    },
    /// One of several servers in a stream, which can be read only once.
    #[error("`{path}` holds the lines of several Pulse servers: those of `{service}` were not read")]
    ServiceNotRead {
        /// As given.
        path: String,
        /// The service that was left out.
        service: String,
    },
    /// The system refuses it.
    #[error("`{path}` can't be read: {reason}")]
    Unreadable {
        /// As given.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// It begins like a compressed file but can't be decompressed.
    #[error("`{path}` can't be decompressed: {reason}")]
    BadCompression {
        /// As given.
        path: String,
        /// What the decoder says.
        reason: String,
    },
}

impl InputProblem {
    /// The path or pattern it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::NotFound { path }
            | Self::NoLogsInDirectory { path, .. }
            | Self::FolderNotRead { path }
            | Self::LogNotRead { path }
            | Self::GlobWithoutMatch { path }
            | Self::Binary { path, .. }
            | Self::Empty { path }
            | Self::NotAPulseLog { path, .. }
            | Self::ServiceNotRead { path, .. }
            | Self::Unreadable { path, .. }
            | Self::BadCompression { path, .. } => path,
        }
    }

    /// The next step for a person.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { .. } | Self::GlobWithoutMatch { .. } => {
                "check the path; the launcher writes `logs/server_debug.log`, or where `AGENTWORKS_LOG_DIR` points".to_owned()
            }
            Self::NoLogsInDirectory { folders, .. } if !folders.is_empty() => {
                format!("folders inside of it are not searched; name the one you mean: {folders}")
            }
            Self::FolderNotRead { .. } => "folders inside of a folder are not searched; name it too".to_owned(),
            Self::LogNotRead { .. } => "name it too, if it belongs to what you look for".to_owned(),
            Self::NoLogsInDirectory { .. } => {
                "a directory is searched for `server_debug.log*`, `schedule.log*` and `agent.log*`; name a log of \
                 another name itself"
                    .to_owned()
            }
            Self::Binary { looks_like, .. } if looks_like.contains("UTF-16") => {
                "convert it first: `iconv -f UTF-16 -t UTF-8 FILE | pulsectl audit -`".to_owned()
            }
            Self::Binary { .. } => "give the log itself; `.gz` and `.zst` are read as they are".to_owned(),
            Self::Empty { .. } => {
                "the launcher empties the log at each start; look for an older copy of it".to_owned()
            }
            Self::NotAPulseLog { looks_like, .. } if looks_like.contains("ocker") => {
                "Docker's formats are read, but none of the first lines in it is a Pulse server's; name its own \
                 container: `docker logs CONTAINER 2>&1 | pulsectl audit -`"
                    .to_owned()
            }
            Self::ServiceNotRead { .. } => {
                "name one service, `docker compose logs SERVICE | pulsectl audit -`, or save the output into a \
                 file first"
                    .to_owned()
            }
            Self::NotAPulseLog { .. } => {
                "give `server_debug.log` or `schedule.log`, whose lines begin `2026/11/30 03:15:26 `".to_owned()
            }
            Self::Unreadable { .. } => "check the permissions of the file".to_owned(),
            Self::BadCompression { reason, .. } if reason.contains("too much memory") => {
                "its window is larger than 128 MiB; decompress it first: `zstd -dc --long=31 FILE | pulsectl audit -`"
                    .to_owned()
            }
            Self::BadCompression { .. } => "copy the file again; it may have been cut".to_owned(),
        }
    }
}
