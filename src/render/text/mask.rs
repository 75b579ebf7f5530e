//! Masking: what people and models wrote is replaced by its size.
//!
//! Owns the list of places in a log line where such text stands (server-behaviour.md#what-the-log-prints).
//! Works on bytes, since a line need not be UTF-8. Ids, counters and reasons are never touched.

use std::borrow::Cow;
use std::ops::Range;

/// Whether what people wrote is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Replaced by its size: the default.
    Masked,
    /// Printed, by `--show-content`.
    Shown,
}

/// A whole value that people wrote, such as the name of a tracked row.
#[must_use]
pub fn mask_value(value: &str, content: Content) -> Cow<'_, str> {
    match content {
        Content::Masked if !value.is_empty() => Cow::Owned(placeholder(value.len())),
        _ => Cow::Borrowed(value),
    }
}

/// A log line with what people wrote replaced, and whether anything was.
///
/// `full_length` is the length of the whole line in bytes: where masked text runs to the end of a line
/// that was cut, the size counts the part that was cut off too.
#[must_use]
pub fn mask_line(line: &[u8], full_length: u64, content: Content) -> (Cow<'_, [u8]>, bool) {
    let mut places = if content == Content::Masked { private_places(line) } else { Vec::new() };
    places.retain(|place| !place.is_empty());
    if places.is_empty() {
        return (Cow::Borrowed(line), false);
    }
    places.sort_by_key(|place| place.start);
    let unread = usize::try_from(full_length).unwrap_or(usize::MAX).saturating_sub(line.len());
    let mut masked = Vec::with_capacity(line.len());
    let mut done = 0;
    for place in places {
        if place.start < done {
            continue; // Inside a place that is masked already.
        }
        masked.extend_from_slice(&line[done..place.start]);
        let hidden = if place.end == line.len() { place.len().saturating_add(unread) } else { place.len() };
        masked.extend_from_slice(placeholder(hidden).as_bytes());
        done = place.end;
    }
    masked.extend_from_slice(&line[done..]);
    (Cow::Owned(masked), true)
}

fn placeholder(bytes: usize) -> String {
    format!("<masked {bytes} bytes>")
}

/// Keys whose quoted value is what people wrote.
const QUOTED_KEYS: [&[u8]; 4] = [b"name=", b"query=", b"query_preview=", b"args="];

/// Where private text stands in the line. Raw tails come first: they swallow every quoted value in them.
fn private_places(line: &[u8]) -> Vec<Range<usize>> {
    let mut places: Vec<_> = raw_tail(line).into_iter().collect();
    let end = places.first().map_or(line.len(), |tail| tail.start);
    for key in QUOTED_KEYS {
        for at in memchr::memmem::find_iter(&line[..end], key) {
            // `tool_name="x"` is another key than `name="x"`.
            let starts_a_key = at == 0 || !is_key_byte(line[at - 1]);
            let Some(place) = quoted(line, at + key.len()).filter(|_| starts_a_key) else { continue };
            if !is_query_id(&line[place.clone()]) {
                places.push(place);
            }
        }
    }
    places.extend(workshop_message(line));
    places
}

/// Text that is not quoted and so runs to the end of the line.
fn raw_tail(line: &[u8]) -> Option<Range<usize>> {
    let tails = [
        after(line, 0, b"[AGENT DEBUG] raw chunk (len=").and_then(|at| after(line, at, b"): ")),
        after(line, 0, b"[STREAMING_LIFECYCLE]").and_then(|at| after(line, at, b" query=")),
        delivered(line, b"[QUERY->LIVE] "),
        delivered(line, "[QUERY→LIVE] ".as_bytes()),
        delivered(line, b"[LIVE INPUT] "),
    ];
    tails.into_iter().flatten().min().map(|start| start..line.len())
}

/// The delivered text of `[LIVE INPUT] Delivered … session S status=x: text`, under both of its verbs.
fn delivered(line: &[u8], tag: &[u8]) -> Option<usize> {
    let at = after(line, 0, tag)?;
    let rest = &line[at..];
    if !(rest.starts_with(b"Delivered ") || rest.starts_with(b"Steered ")) {
        return None;
    }
    after(line, at, b": ")
}

/// The prompt in the schedule log's `[SCHEDULER] Workshop turn 1/2 (label): "…"`.
fn workshop_message(line: &[u8]) -> Option<Range<usize>> {
    let at = after(line, 0, b"Workshop turn ")?;
    quoted(line, after(line, at, b"): ")?)
}

/// The position after the first occurrence of the text at or after `from`.
fn after(line: &[u8], from: usize, text: &[u8]) -> Option<usize> {
    memchr::memmem::find(line.get(from..)?, text).map(|at| from + at + text.len())
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte == b'.'
}

