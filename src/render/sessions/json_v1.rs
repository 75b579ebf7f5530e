//! `pulsectl.sessions/1`: frozen structs of their own. Fields may be added; none is
//! renamed or removed without a new number.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::overview::{RegistryStatus, SessionFlag, SessionSummary};
use crate::engine::resolve::TurnNature;
use crate::model::document::{DocumentSource, TOOL, Tool};
use crate::model::gap::Gap;
use crate::model::snapshot::Snapshot;
use crate::render::machine::json;

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.sessions/1";

/// A list of sessions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.sessions/1")]
pub struct Document<'a> {
    /// Always `pulsectl.sessions/1`.
    #[schemars(extend("const" = "pulsectl.sessions/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything was read: false where a gap makes the answer incomplete.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: &'a [Gap],
    /// What it was made from.
    pub source: DocumentSource<'a>,
    /// The moment that it describes (RFC 3339), by the server's clock; `null` is unknown.
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Timestamp>,
    /// In the order that was asked for.
    pub sessions: Vec<Session<'a>>,
}

/// One session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Session<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its title; what people wrote is masked unless asked for.
    pub title: Option<String>,
    /// Its workflow.
    pub workflow: Option<&'a str>,
    /// Status as the server's list says.
    pub status: Option<&'a str>,
    /// Status as the server shows it to people.
    pub display_status: Option<&'a str>,
    /// `running` where a row of the registries runs, else `idle`; `null` is unknown.
    pub registry_status: Option<RegistryStatus>,
    /// The foreground turn; `null` is unknown.
    pub turn: Option<TurnNature>,
    /// Runs and evaluations at work; from a log with a hole at least so many. `null` is unknown.
    pub runs: Option<usize>,
    /// Background agents, detached steps and sub-agents at work; from a log at least so many. `null` is unknown.
    pub agents: Option<usize>,
    /// Active terminals with a tmux pane; `null` is unknown.
    pub panes: Option<usize>,
    /// When it was created (RFC 3339).
    pub created_at: Option<String>,
    /// When it last did something (RFC 3339).
    pub last_activity: Option<String>,
    /// What it is for: `multi-agent`, `workflow_phase`, …
    pub agent_mode: Option<&'a str>,
    /// What triggered it.
    pub triggered_by: Option<&'a str>,
    /// The account that owns it, where known.
    pub user: Option<&'a str>,
    /// What needs attention.
    pub flags: &'a [SessionFlag],
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(
    snapshot: &Snapshot,
    sessions: &[SessionSummary],
    show_content: bool,
) -> serde_json::Result<String> {
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        complete: snapshot.is_complete(),
        gaps: &snapshot.gaps,
        source: DocumentSource::of(snapshot),
        as_of: snapshot.as_of,
        sessions: sessions.iter().map(|of| session(of, show_content)).collect(),
    };
    json::document(&document)
}

fn session(session: &SessionSummary, show_content: bool) -> Session<'_> {
    Session {
        id: &session.id,
        title: session.title.as_ref().map(|title| title.shown(show_content).into_owned()),
        workflow: session.workflow.as_deref(),
        status: session.status.as_deref(),
        display_status: session.display_status.as_deref(),
        registry_status: session.registry_status,
        turn: session.turn,
        runs: session.runs,
        agents: session.agents,
        panes: session.panes,
        created_at: session.created_at.map(|moment| moment.to_string()),
        last_activity: session.last_activity.map(|moment| moment.to_string()),
        agent_mode: session.agent_mode.as_deref(),
        triggered_by: session.triggered_by.as_deref(),
        user: session.user.as_deref(),
        flags: &session.flags,
    }
}
