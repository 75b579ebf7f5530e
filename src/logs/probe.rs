//! What the head of a file tells before it is read: its kind, first stamp, zone, and where it begins.

use super::head::{HeadLines, standard_message};
use super::name::LogKind;
use super::shape::LOGRUS_OPENING;
use super::time::{Stamp, read_rfc3339_stamp, read_standard_stamp};
use super::zone::{LAUNCHER_HEADER, Zone, ZoneSource, zone_of_head};

/// How much of a file's content is looked at.
pub(crate) const HEAD: usize = 1 << 20;

/// The message of a process's first stamped line (server-behaviour.md#files-of-a-log).
pub(crate) const FIRST_MESSAGE: &[u8] = b"[SERVER DEBUG] Using MCP config file";
/// What the desktop application writes where it has trimmed its log (server-behaviour.md#files-of-a-log).
const TRIMMED: &str = "Log truncated by AgentWorks to stay under ";
/// Unstamped lines that the launcher and the server print before the first stamped one
/// (server-behaviour.md#files-of-a-log).
const BANNERS: [&str; 5] = [
    LAUNCHER_HEADER,
    "=====",
    "Configuration:",
    "- ",
    "No .env file found, using system environment variables",
];
/// Tags of `schedule.log` (server-behaviour.md#files-of-a-log).
const SCHEDULE_TAGS: [&[u8]; 6] =
    [b"[SCHEDULER]", b"[PULSE]", b"[SCHEDULER_STATE]", b"[FINALIZE]", b"[STOP] =====", b"[BOT_SESSION]"];

/// Whether an unstamped line belongs to the known opening of a log.
pub(crate) fn is_opening_banner(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.is_empty()
        || BANNERS.iter().any(|banner| line.starts_with(banner.as_bytes()))
        || memchr::memmem::find(line.get(..128).unwrap_or(line), TRIMMED.as_bytes()).is_some()
}

/// What the head told.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// The first stamp, as a wall second.
    pub(crate) first_wall: Option<i64>,
    pub(crate) zone: Zone,
    /// The kind by content.
    pub(crate) kind: LogKind,
    /// The log begins with the start of a process.
    pub(crate) begins_with_process: bool,
    /// Nearly every stamp is earlier than the one before.
    pub(crate) is_newest_first: bool,
}

impl Probe {
    /// Reads the first [`HEAD`] bytes of a file's content.
    pub(crate) fn of(head: &[u8]) -> Self {
        let mut first_wall = None;
        let mut launched = false;
        let mut begins_with_process = false;
        let mut trimmed = false;
        let (mut schedule_lines, mut stamped_lines) = (0_u32, 0_u32);
        let (mut earlier, mut later) = (0_u32, 0_u32);
        let mut last = None;
        for line in HeadLines::new(head) {
            let Some((wall, message)) = stamped(line) else {
                launched |= first_wall.is_none() && line.starts_with(LAUNCHER_HEADER.as_bytes());
                trimmed |= memchr::memmem::find(line, TRIMMED.as_bytes()).is_some();
                continue;
            };
            stamped_lines += 1;
            earlier += u32::from(last.is_some_and(|last| wall < last));
            later += u32::from(last.is_some_and(|last| wall > last));
            last = Some(wall);
            if SCHEDULE_TAGS.iter().any(|tag| message.starts_with(tag)) {
                schedule_lines += 1;
            }
            if first_wall.is_none() {
                begins_with_process = launched || message.starts_with(FIRST_MESSAGE);
                first_wall = Some(wall);
            }
        }
        let kind = if stamped_lines > 0 && schedule_lines * 10 >= stamped_lines * 9 {
            LogKind::Schedule
        } else if trimmed {
            LogKind::Desktop
        } else if begins_with_process {
            LogKind::ServerDebug
        } else {
            LogKind::Unknown
        };
        Self {
            first_wall,
            zone: zone_of_head(head),
            kind,
            begins_with_process,
            // A few lines of disorder are no other order.
            is_newest_first: (later == 0 && earlier > 0) || (earlier > 2 && earlier > 4 * later),
        }
    }

    /// The same for the first block of a log that was wrapped; `offset` is what the wrapper's own times show
    /// of the zone.
    pub(crate) fn of_wrapped(head: &[u8], offset: Option<i32>) -> Self {
        let mut probe = Self::of(head);
        if let Some(offset) = offset
            && probe.zone.source > ZoneSource::Wrapper
        {
            probe.zone = Zone { offset, name: None, source: ZoneSource::Wrapper };
        }
        probe
    }
}

/// The wall second and the message of a stamped line.
fn stamped(line: &[u8]) -> Option<(i64, &[u8])> {
    if let Stamp::Wall(wall) = read_standard_stamp(line) {
        return Some((wall, standard_message(line)));
    }
    match read_rfc3339_stamp(line.strip_prefix(LOGRUS_OPENING)?) {
        Stamp::Wall(wall) => Some((wall, &[])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_from_the_start_of_its_process_is_told_from_a_cut_one() {
        // The first two lines of the recording `stop`.
        let whole = "No .env file found, using system environment variables\n\
                     2026/11/30 03:06:26 [SERVER DEBUG] Using MCP config file: configs/x.json\n";
        let probe = Probe::of(whole.as_bytes());
        assert!(probe.begins_with_process);
        assert_eq!((probe.kind, probe.first_wall), (LogKind::ServerDebug, Some(1_796_007_986)));
        let cut = "2026/11/30 03:06:27 [API] --> GET /api/health in_flight=1\n";
        let probe = Probe::of(format!("{cut}{whole}").as_bytes());
        assert!(!probe.begins_with_process);
        assert_eq!(probe.kind, LogKind::Unknown);
    }

    #[test]
    fn schedule_logs_are_known_by_their_tags() {
        let head = "2026/11/30 03:06:26 [SCHEDULER] Starting manifest-based scheduler service...\n\
                    2026/11/30 03:06:26 [workflow=w group=g mode=workflow] [SCHEDULER] Registered schedule x\n";
        assert_eq!(Probe::of(head.as_bytes()).kind, LogKind::Schedule);
    }
}
