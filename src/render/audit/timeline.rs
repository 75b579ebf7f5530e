//! `--timeline`: one session's incident second by second, as people retell it.

use std::fmt::Write as _;

use super::evidence::shown;
use super::frame::fitted;
use super::view::AuditView;
use crate::render::text::moment::{date, time_of_day};
use crate::render::text::style::{Style, wrap};

/// The timeline of the report, one block per session. Empty where none was asked for.
#[must_use]
pub fn render(view: &AuditView<'_>, style: &Style) -> String {
    let mut out = String::new();
    let mut sessions: Vec<&str> = Vec::new();
    for entry in &view.report.timeline {
        if !sessions.contains(&entry.session.as_str()) {
            sessions.push(&entry.session);
        }
    }
    for session in sessions {
        write_session(&mut out, view, session, style);
    }
    out
}

/// Column where the words begin: behind `03:11:54  `.
const INDENT: usize = 10;

fn write_session(out: &mut String, view: &AuditView<'_>, session: &str, style: &Style) {
    let name = if session.is_empty() { String::from("no session") } else { style.safe(session) };
    let _ = writeln!(out, "{}", style.bold(&format!("Timeline of session {name}")));
    let (mut last_date, mut last_time) = (String::new(), String::new());
    for entry in view.report.timeline.iter().filter(|entry| entry.session == session) {
        let (date, time) = (date(entry.time), time_of_day(entry.time));
        if date != last_date {
            let _ = writeln!(out, "{date}");
            last_time.clear();
        }
        // The second is said once; what follows in it stands under it.
        let stamp = if time == last_time { " ".repeat(time.len()) } else { time.clone() };
        let room = style.width.map(|width| width.saturating_sub(INDENT));
        for (at, words) in wrap(&style.safe(&entry.what), room).iter().enumerate() {
            let lead = if at == 0 { stamp.as_str() } else { "        " };
            let _ = writeln!(out, "{lead}  {words}");
        }
        let line = shown(view.report, &entry.evidence, view.content);
        let text = fitted(&line, session, room, style);
        let place = format!("{}:{}", style.safe(line.path), line.line);
        let _ = writeln!(out, "{}{}", " ".repeat(INDENT), style.dim(&place));
        let _ = writeln!(out, "{}{}", " ".repeat(INDENT), style.dim(&text));
        (last_date, last_time) = (date, time);
    }
    out.push('\n');
}
