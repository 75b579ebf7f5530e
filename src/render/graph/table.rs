//! A graph as a table, one row per node.

use std::collections::BTreeMap;

use super::facts::Detail;
use crate::engine::graph::{EdgeKind, Graph, Node};
use crate::render::text::age::age;
use crate::render::text::style::Style;
use crate::render::text::table::table;

/// The columns.
const HEADINGS: [&str; 9] = ["KIND", "ID", "NAME", "STATUS", "AGE", "CLASS", "CANCEL", "UNDER", "CONFIDENCE"];

/// One row per node, by kind and age. Not wrapped where the output is not a terminal.
#[must_use]
pub fn render(graph: &Graph, detail: Detail, style: &Style) -> String {
    let mut nodes: Vec<&Node> = graph.nodes.iter().collect();
    nodes.sort_by_key(|node| (node.kind, node.started_at, &node.id));
    let mut under: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| matches!(edge.kind, EdgeKind::Owns | EdgeKind::Watches)) {
        under.entry(&edge.to).or_default().push(&edge.from);
    }
    let above = |node: &Node| under.get(node.id.as_str()).map_or_else(String::new, |ids| ids.join(" or "));
    let rows = nodes.into_iter().map(|node| row(graph, node, above(node), detail, style)).collect();
    table(&HEADINGS, rows, true, style)
}

fn row(graph: &Graph, node: &Node, under: String, detail: Detail, style: &Style) -> Vec<String> {
    let age = match (node.started_at, graph.as_of) {
        (Some(started), Some(now)) => age(started, now),
        _ => String::from("-"),
    };
    let name = node.name.as_ref().map_or_else(|| "-".into(), |name| name.shown(detail.show_content));
    let none = |text: String| if text.is_empty() { String::from("-") } else { text };
    [
        node.kind.name().to_owned(),
        node.id.clone(),
        name.into_owned(),
        none(node.status.clone().unwrap_or_default()),
        age,
        node.class.name().to_owned(),
        node.cancel.name().to_owned(),
        none(under),
        node.confidence.name().to_owned(),
    ]
    .iter()
    .map(|text| style.safe(text))
    .collect()
}
