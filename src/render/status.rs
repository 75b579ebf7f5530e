//! The status of a server for a person and as `pulsectl.status/1`.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::json_text;
use super::json_v1::{TOOL, Tool};
use super::source_json::{SnapshotGap, SourceJson, as_of, gaps};
use super::style::Style;
use crate::model::fact::GapCode;
use crate::model::server::VersionSource;
use crate::model::snapshot::{Origin, Snapshot};

/// What has to be done so that trees and terminals can be seen (pulse-api, section 1.1).
const OPEN_THE_GATE: &str = "start the server with AGENTWORKS_RUNTIME_DEBUG=1";

/// The status as a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.status/1")]
pub struct Status<'a> {
    /// Always `pulsectl.status/1`.
    #[schemars(extend("const" = "pulsectl.status/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything that was asked for was read and decoded.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: Vec<SnapshotGap<'a>>,
    /// What this was made from.
    pub source: SourceJson<'a>,
    /// The moment, by the server's clock.
    pub as_of: Option<String>,
    /// Who the caller is to the server; null where that was not asked.
    pub user: Option<User<'a>>,
    /// What the server has; each null where that is not known.
    pub features: Features<'a>,
    /// What can be seen.
    pub sees: Vec<Sight>,
}

/// An account.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct User<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its access to workflows, as the server says it.
    pub workflow_access: Option<&'a str>,
}

/// What the server has.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Features<'a> {
    /// Whether execution trees and terminals can be read.
    pub debug_gate_open: Option<bool>,
    /// Whether people log in with their own names.
    pub multi_user: Option<bool>,
    /// Whether it has the later external tools API.
    pub external_tools: Option<bool>,
    /// Whether all schedules are paused.
    pub schedules_paused: Option<bool>,
    /// Version of its provider library; not the server's.
    pub provider_library: Option<&'a str>,
}

/// One kind of thing that may be seen.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sight {
    /// What.
    pub what: &'static str,
    /// Whether it can be seen; null where that was not tried.
    pub visible: Option<bool>,
    /// How many there are; null where they cannot be counted.
    pub count: Option<u64>,
    /// What is unknown without it; null where it can be seen.
    pub lost: Option<&'static str>,
    /// How to enable it; null where nothing can be done or nothing is needed.
    pub enable: Option<&'static str>,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn json(snapshot: &Snapshot) -> serde_json::Result<String> {
    let server = &snapshot.server;
    let document = Status {
        schema: "pulsectl.status/1",
        tool: TOOL,
        complete: snapshot.is_complete(),
        gaps: gaps(snapshot),
        source: SourceJson::of(snapshot),
        as_of: as_of(snapshot),
        user: server.user.as_ref().map(|user| User {
            id: &user.value.id,
            name: &user.value.name,
            workflow_access: user.value.workflow_access.as_deref(),
        }),
        features: Features {
            debug_gate_open: server.debug_gate_open.map(|open| open.value),
            multi_user: server.multi_user.map(|multi_user| multi_user.value),
            external_tools: server.external_tools,
            schedules_paused: server.schedules_paused.map(|paused| paused.value),
            provider_library: server.provider_library.as_ref().map(|library| library.value.as_str()),
        },
        sees: sights(snapshot),
    };
    json_text::document(&document)
}

/// What can be seen of the server, always in the same order.
fn sights(snapshot: &Snapshot) -> Vec<Sight> {
    let count = |length: usize| u64::try_from(length).ok();
    let gate = snapshot.server.debug_gate_open.map(|open| open.value);
    let enable = (gate == Some(false)).then_some(OPEN_THE_GATE);
    let has_gap = |code| snapshot.gaps.iter().any(|gap| gap.code == code);
    let trees = match gate {
        Some(false) => Some(false),
        _ if !snapshot.trees_read.is_empty() => Some(true),
        Some(true) => Some(true),
        None => None,
    };
    let terminals = match gate {
        Some(false) => Some(false),
        _ if has_gap(GapCode::NoTerminals) => None,
        _ => Some(true),
    };
    let running = snapshot.running.as_ref();
    let mut sights = vec![
        seen("sessions", count(snapshot.sessions().len())),
        Sight {
            what: "executions",
            visible: Some(true),
            count: count(snapshot.executions().len()),
            lost: None,
            enable: None,
        },
        Sight {
            what: "running executions as the server lists them",
            visible: Some(running.is_some()),
            count: running.and_then(|rows| count(rows.len())),
            lost: running.is_none().then_some("which rows a stop left running"),
            enable: None,
        },
        Sight {
            what: "execution trees",
            visible: trees,
            count: None,
            lost: (trees == Some(false)).then_some("names of finished rows, parents, groups, folders"),
            enable,
        },
        Sight {
            what: "terminals in full",
            visible: terminals,
            count: if terminals == Some(true) { count(snapshot.terminals().len()) } else { None },
            lost: (terminals == Some(false)).then_some("tmux names and ages of step panes"),
            enable,
        },
    ];
    if snapshot.server.multi_user.is_some_and(|multi_user| multi_user.value) {
        sights.push(Sight {
            what: "other people's sessions",
            visible: Some(false),
            count: None,
            lost: Some("what other people run; the server lists to each only their own"),
            enable: None,
        });
    }
    sights
}

fn seen(what: &'static str, count: Option<u64>) -> Sight {
    Sight { what, visible: Some(true), count, lost: None, enable: None }
}

/// The status for a person.
#[must_use]
pub fn text(snapshot: &Snapshot, style: &Style) -> String {
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
    if let Some(time) = as_of(snapshot) {
        line("as of", &time);
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
