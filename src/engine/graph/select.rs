//! Which part of a graph is wanted: some kinds, some levels, without what has ended, or the way up from one node.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::parts::{Cut, Edge, EdgeKind, Graph, Node, NodeKind};
use crate::engine::resolve::Class;

/// What is wanted of a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only so many levels below the root.
    pub depth: Option<usize>,
    /// Only nodes of these kinds, and what leads to them. Empty: all.
    pub kinds: Vec<NodeKind>,
    /// Also what has ended.
    pub finished: bool,
}

/// Whether an edge says what the second node belongs to.
fn places(edge: &Edge) -> bool {
    matches!(edge.kind, EdgeKind::Owns | EdgeKind::Watches)
}

/// Whether a node has ended, with all that is in it, so that it is collapsed.
#[must_use]
pub fn finished(graph: &Graph) -> BTreeSet<&str> {
    // What leads to live work is live: walk up from every live node.
    let mut live: BTreeSet<&str> = BTreeSet::new();
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| places(edge)) {
        owners.entry(&edge.to).or_default().push(&edge.from);
    }
    let mut queue: Vec<&str> =
        graph.nodes.iter().filter(|node| node.is_live).map(|node| node.id.as_str()).collect();
    while let Some(id) = queue.pop() {
        if live.insert(id) {
            queue.extend(owners.get(id).into_iter().flatten());
        }
    }
    graph.nodes.iter().map(|node| node.id.as_str()).filter(|id| !live.contains(id)).collect()
}

/// The wanted part. The root stays in any case.
#[must_use]
pub fn select(graph: Graph, selection: &Selection) -> Graph {
    let ended: BTreeSet<String> = if selection.finished {
        BTreeSet::new()
    } else {
        finished(&graph).into_iter().map(str::to_owned).collect()
    };
    let mut kept: BTreeSet<String> =
        graph.nodes.iter().map(|node| node.id.clone()).filter(|id| !ended.contains(id)).collect();
    let mut cuts: BTreeMap<String, Cut> = BTreeMap::new();
    let mut keep_only = |wanted: &BTreeSet<&str>, cut: Cut| {
        let (rest, dropped) = kept.iter().cloned().partition(|id| wanted.contains(id.as_str()));
        kept = rest;
        cuts.extend(dropped.into_iter().map(|id: String| (id, cut)));
    };
    if let Some(depth) = selection.depth {
        keep_only(&within(&graph, depth), Cut::Depth(depth));
    }
    if !selection.kinds.is_empty() {
        let wanted = leading_to(&graph, |node| selection.kinds.contains(&node.kind));
        keep_only(&wanted, Cut::Kind);
    }
    let hidden = hidden(&graph, &cuts);
    kept.insert(graph.root.clone());
    let mut collapsed: BTreeMap<NodeKind, usize> = BTreeMap::new();
    for node in graph.nodes.iter().filter(|node| ended.contains(&node.id) && node.id != graph.root) {
        *collapsed.entry(node.kind).or_default() += 1;
    }
    Graph { collapsed: collapsed.into_iter().collect(), hidden, ..restrict(graph, &kept) }
}

/// Counts what was cut by class. Only what has a line of its own counts: not the session's surroundings, and not
/// the terminals of a row, which stand on its line.
fn hidden(graph: &Graph, cuts: &BTreeMap<String, Cut>) -> Vec<(Class, Cut, usize)> {
    let used: BTreeSet<&str> = graph
        .edges
        .iter()
        .filter(|edge| edge.kind == EdgeKind::RunsIn && edge.from != graph.root)
        .map(|edge| edge.to.as_str())
        .collect();
    let in_root: BTreeSet<&str> = graph.edges_from(&graph.root).iter().map(|edge| edge.to.as_str()).collect();
    let mut counts: BTreeMap<(Class, Cut), usize> = BTreeMap::new();
    for (id, cut) in cuts {
        let Some(node) = graph.node(id) else { continue };
        let has_line = match node.kind {
            NodeKind::Schedule | NodeKind::Workflow | NodeKind::Group => false,
            NodeKind::Session => in_root.contains(id.as_str()),
            NodeKind::Terminal => in_root.contains(id.as_str()) || !used.contains(id.as_str()),
            _ => true,
        };
        if has_line {
            *counts.entry((node.class, *cut)).or_default() += 1;
        }
    }
    counts.into_iter().map(|((class, cut), count)| (class, cut, count)).collect()
}

/// The graph as seen from one node upwards: the node, whatever owns, watches or launched it, and its terminals.
/// The root stays the session. `None` where there is no such node.
#[must_use]
pub fn upwards(graph: Graph, id: &str) -> Option<Graph> {
    graph.node(id)?;
    let mut kept: BTreeSet<String> =
        leading_to(&graph, |node| node.id == id).into_iter().map(str::to_owned).collect();
    for edge in &graph.edges {
        if kept.contains(&edge.to) && edge.kind == EdgeKind::Launched
            || edge.from == id && edge.kind == EdgeKind::RunsIn
        {
            kept.insert(edge.from.clone());
            kept.insert(edge.to.clone());
        }
    }
    kept.insert(graph.root.clone());
    Some(restrict(graph, &kept))
}

fn restrict(graph: Graph, kept: &BTreeSet<String>) -> Graph {
    Graph {
        nodes: graph.nodes.into_iter().filter(|node| kept.contains(&node.id)).collect(),
        edges: graph
            .edges
            .into_iter()
            .filter(|edge| kept.contains(&edge.from) && kept.contains(&edge.to))
            .collect(),
        ..graph
    }
}

/// Ids at most so many levels below the root. What nothing leads to stands on the first level; a terminal on that
/// of what works in it, on whose line it is drawn.
fn within(graph: &Graph, depth: usize) -> BTreeSet<&str> {
    let leads = |edge: &&Edge| places(edge) || leads_to_terminal(graph, edge);
    let placed: BTreeSet<&str> = graph.edges.iter().filter(leads).map(|edge| edge.to.as_str()).collect();
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    let mut queue: VecDeque<(&str, usize)> = VecDeque::from([(graph.root.as_str(), 0)]);
    let alone = graph.nodes.iter().map(|node| node.id.as_str());
    queue.extend(alone.filter(|id| !placed.contains(id) && *id != graph.root).map(|id| (id, 1)));
    while let Some((id, level)) = queue.pop_front() {
        if level > depth || levels.contains_key(id) {
            continue;
        }
        levels.insert(id, level);
        queue.extend(graph.edges_from(id).iter().filter(leads).map(|edge| {
            let below = if places(edge) { level + 1 } else { level.max(1) };
            (edge.to.as_str(), below)
        }));
    }
    levels.into_keys().collect()
}

/// Whether an edge says what works in a terminal.
fn leads_to_terminal(graph: &Graph, edge: &Edge) -> bool {
    edge.kind == EdgeKind::RunsIn && graph.node(&edge.to).is_some_and(|node| node.kind == NodeKind::Terminal)
}

/// Ids of the nodes that are wanted and of all that owns or watches one of them, or works in it.
fn leading_to(graph: &Graph, wanted: impl Fn(&Node) -> bool) -> BTreeSet<&str> {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| places(edge) || leads_to_terminal(graph, edge)) {
        owners.entry(&edge.to).or_default().push(&edge.from);
    }
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut queue: Vec<&str> =
        graph.nodes.iter().filter(|node| wanted(node)).map(|node| node.id.as_str()).collect();
    while let Some(id) = queue.pop() {
        if found.insert(id) {
            queue.extend(owners.get(id).into_iter().flatten());
        }
    }
    found
}
