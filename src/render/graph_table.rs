//! A graph as a table, one row per node.

use std::collections::BTreeMap;

use comfy_table::{ContentArrangement, Table, presets};

use super::age::age;
use super::graph_facts::Detail;
use super::style::Style;
use crate::engine::graph::{EdgeKind, Graph, Node};

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

/// A table without rules, for a person and for line-wise tools. Cells hold no line ends and are safe already.
#[must_use]
pub fn table(headings: &[&str], rows: Vec<Vec<String>>, with_headings: bool, style: &Style) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if with_headings {
        table.set_header(headings.to_vec());
    }
    if rows.is_empty() && !with_headings {
        return String::new();
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut out = String::new();
    for (at, line) in table.to_string().lines().enumerate() {
        let line = line.trim_end();
        let is_heading = at == 0 && with_headings;
        out.push_str(&if is_heading { style.bold(line) } else { line.to_owned() });
        out.push('\n');
    }
    out
}