/// `[COMPLETION_TRACE] … query="query_1796008496789106013"` holds an id, not a prompt.
fn is_query_id(value: &[u8]) -> bool {
    value
        .strip_prefix(b"query_")
        .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// The inside of the Go-quoted text that begins at `at`; to the end of the line where it is not closed.
///
/// A quote inside logrus's `msg="…"` or a wrapper's JSON is itself escaped. At depth 0 a quote is written
/// with no backslash before it, at depth 1 with one, at depth 2 with three: with n = 2^depth - 1. Text
/// inside puts a multiple of 2(n + 1) backslashes before the closing quote, its own quotes never.
fn quoted(line: &[u8], at: usize) -> Option<Range<usize>> {
    let opening = line.get(at..)?.iter().take_while(|&&byte| byte == b'\\').count();
    if line.get(at + opening) != Some(&b'"') || !(opening + 1).is_power_of_two() {
        return None;
    }
    let start = at + opening + 1;
    let mut run = 0_usize;
    for (offset, &byte) in line[start..].iter().enumerate() {
        if byte == b'"' && run % (2 * (opening + 1)) == opening {
            return Some(start..start + offset - opening);
        }
        run = if byte == b'\\' { run + 1 } else { 0 };
    }
    Some(start..line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(line: &str) -> String {
        let (masked, _) = mask_line(line.as_bytes(), line.len() as u64, Content::Masked);
        String::from_utf8_lossy(&masked).into_owned()
    }

    // Every template here: server-behaviour.md#what-the-log-prints; the ids are made up.
    #[test]
    fn each_place_is_masked_and_the_structure_stays() {
        for (line, expected) in [
            (
                r#"[STOP] session=s tracked execution marked canceled: id=query_1 kind=x name="Say \"hi\" now""#,
                r#"[STOP] session=s tracked execution marked canceled: id=query_1 kind=x name="<masked 14 bytes>""#,
            ),
            (
                r#"[QUERY] session=s enable_browser_access=true llm_guidance_len=0 query="Ring Mira""#,
                r#"[QUERY] session=s enable_browser_access=true llm_guidance_len=0 query="<masked 9 bytes>""#,
            ),
            (
                r#"[LATENCY_DEBUG] T+0ms | Request received | query_preview="Ring\n Mira...""#,
                r#"[LATENCY_DEBUG] T+0ms | Request received | query_preview="<masked 14 bytes>""#,
            ),
            (
                r#"[STREAMING_LIFECYCLE] T+9ms | Starting StreamWithEvents | session=s query="Mira" name="x" said"#,
                "[STREAMING_LIFECYCLE] T+9ms | Starting StreamWithEvents | session=s query=<masked 20 bytes>",
            ),
            (
                "[QUERY->LIVE] Delivered /api/query through durable mcpagent session=s provider=p transport=t: Mira: yes",
                "[QUERY->LIVE] Delivered /api/query through durable mcpagent session=s provider=p transport=t: <masked 9 bytes>",
            ),
            (
                "[QUERY→LIVE] Steered /api/query message into running turn for session s status=sent: Mira",
                "[QUERY→LIVE] Steered /api/query message into running turn for session s status=sent: <masked 4 bytes>",
            ),
            (
                "[LIVE INPUT] Delivered user message to provider p session s status=ok: Mira",
                "[LIVE INPUT] Delivered user message to provider p session s status=ok: <masked 4 bytes>",
            ),
            ("[AGENT DEBUG] raw chunk (len=4): Mira", "[AGENT DEBUG] raw chunk (len=4): <masked 4 bytes>"),
            (
                r#"[SCHEDULER] Workshop turn 1/2 (schedule-message-1): "Good \\\" day""#,
                r#"[SCHEDULER] Workshop turn 1/2 (schedule-message-1): "<masked 13 bytes>""#,
            ),
            (
                r#"time="t" level=info msg="x name=\"a \\\"b\\\" c\\\\\" done" file="logger.go:1""#,
                r#"time="t" level=info msg="x name=\"<masked 17 bytes>\" done" file="logger.go:1""#,
            ),
        ] {
            assert_eq!(masked(line), expected);
        }
    }

    #[test]
    fn ids_counters_and_reasons_stay() {
        for line in [
            r#"[COMPLETION_TRACE] stage=x session="s" query="query_1796008496789106013" chunks=1"#,
            r#"[STOP] session=s begin runtime cancel (reason="tmux pane disappeared unexpectedly" phase=x)"#,
            "[STOP] session=s background agents: canceled=1 no_cancel_func=1 already_done=8",
            "[LIVE INPUT] Retained CLI agent for session s has no active turn and no live tmux; starting next turn",
            "[SCHEDULER] Workshop turn 1/2 (schedule-message-1) completed",
            "[API] --> GET /api/x?query=a in_flight=1",
            r#"tool_name="x" name=NO_SERVERS"#,
        ] {
            assert_eq!(masked(line), line);
        }
    }

    #[test]
    fn a_cut_line_is_masked_to_its_end_and_counts_what_was_cut() {
        let line = br#"kind=x name="Say hi"#;
        let (masked, changed) = mask_line(line, 4_000_000, Content::Masked);
        assert!(changed);
        assert_eq!(String::from_utf8_lossy(&masked), r#"kind=x name="<masked 3999987 bytes>"#);
    }

    #[test]
    fn show_content_changes_nothing() {
        let line = br#"name="Say hi""#;
        assert_eq!(mask_line(line, 13, Content::Shown), (Cow::Borrowed(&line[..]), false));
        assert_eq!(mask_value("Say hi", Content::Shown), "Say hi");
        assert_eq!(mask_value("Say hi", Content::Masked), "<masked 6 bytes>");
    }

    proptest::proptest! {
        // Whatever Go's %q makes of a text, at any depth of quoting, the text does not come through.
        #[test]
        fn a_quoted_text_never_leaks(text in "[a-c\"\\\\ =]{1,20}", depth in 0_usize..3) {
            let secret = format!("{text}SECRET{text}");
            let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
            let mut line = format!("name=\"{}\" tail=1", escape(&secret));
            for _ in 0..depth {
                line = escape(&line);
            }
            let masked = masked(&line);
            proptest::prop_assert!(!masked.contains("SECRET"), "{masked}");
            proptest::prop_assert!(masked.ends_with("tail=1"), "{masked}");
        }

        #[test]
        fn any_bytes_are_masked_without_a_panic(line in proptest::collection::vec(0_u8..=255, 0..80)) {
            let (masked, _) = mask_line(&line, line.len() as u64, Content::Masked);
            proptest::prop_assert!(masked.len() <= line.len() * 20 + 20);
        }
    }
}
