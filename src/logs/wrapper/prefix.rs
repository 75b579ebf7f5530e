//! What stands before the text of a line, for the wrappers that put something before it.

use memchr::memchr;

use super::kind::WrapperKind;
use crate::logs::time::{STAMP_LENGTH, Stamp, read_offset, read_rfc3339_stamp};

/// A prefix is no longer than this.
pub(super) const PREFIX_REACH: usize = 1_024;
/// A service, host or program name is no longer than this.
const NAME_REACH: usize = 256;

/// Which output of a process a line came from. Pieces of a long line are joined per stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output, or a wrapper that does not tell.
    Output,
    /// Standard error.
    Error,
}

/// What a wrapper says about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prefix<'a> {
    /// Bytes before the text.
    pub(super) length: usize,
    /// Whose line it is; empty where the wrapper does not tell.
    pub(super) label: &'a [u8],
    /// When the wrapper took the line, in seconds of UTC, where it says so with a zone.
    pub(super) time: Option<i64>,
    pub(super) stream: Stream,
    /// The line goes on in the next record of its stream.
    pub(super) partial: bool,
}

impl<'a> Prefix<'a> {
    fn of(length: usize, label: &'a [u8], time: Option<i64>) -> Self {
        Self { length, label, time, stream: Stream::Output, partial: false }
    }
}

/// The prefix of a line; `None` where it does not begin as the wrapper writes it.
pub(super) fn read_prefix(kind: WrapperKind, line: &[u8]) -> Option<Prefix<'_>> {
    let line = line.get(..PREFIX_REACH).unwrap_or(line);
    match kind {
        WrapperKind::Cri => read_cri(line),
        WrapperKind::Stamped => read_stamped(line),
        WrapperKind::Compose => read_compose(line),
        WrapperKind::JournalShort => read_journal_short(line),
        WrapperKind::DockerJson | WrapperKind::JournalExport => None,
    }
}

/// Lines that the wrapper's own program prints: no record, and no damage.
pub(super) fn is_remark(kind: WrapperKind, line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty()
        || match kind {
            WrapperKind::Compose => {
                line.starts_with(b"Attaching to ")
                    || memchr::memmem::find(line, b" exited with code ").is_some_and(|at| at < NAME_REACH)
            }
            WrapperKind::JournalShort => line.starts_with(b"-- ") && line.ends_with(b" --"),
            _ => false,
        }
}

/// An RFC 3339 time: the second of UTC, and its bytes.
pub(super) fn read_time(text: &[u8]) -> Option<(i64, usize)> {
    let Stamp::Wall(wall) = read_rfc3339_stamp(text) else { return None };
    let mut at = STAMP_LENGTH;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let digits = text.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 9 {
            return None;
        }
        at += digits;
    }
    let rest = text.get(at..)?;
    let (offset, length) = read_offset(rest).or_else(|| read_short_offset(rest))?;
    Some((wall - i64::from(offset), at + length))
}

/// `+0530`, as older versions of `journalctl` print it.
fn read_short_offset(text: &[u8]) -> Option<(i32, usize)> {
    let [sign, h0, h1, m0, m1] = *text.first_chunk::<5>()?;
    let (offset, _) = read_offset(&[sign, h0, h1, b':', m0, m1])?;
    Some((offset, 5))
}

/// `2026-11-30T03:06:26.123456789Z stderr F text`; the tags may be several, `P:x`.
fn read_cri(line: &[u8]) -> Option<Prefix<'_>> {
    let (time, mut at) = read_time(line)?;
    let rest = line.get(at..)?;
    let (stream, stream_length) = if rest.starts_with(b" stdout ") {
        (Stream::Output, 8)
    } else if rest.starts_with(b" stderr ") {
        (Stream::Error, 8)
    } else {
        return None;
    };
    at += stream_length;
    let rest = line.get(at..)?;
    let partial = match rest.first()? {
        b'P' => true,
        b'F' => false,
        _ => return None,
    };
    let end = match rest.get(1) {
        None | Some(b'\r') => 1,
        Some(b' ') => 2,
        Some(b':') => memchr(b' ', rest.get(..NAME_REACH).unwrap_or(rest))? + 1,
        Some(_) => return None,
    };
    Some(Prefix { length: at + end, label: b"", time: Some(time), stream, partial })
}

