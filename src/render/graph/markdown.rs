//! A graph as Markdown, for a ticket or a post-mortem: warnings, then nested lists.

use super::facts::{Detail, Facts, collapsed, nothing, title};
use super::lines::{Line, Mark, all_hidden, downwards, upwards};
use super::view::GraphView;
use crate::engine::graph::Graph;
use crate::render::text::markdown::{capital, code, plain};
use crate::render::text::source::described;

/// The graph of a view, downwards or upwards.
#[must_use]
pub fn show(view: &GraphView<'_>) -> String {
    let source = described(view.snapshot);
    match view.from {
        None => render(view.graph, &source, view.detail),
        Some(id) => render_upwards(view.graph, id, &source, view.detail),
    }
}

/// The graph of a session.
#[must_use]
pub fn render(graph: &Graph, source: &str, detail: Detail) -> String {
    let facts = Facts::new(graph, detail);
    let root = graph.node(&graph.root).map_or(graph.root.as_str(), title);
    let mut out = format!("## Session {}\n\nFrom {}\n\n", code(root), plain(source));
    let about = facts.root();
    if !about.is_empty() {
        out.push_str(&format!(
            "{}\n\n",
            about.iter().map(|fact| plain(fact)).collect::<Vec<_>>().join(" \u{b7} ")
        ));
    }
    warnings(&mut out, graph);
    for section in downwards(graph) {
        out.push_str(&format!("### {}\n\n", capital(section.title)));
        if !section.hidden.is_empty() {
            let gap = if section.lines.is_empty() { "" } else { "\n" };
            out.push_str(&format!("{}\n{gap}", plain(&section.hidden)));
        } else if section.lines.is_empty() {
            out.push_str(&format!("{}.\n", capital(nothing(graph))));
        }
        for line in &section.lines {
            write_line(&mut out, line, &facts);
        }
        out.push('\n');
    }
    if let Some(text) = collapsed(graph) {
        out.push_str(&format!("{}\n", plain(&text)));
    }
    out
}

/// Who owns, watches or launched this node.
#[must_use]
pub fn render_upwards(graph: &Graph, id: &str, source: &str, detail: Detail) -> String {
    let facts = Facts::new(graph, detail);
    let mut out = format!("## Above {}\n\nFrom {}\n\n", code(id), plain(source));
    warnings(&mut out, graph);
    for line in upwards(graph, id) {
        write_line(&mut out, &line, &facts);
    }
    let hidden = all_hidden(graph);
    if !hidden.is_empty() {
        out.push_str(&format!("\n{}\n", plain(&hidden)));
    }
    out
}

fn warnings(out: &mut String, graph: &Graph) {
    for warning in &graph.warnings {
        let word = if warning.code.is_note() { "Note" } else { "Warning" };
        out.push_str(&format!("> **{word}** {}: {}\n\n", code(warning.code.name()), plain(&warning.message)));
    }
}

fn write_line(out: &mut String, line: &Line<'_>, facts: &Facts<'_>) {
    let indent = "  ".repeat(line.last.len().saturating_sub(1));
    let verb = if line.verb.is_empty() { String::new() } else { format!("{} ", line.verb) };
    let mark = match line.mark {
        Mark::Repeated => " (see above)",
        Mark::Cycle => " (see above: a cycle)",
        Mark::None | Mark::TooDeep => "",
    };
    let kind = line.node.kind.name().replace('_', "-");
    let mut text = format!("{indent}- {verb}{kind} {}{mark}", code(title(line.node)));
    for fact in facts.of(line) {
        text.push_str(&format!(" \u{b7} {}", plain(&fact)));
    }
    out.push_str(&text);
    out.push('\n');
}
