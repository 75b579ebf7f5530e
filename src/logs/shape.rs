//! The formats of a line (server-behaviour.md#shape-of-a-line): where its message begins and what its context
//! block holds.
//!
//! Works on one line at a time, allocates nothing and looks at no more bytes than it must.

use memchr::{memchr_iter, memrchr, memrchr_iter};

use super::word::first_word;

/// How a line was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Free text without a stamp: banners, continued text, stack traces.
    Plain,
    /// `YYYY/MM/DD HH:MM:SS message`, with or without a context block.
    Standard,
    /// `time="…" level=… msg=…`, the text format of logrus.
    Logrus,
}

/// Bytes of emoji and blanks that may stand before a tag; 12 at most were met, an emoji joined
/// of several signs needs a few more.
const ORNAMENT_REACH: usize = 24;
/// A context block ends within this many bytes.
const CONTEXT_REACH: usize = 2_048;
/// What a logrus line begins with.
pub(crate) const LOGRUS_OPENING: &[u8] = b"time=\"";
/// Keys of a context block, in the order in which the server writes them (`log_context.go`).
const CONTEXT_KEYS: [Opening; 6] = [
    Opening::of(b"workflow"),
    Opening::of(b"group="),
    Opening::of(b"mode="),
    Opening::of(b"user="),
    Opening::of(b"user_id="),
    Opening::of(b"session="),
];
/// Up to eight bytes that a text may begin with, compared as one number.
#[derive(Debug, Clone, Copy)]
struct Opening {
    want: u64,
    mask: u64,
}

impl Opening {
    const fn of(text: &[u8]) -> Self {
        let (mut want, mut mask, mut index) = (0, 0, 0);
        while index < text.len() {
            want |= (text[index] as u64) << (8 * index);
            mask |= 0xff << (8 * index);
            index += 1;
        }
        Self { want, mask }
    }

    #[inline(always)]
    fn begins(self, word: u64) -> bool {
        word & self.mask == self.want
    }
}

/// How many bytes of emoji and blanks a message begins with. Inside quotes an invisible sign of an emoji is
/// written as `\ufe0f`.
#[inline]
pub(crate) fn skip_ornaments(message: &[u8], quoted: bool) -> usize {
    let mut at = 0;
    while at < ORNAMENT_REACH {
        let rest = message.get(at..).unwrap_or_default();
        match leading_ornaments(first_word(rest)) {
            0 if quoted && rest.starts_with(b"\\u") => at += 6,
            0 => break,
            length => at = ORNAMENT_REACH.min(at + length),
        }
    }
    at.min(message.len())
}

/// The highest bit of each byte of a word.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The highest bits of those bytes of a word that are blanks.
#[inline]
fn blanks(word: u64) -> u64 {
    let difference = word ^ u64::from_le_bytes([b' '; 8]);
    // Per byte: no lower bit is set and the highest one isn't either. Adding can't carry into the next byte.
    !(((difference & !HIGH_BITS) + !HIGH_BITS) | difference) & HIGH_BITS
}

/// How many bytes at the beginning of a word belong to emoji or are blanks.
#[inline]
fn leading_ornaments(word: u64) -> usize {
    (!(word | blanks(word)) & HIGH_BITS).trailing_zeros() as usize / 8
}

/// Splits `[workflow=… session=…] [TAG] …`: the end of the block's inside, and the start of what follows.
/// `None` where the text does not begin with a context block.
///
/// Values are neither quoted nor escaped, so a group may be called `a] [b`. The block ends at the first
/// `] [` whose inside ends in `session=` and a value without a blank; failing that, at the first `] [`.
#[inline]
pub(crate) fn split_context(text: &[u8]) -> Option<(usize, usize)> {
    let inside = text.get(1..)?;
    let word = first_word(inside);
    if !CONTEXT_KEYS.iter().any(|key| key.begins(word)) {
        return None;
    }
    find_context_end(text)
}

fn find_context_end(text: &[u8]) -> Option<(usize, usize)> {
    let reach = text.get(..CONTEXT_REACH).unwrap_or(text);
    let mut fallback = None;
    for end in memchr_iter(b']', reach) {
        if text.get(end + 1..end + 3) != Some(b" [") {
            continue;
        }
        let block = text.get(1..end)?;
        let last_word = memrchr(b' ', block).and_then(|blank| block.get(blank + 1..)).unwrap_or(block);
        if last_word.starts_with(b"session=") {
            return Some((end, end + 2));
        }
        fallback = fallback.or(Some((end, end + 2)));
    }
    fallback
}

