//! The graph of recorded servers and the commands that show it, held against the servers' own registries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

use pulsectl::testing::model::id::IdKind;
use pulsectl::testing::render::schemas;
use serde_json::Value;

use crate::common::pulsectl;
use crate::common::recordings::{Moment, moments, registries, snapshot, with_closed_gate};

fn run(arguments: &[&str], folder: &Path) -> Output {
    pulsectl().args(arguments).arg("--from").arg(folder).output().expect("the program runs")
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    let output = run(&[arguments, &["-o", "json"]].concat(), folder);
    // Only what makes an answer incomplete is said on stderr.
    let complete = output.status.code() == Some(0);
    assert_eq!(output.stderr.is_empty(), complete, "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("stdout holds one JSON document and nothing else")
}

fn validator(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// Graphs of every session of every moment before a trigger, with the gate open and closed. Made in this
/// process: starting the program a thousand times would tell no more.
fn each(mut check: impl FnMut(&Moment, &str, &Value, bool)) {
    for moment in moments("before") {
        let closed = with_closed_gate(&moment.folder);
        for (folder, gate_open) in [(moment.folder.as_path(), true), (closed.path(), false)] {
            let snapshot = snapshot(folder);
            let resolution = pulsectl::testing::engine::resolve::resolve(&snapshot);
            for session in snapshot.sessions() {
                let graph = pulsectl::testing::engine::graph::build(&snapshot, &resolution, &session.id);
                let graph = graph.expect("a listed session has a graph");
                let text = pulsectl::testing::render::graph::json_v1::render(&snapshot, &graph, false);
                let document = serde_json::from_str(&text.expect("it encodes")).expect("it is JSON");
                check(&moment, &session.id, &document, gate_open);
            }
        }
    }
}

fn nodes(document: &Value) -> &Vec<Value> {
    document["nodes"].as_array().expect("nodes are a list")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} of {value}"))
}

#[test]
fn every_registry_row_is_a_node_exactly_once() {
    each(|moment, session, document, gate_open| {
        let label = format!("{} {session} open={gate_open}", moment.recording);
        let registries = registries(moment);
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for node in nodes(document) {
            *count.entry(text(node, "id")).or_default() += 1;
        }
        assert!(count.values().all(|count| *count == 1), "{label}");
        let tracked = registries.tracked.iter().filter(|row| row.session_id == session);
        let agents = registries.background_agents.iter().filter(|row| row.session_id == session);
        let mut expected: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for row in tracked {
            expected.entry(&row.execution_id).or_default().insert("tracked");
        }
        for row in agents {
            expected.entry(&row.id).or_default().insert("background");
        }
        for node in nodes(document) {
            let shown: BTreeSet<&str> =
                node["registries"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            if let Some(stands_in) = expected.remove(text(node, "id")) {
                assert_eq!(shown, stands_in, "{label}: {}", text(node, "id"));
            } else {
                assert!(!shown.contains("tracked") && !shown.contains("background"), "{label}: {node}");
            }
        }
        assert!(expected.is_empty(), "{label}: {expected:?}");
    });
}

/// Ids that own a node, over steps that no registry holds and everything above.
fn owners(document: &Value, id: &str) -> BTreeSet<String> {
    let edges = document["edges"].as_array().expect("edges are a list");
    let mut found = BTreeSet::new();
    let mut queue = vec![id.to_owned()];
    while let Some(id) = queue.pop() {
        for edge in edges.iter().filter(|edge| text(edge, "kind") == "owns" && text(edge, "to") == id) {
            if found.insert(text(edge, "from").to_owned()) {
                queue.push(text(edge, "from").to_owned());
            }
        }
    }
    found
}

#[test]
fn what_runs_in_a_run_hangs_under_it_or_names_it() {
    let mut count = [0, 0];
    each(|moment, session, document, gate_open| {
        for row in registries(moment).background_agents {
            let inside = matches!(IdKind::of(&row.id), IdKind::Item | IdKind::Mirror | IdKind::SubAgent);
            if row.session_id != session || !inside {
                continue;
            }
            let label = format!("{} {} open={gate_open}", moment.recording, row.id);
            let owners = owners(document, &row.id);
            let node = nodes(document).iter().find(|node| text(node, "id") == row.id).expect("it is there");
            let candidates: Vec<&str> =
                node["candidates"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            count[usize::from(!candidates.is_empty())] += 1;
            for candidate in &candidates {
                assert!(owners.contains(*candidate), "{label}: {candidate}");
            }
            assert!(!owners.is_empty(), "{label}: nothing owns it");
            assert_eq!(text(node, "cancel") == "own", row.has_cancel, "{label}");
        }
    });
    assert!(count[0] > 100 && count[1] > 0, "{count:?}");
}

#[test]
fn every_edge_is_between_nodes_and_says_why() {
    let graph = validator(&schemas::graph());
    each(|moment, session, document, _| {
        let label = format!("{} {session}", moment.recording);
        let ids: BTreeSet<&str> = nodes(document).iter().map(|node| text(node, "id")).collect();
        for edge in document["edges"].as_array().expect("edges are a list") {
            assert!(ids.contains(text(edge, "from")) && ids.contains(text(edge, "to")), "{label}: {edge}");
            for field in ["reason", "evidence", "confidence"] {
                assert!(!text(edge, field).is_empty(), "{label}: {edge}");
            }
        }
        let errors: Vec<String> = graph.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{label}: {errors:?}");
    });
}

/// The session of a recording that its trigger hit.
fn session_of(recording: &str) -> (String, std::path::PathBuf) {
    let moment = moments("before").into_iter().find(|moment| moment.recording == recording);
    let moment = moment.unwrap_or_else(|| panic!("{recording} is among the recordings"));
    let known = snapshot(&moment.folder);
    let session = known.sessions().iter().max_by_key(|session| known.executions_of(&session.id).len());
    (session.expect("it has a session").id.clone(), moment.folder)
}

// Measured, section 6: what can happen, and when, stands above the graph.
#[test]
fn a_latent_death_is_said_first() {
    let (session, folder) = session_of("plat171-latent-death");
    let output = run(&["graph", &session], &folder);
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    let warning = text.find("warning: latent_death").expect("the warning is there");
    assert!(warning < text.find("\nsession ").expect("the graph is there"));
    assert!(text.contains("within 30 s") && text.contains("one that it does not own"), "{text}");
    let document = json(&["sessions"], &folder);
    let flags: Vec<&Value> = document["sessions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|row| row["id"] == session.as_str())
        .map(|row| &row["flags"])
        .collect();
    assert_eq!(flags, [&serde_json::json!(["latent_death"])]);
}

#[test]
fn a_prefix_is_enough_and_a_wrong_id_gets_suggestions() {
    let (session, folder) = session_of("plat171");
    let whole = json(&["graph", &session], &folder);
    assert_eq!(json(&["graph", &session[..6]], &folder), whole);
    let mut wrong = session.clone();
    wrong.replace_range(4..5, "~");
    let output = run(&["graph", &wrong], &folder);
    assert_eq!(output.status.code(), Some(6));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("did you mean") && text.contains(&session), "{text}");
    // Recording shutdown: two sessions begin alike, so both are named.
    let (_, two) = session_of("shutdown");
    let output = run(&["graph", "6f1b2c3d"], &two);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6));
    assert!(
        text.contains("the beginning of 2 session ids") && text.contains("hint: one of 6f1b2c3d"),
        "{text}"
    );
    let output = run(&["graph", "--up", "nothing-like-it", "-o", "json"], &folder);
    assert_eq!(output.status.code(), Some(6));
    let error: Value = serde_json::from_slice(&output.stderr).expect("one JSON object on stderr");
    assert_eq!(error["schema"], "pulsectl.error/1");
}

#[test]
fn upwards_leads_from_an_item_to_its_session() {
    let (session, folder) = session_of("plat171");
    let output = run(&["graph", "--up", "msgseq-collect-invoices-fetch"], &folder);
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    let order = ["item msgseq-", "owned by step exec-", "owned by run workflow-full-", "watched by session "];
    let places: Vec<usize> = order
        .iter()
        .map(|words| text.find(words).unwrap_or_else(|| panic!("`{words}` is in {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains(&session), "{text}");
}

#[test]
fn ids_are_never_cut_when_piped_and_an_empty_list_is_clean() {
    let schema = validator(&schemas::sessions());
    for moment in moments("before") {
        let document = json(&["sessions"], &moment.folder);
        let errors: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", moment.recording);
        let table = run(&["sessions", "--no-headers"], &moment.folder);
        let table = String::from_utf8(table.stdout).expect("it is UTF-8");
        let rows = document["sessions"].as_array().expect("a list");
        assert_eq!(table.lines().count(), rows.len(), "{table}");
        for row in rows {
            assert!(table.contains(text(row, "id")), "{}: {table}", moment.recording);
        }
        let none = run(&["sessions", "--match", "nothing holds this"], &moment.folder);
        assert!(none.stderr.ends_with(b"no sessions\n"), "{}", String::from_utf8_lossy(&none.stderr));
        assert_eq!(none.status.code(), run(&["sessions"], &moment.folder).status.code());
    }
}

/// Every format, of a snapshot whose texts try to steer a terminal and to leave their quotes.
#[test]
fn hostile_text_stays_text_in_every_format() {
    use pulsectl::testing::engine::graph::build;
    use pulsectl::testing::engine::resolve::resolve;
    use pulsectl::testing::model::execution::Execution;
    use pulsectl::testing::model::session::{Foreground, Session};
    use pulsectl::testing::model::snapshot::Snapshot;
    use pulsectl::testing::render::graph::facts::Detail;
    use pulsectl::testing::render::graph::{diagram, markdown, table, tree};
    use pulsectl::testing::render::text::style::Style;

    let evil = "bg-\u{1b}[31m\"<img src=x>`]\n|-->\u{202e}";
    let row = Execution::running("s", evil, jiff::Timestamp::UNIX_EPOCH).named(evil);
    let snapshot =
        Snapshot::default().with_session(Session::running("s", Foreground::default())).with_execution(row);
    let graph = build(&snapshot, &resolve(&snapshot), "s").expect("the session is there");
    let detail = Detail { show_content: true, reasons: true };
    let style = Style { color: false, unicode: false, width: None };
    let tree = tree::render(&graph, evil, detail, &style);
    assert!(tree.is_ascii(), "{tree}");
    for text in [
        tree,
        table::render(&graph, detail, &style),
        diagram::dot(&graph, detail),
        diagram::mermaid(&graph, detail),
        markdown::render(&graph, evil, detail),
    ] {
        let steers = text.chars().any(|character| character.is_control() && character != '\n');
        assert!(!steers && !text.contains('\u{202e}'), "{text}");
    }
    let mermaid = diagram::mermaid(&graph, detail);
    assert!(!mermaid.contains("<img") && !mermaid.contains("\"<"), "{mermaid}");
}

/// The tree of a chat with a watched run, a turn and detached work, as a person sees it.
#[test]
fn the_trees_as_a_person_sees_them() {
    use pulsectl::testing::engine::graph::{Selection, build, select};
    use pulsectl::testing::engine::resolve::resolve;
    use pulsectl::testing::model::execution::{Execution, Status};
    use pulsectl::testing::model::fact::Label;
    use pulsectl::testing::model::session::{Foreground, Session};
    use pulsectl::testing::model::snapshot::Snapshot;
    use pulsectl::testing::model::terminal::{ProcessState, Terminal};
    use pulsectl::testing::render::graph::facts::Detail;
    use pulsectl::testing::render::graph::tree;
    use pulsectl::testing::render::text::source::described;
    use pulsectl::testing::render::text::style::Style;

    let at = |second: i64| jiff::Timestamp::from_second(1_796_008_500 + second).expect("it is in range");
    let stamped = |prefix: &str, second| format!("{prefix}-{}", at(second).as_nanosecond());
    let (step, item) = (stamped("exec-collect", 20), stamped("msgseq-collect-fetch", 21));
    let busy = Foreground { busy: true, ..Foreground::default() };
    let mut session = Session::running("chat", busy);
    session.title = Some(Label::Written("Compare the weeks".to_owned()));
    session.workflow_path = Some("Workflow/invoice-sync".to_owned());
    session.created_at = Some(at(0));
    // Measured, section 6: the record is made long after the pane that it names, and says nothing of its process.
    let mut main = Terminal::pane("chat", "main:chat", &stamped("mlp-claude-code", 0), at(40));
    main.process_state = Some(ProcessState::Absent);
    let row = |id: &str, second| Execution::running("chat", id, at(second));
    let mut snapshot = Snapshot::default()
        .with_session(session)
        .with_execution(row("query_1", 5).ended(Status::Completed, at(15)))
        .with_execution(row("query_2", 50))
        .with_execution(row("workflow-full-a", 10).named("full-run [north / iteration-0]"))
        .with_execution(row("bg-audit-1", 12).named("audit"))
        .with_execution(row(&item, 21))
        .with_execution(row("todo-x-1", 22).under("todo-y-1"))
        .with_execution(row("todo-y-1", 23).under("todo-x-1"))
        .with_execution(row("workflow-full-gone-step-0-t", 24))
        .with_terminal(main)
        .with_terminal(Terminal::pane("chat", &format!("workflow-step:{step}:collect"), "mlp-step", at(20)));
    snapshot.as_of = Some(at(60));
    let graph = build(&snapshot, &resolve(&snapshot), "chat").expect("the session is there");
    let graph = select(graph, &Selection::default());
    let detail = Detail { show_content: false, reasons: false };
    let source = described(&snapshot);
    for (name, unicode, width) in [("wide", true, None), ("ascii_narrow", false, Some(80))] {
        let style = Style { color: false, unicode, width };
        insta::assert_snapshot!(name, tree::render(&graph, &source, detail, &style));
    }
}

/// The recording `plat171`, a second before its terminal died: by its `registries-before.json` the chat has a turn
/// running, and watches a running run with a step in a pane.
fn chat_of_plat171(arguments: &[&str]) -> String {
    let folder = crate::common::material::captures().join("plat171/http-before");
    let output = run(&[&["graph", "9c1be844"], arguments].concat(), &folder);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

// A part that the selection emptied says what was left out; that nothing is at work would be false.
#[test]
fn what_is_not_drawn_is_not_called_absent() {
    for arguments in [&["--depth", "0"][..], &["--kind", "session"], &["--kind", "workflow,agent"]] {
        for format in ["tree", "markdown"] {
            let text = chat_of_plat171(&[arguments, &["-o", format]].concat());
            assert!(!text.to_lowercase().contains("nothing at work"), "{arguments:?} {format}: {text}");
            let escaped = arguments[0].to_owned();
            assert_eq!(text.matches(&format!("not drawn: {escaped}")).count(), 2, "{format}: {text}");
        }
    }
    let turns = chat_of_plat171(&["--kind", "turn"]);
    assert!(turns.contains("owns (1 not drawn: --kind)\n"), "{turns}");
    assert!(turns.contains("watches 3 not drawn: --kind\n"), "{turns}");
}

// The class of the step's terminal is `watched` in JSON; no part may say otherwise.
#[test]
fn a_terminal_whose_step_is_not_drawn_stays_in_its_part() {
    for arguments in [["--depth", "1"], ["--depth", "2"], ["--kind", "terminal"], ["--kind", "step"]] {
        for format in ["tree", "markdown"] {
            let text = chat_of_plat171(&[&arguments[..], &["-o", format]].concat());
            assert!(!text.to_lowercase().contains("unknown\n"), "{arguments:?}: {text}");
        }
    }
    let text = chat_of_plat171(&["--kind", "terminal"]);
    let (_, watched) = text.split_once("watches").expect("there is such a part");
    assert!(watched.contains("run workflow-full-") && watched.contains("step exec-"), "{text}");
    assert!(watched.contains("pane mlp-claude-code-"), "{text}");
}
