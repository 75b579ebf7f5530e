//! The status of a server for a person.

use std::fmt::Write as _;

use super::sights::sights;
use crate::model::server::VersionSource;
use crate::model::snapshot::{Origin, Snapshot};
use crate::render::text::style::Style;

/// The status for a person.
#[must_use]
pub fn render(snapshot: &Snapshot, style: &Style) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{} {value}", style.bold(&format!("{name:<10}")));
    };
    let server = &snapshot.server;
    match &snapshot.origin {
        Origin::Given => line("source", "given by hand"),
        Origin::Server { address } => line("server", &style.safe(address)),
        Origin::Snapshot { path } => line("snapshot", &style.safe(path)),
        Origin::Recorded { path } => line("recording", &style.safe(path)),
        Origin::Log { paths } => line("log", &style.safe(&paths.join(", "))),
    }
    if let Some(time) = snapshot.as_of {
        line("as of", &time.to_string());
    }
    let known = match server.version_source {
        VersionSource::Probe => "by its features",
        VersionSource::Option => "as given by --server-version",
        VersionSource::Assumed => "assumed; the versions of August 2026 cannot be told apart from outside",
    };
    line("version", &format!("{} ({known})", server.version.name()));
    if let Some(user) = &server.user {
        let access = user.value.workflow_access.as_deref().unwrap_or("unknown");
        let name = style.safe(&user.value.name);
        line(
            "user",
            &format!("{name} (id {}, workflow access {})", style.safe(&user.value.id), style.safe(access)),
        );
    }
    if let Some(multi_user) = server.multi_user {
        line("login", if multi_user.value { "every user their own" } else { "single user" });
    }
    if server.schedules_paused.is_some_and(|paused| paused.value) {
        line("schedules", "all paused");
    }
    if !snapshot.removed.is_empty() {
        line("removed", &style.safe(&snapshot.removed.join("; ")));
    }
    out.push('\n');
    for sight in sights(snapshot) {
        let mark = match sight.visible {
            Some(true) => "yes",
            Some(false) => "no",
            None => "?",
        };
        let count = sight.count.map(|count| format!(": {count}")).unwrap_or_default();
        let _ = writeln!(out, "  {mark:<4}{}{count}", sight.what);
        if let Some(lost) = sight.lost {
            let _ = writeln!(out, "      {}", style.dim(&format!("unknown: {lost}")));
        }
        if let Some(enable) = sight.enable {
            let _ = writeln!(out, "      {}", style.dim(&format!("to see it: {enable}")));
        }
    }
    out
}