/// `2026-11-30T03:06:26.123456789Z text`. An empty line may have lost its blank.
pub(super) fn read_stamped(line: &[u8]) -> Option<Prefix<'_>> {
    let (time, at) = read_time(line)?;
    let blank = match line.get(at) {
        Some(b' ') => 1,
        None | Some(b'\r') => 0,
        Some(_) => return None,
    };
    Some(Prefix::of(at + blank, b"", Some(time)))
}

/// `service-1  | text`, perhaps with the colours that compose gives each service.
fn read_compose(line: &[u8]) -> Option<Prefix<'_>> {
    let begin = colour_length(line);
    let rest = line.get(begin..)?;
    let name_byte = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let name = rest.iter().take(NAME_REACH).take_while(name_byte).count();
    let label = rest.get(..name)?;
    if !label.first()?.is_ascii_alphanumeric() {
        return None;
    }
    let mut at = begin + name;
    at += line.get(at..)?.iter().take_while(|&&byte| byte == b' ').count();
    at += colour_length(line.get(at..)?);
    if line.get(at) != Some(&b'|') {
        return None;
    }
    at += 1;
    at += colour_length(line.get(at..)?);
    match line.get(at) {
        Some(b' ') => at += 1,
        None | Some(b'\r') => {}
        Some(_) => return None,
    }
    if begin > 0 {
        at += colour_length(line.get(at..)?);
    }
    Some(Prefix::of(at, label, None))
}

/// Bytes of one colour code, `ESC [ … m`.
fn colour_length(text: &[u8]) -> usize {
    let Some(inside) = text.strip_prefix(b"\x1b[") else { return 0 };
    let codes = inside.iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    if inside.get(codes) == Some(&b'm') { codes + 3 } else { 0 }
}

/// `Nov 30 03:06:26 host name[1]: text`, the time in any of the short formats.
fn read_journal_short(line: &[u8]) -> Option<Prefix<'_>> {
    let (time, at) = read_journal_time(line)?;
    let rest = line.get(at..)?.strip_prefix(b" ")?;
    let name_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-@/()".contains(byte);
    let length = |text: &[u8]| text.iter().take(NAME_REACH).take_while(|byte| name_byte(byte)).count();
    let host = length(rest);
    let rest = rest.get(host..)?.strip_prefix(b" ")?;
    let name = length(rest);
    if host == 0 || name == 0 {
        return None;
    }
    let label = rest.get(..name)?;
    let mut rest = rest.get(name..)?;
    if let Some(inside) = rest.strip_prefix(b"[") {
        let digits = inside.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = inside.get(digits..)?.strip_prefix(b"]")?;
    }
    let rest = rest.strip_prefix(b":")?;
    let rest = match rest.first() {
        Some(b' ') => rest.get(1..)?,
        None | Some(b'\r') => rest,
        Some(_) => return None,
    };
    Some(Prefix::of(line.len() - rest.len(), label, time))
}

/// The time that a line of the journal begins with: the second of UTC where it has a zone, and its bytes.
fn read_journal_time(line: &[u8]) -> Option<(Option<i64>, usize)> {
    if let Some((time, length)) = read_time(line) {
        return Some((Some(time), length));
    }
    if let Some(length) = fitting(line, b"Aaa #9 99:99:99") {
        return Some((None, length + fraction_length(line.get(length..)?)));
    }
    if let Some(length) = fitting(line, b"Aaa 9999-99-99 99:99:99") {
        let length = length + fraction_length(line.get(length..)?);
        let zone = line.get(length..)?.strip_prefix(b" ")?;
        let zone_byte = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b':');
        let zone = zone.iter().take(8).take_while(zone_byte).count();
        return (zone > 0).then_some((None, length + 1 + zone));
    }
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let fraction = fraction_length(line.get(digits..)?);
    if digits != 10 || fraction == 0 {
        return None;
    }
    let second = std::str::from_utf8(line.get(..digits)?).ok()?.parse().ok();
    Some((second, digits + fraction))
}

/// The length of a pattern that a text begins with: `A` and `a` are letters, `9` a digit, `#` a digit or a
/// blank.
fn fitting(text: &[u8], pattern: &[u8]) -> Option<usize> {
    let beginning = text.get(..pattern.len())?;
    let fits = pattern.iter().zip(beginning).all(|(wanted, byte)| match wanted {
        b'A' => byte.is_ascii_uppercase(),
        b'a' => byte.is_ascii_lowercase(),
        b'9' => byte.is_ascii_digit(),
        b'#' => byte.is_ascii_digit() || *byte == b' ',
        other => byte == other,
    });
    fits.then_some(pattern.len())
}

