//! A log as its lines, raw chunks whole, and as its messages (a stamped line with what continues it).

use std::sync::LazyLock;

use regex::bytes::Regex;

/// A line, or a raw chunk with its body, which may hold many lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece<'log> {
    /// The line without its end; of a raw chunk all before the body.
    pub(crate) head: &'log [u8],
    /// The body of a raw chunk.
    pub(crate) body: Option<&'log [u8]>,
    /// A line end, or nothing at the end of the log or after a body that ends in one.
    pub(crate) end: &'log [u8],
}

static CHUNK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?-u)^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d (?:\[[^\n]*\] )?\[AGENT DEBUG\] raw chunk \(len=(\d+)\): ",
    )
    .expect("a correct pattern")
});

impl<'log> Piece<'log> {
    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.body.map_or(0, <[u8]>::len) + self.end.len()
    }
}

/// The pieces of a log. Their bytes, one after the other, are the log.
pub(crate) fn pieces(log: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = log;
    while !rest.is_empty() {
        let piece = first_piece(rest);
        rest = &rest[piece.len()..];
        pieces.push(piece);
    }
    pieces
}

fn first_piece(rest: &[u8]) -> Piece<'_> {
    let line_length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    if let Some((head, length)) = chunk_head(&rest[..line_length]) {
        let (body, after) = rest[head..].split_at(length.min(rest.len() - head));
        let ends_itself = body.last() == Some(&b'\n');
        let end = if !ends_itself && after.first() == Some(&b'\n') { &after[..1] } else { &after[..0] };
        return Piece { head: &rest[..head], body: Some(body), end };
    }
    let end = &rest[line_length..rest.len().min(line_length + 1)];
    Piece { head: &rest[..line_length], body: None, end }
}

/// Where the body of a raw chunk begins in its line, and its length.
fn chunk_head(line: &[u8]) -> Option<(usize, usize)> {
    let found = CHUNK.captures(line)?;
    let length = std::str::from_utf8(found.get(1)?.as_bytes()).ok()?.parse().ok()?;
    Some((found.get(0)?.end(), length))
}

/// The log with each line and each chunk body changed, the stated lengths made right again.
pub(crate) fn rewrite(
    log: &[u8],
    line: impl Fn(&[u8]) -> Vec<u8>,
    body: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let mut rewritten = Vec::with_capacity(log.len() + log.len() / 8);
    for piece in pieces(log) {
        let head = line(piece.head);
        match piece.body {
            None => rewritten.extend(head),
            Some(old) => {
                let new = body(old);
                rewritten.extend(with_length(&head, old.len(), new.len()));
                rewritten.extend(new);
            }
        }
        rewritten.extend(piece.end);
    }
    rewritten
}

fn with_length(head: &[u8], old: usize, new: usize) -> Vec<u8> {
    let stated = format!("raw chunk (len={old}): ").into_bytes();
    let before = head.strip_suffix(stated.as_slice()).expect("the head of a chunk ends in its length");
    [before, format!("raw chunk (len={new}): ").as_bytes()].concat()
}

/// A stamped line with all that continues it: what may not be torn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message<'log> {
    /// Its bytes, line ends included.
    pub(crate) bytes: &'log [u8],
    /// Its wall clock in seconds since 1970 as if the zone were UTC; nothing before the first stamped line.
    pub(crate) wall: Option<i64>,
}

/// The messages of a log. Their bytes, one after the other, are the log.
pub(crate) fn messages(log: &[u8]) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut start = 0;
    let mut wall = None;
    let mut at = 0;
    for piece in pieces(log) {
        if let Some(stamp) = super::clock::wall_of(piece.head) {
            if at > start {
                messages.push(Message { bytes: &log[start..at], wall });
            }
            start = at;
            wall = Some(stamp);
        }
        at += piece.len();
    }
    if at > start {
        messages.push(Message { bytes: &log[start..at], wall });
    }
    messages
}

/// The messages as one log again; a line end is added where one message would run into the next.
pub(crate) fn joined<'log>(messages: impl IntoIterator<Item = &'log [u8]>) -> Vec<u8> {
    let mut log: Vec<u8> = Vec::new();
    for message in messages {
        if log.last().is_some_and(|last| *last != b'\n') {
            log.push(b'\n');
        }
        log.extend(message);
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] = b"banner\n2026/11/30 03:14:56 [A] one\ngoes on\n\
        2026/11/30 03:14:57 [mode=multi-agent] [AGENT DEBUG] raw chunk (len=21): two\n2026/11/30 lines\n\n\
        2026/11/30 03:14:58 last";

    #[test]
    fn pieces_are_the_log() {
        let pieces = pieces(LOG);
        let bytes: Vec<u8> = pieces
            .iter()
            .flat_map(|piece| [piece.head, piece.body.unwrap_or_default(), piece.end].concat())
            .collect();
        assert_eq!(bytes, LOG);
        let bodies: Vec<_> = pieces.iter().filter_map(|piece| piece.body).collect();
        assert_eq!(bodies, [b"two\n2026/11/30 lines\n"]);
        assert_eq!(messages(LOG).len(), 4, "banner, one with its continuation, the chunk, last");
    }

    /// log-grammar.md, section 1.4: the length is that of the text in bytes.
    #[test]
    fn a_changed_chunk_states_its_new_length() {
        let rewritten = rewrite(LOG, <[u8]>::to_vec, |body| [b"more ".as_slice(), body].concat());
        let text = String::from_utf8(rewritten.clone()).expect("text");
        assert!(text.contains("(len=26): more two\n"), "{text}");
        let bodies: Vec<_> = pieces(&rewritten).into_iter().filter_map(|piece| piece.body).collect();
        assert_eq!(bodies, [b"more two\n2026/11/30 lines\n"]);
    }
}
