//! `pulsectl.graph/1`: frozen structs of their own. Fields may be added; none is renamed
//! or removed without a new number.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::graph;
use crate::engine::graph::{EdgeKind, Graph, NodeKind, Registry};
use crate::engine::resolve::{Cancel, Class};
use crate::model::confidence::Confidence;
use crate::model::document::{DocumentSource, TOOL, Tool};
use crate::model::gap::Gap;
use crate::model::snapshot::Snapshot;
use crate::render::machine::json;

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.graph/1";

/// One graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.graph/1")]
pub struct Document<'a> {
    /// Always `pulsectl.graph/1`.
    #[schemars(extend("const" = "pulsectl.graph/1"))]
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
    /// Id of the node that everything is seen from.
    pub root: &'a str,
    /// What can happen that the nodes do not show, and when; what could not be seen.
    pub warnings: Vec<Warning<'a>>,
    /// By id, each once.
    pub nodes: Vec<Node<'a>>,
    /// By from, to and kind; both ends are nodes.
    pub edges: Vec<Edge<'a>>,
}

/// A warning.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Warning<'a> {
    /// Machine name, such as `latent_death`.
    pub code: &'a str,
    /// What can happen and when, in words.
    pub message: &'a str,
}

/// A node.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Node<'a> {
    /// `session:<id>`, `schedule:<id>`, `workflow:<path>`, else exactly as the server gives it.
    pub id: &'a str,
    /// What it is.
    pub kind: NodeKind,
    /// The session whose id it carries.
    pub session: &'a str,
    /// Its name; what people wrote is masked unless asked for. `null` is unknown.
    pub name: Option<String>,
    /// Status as the server says; `null` is unknown, or a thing without a status.
    pub status: Option<&'a str>,
    /// Where it stands.
    pub registries: &'a [Registry],
    /// What it is to the session of the root.
    pub class: Class,
    /// How sure its class and place are.
    pub confidence: Confidence,
    /// Why it has that class, in words.
    pub reason: &'a str,
    /// Whether something can end it.
    pub cancel: Cancel,
    /// Ids of what it may run in, where that is ambiguous.
    pub candidates: &'a [String],
    /// When it started (RFC 3339); `null` is unknown.
    pub started_at: Option<String>,
    /// When it ended (RFC 3339); `null` where it runs or that is unknown.
    pub finished_at: Option<String>,
    /// What no other field tells, such as "no row of this session".
    pub notes: &'a [&'static str],
}

/// An edge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Edge<'a> {
    /// Id of the first node.
    pub from: &'a str,
    /// Id of the second node.
    pub to: &'a str,
    /// How they hang together.
    pub kind: EdgeKind,
    /// Why, in words.
    pub reason: &'a str,
    /// The record that proves it: where it was read, and the id of the row, terminal or session.
    pub evidence: &'a str,
    /// How sure it is.
    pub confidence: Confidence,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(snapshot: &Snapshot, graph: &Graph, show_content: bool) -> serde_json::Result<String> {
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        complete: snapshot.is_complete(),
        gaps: &snapshot.gaps,
        source: DocumentSource::of(snapshot),
        as_of: snapshot.as_of,
        root: &graph.root,
        warnings: graph
            .warnings
            .iter()
            .map(|warning| Warning { code: warning.code.name(), message: &warning.message })
            .collect(),
        nodes: graph.nodes.iter().map(|of| node(of, show_content)).collect(),
        edges: graph.edges.iter().map(edge).collect(),
    };
    json::document(&document)
}

fn node(node: &graph::Node, show_content: bool) -> Node<'_> {
    Node {
        id: &node.id,
        kind: node.kind,
        session: &node.session,
        name: node.name.as_ref().map(|name| name.shown(show_content).into_owned()),
        status: node.status.as_deref(),
        registries: &node.registries,
        class: node.class,
        confidence: node.confidence,
        reason: &node.reason,
        cancel: node.cancel,
        candidates: &node.candidates,
        started_at: node.started_at.map(|moment| moment.to_string()),
        finished_at: node.finished_at.map(|moment| moment.to_string()),
        notes: &node.notes,
    }
}

fn edge(edge: &graph::Edge) -> Edge<'_> {
    Edge {
        from: &edge.from,
        to: &edge.to,
        kind: edge.kind,
        reason: &edge.reason,
        evidence: &edge.evidence,
        confidence: edge.confidence,
    }
}
