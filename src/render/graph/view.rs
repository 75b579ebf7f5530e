//! What a graph is shown from.

use super::facts::Detail;
use crate::engine::graph::Graph;
use crate::model::snapshot::Snapshot;

/// A graph and how it is to be shown.
#[derive(Debug, Clone, Copy)]
pub struct GraphView<'a> {
    /// What it was made from.
    pub snapshot: &'a Snapshot,
    /// What the selection leaves of it.
    pub graph: &'a Graph,
    /// The same with what has ended; the JSON document holds it always.
    pub whole: &'a Graph,
    /// The node from which it goes upwards; `None` for a session's own graph.
    pub from: Option<&'a str>,
    /// How much is said.
    pub detail: Detail,
}
