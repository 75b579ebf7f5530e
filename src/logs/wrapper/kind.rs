//! The wrappers that are known.

/// What stands around each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrapperKind {
    /// A file of Docker's json-file driver: `{"log":"…\n","stream":"stderr","time":"…Z"}`.
    DockerJson,
    /// What a container runtime writes for Kubernetes: `2026-11-30T03:06:26.1Z stderr F text`.
    Cri,
    /// `docker logs -t` and `kubectl logs --timestamps`: an RFC 3339 time before each line.
    Stamped,
    /// `docker compose logs`: `service-1  | ` before each line.
    Compose,
    /// `journalctl` in one of its short formats, and syslog: `Nov 30 03:06:26 host name[1]: text`.
    JournalShort,
    /// `journalctl -o export`: a block of fields per line.
    JournalExport,
}

impl WrapperKind {
    /// The wrappers whose records are lines, in the order in which they are tried: a line of an earlier one may
    /// also read as a line of a later one.
    pub(super) const OF_LINES: [Self; 5] =
        [Self::DockerJson, Self::Cri, Self::JournalShort, Self::Stamped, Self::Compose];

    /// How it is called in a message.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::DockerJson => "Docker's json-file",
            Self::Cri => "a container runtime (CRI)",
            Self::Stamped => "`docker logs -t`",
            Self::Compose => "`docker compose logs`",
            Self::JournalShort => "`journalctl`",
            Self::JournalExport => "`journalctl -o export`",
        }
    }
}
