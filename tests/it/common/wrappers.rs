//! Logs as other programs wrap them: what Docker, compose, a container runtime and journald write for the
//! same output of a process.

use std::fmt::Write as _;

use serde_json::json;

/// Docker and the container runtimes cut longer lines into pieces of this size.
const PIECE: usize = 16 << 10;

/// Wraps a log.
pub(crate) type Wrap = fn(&[u8]) -> Vec<u8>;

/// Every wrapper with its name.
pub(crate) const WRAPPERS: [(&str, Wrap); 13] = [
    ("docker-json", docker_json),
    ("docker-json-crlf", |content| crlf(&docker_json(content))),
    ("docker-timestamps", docker_timestamps),
    ("compose", |content| compose(content, &[])),
    ("compose-colours", compose_colours),
    ("compose-timestamps", |content| compose(&docker_timestamps(content), &[])),
    ("cri", cri),
    ("cri-crlf", |content| crlf(&cri(content))),
    ("journal-export", journal_export),
    ("journal-short", |content| journal_short(content, "Nov 30 03:06:26")),
    ("journal-short-iso", |content| journal_short(content, "2026-11-30T03:06:26+0000")),
    ("journal-short-full", |content| journal_short(content, "Mon 2026-11-30 03:06:26 UTC")),
    ("crlf", crlf),
];

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|&byte| byte == b'\n')
}

/// A time as Docker prints it; it moves on, but tells nothing of the line's own stamp.
fn time(number: usize) -> String {
    format!(
        "2026-11-30T{:02}:{:02}:{:02}.{number:09}Z",
        3 + number / 3_600 % 20,
        number / 60 % 60,
        number % 60
    )
}

pub(crate) fn crlf(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in lines(content) {
        match line.strip_suffix(b"\n") {
            Some(text) => out.extend([text, b"\r\n"].concat()),
            None => out.extend(line),
        }
    }
    out
}

/// Docker's json-file, as the daemon encodes it: bytes that are no UTF-8 become U+FFFD.
pub(crate) fn docker_json(content: &[u8]) -> Vec<u8> {
    let mut out = String::new();
    for (number, line) in lines(content).enumerate() {
        let stream = if number % 3 == 0 { "stdout" } else { "stderr" };
        let record = |text: &[u8], stream: &str| json!({ "log": String::from_utf8_lossy(text), "stream": stream, "time": time(number) });
        let text = String::from_utf8_lossy(line);
        let mut rest: &str = &text;
        while rest.len() > PIECE {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
            let _ = writeln!(out, "{}", record(piece.as_bytes(), stream));
            rest = after;
        }
        let _ = writeln!(out, "{}", record(rest.as_bytes(), stream));
    }
    out.into_bytes()
}

/// `docker logs -t`: a time before each line, and before each piece of a long one.
pub(crate) fn docker_timestamps(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, line) in lines(content).enumerate() {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let pieces: Vec<&[u8]> = if text.is_empty() { vec![b""] } else { text.chunks(PIECE).collect() };
        for piece in pieces {
            out.extend(time(number).into_bytes());
            out.push(b' ');
            out.extend(piece);
        }
        out.push(b'\n');
    }
    out
}

/// `docker compose logs`; `others` speak between the lines.
pub(crate) fn compose(content: &[u8], others: &[(&str, &str)]) -> Vec<u8> {
    let mut out = b"Attaching to agent-1\n".to_vec();
    for (number, line) in lines(content).enumerate() {
        for (service, text) in others {
            out.extend(format!("{service:<8} | {text} {number}\n").into_bytes());
        }
        out.extend(b"agent-1  | ");
        out.extend(line);
    }
    out
}

fn compose_colours(content: &[u8]) -> Vec<u8> {
    lines(content).flat_map(|line| [b"\x1b[36magent-1  | \x1b[0m", line].concat()).collect()
}

/// What a container runtime writes for Kubernetes. Long lines come in pieces, and the other stream speaks
/// between them.
pub(crate) fn cri(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let all: Vec<&[u8]> = lines(content).collect();
    let mut number = 0;
    while let Some(line) = all.get(number) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let mut pieces = text.chunks(PIECE).peekable();
        let mut between = all.get(number + 1).copied();
        if text.is_empty() {
            out.extend(format!("{} stderr F \n", time(number)).into_bytes());
        }
        let is_long = text.len() > PIECE;
        while let Some(piece) = pieces.next() {
            let tag = if pieces.peek().is_some() { 'P' } else { 'F' };
            out.extend(format!("{} stderr {tag} ", time(number)).into_bytes());
            out.extend(piece);
            out.push(b'\n');
            if let (true, Some(other)) = (is_long, between.take()) {
                let other = other.strip_suffix(b"\n").unwrap_or(other);
                let mut others = other.chunks(PIECE).peekable();
                if other.is_empty() {
                    out.extend(format!("{} stdout F \n", time(number)).into_bytes());
                }
                while let Some(piece) = others.next() {
                    let tag = if others.peek().is_some() { 'P' } else { 'F' };
                    out.extend(format!("{} stdout {tag} ", time(number)).into_bytes());
                    out.extend(piece);
                    out.push(b'\n');
                }
            }
        }
        number += if is_long { 2 } else { 1 };
    }
    out
}

/// journald keeps no empty lines.
fn journal_lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines(content).map(|line| line.strip_suffix(b"\n").unwrap_or(line)).filter(|line| !line.is_empty())
}

/// `journalctl -o export`: a message that is not plain text has its length before it.
pub(crate) fn journal_export(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, line) in journal_lines(content).enumerate() {
        let stamp = 1_796_007_986_000_000 + number;
        out.extend(
            format!("__CURSOR=s=0;i={number}\n__REALTIME_TIMESTAMP={stamp}\nPRIORITY=6\n").into_bytes(),
        );
        let pieces = line.chunks(48 << 10).count();
        for (at, piece) in line.chunks(48 << 10).enumerate() {
            if at > 0 {
                out.extend(format!("\n__CURSOR=s=0;i={number}\n__REALTIME_TIMESTAMP={stamp}\n").into_bytes());
            }
            if piece.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') {
                out.extend([b"MESSAGE=", piece, b"\n"].concat());
            } else {
                let length = (piece.len() as u64).to_le_bytes();
                out.extend([b"MESSAGE\n", &length[..], piece, b"\n"].concat());
            }
            out.extend(b"SYSLOG_IDENTIFIER=pulse\n_SYSTEMD_UNIT=pulse.service\n");
            if at + 1 < pieces {
                out.extend(b"_LINE_BREAK=line-max\n");
            }
        }
        out.push(b'\n');
    }
    out
}

/// `journalctl` with this time before each line; other units speak too.
pub(crate) fn journal_short(content: &[u8], time: &str) -> Vec<u8> {
    let mut out = b"-- Boot 0123456789abcdef --\n".to_vec();
    for (number, line) in journal_lines(content).enumerate() {
        if number % 10 == 0 {
            out.extend(format!("{time} host sshd[7]: session opened for user {number}\n").into_bytes());
        }
        out.extend(format!("{time} host pulse[4711]: ").into_bytes());
        out.extend(line);
        out.push(b'\n');
    }
    out
}
