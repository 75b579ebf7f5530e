//! `pulsectl sessions`: what its source cannot tell is unknown, and is said.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

use crate::common::recordings::{captures, with_closed_gate};
use crate::common::{Answer, Pulsectl};

fn sessions(arguments: &[&str]) -> Answer {
    Pulsectl::new([&["sessions"], arguments].concat()).run()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// The counts of the only session: runs, agents, panes.
fn counts(arguments: &[&str]) -> [Value; 3] {
    let answer = sessions(&[arguments, &["-o", "json"]].concat());
    let document: Value = serde_json::from_slice(&answer.stdout).expect("it is JSON");
    let session = document["sessions"][0].clone();
    ["runs", "agents", "panes"].map(|field| session[field].clone())
}

/// The recording `plat171`: by its `registries-before.json` a run runs; its terminals are a main pane and that of a
/// step. A log names no state of a pane, nor sub-agents (measured.md: `todo-` rows have no start line).
#[test]
fn what_a_log_cannot_tell_is_unknown() {
    let captures = captures();
    let folder = captures.join("plat171");
    let before = folder.join("http-before");
    assert_eq!(counts(&["--from", text(&before)]), [Value::from(1), Value::from(0), Value::from(2)]);
    let closed = with_closed_gate(&before);
    assert_eq!(counts(&["--from", text(closed.path())]), [Value::from(1), Value::from(0), Value::from(2)]);

    let log = folder.join("server_debug.log.gz");
    let whole = ["--log", text(&log), "--at", "03:15:09"];
    assert_eq!(counts(&whole), [Value::from(1), Value::Null, Value::Null]);
    let table = sessions(&[&whole[..], &["--columns", "runs,agents,panes", "--no-headers"]].concat());
    let shown = String::from_utf8(table.stdout).expect("it is UTF-8");
    assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), ["1", "?", "?"]);
    assert!(table.stderr.contains("note: no_terminals: "), "{}", table.stderr);
    assert!(table.stderr.contains("warning: not_logged: "), "{}", table.stderr);

    // The log from 03:15:02 on: the run was registered before, so that no run is seen tells nothing.
    let mut lines = String::new();
    let file = fs::File::open(&log).expect("the log opens");
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut lines).expect("it is UTF-8");
    let start = lines.lines().position(|line| line.contains("03:15:02")).expect("there is such a second");
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let cut = place.path().join("cut.log");
    let rest: Vec<&str> = lines.lines().skip(start).collect();
    fs::write(&cut, rest.join("\n") + "\n").expect("it can be written");
    let from_cut = ["--log", text(&cut), "--at", "03:15:09"];
    assert_eq!(counts(&from_cut), [Value::Null, Value::Null, Value::Null]);
    let table = sessions(&from_cut);
    assert!(table.stderr.contains("begins in mid-process"), "{}", table.stderr);
}

// The closed gate is the default, and `pulsectl status` explains it; nothing else is hidden.
#[test]
fn the_gaps_that_matter_are_told_beside_the_table() {
    let captures = captures();
    let before = captures.join("plat171/http-before");
    assert_eq!(sessions(&["--from", text(&before)]).stderr, "");
    let closed = with_closed_gate(&before);
    assert_eq!(sessions(&["--from", text(closed.path())]).stderr, "");
}

/// A list of one session without its runtime snapshot: nothing is known of its rows and panes (formats.md: absent
/// knowledge is null).
#[test]
fn a_session_without_its_runtime_snapshot_has_unknown_counts() {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let list = r#"{"active_sessions":[{"session_id":"s1","status":"running"}],"total":1}"#;
    let index = r#"[{"file":"a.json","request":"GET /api/sessions/active","status":200,"content_type":"application/json"}]"#;
    fs::write(place.path().join("a.json"), list).expect("it can be written");
    fs::write(place.path().join("index.json"), index).expect("it can be written");
    let folder = text(place.path());
    assert_eq!(counts(&["--from", folder]), [Value::Null, Value::Null, Value::Null]);
    let table = sessions(&["--from", folder]);
    assert!(table.stderr.contains("warning: no_runtime_state: s1"), "{}", table.stderr);
    assert_eq!(table.code, Some(7));
}

#[test]
fn a_folder_that_is_no_recording_is_told_once_with_a_hint() {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let answer = sessions(&["--from", text(place.path())]);
    assert_eq!(answer.code, Some(3));
    assert_eq!(answer.stderr.matches("No such file").count(), 1, "{}", answer.stderr);
    assert!(answer.stderr.contains("hint: --from takes a saved snapshot"), "{}", answer.stderr);
    assert!(answer.stderr.contains("index.json"), "{}", answer.stderr);
}

// Text of a server that would reorder what a terminal shows is an escape in JSON, and the same after parsing.
#[test]
fn json_holds_no_character_that_reorders_text() {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let hostile = "run\u{202e}gni\u{2066}\u{200f}\u{9b}31m";
    let list =
        serde_json::json!({ "active_sessions": [{ "session_id": "s1", "status": hostile }], "total": 1 });
    let index = r#"[{"file":"a.json","request":"GET /api/sessions/active","status":200,"content_type":"application/json"}]"#;
    fs::write(place.path().join("a.json"), list.to_string()).expect("it can be written");
    fs::write(place.path().join("index.json"), index).expect("it can be written");
    for arguments in [
        &["sessions", "-o", "json"][..],
        &["graph", "s1", "-o", "json"],
        &["plan", "stop", "s1", "-o", "json"],
        &["snapshot", "show", "-o", "json"],
    ] {
        let answer = Pulsectl::new(arguments).arg("--from").arg(place.path()).run();
        let text = String::from_utf8(answer.stdout).expect("it is UTF-8");
        let is_bad = |c: char| matches!(c, '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.contains(is_bad), "{arguments:?}: {text}");
        serde_json::from_str::<Value>(&text).expect("it is JSON");
        if arguments[0] == "sessions" {
            let document: Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(document["sessions"][0]["status"], hostile);
        }
    }
}
