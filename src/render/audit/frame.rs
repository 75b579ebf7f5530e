//! Evidence for a person: a frame with path, line number, the line and its role under it.

use std::fmt::Write as _;

use super::evidence::ShownEvidence;
use crate::render::text::style::{Style, columns, cut, grouped, wrap};

/// Writes the frames of one finding. Lines of one file that follow each other share a head.
///
/// `session` is shortened inside a line only where the line would not fit the terminal.
pub(crate) fn write_frames(out: &mut String, evidence: &[ShownEvidence<'_>], session: &str, style: &Style) {
    let gutter = evidence.iter().map(|line| line.line.to_string().len()).max().unwrap_or(0);
    let margin = " ".repeat(gutter);
    let (arrow, bar) = (style.glyph("──▶", "-->"), style.glyph("│", "|"));
    let hook = style.glyph("╰─", "`-");
    let mut path = None;
    for line in evidence {
        if path != Some(line.path) {
            let place = format!("{}:{}", style.safe(line.path), line.line);
            let _ = writeln!(out, "  {margin} {} {place}", style.dim(arrow));
            path = Some(line.path);
        }
        let room = style.width.map(|width| width.saturating_sub(gutter + 5).max(20));
        let text = fitted(line, session, room, style);
        let number = style.dim(&format!("{:>gutter$} {bar}", line.line));
        let _ = writeln!(out, "  {number} {text}");
        for (at, words) in
            wrap(&style.safe(line.role), room.map(|room| room.saturating_sub(3))).iter().enumerate()
        {
            let lead = if at == 0 { hook } else { "  " };
            let _ = writeln!(out, "  {} {}", style.dim(&format!("{margin} {bar} {lead}")), style.bold(words));
        }
    }
}

/// The line as it fits: as it stands, else without its date and context prefix, else without the session,
/// and only then cut at its end. Where the output is no terminal it is never changed.
pub(crate) fn fitted(line: &ShownEvidence<'_>, session: &str, room: Option<usize>, style: &Style) -> String {
    let mut text = style.safe(&line.text);
    if line.lossy {
        text.push_str(" (not UTF-8)");
    }
    let rest =
        if line.cut { format!(" ({} bytes in all)", grouped(line.byte_length)) } else { String::new() };
    let mark = style.glyph("…", "...");
    let Some(room) = room else {
        return if line.cut { format!("{text}{mark}{rest}") } else { text };
    };
    if columns(&text) > room {
        text = without_date_and_context(&text);
    }
    let session = style.safe(session);
    if columns(&text) > room && !session.is_empty() {
        // The heading says the session in full.
        text = text.replace(&session, mark);
    }
    if line.cut || columns(&text) > room {
        let cut_text = cut(&text, room.saturating_sub(columns(&rest) + columns(mark)), "");
        return format!("{cut_text}{mark}{rest}");
    }
    text
}

/// The line with its date, which the heading says, and its context prefix left out (server-behaviour.md#shape-of-a-line).
fn without_date_and_context(text: &str) -> String {
    const KEYS: [&str; 6] = ["workflow=", "group=", "mode=", "user=", "user_id=", "session="];
    let Some((stamp, rest)) = text.split_once(" [") else { return text.to_owned() };
    let Some((_, time)) = stamp.split_once(' ').filter(|_| stamp.len() == "2026/11/30 03:11:54".len()) else {
        return text.to_owned();
    };
    let has_context = KEYS.iter().any(|key| rest.starts_with(key));
    // Values may hold brackets and blanks; the tag that follows is what ends the prefix.
    match rest.split_once("] [").filter(|_| has_context) {
        Some((_, message)) => format!("{time} [{message}"),
        None => format!("{time} [{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMINAL: Style = Style { color: false, unicode: false, width: Some(60) };
    const PIPE: Style = Style { color: false, unicode: false, width: None };

    fn line(text: &str) -> ShownEvidence<'_> {
        ShownEvidence {
            path: "server_debug.log",
            line: 1342,
            byte_offset: 0,
            byte_length: text.len() as u64,
            text: text.to_owned(),
            lossy: false,
            cut: false,
            masked: false,
            role: "the sweep",
        }
    }

    // The template of the line: server-behaviour.md#what-the-log-prints.
    const STOP: &str = "2026/11/30 03:11:54 [workflow=w group=Mira Devi session=schedule-cron--nightly_1] [STOP] session=schedule-cron--nightly_1 begin";

    #[test]
    fn a_line_gives_up_its_context_first_and_its_end_last() {
        for (room, expected) in [
            (70, "03:11:54 [STOP] session=schedule-cron--nightly_1 begin"),
            (40, "03:11:54 [STOP] session=... begin"),
            (30, "03:11:54 [STOP] session=......"),
        ] {
            assert_eq!(fitted(&line(STOP), "schedule-cron--nightly_1", Some(room), &TERMINAL), expected);
        }
        assert_eq!(fitted(&line(STOP), "schedule-cron--nightly_1", None, &PIPE), STOP);
    }

    #[test]
    fn lines_of_one_file_share_a_head() {
        let mut out = String::new();
        write_frames(&mut out, &[line("a"), line("b\u{1b}[2J")], "s", &PIPE);
        assert_eq!(
            out,
            "       --> server_debug.log:1342\n  1342 | a\n       | `- the sweep\n  1342 | b\\u{1b}[2J\n       | `- the sweep\n"
        );
    }
}