/// Where the message of a logrus line begins and whether it is quoted; `after_stamp` is the place of the
/// quote that closes the time. `None`: the line is broken.
#[inline]
pub(crate) fn split_logrus(line: &[u8], after_stamp: usize, cut: bool) -> Option<(usize, bool)> {
    let rest = line.get(after_stamp..)?;
    // Most lines have this level, and one comparison is cheaper than to look for the level's end.
    let message = rest.strip_prefix(b"\" level=info msg=").or_else(|| skip_level(rest))?;
    let Some(quoted) = message.strip_prefix(b"\"") else {
        return Some((line.len() - message.len(), false));
    };
    (cut || has_closing_quote(quoted)).then_some((line.len() - quoted.len(), true))
}

fn skip_level(rest: &[u8]) -> Option<&[u8]> {
    let level = rest.strip_prefix(b"\" level=")?;
    let level_length = level.iter().take(12).position(|&byte| byte == b' ')?;
    level.get(level_length..)?.strip_prefix(b" msg=")
}

/// Whether a quoted text ends. Looks from the end of the line on, where the last field is nearly always quoted.
#[inline]
fn has_closing_quote(text: &[u8]) -> bool {
    memrchr_iter(b'"', text).any(|at| closes(text, at))
}

/// Whether no backslash escapes the quote at a place.
#[inline]
fn closes(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn context(text: &str) -> Option<(&str, &str)> {
        split_context(text.as_bytes()).map(|(end, message)| (&text[1..end], &text[message..]))
    }

    #[test]
    fn a_context_block_may_hold_blanks_and_brackets() {
        // server-behaviour.md#shape-of-a-line: values are unquoted, `group=Asha Rao` is legal.
        assert_eq!(
            context("[workflow=sheet-audit group=Asha Rao mode=workflow session=s1] [STOP] x"),
            Some(("workflow=sheet-audit group=Asha Rao mode=workflow session=s1", "[STOP] x"))
        );
        assert_eq!(
            context("[group=a] b mode=workflow session=s1] [STOP] x"),
            Some(("group=a] b mode=workflow session=s1", "[STOP] x"))
        );
        assert_eq!(
            context("[workflow=w group=a] [STOP] session=x mode=workflow session=s1] [TOOL] x] [y"),
            Some(("workflow=w group=a] [STOP] session=x mode=workflow session=s1", "[TOOL] x] [y")),
            "a group's name can't forge a message"
        );
        assert_eq!(context("[group=only] [STOP] x"), Some(("group=only", "[STOP] x")));
    }

    #[test]
    fn a_lower_case_tag_is_no_context_block() {
        assert_eq!(context("[live-attach] session=mlp] [x"), None);
        assert_eq!(context("[session] [x"), None);
        assert_eq!(context("[mode=workflow without an end"), None);
        assert_eq!(context("["), None);
        assert_eq!(context(""), None);
    }

    #[test]
    fn a_logrus_message_is_quoted_or_bare() {
        let quoted = br#"time="2026-08-20T09:32:10+05:30" level=info msg="[STOP] a \"b\"" file="x""#;
        assert_eq!(split_logrus(quoted, 31, false), Some((49, true)));
        assert_eq!(&quoted[49..55], b"[STOP]");
        let bare = br#"time="2026-08-20T09:32:10Z" level=warning msg=started file="x""#;
        assert_eq!(
            split_logrus(bare, 26, false).map(|(at, quoted)| (&bare[at..at + 7], quoted)),
            Some((&b"started"[..], false))
        );
    }

    #[test]
    fn a_logrus_line_without_its_closing_quote_is_broken() {
        let line = br#"time="2026-08-20T09:32:10Z" level=info msg="[STOP] said \"stop\\\""#;
        assert_eq!(split_logrus(line, 26, false), None);
        assert!(split_logrus(line, 26, true).is_some(), "the end of a cut line is not in sight");
    }

    #[test]
    fn ornaments_are_emoji_and_blanks() {
        for (text, quoted, rest) in [
            ("⚠️  run", false, "run"),
            ("⚠\\ufe0f run", true, "run"),
            ("[STOP]", false, "[STOP]"),
            ("\\u", true, ""),
            ("", false, ""),
        ] {
            let skipped = skip_ornaments(text.as_bytes(), quoted);
            assert_eq!(&text[skipped..], rest, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn words_count_ornaments_as_bytes_do(bytes in any::<[u8; 8]>(), blanks in any::<u8>()) {
            let mut bytes = bytes;
            for (at, byte) in bytes.iter_mut().enumerate().filter(|(at, _)| blanks >> at & 1 == 1) {
                *byte = if at % 2 == 0 { b' ' } else { 0xf0 };
            }
            let counted = bytes.iter().take_while(|byte| matches!(byte, b' ' | 0x80..)).count();
            prop_assert_eq!(leading_ornaments(u64::from_le_bytes(bytes)), counted);
        }
    }
}