fn fraction_length(text: &[u8]) -> usize {
    let Some(digits) = text.strip_prefix(b".") else { return 0 };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=9).contains(&digits) { digits + 1 } else { 0 }
}

/// Whether a text is what `journalctl` shows for a line that is long or not printable: `[1.2K blob data]`.
pub(super) fn is_left_out(text: &[u8]) -> bool {
    let text = text.get(..64).unwrap_or(text).trim_ascii_end();
    let text = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    text.strip_prefix(b"[")
        .and_then(|text| text.strip_suffix(b" blob data]"))
        .is_some_and(|size| size.first().is_some_and(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: WrapperKind, line: &str) -> Option<(&str, &str, Option<i64>, bool)> {
        let prefix = read_prefix(kind, line.as_bytes())?;
        let label = std::str::from_utf8(prefix.label).ok()?;
        Some((label, line.get(prefix.length..)?, prefix.time, prefix.partial))
    }

    // `date -u -d "2026-11-30 03:06:26" +%s`
    const SECOND: i64 = 1_796_007_986;

    #[test]
    fn prefixes_are_taken_off() {
        use WrapperKind::{Compose, Cri, JournalShort, Stamped};
        for (kind, line, expected) in [
            (Cri, "2026-11-30T03:06:26.123456789Z stderr F [x] y", ("", "[x] y", Some(SECOND), false)),
            (Cri, "2026-11-30T08:36:26.1+05:30 stdout P a  b", ("", "a  b", Some(SECOND), true)),
            (Cri, "2026-11-30T03:06:26Z stdout P:more a", ("", "a", Some(SECOND), true)),
            (Cri, "2026-11-30T03:06:26Z stdout F ", ("", "", Some(SECOND), false)),
            (Stamped, "2026-11-30T03:06:26.123456789Z  a", ("", " a", Some(SECOND), false)),
            (Stamped, "2026-11-30T03:06:26.1Z", ("", "", Some(SECOND), false)),
            (Compose, "agent-api-1  | 2026", ("agent-api-1", "2026", None, false)),
            (Compose, "agent_api.1 |", ("agent_api.1", "", None, false)),
            (Compose, "\x1b[36magent-1  | \x1b[0m2026", ("agent-1", "2026", None, false)),
            (Compose, "\x1b[36;1magent-1  |\x1b[0m 2026", ("agent-1", "2026", None, false)),
            (JournalShort, "Nov 30 03:06:26 host pulse[12]: a", ("pulse", "a", None, false)),
            (JournalShort, "Nov  3 03:06:26.123456 h.x pulse: a", ("pulse", "a", None, false)),
            (JournalShort, "2026-11-30T03:06:26+0000 h pulse[1]: a", ("pulse", "a", Some(SECOND), false)),
            (JournalShort, "2026-11-30T08:36:26.5+05:30 h pulse[1]: a", ("pulse", "a", Some(SECOND), false)),
            (JournalShort, "Mon 2026-11-30 03:06:26 UTC h pulse[1]: a", ("pulse", "a", None, false)),
            (JournalShort, "1796007986.123456 h pulse[1]: a", ("pulse", "a", Some(SECOND), false)),
        ] {
            assert_eq!(read(kind, line), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_have_no_prefix() {
        use WrapperKind::{Compose, Cri, JournalShort, Stamped};
        for (kind, line) in [
            (Cri, "2026-11-30T03:06:26Z a"),
            (Cri, "2026-11-30T03:06:26Z stdout X a"),
            (Stamped, "2026/11/30 03:06:26 [STOP] a"),
            (Stamped, "2026-11-30T03:06:26 a"),
            (Compose, "2026/11/30 03:06:26 [STOP] a | b"),
            (Compose, "| a"),
            (JournalShort, "2026-11-30T03:06:26.1Z 2026/11/30 03:06:26 [STOP] a: b"),
            (JournalShort, "2026/11/30 03:06:26 [STOP] a: b"),
            (JournalShort, ""),
        ] {
            assert_eq!(read(kind, line), None, "{line}");
        }
    }
}
