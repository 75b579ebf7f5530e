//! Walks a graph into lines: what hangs under what, each node in full once.
//!
//! Owns the order, the marks and the depth limit; knows no format. Walks with a stack of its own, as depth and
//! cycles are the server's to choose.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::graph::{Cut, EdgeKind, Graph, Node, NodeKind};
use crate::engine::resolve::Class;

/// Deeper levels are not drawn: no server nests so far, and the guides would grow with the square of the depth.
pub(super) const DEEPEST: usize = 64;

/// What is special about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing.
    None,
    /// The node stands in full on an earlier line.
    Repeated,
    /// The node is also above this line.
    Cycle,
    /// What is below it is not drawn.
    TooDeep,
}

/// One line.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// For each level, whether the line's ancestor on it (in the end the line itself) is the last of its level.
    pub(super) last: Vec<bool>,
    /// How it hangs on the line above, where that must be said.
    pub(super) verb: &'static str,
    /// The node.
    pub(super) node: &'a Node,
    /// What is special about it.
    pub(super) mark: Mark,
}

/// A heading and the lines below it.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) title: &'static str,
    /// What was left out of it, in words; empty where it holds all that works.
    pub(super) hidden: String,
    pub(super) lines: Vec<Line<'a>>,
}

/// The parts of a session's graph, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Owns,
    Watches,
    Unknown,
}

impl Part {
    fn of(class: Class) -> Self {
        match class {
            Class::Owned => Self::Owns,
            Class::Watched | Class::Detached => Self::Watches,
            Class::Unknown => Self::Unknown,
        }
    }
}

/// What a session owns, what it watches, and what cannot be placed.
pub(super) fn downwards(graph: &Graph) -> Vec<Section<'_>> {
    let mut walk = Walk { graph, seen: BTreeSet::new() };
    walk.seen.insert(&graph.root);
    let children = |id: &str| {
        let mut children = below(graph, id, EdgeKind::Owns, "");
        children.extend(below(graph, id, EdgeKind::Watches, "watches"));
        ordered(graph, children)
    };
    let mut owned = below(graph, &graph.root, EdgeKind::Owns, "");
    let panes = below(graph, &graph.root, EdgeKind::RunsIn, "");
    owned.extend(panes.into_iter().filter(|(_, to)| is(graph, to, NodeKind::Terminal)));
    let watched = below(graph, &graph.root, EdgeKind::Watches, "");
    let mut owned = walk.lines(ordered(graph, owned), &children);
    let mut watched = walk.lines(ordered(graph, watched), &children);
    let mut unknown = Vec::new();
    // What nothing owns or watches, or not in what is drawn; then what is left, which hangs only on itself. Its
    // class says where it belongs.
    let drawn = drawn(graph);
    let placed: BTreeSet<&str> = graph
        .edges
        .iter()
        .filter(|edge| matches!(edge.kind, EdgeKind::Owns | EdgeKind::Watches))
        .map(|edge| edge.to.as_str())
        .collect();
    let unplaced = drawn.iter().filter(|id| !placed.contains(*id)).map(|id| ("", *id)).collect();
    let circular = drawn.iter().filter(|id| placed.contains(*id)).map(|id| ("", *id)).collect();
    for start in ordered(graph, unplaced).into_iter().chain(ordered(graph, circular)) {
        let Some(node) = graph.node(start.1).filter(|node| !walk.seen.contains(node.id.as_str())) else {
            continue;
        };
        let lines = walk.lines(vec![start], &children);
        append(
            match Part::of(node.class) {
                Part::Owns => &mut owned,
                Part::Watches => &mut watched,
                Part::Unknown => &mut unknown,
            },
            lines,
        );
    }
    let section = |title, part, lines| Section { title, hidden: hidden(graph, part), lines };
    let mut sections = vec![
        section("owns", Part::Owns, owned),
        section("watches", Part::Watches, watched),
        section("unknown", Part::Unknown, unknown),
    ];
    // That nothing is owned or watched is an answer; that nothing is unknown need not be said.
    sections.retain(|section| {
        section.title != "unknown" || !section.lines.is_empty() || !section.hidden.is_empty()
    });
    sections
}

/// Puts lines after others; what was the last of its level there is no longer.
fn append<'a>(lines: &mut Vec<Line<'a>>, more: Vec<Line<'a>>) {
    if !more.is_empty() {
        for line in lines.iter_mut() {
            if let Some(first) = line.last.first_mut() {
                *first = false;
            }
        }
    }
    lines.extend(more);
}

/// What the selection left out of a part, in words.
fn hidden(graph: &Graph, part: Part) -> String {
    let mut counts: BTreeMap<Cut, usize> = BTreeMap::new();
    for (_, cut, count) in graph.hidden.iter().filter(|(class, ..)| Part::of(*class) == part) {
        *counts.entry(*cut).or_default() += count;
    }
    hidden_words(&counts)
}

/// What the selection left out of all parts, in words.
pub(super) fn all_hidden(graph: &Graph) -> String {
    let mut counts: BTreeMap<Cut, usize> = BTreeMap::new();
    for (_, cut, count) in &graph.hidden {
        *counts.entry(*cut).or_default() += count;
    }
    hidden_words(&counts)
}

