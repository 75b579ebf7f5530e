//! A short honest guess what a refused file is, from its first lines.

/// What binary content looks like; `None` where it looks like text.
pub(crate) fn guess_binary(head: &[u8]) -> Option<&'static str> {
    const SIGNATURES: [(&[u8], &str); 12] = [
        (b"\x7fELF", "an ELF program"),
        (b"\x1f\x8b", "gzip inside gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd inside another compression"),
        (b"PK\x03\x04", "a zip archive"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"%PDF", "a PDF"),
        (b"\x89PNG", "a PNG image"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\xff\xfe", "text in UTF-16"),
        (b"\xfe\xff", "text in UTF-16"),
        (b"MZ", "a Windows program"),
    ];
    if let Some((_, name)) = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)) {
        return Some(name);
    }
    if head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    let sample = head.get(..65_536).unwrap_or(head);
    let control = sample.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127)).count();
    (control * 10 > sample.len()).then_some("binary data")
}

/// What text looks like that has no line of a Pulse server.
pub(crate) fn guess_text(head: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(head.get(..16_384).unwrap_or(head));
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(20).collect();
    let Some(first) = lines.first() else { return "blank lines only" };
    let most = |test: fn(&str) -> bool| lines.iter().filter(|line| test(line)).count() * 2 > lines.len();
    let lower = first.to_ascii_lowercase();
    if most(|line| line.starts_with("{\"log\":")) {
        return "the JSON log of a Docker container";
    }
    if most(|line| line.starts_with('{') && line.ends_with('}')) {
        return "JSON lines";
    }
    if first.starts_with(['{', '[']) && lines.iter().any(|line| line.starts_with('"') || line.contains("\":"))
    {
        return "JSON";
    }
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return "HTML";
    }
    if first.starts_with("<?xml") {
        return "XML";
    }
    if most(|line| line.contains(" | 20")) {
        return "the output of `docker compose logs`";
    }
    if most(is_nginx_error) {
        return "an nginx error log";
    }
    if most(|line| line.contains(" - - [") && line.contains("\" ")) {
        return "an HTTP access log";
    }
    if first.starts_with("total ") || most(is_long_listing) {
        return "a directory listing";
    }
    if first.starts_with("#!") {
        return "a script";
    }
    if most(|line| {
        line.as_bytes().first_chunk::<7>().is_some_and(|start| {
            start.iter().take(3).all(u8::is_ascii_alphabetic) && matches!(start.get(3), Some(b' '))
        }) && line.matches(':').count() >= 3
    }) {
        return "a system log (syslog)";
    }
    if most(|line| matches!(line.as_bytes(), [b'2', b'0', _, _, b'-', _, _, b'-', ..])) {
        return "a log of another program";
    }
    "text without time stamps"
}

/// `2026/11/30 03:06:26 [error] 123#0: …`: the stamp of nginx is spelled like that of Go.
pub(crate) fn is_nginx_error(line: &str) -> bool {
    const LEVELS: [&str; 8] = ["debug", "info", "notice", "warn", "error", "crit", "alert", "emerg"];
    let Some((level, rest)) =
        line.get(20..).and_then(|rest| rest.strip_prefix('[')).and_then(|rest| rest.split_once("] "))
    else {
        return false;
    };
    let process = rest.split(':').next().unwrap_or_default();
    LEVELS.contains(&level)
        && process.contains('#')
        && process.bytes().all(|byte| byte.is_ascii_digit() || byte == b'#')
}

fn is_long_listing(line: &str) -> bool {
    let mode = line.as_bytes().first_chunk::<10>();
    mode.is_some_and(|mode| {
        matches!(mode.first(), Some(b'-' | b'd' | b'l'))
            && mode.iter().skip(1).all(|byte| matches!(byte, b'r' | b'w' | b'x' | b'-' | b's' | b't'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_name_what_people_hand_over_by_mistake() {
        for (text, guess) in [
            ("{\"level\":\"info\"}\n{\"level\":\"warn\"}\n", "JSON lines"),
            ("{\n  \"schema\": \"x\"\n}\n", "JSON"),
            ("{\"log\":\"2026/08/21 x\\n\",\"stream\":\"stderr\"}\n", "the JSON log of a Docker container"),
            ("<!DOCTYPE html>\n<html>\n", "HTML"),
            ("127.0.0.1 - - [20/Aug/2026:09:32:10 +0530] \"GET / HTTP/1.1\" 200 1\n", "an HTTP access log"),
            ("2026/11/30 03:06:26 [error] 12#0: *1 open() failed\n", "an nginx error log"),
            ("total 12\n-rw-r--r-- 1 root root 0 Nov 30 05:57 a.log\n", "a directory listing"),
            ("agent-api-1  | 2026/08/21 03:31:10 [SERVER DEBUG] x\n", "the output of `docker compose logs`"),
            ("Nov 30 03:06:26 host app[1]: started\n", "a system log (syslog)"),
            ("2026-11-30T03:06:26Z INFO started\n", "a log of another program"),
            ("hello\nworld\n", "text without time stamps"),
            ("\n\n", "blank lines only"),
        ] {
            assert_eq!(guess_binary(text.as_bytes()), None, "{text}");
            assert_eq!(guess_text(text.as_bytes()), guess, "{text}");
        }
    }

    #[test]
    fn binary_content_is_known_by_its_signature_or_its_control_bytes() {
        assert_eq!(guess_binary(b"\x7fELF\x02\x01\x01"), Some("an ELF program"));
        assert_eq!(guess_binary(b"PK\x03\x04rest"), Some("a zip archive"));
        assert_eq!(guess_binary(&[0; 100]), Some("binary data"));
        assert_eq!(guess_binary(b"2026/11/30 03:06:26 [X] one \0 in a log is no binary"), None);
    }
}
