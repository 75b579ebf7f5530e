//! Laws of resolution and graph that hold for every snapshot, also for those that no server would make.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::prelude::*;
use pulsectl::testing::engine::graph::{Graph, Selection, build, select};
use pulsectl::testing::engine::resolve::{Class, Container, resolve};
use pulsectl::testing::model::execution::{Execution, Parent, Status};
use pulsectl::testing::model::fact::{Fact, Source};
use pulsectl::testing::model::id::IdKind;
use pulsectl::testing::model::session::{Foreground, Session};
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::terminal::Terminal;
use pulsectl::testing::render::graph::facts::Detail;
use pulsectl::testing::render::graph::{markdown, tree};
use pulsectl::testing::render::text::style::Style;

const PREFIXES: [&str; 13] = [
    "query_",
    "synthetic-turn:",
    "workflow-full-",
    "eval-full-",
    "exec-a-",
    "exec-a-b-",
    "msgseq-a-b-",
    "todo-x-",
    "bg-x-",
    "review-x-",
    "recover-x-",
    "workflow-full-1-step-",
    "odd",
];

fn at(second: u8) -> Timestamp {
    Timestamp::from_second(1_796_008_000 + i64::from(second)).expect("the time is in range")
}

/// An id with few possible values, so that parents are met; nanoseconds as real ids carry them.
fn id() -> impl Strategy<Value = String> {
    (0..PREFIXES.len(), 0..6_u8).prop_map(|(prefix, number)| {
        let prefix = PREFIXES[prefix];
        match prefix {
            "exec-a-" | "exec-a-b-" | "msgseq-a-b-" => format!("{prefix}{}", at(number).as_nanosecond()),
            "workflow-full-1-step-" => format!("{prefix}{number}-t"),
            _ => format!("{prefix}{number}"),
        }
    })
}

fn execution() -> impl Strategy<Value = Execution> {
    let parent = prop_oneof![
        Just(Parent::Unknown),
        Just(Parent::Lost),
        Just(Parent::Session),
        id().prop_map(Parent::Execution),
    ];
    (id(), 0..12_u8, prop::option::of(0..12_u8), parent, any::<bool>()).prop_map(
        |(id, start, end, parent, known)| {
            let mut row = Execution::running("s", id, at(start));
            if let Some(end) = end {
                row = row.ended(Status::Completed, at(start.max(end)));
            }
            if !known {
                row.status = None;
            }
            row.parent = Fact::new(parent, Source::ExecutionTree);
            row
        },
    )
}

fn terminal() -> impl Strategy<Value = Terminal> {
    (id(), any::<bool>(), any::<bool>()).prop_map(|(owner, is_step, active)| {
        let owner = if is_step { format!("workflow-step:{owner}:a") } else { owner };
        let mut terminal = Terminal::new("s", format!("s:{owner}"));
        terminal.active = Some(active);
        terminal
    })
}

fn parts() -> impl Strategy<Value = (Vec<Execution>, Vec<Terminal>)> {
    (prop::collection::vec(execution(), 0..24), prop::collection::vec(terminal(), 0..8)).prop_map(
        // Of two rows with one id a snapshot keeps the first, so only one is made.
        |(rows, terminals)| {
            let mut seen = BTreeSet::new();
            let rows = rows.into_iter().filter(|row| seen.insert(row.id.clone())).collect();
            let mut seen = BTreeSet::new();
            (rows, terminals.into_iter().filter(|terminal| seen.insert(terminal.id.clone())).collect())
        },
    )
}

fn snapshot(rows: Vec<Execution>, terminals: Vec<Terminal>) -> Snapshot {
    let foreground = Foreground { busy: true, has_cancel: true, can_steer: true, synthetic: false };
    let mut snapshot = Snapshot::default().with_session(Session::running("s", foreground));
    snapshot.set_executions(rows);
    snapshot.set_terminals(terminals);
    snapshot
}

fn graph(snapshot: &Snapshot) -> Graph {
    build(snapshot, &resolve(snapshot), "s").expect("the session is there")
}

const PLAIN: Style = Style { color: false, unicode: true, width: None };
const DETAIL: Detail = Detail { show_content: false, reasons: false };

