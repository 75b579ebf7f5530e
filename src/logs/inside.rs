//! What stands inside of a line and should not: bytes that a power loss left empty, and a second line whose line
//! end was lost.
//!
//! Every line is asked [`may_hide`], which looks at two of three words and nearly always says no.

use std::cell::LazyCell;
use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::chunk::read_claim;
use super::head::standard_message;
use super::shape::{LOGRUS_OPENING, skip_ornaments, split_logrus};
use super::tag::{TagMatch, TagTable};
use super::time::{STAMP_LENGTH, Stamp, read_offset, read_rfc3339_stamp, read_standard_stamp};
use super::word::first_word;

/// Bits that no digit, blank, slash, colon or NUL has.
const NEVER_IN_A_STAMP: u64 = 0xc0c0_c0c0_c0c0_c0c0;
/// A stamp and its blank are twenty such bytes, so one of these steps finds eight of them; so do twenty NULs.
const STEP: usize = 12;
/// The fields behind the message of a logrus line, at most.
const LOGRUS_FIELDS: usize = 96;

/// What was found inside of lines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Damage {
    /// Lines with a second one in them.
    pub(crate) joined: Tally,
    /// NUL bytes.
    pub(crate) nuls: Tally,
}

/// How often something happened, and where first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// Line by which the first one was known, and its wall second.
    pub(crate) first: Option<(u64, Option<i64>)>,
}

impl Tally {
    pub(crate) fn add(&mut self, count: u64, line: u64, wall: Option<i64>) {
        if count > 0 {
            self.count += count;
            self.first = self.first.or(Some((line, wall)));
        }
    }
}

/// Whether a line is worth a closer look. No run of twenty NULs and no standard stamp escapes it, and no logrus
/// line whose fields end the line.
#[inline(always)]
pub(crate) fn may_hide(line: &[u8]) -> bool {
    let begins_like_logrus = match line.first() {
        Some(b'2') => false,
        Some(b't') => true,
        Some(_) => return may_hide_in_plain(line),
        None => return false,
    };
    if begins_like_logrus {
        return may_hide_in_logrus(line);
    }
    if line.get(STAMP_LENGTH) == Some(&0) {
        return true;
    }
    let rest = line.get(STAMP_LENGTH + 1..).unwrap_or_default();
    has_stamp_like_word(rest) || ends_like_logrus(rest)
}

#[inline(always)]
fn has_stamp_like_word(text: &[u8]) -> bool {
    let (parts, mut rest) = text.as_chunks::<{ 4 * STEP }>();
    for part in parts {
        let words = [0, 1, 2, 3].map(|step| {
            let word = part.as_chunks::<STEP>().0.get(step).and_then(|step| step.first_chunk::<8>());
            word.map_or(u64::MAX, |word| u64::from_le_bytes(*word))
        });
        let is_like = words.map(|word| word & NEVER_IN_A_STAMP == 0);
        if (is_like[0] | is_like[1] | is_like[2] | is_like[3]) && words.into_iter().any(is_of_a_stamp) {
            return true;
        }
    }
    while let Some(word) = rest.first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        if word & NEVER_IN_A_STAMP == 0 && is_of_a_stamp(word) {
            return true;
        }
        rest = rest.get(STEP..).unwrap_or_default();
    }
    false
}

/// Whether eight bytes are NULs or may be a part of a stamp with its blank.
#[cold]
fn is_of_a_stamp(word: u64) -> bool {
    const SHAPE: &[u8; STAMP_LENGTH + 1] = b"9999/99/99 99:99:99 ";
    let bytes = word.to_le_bytes();
    word == 0
        || SHAPE.windows(bytes.len()).any(|shape| {
            shape.iter().zip(bytes).all(|(&wanted, byte)| match wanted {
                b'9' => byte.is_ascii_digit(),
                wanted => byte == wanted,
            })
        })
}

/// The last field of a logrus line is nearly always quoted, or a quoted one stands before it.
#[inline(always)]
fn ends_like_logrus(text: &[u8]) -> bool {
    let tail = text.len().checked_sub(LOGRUS_FIELDS).and_then(|from| text.get(from..)).unwrap_or(text);
    memrchr(b'"', tail).is_some() && opens_like_logrus(text)
}

