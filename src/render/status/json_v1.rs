//! The status of a server as `pulsectl.status/1`.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::sights::{Sight, sights};
use crate::model::document::{DocumentSource, TOOL, Tool};
use crate::model::gap::Gap;
use crate::model::snapshot::Snapshot;
use crate::render::machine::json;

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
    pub gaps: &'a [Gap],
    /// What this was made from.
    pub source: DocumentSource<'a>,
    /// The moment, by the server's clock.
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Timestamp>,
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

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(snapshot: &Snapshot) -> serde_json::Result<String> {
    let server = &snapshot.server;
    let document = Status {
        schema: "pulsectl.status/1",
        tool: TOOL,
        complete: snapshot.is_complete(),
        gaps: &snapshot.gaps,
        source: DocumentSource::of(snapshot),
        as_of: snapshot.as_of,
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
    json::document(&document)
}