proptest! {
    #[test]
    fn every_row_is_a_node_once_and_every_edge_has_both_ends((rows, terminals) in parts()) {
        let ids: BTreeSet<String> = rows.iter().map(|row| row.id.clone()).collect();
        let snapshot = snapshot(rows, terminals);
        let graph = graph(&snapshot);
        let nodes: Vec<&str> = graph.nodes.iter().map(|node| node.id.as_str()).collect();
        let unique: BTreeSet<&str> = nodes.iter().copied().collect();
        prop_assert_eq!(nodes.len(), unique.len());
        for id in &ids {
            prop_assert!(unique.contains(id.as_str()), "{} is missing", id);
        }
        for edge in &graph.edges {
            prop_assert!(unique.contains(edge.from.as_str()) && unique.contains(edge.to.as_str()));
        }
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter((rows, terminals) in parts()) {
        let backwards = snapshot(
            rows.iter().rev().cloned().collect(),
            terminals.iter().rev().cloned().collect(),
        );
        prop_assert_eq!(graph(&snapshot(rows, terminals)), graph(&backwards));
    }

    // Nothing whose container cannot be told, or whose launching turn is not known to run, is ever owned.
    #[test]
    fn an_unknown_parent_never_makes_owned((rows, terminals) in parts()) {
        let snapshot = snapshot(rows, terminals);
        let resolution = resolve(&snapshot);
        let facts = resolution.session("s").expect("the session is there");
        let owned = |id: &str| facts.row(id).is_some_and(|row| row.class.value == Class::Owned);
        for row in facts.rows.iter().filter(|row| row.class.value == Class::Owned) {
            let id = row.execution.id.as_str();
            let by_itself = row.execution.kind.is_turn() || id.starts_with("review-");
            let by_container = match &row.container.value {
                Container::Row(_) | Container::OneOf(_) => {
                    row.container.value.candidates().iter().all(|id| owned(id))
                }
                Container::Session | Container::Missing(_) | Container::Unknown => false,
            };
            let by_launcher = row.launched_by.as_ref().is_some_and(|launch| {
                launch.value.iter().all(|id| owned(id) && facts.row(id).is_some_and(|row| {
                    !row.execution.kind.is_turn() || row.execution.is_running() == Some(true)
                }))
            });
            prop_assert!(by_itself || by_container || by_launcher, "{:?}", row);
            prop_assert!(!matches!(row.execution.kind, IdKind::Run | IdKind::Evaluation));
        }
    }

    // Cycles end, and every node that is not left out stands in full on exactly one line.
    #[test]
    fn the_trees_show_every_execution((rows, terminals) in parts()) {
        let ids: BTreeSet<String> = rows.iter().map(|row| row.id.clone()).collect();
        let snapshot = snapshot(rows, terminals);
        let all = Selection { finished: true, ..Selection::default() };
        let graph = select(graph(&snapshot), &all);
        let tree = tree::render(&graph, "a test", DETAIL, &PLAIN);
        let markdown = markdown::render(&graph, "a test", DETAIL);
        for id in &ids {
            let in_full = |line: &&str| {
                line.split_once(" \u{b7} ").is_some_and(|(first, _)| first.ends_with(&format!(" {id}")))
            };
            prop_assert_eq!(tree.lines().filter(in_full).count(), 1, "{} in\n{}", id, tree);
            prop_assert!(markdown.contains(&format!("`{id}`")), "{} in\n{}", id, markdown);
        }
    }
}

/// 10,000 sessions and 100,000 executions, and one session with 100,000: linear work, so a
/// rule whose work grows with the square of the rows would be felt.
#[test]
fn large_servers_are_resolved() {
    let mut rows = Vec::new();
    for session in 0..10_000 {
        let session = format!("session-{session:05}");
        rows.push(Execution::running(&session, "query_1", at(0)).ended(Status::Completed, at(9)));
        rows.push(Execution::running(&session, format!("workflow-full-{session}"), at(1)));
        for item in 0..8_u8 {
            let id = format!("msgseq-a-b{item}-{}", at(item + 2).as_nanosecond());
            rows.push(Execution::running(&session, id, at(item + 2)));
        }
    }
    let mut many = Snapshot::default();
    many.set_executions(rows);
    let resolution = resolve(&many);
    assert_eq!(resolution.sessions().len(), 10_000);
    let watched = resolution.sessions().iter().flat_map(|facts| &facts.rows);
    assert_eq!(watched.filter(|row| row.class.value == Class::Watched).count(), 90_000);

    let rows = (0..100_000_i64).map(|number| {
        let start = Timestamp::from_second(1_796_008_000 + number).expect("the time is in range");
        let id = match number % 4 {
            0 => format!("query_{}", start.as_nanosecond()),
            1 => format!("workflow-full-{number}"),
            2 => format!("exec-a-{}", start.as_nanosecond()),
            _ => format!("msgseq-a-b-{}", start.as_nanosecond()),
        };
        Execution::running("s", id, start)
    });
    let one = snapshot(rows.collect(), Vec::new());
    let graph = graph(&one);
    assert_eq!(graph.nodes.len(), 100_001);
    let tree = tree::render(&graph, "a test", DETAIL, &PLAIN);
    assert!(tree.lines().count() > 100_000);
}

/// A chain of sub-agents deeper than any stack.
#[test]
fn deep_chains_end() {
    let row = |number: u32| {
        let row = Execution::running("s", format!("todo-x-{number}"), at(1));
        if number == 0 { row } else { row.under(format!("todo-x-{}", number - 1)) }
    };
    let snapshot = snapshot((0..50_000).map(row).collect(), Vec::new());
    let graph = graph(&snapshot);
    assert_eq!(graph.nodes.len(), 50_001);
    let tree = tree::render(&graph, "a test", DETAIL, &PLAIN);
    assert!(tree.contains("deeper levels are not drawn"), "the depth is limited");
}
