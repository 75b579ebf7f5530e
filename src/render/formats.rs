//! The one table of command × format → renderer. A new format is one file, and one row here.

use std::error::Error;

use super::audit::view::AuditView;
use super::audit::{concise, csv, findings, github, json_v1, junit, markdown, sarif, timeline};
use super::check::view::CheckView;
use super::format::Format;
use super::graph::view::GraphView;
use super::plan::view::PlanView;
use super::rules::view::RulesView;
use super::sessions::view::SessionsView;
use super::status::view::{SnapshotView, StatusView};
use super::text::style::Style;
use super::{check, graph, plan, rules, sessions, status};

/// A rendered text; encoders may fail, although none of ours does for its shapes.
pub type Rendered = Result<String, Box<dyn Error + Send + Sync>>;

/// A format that a subject has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The format.
    pub format: Format,
    /// What it holds, for the help.
    pub meaning: &'static str,
}

/// Makes the subjects, what each is shown from, and the choice of the renderer, from one table.
macro_rules! formats {
    ($( $(#[$about:meta])* $subject:ident($view:ident) { $( $format:ident $meaning:literal = $render:expr; )+ } )+) => {
        /// What can be shown.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Subject {
            $( $(#[$about])* $subject, )+
        }

        /// Something to be shown, complete: a renderer only shows it.
        #[derive(Debug, Clone, Copy)]
        pub enum View<'a> {
            $( $(#[$about])* $subject(&'a $view<'a>), )+
        }

        impl Subject {
            /// Every subject.
            #[cfg(test)]
            const ALL: &'static [Self] = &[$( Self::$subject, )+];

            /// The formats of it; the first is that of a terminal where none is asked for.
            #[must_use]
            pub fn formats(self) -> &'static [Offer] {
                match self {
                    $( Self::$subject => &[$( Offer { format: Format::$format, meaning: $meaning }, )+], )+
                }
            }
        }

        impl View<'_> {
            /// The view in a format; `None` where its subject has no such format.
            #[must_use]
            pub fn render(&self, format: Format, style: &Style) -> Option<Rendered> {
                match self {
                    $( Self::$subject(view) => match format {
                        $( Format::$format => {
                            let render: fn(&$view<'_>, &Style) -> Rendered = $render;
                            Some(render(view, style))
                        } )+
                        _ => None,
                    }, )+
                }
            }
        }
    };
}

formats! {
    /// The incidents in a log.
    Audit(AuditView) {
        Text "for a person: incidents, stops, summary"
            = |view, style| Ok(timeline::render(view, style) + &findings::render(view, style));
        Concise "one line per finding" = |view, style| Ok(concise::render(view, style));
        Json "one JSON document, pulsectl.audit/1" = |view, _| Ok(json_v1::render(view)?);
        Jsonl "one finding per line, then the rest" = |view, _| Ok(json_v1::render_lines(view)?);
        Sarif "SARIF 2.1.0, for code scanning" = |view, _| Ok(sarif::render(view)?);
        Junit "JUnit XML: a suite per log, a case per rule" = |view, _| Ok(junit::render(view)?);
        Github "annotations; the table goes to the step's summary" = |view, _| Ok(github::render(view));
        Markdown "a report for a ticket" = |view, _| Ok(markdown::render(view));
        Csv "one line per finding, for a spreadsheet" = |view, _| Ok(csv::render(view)?);
    }
    /// What a session owns and watches.
    Graph(GraphView) {
        Tree "trees for a person" = |view, style| Ok(graph::tree::show(view, style));
        Table "one line per node" = |view, style| Ok(graph::table::render(view.graph, view.detail, style));
        Json "one JSON document, pulsectl.graph/1"
            = |view, _| Ok(graph::json_v1::render(view.snapshot, view.whole, view.detail.show_content)?);
        Dot "Graphviz" = |view, _| Ok(graph::diagram::dot(view.graph, view.detail));
        Mermaid "Mermaid flowchart" = |view, _| Ok(graph::diagram::mermaid(view.graph, view.detail));
        Markdown "nested lists for a ticket" = |view, _| Ok(graph::markdown::show(view));
    }
    /// What a stop or a terminal's death would do.
    Plan(PlanView) {
        Text "for a person, the worst first" = |view, style| Ok(plan::text::render(view, style));
        Json "one JSON document, pulsectl.plan/1" = |view, _| Ok(plan::json_v1::render(view)?);
        Yaml "the same as YAML" = |view, _| Ok(plan::json_v1::render_yaml(view)?);
        Markdown "lists for a ticket" = |view, _| Ok(plan::markdown::render(view));
        Table "one line per row" = |view, style| Ok(plan::table::render(view, style));
    }
    /// A saved plan against a log.
    Check(CheckView) {
        Text "one line per row, for a person" = |view, style| Ok(check::text::render(*view, style));
        Json "one JSON document, pulsectl.plan-check/1" = |view, _| Ok(check::json_v1::render(*view)?);
    }
    /// The list of sessions.
    Sessions(SessionsView) {
        Table "the ordinary columns" = |view, style| Ok(sessions::table::render(view, style));
        Wide "all columns" = |view, style| Ok(sessions::table::render_wide(view, style));
        Json "one JSON document, pulsectl.sessions/1"
            = |view, _| Ok(sessions::json_v1::render(view.snapshot, view.sessions, view.show_content)?);
        Csv "comma-separated values, all columns" = |view, _| Ok(sessions::csv::render(view)?);
    }
    /// Which server this is and what can be seen.
    Status(StatusView) {
        Text "for a person" = |view, style| Ok(status::text::render(view.snapshot, style));
        Json "one JSON document, pulsectl.status/1" = |view, _| Ok(status::json_v1::render(view.snapshot)?);
    }
    /// A server's whole state.
    Snapshot(SnapshotView) {
        Text "for a person: the server, and how much of it was seen"
            = |view, style| Ok(status::text::render(view.snapshot, style));
        Json "one JSON document, pulsectl.snapshot/1" = |view, _| Ok((view.document)(view.snapshot)?);
    }
    /// The list of rules.
    Rules(RulesView) {
        Text "a table" = |view, style| Ok(rules::table::render(view.rules, style));
        Json "one JSON document, pulsectl.rules/1" = |view, _| Ok(rules::json_v1::render(view.rules)?);
    }
    /// Rules in full.
    Explain(RulesView) {
        Text "for a person" = |view, style| Ok(rules::text::render_all(view.rules, style));
        Json "one JSON document, pulsectl.rules/1" = |view, _| Ok(rules::json_v1::render(view.rules)?);
        Markdown "the same as Markdown" = |view, _| Ok(rules::markdown::render_all(view.rules));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Issue "fewer concepts", D: a format is a row; every format belongs to some command, none twice to one.
    #[test]
    fn every_format_belongs_to_a_subject_and_none_stands_twice() {
        for format in Format::ALL {
            let holds = |subject: &&Subject| subject.formats().iter().any(|offer| offer.format == format);
            assert!(Subject::ALL.iter().any(|subject| holds(&subject)), "{format:?}");
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
        for subject in Subject::ALL {
            let mut names: Vec<&str> = subject.formats().iter().map(|offer| offer.format.name()).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{subject:?}");
        }
    }
}
