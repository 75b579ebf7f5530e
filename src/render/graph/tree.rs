//! A graph as trees for a person: what the session owns, what it watches, what cannot be told.

use super::facts::{Detail, Facts, collapsed, nothing, title};
use super::lines::{Line, Mark, all_hidden, downwards, upwards};
use super::view::GraphView;
use crate::engine::graph::Graph;
use crate::render::text::source::described;
use crate::render::text::style::{Style, columns, wrap};
use crate::rules::meta::Severity;

/// The graph of a view, downwards or upwards.
#[must_use]
pub fn show(view: &GraphView<'_>, style: &Style) -> String {
    let source = described(view.snapshot);
    match view.from {
        None => render(view.graph, &source, view.detail, style),
        Some(id) => render_upwards(view.graph, id, &source, view.detail, style),
    }
}

/// The trees of a session, with the warnings above them. `source` says what they were made from.
#[must_use]
pub fn render(graph: &Graph, source: &str, detail: Detail, style: &Style) -> String {
    let facts = Facts::new(graph, detail);
    let mut out = format!("{}\n{}", style.dim(&style.safe(source)), warnings(graph, style));
    let mut head = vec![format!("session {}", title_of_root(graph))];
    head.extend(facts.root());
    write_wrapped(&mut out, "", "  ", &joined(head, style), style);
    for section in downwards(graph) {
        let note = match (section.hidden.is_empty(), section.lines.is_empty()) {
            (true, true) => format!(" {}", nothing(graph)),
            (true, false) => String::new(),
            (false, true) => format!(" {}", section.hidden),
            (false, false) => format!(" ({})", section.hidden),
        };
        out.push_str(&format!("{}{note}\n", style.bold(section.title)));
        for line in &section.lines {
            write_line(&mut out, line, &facts, style);
        }
    }
    if let Some(text) = collapsed(graph) {
        out.push_str(&format!("{}\n", style.dim(&text)));
    }
    out
}

/// Who owns, watches or launched this node, and who those.
#[must_use]
pub fn render_upwards(graph: &Graph, id: &str, source: &str, detail: Detail, style: &Style) -> String {
    let facts = Facts::new(graph, detail);
    let mut out = format!("{}\n{}", style.dim(&style.safe(source)), warnings(graph, style));
    for line in upwards(graph, id) {
        write_line(&mut out, &line, &facts, style);
    }
    let hidden = all_hidden(graph);
    if !hidden.is_empty() {
        out.push_str(&format!("{}\n", style.dim(&hidden)));
    }
    out
}

fn title_of_root(graph: &Graph) -> &str {
    graph.node(&graph.root).map_or(graph.root.as_str(), title)
}

/// What can happen comes first; what could not be seen after it.
fn warnings(graph: &Graph, style: &Style) -> String {
    let mut out = String::new();
    for warning in &graph.warnings {
        let code = warning.code.name();
        let word = if warning.code.is_note() { "note" } else { "warning" };
        let mut text = String::new();
        let said = format!("{word}: {code}: {}", style.safe(&warning.message));
        write_wrapped(&mut text, "", "  ", &said, style);
        // Only the word is coloured: colour repeats what it says.
        let coloured = match text.strip_prefix("warning") {
            Some(rest) => style.severity(Severity::High, "warning") + rest,
            None => text,
        };
        out.push_str(&coloured);
    }
    out
}

fn joined(facts: Vec<String>, style: &Style) -> String {
    let separator = style.glyph(" \u{b7} ", ", ");
    facts.iter().map(|fact| style.safe(fact)).collect::<Vec<_>>().join(separator)
}

fn write_line(out: &mut String, line: &Line<'_>, facts: &Facts<'_>, style: &Style) {
    let (branch, corner, bar) = (
        style.glyph("\u{251c}\u{2500} ", "|- "),
        style.glyph("\u{2514}\u{2500} ", "`- "),
        style.glyph("\u{2502}  ", "|  "),
    );
    let mut guides = String::new();
    let (is_last, above) = line.last.split_last().map_or((true, &[][..]), |(last, above)| (*last, above));
    for last in above {
        guides.push_str(if *last { "   " } else { bar });
    }
    let lead = format!("{guides}{}", if is_last { corner } else { branch });
    let rest = format!("{guides}{}    ", if is_last { "   " } else { bar });
    let verb = if line.verb.is_empty() { String::new() } else { format!("{} ", line.verb) };
    let mark = match line.mark {
        Mark::Repeated => " (*)",
        Mark::Cycle => " (*) (cycle)",
        Mark::None | Mark::TooDeep => "",
    };
    let kind = line.node.kind.name().replace('_', "-");
    let mut parts = vec![format!("{verb}{kind} {}{mark}", title(line.node))];
    parts.extend(facts.of(line));
    write_wrapped(out, &lead, &rest, &joined(parts, style), style);
}

/// Writes a text after a lead; on a terminal it goes on under the lead of the further lines.
fn write_wrapped(out: &mut String, lead: &str, rest: &str, text: &str, style: &Style) {
    let room = style.width.map(|width| width.saturating_sub(columns(rest).max(columns(lead))).max(20));
    for (at, line) in wrap(text, room).iter().enumerate() {
        out.push_str(if at == 0 { lead } else { rest });
        out.push_str(line);
        out.push('\n');
    }
}
