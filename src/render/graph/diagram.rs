//! A graph for drawing programs: Graphviz `dot` and Mermaid. Ids stand in labels, so nothing needs to be legal
//! as a name; what these formats give a meaning to is escaped.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::facts::Detail;
use crate::engine::graph::{EdgeKind, Graph, Node, NodeKind};
use crate::model::confidence::Confidence;
use crate::render::text::sanitize::sanitize;

/// The graph for Graphviz.
#[must_use]
pub fn dot(graph: &Graph, detail: Detail) -> String {
    let mut out =
        String::from("digraph pulse {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    let names = names(graph);
    for node in &graph.nodes {
        let shape = match node.kind {
            NodeKind::Session => "doubleoctagon",
            NodeKind::Terminal => "note",
            NodeKind::Mirror => "ellipse",
            _ => "box",
        };
        let style = if node.is_live { "solid" } else { "dotted" };
        let label: Vec<String> = label(node, detail).iter().map(|line| quoted(line)).collect();
        let name = names.get(node.id.as_str()).copied().unwrap_or_default();
        let _ = writeln!(out, "  n{name} [shape={shape}, style={style}, label=\"{}\"];", label.join("\\n"));
    }
    for edge in &graph.edges {
        let ends = names.get(edge.from.as_str()).zip(names.get(edge.to.as_str()));
        let Some((from, to)) = ends else { continue };
        let style = if edge.confidence == Confidence::High { "solid" } else { "dashed" };
        let tip = quoted(&edge.reason);
        let _ = writeln!(
            out,
            "  n{from} -> n{to} [label=\"{}\", style={style}, tooltip=\"{tip}\"];",
            edge.kind.name()
        );
    }
    out.push_str("}\n");
    out
}

/// The graph for Mermaid.
#[must_use]
pub fn mermaid(graph: &Graph, detail: Detail) -> String {
    let mut out = String::from("flowchart LR\n");
    let names = names(graph);
    for node in &graph.nodes {
        let (open, close) = match node.kind {
            NodeKind::Session => ("([", "])"),
            NodeKind::Terminal => ("[/", "/]"),
            NodeKind::Mirror => ("(", ")"),
            _ => ("[", "]"),
        };
        let label: Vec<String> = label(node, detail).iter().map(|line| entity(line)).collect();
        let name = names.get(node.id.as_str()).copied().unwrap_or_default();
        let _ = writeln!(out, "  n{name}{open}\"{}\"{close}", label.join("<br/>"));
    }
    for edge in &graph.edges {
        let ends = names.get(edge.from.as_str()).zip(names.get(edge.to.as_str()));
        let Some((from, to)) = ends else { continue };
        let arrow = match (edge.kind, edge.confidence) {
            (EdgeKind::Owns, Confidence::High) => "==>",
            (_, Confidence::High) => "-->",
            _ => "-.->",
        };
        let _ = writeln!(out, "  n{from} {arrow}|{}| n{to}", edge.kind.name());
    }
    out
}

/// A short name for each node, by its place.
fn names(graph: &Graph) -> BTreeMap<&str, usize> {
    graph.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect()
}

fn label(node: &Node, detail: Detail) -> Vec<String> {
    let mut lines = vec![format!("{} {}", node.kind.name(), node.id)];
    lines.extend(node.name.as_ref().map(|name| name.shown(detail.show_content).into_owned()));
    let status = node.status.as_deref().unwrap_or("status unknown");
    lines.push(format!("{status}, {}, cancel {}", node.class.name(), node.cancel.name()));
    if !node.candidates.is_empty() {
        lines.push(format!("in one of {}", node.candidates.join(", ")));
    }
    lines
}

/// Text inside the double quotes of `dot`.
fn quoted(text: &str) -> String {
    // `dot` gives a backslash and a quote a meaning; controls are made visible first.
    sanitize(text, true).replace('\\', "\\\\").replace('"', "\\\"")
}

/// Text inside the double quotes of Mermaid, which reads entities and HTML there.
fn entity(text: &str) -> String {
    let mut safe = String::new();
    for character in sanitize(text, true).chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '`' | ';' => {
                let _ = write!(safe, "#{};", u32::from(character));
            }
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(quoted("a\"b\\c\n"), "a\\\"b\\\\c\\\\n");
        assert_eq!(entity("<b>\"x\";`#&"), "#60;b#62;#34;x#34;#59;#96;#35;#38;");
    }
}
