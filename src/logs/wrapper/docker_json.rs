//! Records of Docker's json-file driver.

use std::borrow::Cow;

use serde::Deserialize;

use super::prefix::{Prefix, Stream, read_time};

/// A record is no longer than this: Docker cuts a line into pieces of 16 KiB, each byte of which JSON writes as
/// six at most, and labels may follow.
pub(super) const RECORD_REACH: usize = 1 << 20;

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    log: Cow<'a, str>,
    #[serde(borrow, default)]
    stream: Cow<'a, str>,
    #[serde(borrow, default)]
    time: Cow<'a, str>,
}

/// What a record says and its text; `None` where it is no whole record.
pub(super) fn read_record(line: &[u8]) -> Option<(Prefix<'static>, Cow<'_, str>)> {
    let record: Record<'_> = serde_json::from_slice(line).ok()?;
    let prefix = Prefix {
        length: 0,
        label: b"",
        time: read_time(record.time.as_bytes()).map(|(time, _)| time),
        stream: if record.stream == "stderr" { Stream::Error } else { Stream::Output },
        partial: !record.log.ends_with('\n'),
    };
    Some((prefix, record.log))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_gives_its_text_and_says_whether_it_is_a_piece() {
        let line = br#"{"log":"\ud83d\udd12 \"a\"\u003c\n","stream":"stderr","attrs":{"x":"y"},"time":"2026-11-30T03:06:26.5Z"}"#;
        let read = read_record(line)
            .map(|(prefix, text)| (text.into_owned(), prefix.stream, prefix.partial, prefix.time));
        let expected = ("\u{1f512} \"a\"<\n".to_owned(), Stream::Error, false, Some(1_796_007_986));
        assert_eq!(read, Some(expected));
        assert!(
            read_record(br#"{"log":"piece","stream":"stdout"}"#).is_some_and(|(prefix, _)| prefix.partial)
        );
        for broken in [&br#"{"log":"cut"#[..], br#"{"stream":"stdout"}"#, b"", b"{\"log\":\"\xff\"}"] {
            assert!(read_record(broken).is_none());
        }
    }
}