/// Whether a logrus line may begin in a text.
fn opens_like_logrus(text: &[u8]) -> bool {
    static OPENING: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(LOGRUS_OPENING));
    OPENING.find(text).is_some()
}

#[inline(never)]
fn may_hide_in_logrus(line: &[u8]) -> bool {
    // Where a run of NULs over the stamp does not reach the eight bytes behind it, it covers this one.
    if line.get(STAMP_LENGTH + 1) == Some(&0) {
        return true;
    }
    let rest = line.get(LOGRUS_OPENING.len() + STAMP_LENGTH + 7..).unwrap_or_default();
    has_stamp_like_word(rest) || opens_like_logrus(rest)
}

/// Lines without a stamp are few, and what was a stamp may be NULs.
#[inline(never)]
fn may_hide_in_plain(line: &[u8]) -> bool {
    memchr(0, line).is_some() || has_stamp_like_word(line) || opens_like_logrus(line)
}

/// Where a second line begins in a line: at a stamp, where one of the two lines has a known tag, not in quotes, and
/// not in the text of a raw chunk. Behind text that people or models write, the second must be the known one.
pub(crate) fn second_line(line: &[u8], tags: &TagTable) -> Option<usize> {
    let from = own_text(line);
    let mut quotes = 0;
    let mut counted = from;
    let own_is_known = LazyCell::new(|| tag_of(line, tags).is_some_and(|tag| !tag.raw_text));
    candidates(line, from).into_iter().find(|&at| {
        quotes += unescaped_quotes(line.get(counted..at).unwrap_or_default());
        counted = at;
        // Escaped text writes its line ends like this.
        let is_escaped = line.get(..at).is_some_and(|before| before.ends_with(b"\\n"));
        !is_escaped
            && quotes % 2 == 0
            && (tag_of(line.get(at..).unwrap_or_default(), tags).is_some() || *own_is_known)
    })
}

/// Where in a line a second one may begin at the earliest: behind its stamp and context, and behind the text of a
/// raw chunk.
fn own_text(line: &[u8]) -> usize {
    match read_standard_stamp(line) {
        Stamp::Wall(_) => {}
        _ if line.starts_with(LOGRUS_OPENING) => {
            let time = line.get(LOGRUS_OPENING.len()..).unwrap_or_default();
            return memchr(b'"', time).map_or(line.len(), |quote| LOGRUS_OPENING.len() + quote + 1);
        }
        _ => return 1,
    }
    let message = standard_message(line);
    let begins = line.len() - message.len();
    match read_claim(message) {
        Some((length, text_at)) => {
            usize::try_from(length).unwrap_or(usize::MAX).saturating_add(begins + text_at).min(line.len())
        }
        None => begins,
    }
}

/// The places of all stamps from some place on, in order.
fn candidates(line: &[u8], from: usize) -> Vec<usize> {
    let text = line.get(from..).unwrap_or_default();
    let standard = memchr_iter(b'/', text).filter_map(|slash| {
        let at = slash.checked_sub(4)?;
        let rest = text.get(at..)?;
        (rest.get(7) == Some(&b'/') && rest.get(STAMP_LENGTH) == Some(&b' ')).then_some(from + at)
    });
    let logrus = memmem::find_iter(text, LOGRUS_OPENING).map(|at| from + at);
    let mut places: Vec<usize> = standard.chain(logrus).collect();
    places.sort_unstable();
    places
}

fn unescaped_quotes(text: &[u8]) -> usize {
    let mut quotes = 0;
    let mut is_escaped = false;
    for &byte in text {
        if is_escaped {
            is_escaped = false;
        } else if byte == b'\\' {
            is_escaped = true;
        } else if byte == b'"' {
            quotes += 1;
        }
    }
    quotes
}

/// The tag of a line that begins a text.
fn tag_of(text: &[u8], tags: &TagTable) -> Option<TagMatch> {
    let message = if let Stamp::Wall(_) = read_standard_stamp(text) {
        standard_message(text)
    } else {
        let stamp = text.strip_prefix(LOGRUS_OPENING)?;
        let Stamp::Wall(_) = read_rfc3339_stamp(stamp) else { return None };
        let (_, length) = read_offset(stamp.get(STAMP_LENGTH..)?)?;
        let (begins, is_quoted) = split_logrus(text, LOGRUS_OPENING.len() + STAMP_LENGTH + length, false)?;
        let message = text.get(begins..)?;
        message.get(skip_ornaments(message, is_quoted)..)?
    };
    tags.find(first_word(message), message)
}

