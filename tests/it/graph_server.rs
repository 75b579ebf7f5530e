//! `sessions` and `graph` against a server: only allowed requests, the same answer as from its recording, faults
//! and size. The server fails the test on anything else than the allowed requests.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::common::pulsectl;
use crate::common::recordings::captures;
use crate::common::server::{Fault, PulseServer};

const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";

fn run(arguments: &[&str]) -> Output {
    pulsectl().args(arguments).output().expect("the program runs")
}

fn document(output: &Output) -> Value {
    let mut document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    // What differs by nature: where and when it was read.
    document["source"].take();
    document["as_of"].take();
    // The list of sessions asks for less than was recorded.
    if document["schema"] == "pulsectl.sessions/1" {
        document["gaps"].take();
    }
    document
}

fn incident() -> std::path::PathBuf {
    captures().join("plat171/http-before")
}

#[test]
fn a_live_server_gives_the_same_answers_as_its_recording() {
    let folder = incident();
    let server = PulseServer::play(&folder);
    let (url, from) = (server.url(), folder.display().to_string());
    for command in [
        &["graph", CHAT][..],
        &["graph", "--up", "msgseq-collect-invoices-fetch"],
        &["graph", "9c1be844", "--kind", "run", "--depth", "1"],
        &["sessions"],
    ] {
        let live = run(&[command, &["-o", "json", "--server", &url]].concat());
        let recorded = run(&[command, &["-o", "json", "--from", &from]].concat());
        assert_eq!(live.status.code(), Some(0), "{command:?}");
        assert_eq!(document(&live), document(&recorded), "{command:?}");
    }
    for format in ["tree", "table", "dot", "mermaid", "markdown"] {
        for command in [&["graph", CHAT][..], &["graph", "--up", "workflow-full-mx2p37yb01"]] {
            let output = run(&[command, &["--all", "-o", format, "--server", &url]].concat());
            let text = String::from_utf8(output.stdout).expect("it is UTF-8");
            assert_eq!(output.status.code(), Some(0), "{format}");
            assert!(text.contains("workflow-full-mx2p37yb01"), "{format}: {text}");
        }
    }
    for format in ["table", "wide", "csv"] {
        let output = run(&["sessions", "-o", format, "--server", &url]);
        assert!(String::from_utf8_lossy(&output.stdout).contains(CHAT), "{format}");
    }
}

#[test]
fn what_could_not_be_read_makes_the_answer_incomplete() {
    let folder = incident();
    let server = PulseServer::play(&folder);
    server.fail(&format!("/api/sessions/{CHAT}/execution-tree"), Fault::Cut, None);
    let output = run(&["graph", CHAT, "-o", "json", "--server", &server.url()]);
    assert_eq!(output.status.code(), Some(7));
    let document = document(&output);
    assert_eq!(document["complete"], json!(false));
    let codes: Vec<&Value> =
        document["gaps"].as_array().expect("a list").iter().map(|gap| &gap["code"]).collect();
    assert!(codes.contains(&&json!("unreadable_answer")), "{codes:?}");
    // The rows are there all the same, from the runtime snapshot.
    let nodes = document["nodes"].as_array().expect("a list");
    assert!(nodes.iter().any(|node| node["id"] == "workflow-full-mx2p37yb01"));
}

/// A list of 10,000 sessions of ten executions each, in the shape of a recorded session.
pub(crate) fn large_list(folder: &Path) -> Value {
    let recorded = fs::read(folder.join("sessions-active.json")).expect("it was recorded");
    let recorded: Value = serde_json::from_slice(&recorded).expect("it is JSON");
    let row = &recorded["active_sessions"][0];
    let child = &row["runtime_state"]["child_executions"][0];
    let mut sessions = Vec::new();
    for number in 0..10_000 {
        let mut session = row.clone();
        session["session_id"] = json!(format!("session-{number:05}"));
        let children = (0..10).map(|at| {
            let mut child = child.clone();
            child["execution_id"] = json!(format!("workflow-full-{number}x{at}"));
            child["status"] = json!("running");
            child
        });
        session["runtime_state"]["child_executions"] = children.collect();
        session["runtime_state"]["background_agents"] = json!([]);
        session["runtime_state"]["terminals"] = json!([]);
        sessions.push(session);
    }
    json!({"active_sessions": sessions, "total": 10_000})
}

/// A recording of such a list and nothing else.
fn large(folder: &Path, target: &Path) {
    let list = large_list(folder).to_string();
    fs::write(target.join("sessions-active.json"), list).expect("it can be written");
    let index = json!([{
        "file": "sessions-active.json",
        "request": "GET /api/sessions/active",
        "status": 200,
        "content_type": "application/json",
    }]);
    fs::write(target.join("index.json"), index.to_string()).expect("it can be written");
}

#[test]
fn ten_thousand_sessions_are_listed_and_one_of_them_is_drawn() {
    let folder = incident();
    let target = tempfile::tempdir().expect("a temporary folder can be made");
    large(&folder, target.path());
    let from = target.path().display().to_string();
    let output = run(&["sessions", "--no-headers", "--columns", "id,runs", "--from", &from]);
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(text.lines().filter(|line| line.ends_with("  10")).count(), 10_000);
    let output = run(&["graph", "session-07777", "-o", "json", "--from", &from]);
    let runs = document(&output)["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|node| node["kind"] == "run")
        .count();
    assert_eq!(runs, 10);
}
