//! What a file's name tells: the kind of log, and which logs belong to one server.

use std::path::Path;

use crate::model::words::words;

words! {
    /// Which log a file is.
    pub enum LogKind {
        /// `server_debug.log`: standard output and error of a server.
        ServerDebug = "server_debug",
        /// `schedule.log`: what the scheduler writes.
        Schedule = "schedule",
        /// `agent.log` of the desktop application: the same stream as `server_debug.log`.
        Desktop = "desktop",
        /// Neither name nor content tells.
        Unknown = "unknown",
    }
}

/// A file's name without what rotation and compression added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogName {
    /// `server_debug` for every log of a server, its `schedule.log` too.
    pub(crate) stem: String,
    /// The kind, where the name tells it.
    pub(crate) kind: Option<LogKind>,
}

/// The stem that the logs of a server's launcher have.
pub(crate) const SERVER_STEM: &str = "server_debug";

impl LogName {
    pub(crate) fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let base = strip_additions(&name);
        if base == "schedule" {
            return Self { stem: SERVER_STEM.to_owned(), kind: Some(LogKind::Schedule) };
        }
        if let Some(stem) = base.strip_suffix(".schedule") {
            return Self { stem: stem.to_owned(), kind: Some(LogKind::Schedule) };
        }
        let kind = match base {
            SERVER_STEM => Some(LogKind::ServerDebug),
            "agent" => Some(LogKind::Desktop),
            _ => None,
        };
        Self { stem: base.to_owned(), kind }
    }
}

/// Whether a directory entry is a log that is read without being named: one of the names that a server gives, with
/// what rotation added behind `.log` or before it.
pub(crate) fn is_expected_name(name: &str) -> bool {
    let begins = ["server_debug.log", "schedule.log", "agent.log"].iter().any(|log| {
        name.strip_prefix(log).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    });
    begins || (name.contains(".log") && matches!(strip_additions(name), SERVER_STEM | "schedule" | "agent"))
}

/// Whether a directory entry of another name is worth a look inside.
pub(crate) fn may_be_a_log(name: &str) -> bool {
    !name.starts_with('.') && (name.to_ascii_lowercase().contains(".log") || names_a_server_log(name))
}

/// Whether a name hints at a server's own log.
pub(crate) fn names_a_server_log(name: &str) -> bool {
    name.to_ascii_lowercase().contains(SERVER_STEM)
}

/// Whether a file is what the launcher's rotation left behind when it was killed: a copy of lines that the
/// log itself has (server-behaviour.md#files-of-a-log).
pub(crate) fn is_rotation_left_over(name: &str) -> bool {
    name.rsplit_once(".rotate.")
        .is_some_and(|(_, process)| !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Takes `.log`, `.gz`, `.zst`, `.N` and dates off the end, as often as there are any.
fn strip_additions(name: &str) -> &str {
    let mut rest = name;
    loop {
        let shorter = [".gz", ".zst", ".log"]
            .iter()
            .find_map(|ending| rest.strip_suffix(ending))
            .or_else(|| strip_time(rest))
            .or_else(|| strip_number(rest))
            .or_else(|| strip_date(rest));
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => return rest,
        }
    }
}

fn strip_number(name: &str) -> Option<&str> {
    let (rest, number) = name.rsplit_once('.')?;
    (number.len() <= 4 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some(rest)
}

/// `T03-15-26.000` behind a date, as rotating writers of Go name what they put aside.
fn strip_time(name: &str) -> Option<&str> {
    let (rest, time) = name.rsplit_once('T')?;
    let fits = time.len() == 12
        && time.bytes().zip(*b"99-99-99.999").all(|(byte, wanted)| match wanted {
            b'9' => byte.is_ascii_digit(),
            other => byte == other,
        });
    (fits && strip_date(rest).is_some()).then_some(rest)
}

/// `-20260820`, `.20260820`, `-2026-08-20` and `.2026-08-20`.
fn strip_date(name: &str) -> Option<&str> {
    for pattern in ["#99999999", "#9999-99-99"] {
        let Some(at) = name.len().checked_sub(pattern.len()) else { continue };
        let Some(ending) = name.get(at..) else { continue };
        let fits = pattern.bytes().zip(ending.bytes()).all(|(wanted, byte)| match wanted {
            b'#' => matches!(byte, b'-' | b'.'),
            b'9' => byte.is_ascii_digit(),
            other => byte == other,
        });
        if fits {
            return name.get(..at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotated_and_compressed_logs_keep_their_stem() {
        for (name, stem, kind) in [
            ("server_debug.log", "server_debug", Some(LogKind::ServerDebug)),
            ("server_debug.log.gz", "server_debug", Some(LogKind::ServerDebug)),
            ("server_debug.log.2.gz", "server_debug", Some(LogKind::ServerDebug)),
            ("server_debug.log-20260820.zst", "server_debug", Some(LogKind::ServerDebug)),
            ("server_debug-2026-08-20.log", "server_debug", Some(LogKind::ServerDebug)),
            ("server_debug-2026-11-29T03-15-26.000.log", "server_debug", Some(LogKind::ServerDebug)),
            ("schedule-2026-11-29T03-15-26.000.log.gz", "server_debug", Some(LogKind::Schedule)),
            ("server_debug.1.log", "server_debug", Some(LogKind::ServerDebug)),
            ("x.server_debug.log", "x.server_debug", None),
            ("schedule.log", "server_debug", Some(LogKind::Schedule)),
            ("schedule.log.1", "server_debug", Some(LogKind::Schedule)),
            ("04-x.schedule.log", "04-x", Some(LogKind::Schedule)),
            ("04-x.log", "04-x", None),
            ("agent.log", "agent", Some(LogKind::Desktop)),
            ("log", "log", None),
        ] {
            let found = LogName::of(Path::new(name));
            assert_eq!((found.stem.as_str(), found.kind), (stem, kind), "{name}");
        }
    }

    #[test]
    fn only_the_logs_of_a_server_are_taken_from_a_directory() {
        for name in [
            "server_debug.log",
            "server_debug.log.1",
            "schedule.log.gz",
            "agent.log",
            "server_debug.log-20260820",
            "server_debug-2026-11-29T03-15-26.000.log",
            "server_debug.1.log",
        ] {
            assert!(is_expected_name(name), "{name}");
        }
        for name in
            ["workspace_debug.log", "server_debug.logs", "schedule.txt", "my_agent.log", "x.server_debug.log"]
        {
            assert!(!is_expected_name(name), "{name}");
        }
        assert!(is_rotation_left_over("server_debug.log.rotate.4711"));
        assert!(!is_rotation_left_over("server_debug.log.rotate.old"));
        assert!(!is_rotation_left_over("server_debug.log.4711"));
    }
}
