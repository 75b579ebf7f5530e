//! Nodes and edges, as the machine format names them. Data only.

use jiff::Timestamp;

use super::warning::Warning;
use crate::engine::resolve::{Cancel, Class};
use crate::model::confidence::Confidence;
use crate::model::fact::Label;
use crate::model::words::words;

words! {
    /// What a node is.
    pub enum NodeKind {
        /// A session.
        Session = "session",
        /// One message being worked on.
        Turn = "turn",
        /// A full run, or a run in orchestrator mode.
        Run = "run",
        /// A full evaluation.
        Evaluation = "evaluation",
        /// A step of the plan.
        Step = "step",
        /// An item of a message sequence.
        Item = "item",
        /// A row that only shows progress.
        Mirror = "mirror",
        /// Background work with its own cancel.
        Agent = "agent",
        /// A sub-agent of a todo step.
        SubAgent = "sub_agent",
        /// A terminal: a pane, or the display of an API agent.
        Terminal = "terminal",
        /// A schedule.
        Schedule = "schedule",
        /// A workflow.
        Workflow = "workflow",
        /// A group of a workflow.
        Group = "group",
    }
}

words! {
    /// Where a node stands.
    pub enum Registry {
        /// The tracked executions, which hold no cancels.
        Tracked = "tracked",
        /// The background agents, which may.
        Background = "background",
        /// The terminals.
        Terminals = "terminals",
        /// The sessions.
        Sessions = "sessions",
        /// Nowhere: it follows from something else.
        Inferred = "inferred",
    }
}

words! {
    /// How two nodes hang together.
    pub enum EdgeKind {
        /// The second ends rightly with the first.
        Owns = "owns",
        /// The second must outlive the first, which is only told of its end.
        Watches = "watches",
        /// The first started the second, which by itself makes it nobody's.
        Launched = "launched",
        /// The first works in the second, a terminal or a workflow.
        RunsIn = "runs_in",
        /// The first only displays the second.
        Shows = "shows",
        /// The end of the first is reported to the second.
        Notifies = "notifies",
    }
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its id: `session:<id>`, `schedule:<id>`, `workflow:<path>`, else exactly as the server gives it.
    pub id: String,
    /// What it is.
    pub kind: NodeKind,
    /// The session whose id it carries; for a schedule or workflow that of the graph.
    pub session: String,
    /// Its name, which may be something that a person wrote.
    pub name: Option<Label>,
    /// Its status as the server says; `None` is unknown, or a thing without a status.
    pub status: Option<String>,
    /// Where it stands.
    pub registries: Vec<Registry>,
    /// What it is to the session of the graph.
    pub class: Class,
    /// How sure its class and place are.
    pub confidence: Confidence,
    /// Why it has that class, in words.
    pub reason: String,
    /// Whether something can end it.
    pub cancel: Cancel,
    /// Ids of what it may run in, where that is ambiguous.
    pub candidates: Vec<String>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// What a person should know about it that no other field tells, such as "no row any more".
    pub notes: Vec<&'static str>,
    /// Whether it works, or may work; what does not is collapsed.
    pub is_live: bool,
}

/// One edge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Id of the first node.
    pub from: String,
    /// Id of the second node.
    pub to: String,
    /// How they hang together.
    pub kind: EdgeKind,
    /// Why, in words.
    pub reason: String,
    /// The record that proves it.
    pub evidence: String,
    /// How sure it is.
    pub confidence: Confidence,
}

/// Why a node is not drawn although it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// It stands deeper than so many levels below the root.
    Depth(usize),
    /// It is none of the kinds that are wanted, and leads to none.
    Kind,
}

/// A session and all that hangs on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Id of the node that everything is seen from.
    pub root: String,
    /// The moment that it describes, by the server's clock.
    pub as_of: Option<Timestamp>,
    /// What a person must know before reading it.
    pub warnings: Vec<Warning>,
    /// By id, each once.
    pub nodes: Vec<Node>,
    /// By from, to and kind, each once; both ends are nodes.
    pub edges: Vec<Edge>,
    /// How many nodes of each kind were left out because they have ended.
    pub collapsed: Vec<(NodeKind, usize)>,
    /// How many nodes of each class were left out because the selection did not want them. An empty part of a
    /// graph says nothing about the session where one of these belongs to it.
    pub hidden: Vec<(Class, Cut, usize)>,
}

impl Graph {
    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&Node> {
        let at = self.nodes.binary_search_by(|node| node.id.as_str().cmp(id)).ok()?;
        self.nodes.get(at)
    }

    /// The edges that begin at this node.
    #[must_use]
    pub fn edges_from(&self, id: &str) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from.as_str() < id);
        let end = self.edges.partition_point(|edge| edge.from.as_str() <= id);
        self.edges.get(start..end).unwrap_or_default()
    }
}
