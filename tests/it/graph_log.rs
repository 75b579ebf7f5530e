//! The graph rebuilt from a log, held against the server's own registries at the same moment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

use jiff::{SignedDuration, Timestamp};
use pulsectl::testing::model::id::IdKind;
use serde_json::Value;

use crate::common::pulsectl;
use crate::common::recordings::{captures, moments};

fn run(arguments: &[&str]) -> Output {
    pulsectl().args(arguments).output().expect("the program runs")
}

fn graph(session: &str, log: &Path, at: Timestamp) -> Option<Value> {
    let (log, at) = (log.display().to_string(), at.to_string());
    let output = run(&["graph", session, "--log", &log, "--at", &at, "-o", "json"]);
    // A session of which the log has said nothing yet is not there.
    if output.status.code() == Some(6) {
        return None;
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("stdout holds one JSON document");
    // formats.md, section 6: a moment after the last line is 7.
    let is_later = document["gaps"].to_string().contains("log_ends_before");
    let code = if is_later { Some(7) } else { Some(0) };
    assert_eq!(output.status.code(), code, "{}", String::from_utf8_lossy(&output.stderr));
    Some(document)
}

/// A row of the registries: whether it runs, when it began and ended.
struct Truth {
    runs: bool,
    began: Timestamp,
    ended: Option<Timestamp>,
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(|text| text.parse().ok()).filter(|time: &Timestamp| time.as_second() > 0)
}

fn has_start_line(id: &str) -> bool {
    matches!(
        IdKind::of(id),
        IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent | IdKind::Item | IdKind::Mirror
    )
}

/// The rows that have a start line: all but turns and the sub-agents of todo steps.
fn truths(registries: &Value) -> BTreeMap<(String, String), Truth> {
    let rows = |list: &str, id: &'static str, began: &'static str| {
        let rows = registries[list].as_array().cloned().unwrap_or_default();
        rows.into_iter().filter_map(move |row| {
            let key = (row["session_id"].as_str()?.to_owned(), row[id].as_str()?.to_owned());
            let runs = row["status"] == "running";
            Some((key, Truth { runs, began: time(&row[began])?, ended: time(&row["completed_at"]) }))
        })
    };
    rows("tracked", "execution_id", "started_at")
        .chain(rows("background_agents", "id", "created_at"))
        .filter(|((_, id), _)| has_start_line(id))
        .collect()
}

#[test]
fn a_log_gives_the_rows_of_the_registries_at_that_moment() {
    let (mut compared, mut unnamed_turns) = (0, 0);
    for moment in moments("") {
        let log = moment.folder.with_file_name("server_debug.log.gz");
        let registries = std::fs::read(&moment.registries).expect("the registries can be read");
        let registries: Value = serde_json::from_slice(&registries).expect("they are JSON");
        // A log counts in seconds, and the trigger may fall in that of the recording: the one before is whole.
        let second = time(&registries["at"]).expect("it has a time").as_second() - 1;
        let at = Timestamp::from_second(second).expect("it is in range");
        let tracked = registries["tracked"].as_array().cloned().unwrap_or_default();
        let with_cancel: BTreeSet<&str> = registries["turn_cancel_sessions"]
            .as_array()
            .map(|all| all.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let whole = |time: Timestamp| time < at;
        let truths = truths(&registries);
        let sessions: BTreeSet<&String> = truths.keys().map(|(session, _)| session).collect();
        for session in sessions {
            let document = graph(session, &log, at);
            let label = format!("{} {} {session}", moment.recording, moment.moment);
            let empty = Vec::new();
            let nodes = document.as_ref().and_then(|graph| graph["nodes"].as_array()).unwrap_or(&empty);
            let status = |id: &str| {
                let node = nodes.iter().find(|node| node["id"] == id)?;
                // Whether a mirror goes on saying so after a stop is told by no line.
                let is_untold = node["status"].is_null() && IdKind::of(id) == IdKind::Mirror;
                Some((!is_untold).then(|| node["status"] == "running"))
            };
            for ((_, id), truth) in truths.iter().filter(|((of, _), _)| of == session) {
                if whole(truth.began) && truth.ended.is_none_or(whole) {
                    let status = status(id).unwrap_or_else(|| panic!("{label}: {id} is missing"));
                    assert_eq!(status.unwrap_or(truth.runs), truth.runs, "{label}: {id}");
                    compared += usize::from(status.is_some());
                }
            }
            for node in nodes.iter().filter(|node| node["status"] == "running") {
                let id = node["id"].as_str().expect("an id");
                if has_start_line(id) {
                    assert!(truths.contains_key(&(session.clone(), id.to_owned())), "{label}: {id}");
                }
                // Whether a turn can be cancelled is never logged, but it follows from what the turn has printed.
                if node["kind"] == "turn" {
                    let own = if with_cancel.contains(session.as_str()) { "own" } else { "none" };
                    let is_orchestrator = moment.recording.starts_with("orchestrator");
                    let ended_since = tracked.iter().any(|row| {
                        row["session_id"] == session.as_str()
                            && time(&row["completed_at"]).is_some_and(|ended| ended >= at)
                    });
                    let is_left_out = is_orchestrator || ended_since;
                    assert!(node["cancel"] == own || is_left_out, "{label}: {id} {}", node["cancel"]);
                    unnamed_turns += usize::from(id.starts_with("turn:"));
                }
            }
        }
    }
    assert!((compared > 300 && unnamed_turns > 0), "{compared} {unnamed_turns}");
}

// Recording plat171: the run was launched by an earlier turn; its item is tied to it by its working directory.
#[test]
fn the_incident_at_a_time_shows_the_watched_run() {
    let captures = captures();
    let log = captures.join("plat171/server_debug.log.gz");
    let session = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
    let at: Timestamp = "2026-11-30T03:15:09Z".parse().expect("it is a time");
    let document = graph(session, &log, at).expect("the log names the session");
    let edge = |from: &str, to: &str, kind: &str| {
        document["edges"].as_array().expect("a list").iter().any(|edge| {
            edge["from"].as_str().is_some_and(|id| id.starts_with(from))
                && edge["to"].as_str().is_some_and(|id| id.starts_with(to))
                && edge["kind"] == kind
                && edge["evidence"].as_str().is_some_and(|text| text.starts_with("log 1, line "))
        })
    };
    assert!(edge("session:", "workflow-full-mx2p37yb01", "watches"));
    assert!(edge("workflow-full-mx2p37yb01", "msgseq-collect-invoices-fetch-", "owns"));
    assert!(edge("query_1796008496789106013", "workflow-full-mx2p37yb01", "launched"));
    assert_eq!(document["source"]["kind"], "log");
    assert_eq!(document["as_of"], "2026-11-30T03:15:09Z");
    // A minute later the death has taken everything.
    let later = at.checked_add(SignedDuration::from_secs(60)).expect("it is in range");
    let document = graph(session, &log, later).expect("the log names the session");
    let nodes = document["nodes"].as_array().expect("a list");
    assert!(nodes.iter().all(|node| node["kind"] == "session" || node["status"] != "running"), "{nodes:?}");
}

#[test]
fn a_wrong_time_or_log_is_told() {
    let captures = captures();
    let log = captures.join("plat171/server_debug.log.gz").display().to_string();
    for (arguments, code) in [
        (&["sessions", "--log", "no-such.log"][..], 3),
        (&["sessions", "--log", &log, "--at", "yesterday-ish"], 2),
        (&["sessions", "--log", &log, "--at", "2020-01-01T00:00:00Z"], 3),
        (&["sessions", "--log", &log, "--from", "x"], 2),
        (&["sessions", "--at", "03:15"], 2),
        // Nothing comes from standard input here.
        (&["sessions", "--log", "-"], 3),
        (&["sessions", "--log", &log, "--at", "03:15:09"], 0),
        (&["sessions", "--log", &log], 0),
    ] {
        let output = run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    }
}
