//! What is said about one node on a line, and about a whole graph above and below the lines; for a person.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::lines::{Line, Mark};
use crate::engine::graph::warning::{Warning, WarningCode};
use crate::engine::graph::{DISPLAY_ONLY, EdgeKind, Graph, Node, NodeKind};
use crate::engine::resolve::{Cancel, Class};
use crate::model::confidence::Confidence;
use crate::model::gap::GapCode;
use crate::render::text::age::{age, clock};

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Show what people wrote.
    pub show_content: bool,
    /// Show the reason of every line.
    pub reasons: bool,
}

/// Says things about the nodes of one graph.
pub(super) struct Facts<'a> {
    graph: &'a Graph,
    detail: Detail,
    /// Active terminals by what works in them.
    panes: BTreeMap<&'a str, Vec<&'a Node>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(graph: &'a Graph, detail: Detail) -> Self {
        let mut panes: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
        for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::RunsIn) {
            if let Some(node) = graph.node(&edge.to)
                && node.kind == NodeKind::Terminal
                && node.is_live
            {
                panes.entry(&edge.from).or_default().push(node);
            }
        }
        Self { graph, detail, panes }
    }

    /// The facts of a line, in the order in which they are told; none is safe for a terminal yet.
    pub(super) fn of(&self, line: &Line<'_>) -> Vec<String> {
        let node = line.node;
        if matches!(line.mark, Mark::Repeated | Mark::Cycle) {
            return Vec::new();
        }
        let mut facts = Vec::new();
        if let Some(name) = &node.name {
            facts.push(name.shown(self.detail.show_content).into_owned());
        }
        facts.extend(self.state(node));
        if !matches!(
            node.kind,
            NodeKind::Terminal | NodeKind::Session | NodeKind::Schedule | NodeKind::Workflow
        ) {
            facts.push(cancel(node.cancel).to_owned());
        }
        match node.class {
            Class::Detached => facts.push(String::from("detached")),
            Class::Unknown => facts.push(String::from("class unknown")),
            Class::Owned | Class::Watched => {}
        }
        facts.extend(self.panes_of(node));
        if !node.candidates.is_empty() {
            facts.push(format!("in one of {}", node.candidates.join(", ")));
        }
        facts.extend(node.notes.iter().map(|note| (*note).to_owned()));
        if node.confidence != Confidence::High {
            facts.push(format!("{} confidence", node.confidence.name()));
        }
        if self.detail.reasons || node.class == Class::Unknown {
            facts.push(format!("because {}", node.reason));
        }
        if line.mark == Mark::TooDeep {
            facts.push(String::from("deeper levels are not drawn"));
        }
        facts
    }

    /// Status and age, as far as known.
    fn state(&self, node: &Node) -> Option<String> {
        let status = match (&node.status, node.kind) {
            (Some(status), _) => status.clone(),
            (None, NodeKind::Turn | NodeKind::Run | NodeKind::Item | NodeKind::Agent) => {
                String::from("status unknown")
            }
            (None, _) => String::new(),
        };
        let since = |moment: Timestamp| match self.graph.as_of {
            Some(now) => age(moment, now),
            None => clock(moment),
        };
        let time = match (node.finished_at, node.started_at, node.is_live) {
            // A session was at work since it was created at most in part of that time.
            (_, Some(created), _) if node.kind == NodeKind::Session => {
                Some(format!("created {} ago", since(created)))
            }
            (Some(ended), _, _) => Some(format!("ended {} ago", since(ended))),
            (None, Some(started), true) => Some(format!("for {}", since(started))),
            (None, Some(started), false) => Some(format!("since {}", since(started))),
            (None, None, _) => None,
        };
        let time = if self.graph.as_of.is_none() {
            node.started_at.map(|started| format!("since {}", clock(started)))
        } else {
            time
        };
        match (status.is_empty(), time) {
            (true, time) => time,
            (false, Some(time)) if node.kind == NodeKind::Session => Some(format!("{status}, {time}")),
            (false, None) => Some(status),
            (false, Some(time)) => Some(format!("{status} {time}")),
        }
    }

    /// The panes of a node; those of an item stand on the line of its step.
    fn panes_of(&self, node: &Node) -> Vec<String> {
        if node.kind == NodeKind::Item {
            return Vec::new();
        }
        let mut panes: Vec<String> =
            self.panes.get(node.id.as_str()).into_iter().flatten().map(|pane| self.pane(pane)).collect();
        panes.sort();
        panes.dedup();
        panes
    }

    fn pane(&self, pane: &Node) -> String {
        match &pane.name {
            Some(name) => format!("pane {}", name.shown(self.detail.show_content)),
            None if pane.notes.contains(&DISPLAY_ONLY) => String::from("display"),
            None => String::from("pane (name not readable)"),
        }
    }

    /// What the session is, for the first line.
    pub(super) fn root(&self) -> Vec<String> {
        let Some(node) = self.graph.node(&self.graph.root) else { return Vec::new() };
        let mut facts = Vec::new();
        if let Some(name) = &node.name {
            facts.push(name.shown(self.detail.show_content).into_owned());
        }
        for edge in
            self.graph.edges_from(&self.graph.root).iter().filter(|edge| edge.kind == EdgeKind::RunsIn)
        {
            if let Some(node) = self.graph.node(&edge.to).filter(|node| node.kind == NodeKind::Workflow) {
                facts.push(node.id.replacen(':', " ", 1));
            }
        }
        facts.extend(self.state(node));
        facts.extend(node.notes.iter().map(|note| (*note).to_owned()));
        for edge in self
            .graph
            .edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Launched && edge.to == self.graph.root)
        {
            facts.push(format!("launched by {}", edge.from.replacen(':', " ", 1)));
        }
        facts
    }
}

/// The name of a node on a line: its id without what its kind already says.
pub(super) fn title(node: &Node) -> &str {
    match node.kind {
        NodeKind::Session | NodeKind::Schedule | NodeKind::Workflow | NodeKind::Group => {
            node.id.split_once(':').map_or(node.id.as_str(), |(_, id)| id)
        }
        NodeKind::Terminal => node
            .id
            .strip_prefix(node.session.as_str())
            .and_then(|rest| rest.strip_prefix(':'))
            .unwrap_or(&node.id),
        _ => &node.id,
    }
}

/// Whether something can end it, in words.
pub(super) fn cancel(cancel: Cancel) -> &'static str {
    match cancel {
        Cancel::Own => "own cancel",
        Cancel::Inherited => "cancel inherited",
        Cancel::None => "no cancel",
        Cancel::Unknown => "cancel unknown",
    }
}

/// What is said of a part without a node. A log that begins in mid-process hides what was registered before.
pub(super) fn nothing(graph: &Graph) -> &'static str {
    let hides = |warning: &Warning| warning.code == WarningCode::Gap(GapCode::LogBegins);
    if graph.warnings.iter().any(hides) { "nothing known to be at work" } else { "nothing at work" }
}

/// What was left out, for the last line; `None` where nothing was.
pub(super) fn collapsed(graph: &Graph) -> Option<String> {
    if graph.collapsed.is_empty() {
        return None;
    }
    let counts: Vec<String> =
        graph.collapsed.iter().map(|(kind, count)| format!("{count} {}", plural(*kind, *count))).collect();
    Some(format!("finished: {} (--all shows them)", counts.join(", ")))
}

fn plural(kind: NodeKind, count: usize) -> String {
    let name = kind.name().replace('_', "-");
    if count == 1 { name } else { format!("{name}s") }
}