fn hidden_words(counts: &BTreeMap<Cut, usize>) -> String {
    let words: Vec<String> = counts
        .iter()
        .map(|(cut, count)| match cut {
            Cut::Depth(depth) => format!("{count} not drawn: --depth {depth}"),
            Cut::Kind => format!("{count} not drawn: --kind"),
        })
        .collect();
    words.join(", ")
}

/// Who owns, watches or launched a node, and who those.
pub(super) fn upwards<'a>(graph: &'a Graph, id: &str) -> Vec<Line<'a>> {
    let mut above: BTreeMap<&str, Vec<(&'static str, &'a str)>> = BTreeMap::new();
    for edge in &graph.edges {
        let verb = match edge.kind {
            EdgeKind::Owns => "owned by",
            EdgeKind::Watches => "watched by",
            EdgeKind::Launched => "launched by",
            EdgeKind::RunsIn | EdgeKind::Shows | EdgeKind::Notifies => continue,
        };
        above.entry(&edge.to).or_default().push((verb, &edge.from));
    }
    // A terminal is looked at through what works in it.
    if is(graph, id, NodeKind::Terminal) {
        for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::RunsIn && edge.to == id) {
            above.entry(&edge.to).or_default().push(("used by", &edge.from));
        }
    }
    let Some(node) = graph.node(id) else { return Vec::new() };
    let mut walk = Walk { graph, seen: BTreeSet::new() };
    walk.lines(vec![("", node.id.as_str())], &|id| above.get(id).cloned().unwrap_or_default())
}

fn below<'a>(graph: &'a Graph, id: &str, kind: EdgeKind, verb: &'static str) -> Vec<(&'static str, &'a str)> {
    let edges = graph.edges_from(id).iter().filter(|edge| edge.kind == kind);
    edges.map(|edge| (verb, edge.to.as_str())).collect()
}

fn is(graph: &Graph, id: &str, kind: NodeKind) -> bool {
    graph.node(id).is_some_and(|node| node.kind == kind)
}

/// Ids of the nodes that have a line of their own: not the session's surroundings, and not terminals that
/// something works in, which stand on its line.
fn drawn(graph: &Graph) -> Vec<&str> {
    let runs_in = graph.edges.iter().filter(|edge| edge.kind == EdgeKind::RunsIn);
    let attached: BTreeSet<&str> = runs_in.map(|edge| edge.to.as_str()).collect();
    let has_line = |node: &&Node| match node.kind {
        NodeKind::Schedule | NodeKind::Workflow | NodeKind::Group | NodeKind::Session => false,
        NodeKind::Terminal => !attached.contains(node.id.as_str()),
        _ => true,
    };
    graph.nodes.iter().filter(has_line).map(|node| node.id.as_str()).collect()
}

/// Oldest first, then by id; terminals last.
fn ordered<'a>(graph: &Graph, mut ids: Vec<(&'static str, &'a str)>) -> Vec<(&'static str, &'a str)> {
    ids.sort_by_key(|(verb, id)| {
        let node = graph.node(id);
        let is_terminal = node.is_some_and(|node| node.kind == NodeKind::Terminal);
        (is_terminal, node.and_then(|node| node.started_at), *id, *verb)
    });
    ids.dedup();
    ids
}

struct Walk<'a> {
    graph: &'a Graph,
    seen: BTreeSet<&'a str>,
}

impl<'a> Walk<'a> {
    fn lines(
        &mut self,
        starts: Vec<(&'static str, &'a str)>,
        children: &impl Fn(&str) -> Vec<(&'static str, &'a str)>,
    ) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        // Each level: the nodes on it that are still to come, and the node that they hang on.
        let mut levels: Vec<(Option<&str>, std::vec::IntoIter<_>)> = vec![(None, starts.into_iter())];
        let mut last: Vec<bool> = Vec::new();
        while let Some((_, level)) = levels.last_mut() {
            let Some((verb, id)) = level.next() else {
                levels.pop();
                last.pop();
                continue;
            };
            let is_last = level.as_slice().is_empty();
            let Some(node) = self.graph.node(id) else { continue };
            let on_path = levels.iter().any(|(above, _)| *above == Some(id));
            let is_new = self.seen.insert(&node.id);
            let below = if is_new { children(id) } else { Vec::new() };
            let mark = match (is_new, on_path) {
                (false, true) => Mark::Cycle,
                (false, false) => Mark::Repeated,
                (true, _) if !below.is_empty() && levels.len() >= DEEPEST => Mark::TooDeep,
                (true, _) => Mark::None,
            };
            let mut guides = last.clone();
            guides.push(is_last);
            lines.push(Line { last: guides, verb, node, mark });
            if mark == Mark::TooDeep {
                self.pass_over(below, children);
                continue;
            }
            if !below.is_empty() {
                last.push(is_last);
                levels.push((Some(&node.id), below.into_iter()));
            }
        }
        lines
    }

    /// Takes everything below a line that is too deep for seen, so that it is not taken for unplaced.
    fn pass_over(
        &mut self,
        below: Vec<(&'static str, &'a str)>,
        children: &impl Fn(&str) -> Vec<(&'static str, &'a str)>,
    ) {
        let mut stack = below;
        while let Some((_, id)) = stack.pop() {
            if self.seen.insert(id) {
                stack.extend(children(id));
            }
        }
    }
}