/// NULs in a line, those in the text of a raw chunk left out: a model may write any byte.
pub(crate) fn nuls_in(line: &[u8]) -> u64 {
    if memchr(0, line).is_none() {
        return 0;
    }
    let (before, after) = match read_standard_stamp(line) {
        Stamp::Wall(_) if let Some((_, text_at)) = read_claim(standard_message(line)) => {
            let text = line.len() - standard_message(line).len() + text_at;
            (line.get(..text), line.get(own_text(line)..))
        }
        _ => (Some(line), None),
    };
    let count = |part: Option<&[u8]>| memchr_iter(0, part.unwrap_or_default()).count() as u64;
    count(before) + count(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::Tag;

    fn table() -> TagTable {
        let tag = |text| Tag { text, literals: &[], plain: false, raw_text: false };
        TagTable::new(&[tag("[STOP] "), tag("Executing ")])
    }

    const STOP: &str = "2026/11/30 03:15:26 [workflow=w session=s1] [STOP] session=s1 begin";
    const LOGRUS: &str =
        "time=\"2026-11-30T03:15:26Z\" level=info msg=\"Executing x\" file=\"logger.go:177\" workflow=w";

    /// Where both agree that a second line begins.
    fn found(line: &str) -> Option<usize> {
        let place = second_line(line.as_bytes(), &table());
        assert!(place.is_none() || may_hide(line.as_bytes()), "{line}");
        place
    }

    #[test]
    fn a_known_line_behind_any_line_is_found() {
        for length in 0..40 {
            let filler = "x".repeat(length);
            for first in [
                format!("2026/11/30 03:15:25 {filler}"),
                format!("2026/11/30 03:15:25 [workflow=w group=5\" pipes session=s] [API] {filler}"),
                format!(
                    "time=\"2026-11-30T03:15:25+05:30\" level=info msg=\"a {filler}\" file=\"logger.go:177\""
                ),
                format!("banner {filler}"),
                format!("2026/11/30 03:15:25 [AGENT DEBUG] raw chunk (len={length}): {filler}"),
            ] {
                for second in [STOP, LOGRUS] {
                    assert_eq!(found(&format!("{first}{second}")), Some(first.len()), "{first}{second}");
                }
            }
        }
    }

    #[test]
    fn a_known_line_is_told_from_the_line_behind_it() {
        let other = "2026/11/30 03:15:27 [API] x";
        assert_eq!(found(&format!("{STOP}{other}")), Some(STOP.len()));
        assert_eq!(found(&format!("2026/11/30 03:15:25 [API] y{other}")), None, "neither is known");
    }

    #[test]
    fn a_quoted_line_is_text() {
        for line in [
            format!("2026/11/30 03:15:25 [QUERY] query=\"why {STOP}\""),
            format!("2026/11/30 03:15:25 [QUERY] query=\"say \\\"no\\\" {STOP}\""),
            format!("2026/11/30 03:15:25 [AGENT DEBUG] raw chunk (len={}): {STOP}", STOP.len()),
            format!("2026/11/30 03:15:25 [TOOL] output={{text: see\\n{STOP}"),
            format!("[SLACK_API] {}", STOP.replace("[STOP]", "api.go:12:")),
            STOP.to_owned(),
            LOGRUS.to_owned(),
        ] {
            assert_eq!(found(&line), None, "{line}");
        }
    }

    #[test]
    fn runs_of_nuls_are_found_wherever_they_begin() {
        for line in [STOP, LOGRUS, "a banner that is long enough to hold NULs"] {
            for at in 0..line.len() - 20 {
                let mut damaged = line.as_bytes().to_vec();
                damaged[at..at + 20].fill(0);
                assert!(may_hide(&damaged), "{line} at {at}");
                assert_eq!(nuls_in(&damaged), 20);
            }
        }
        assert!(may_hide(b"\0"));
        assert_eq!(nuls_in(b"2026/11/30 03:15:25 [AGENT DEBUG] raw chunk (len=3): a\0b\0"), 1);
    }
}
