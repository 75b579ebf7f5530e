//! A server at its edges: with nothing, with very much, with odd ids, and one that breaks before anything is saved.

use serde_json::{Value, json};

use super::{CHAT, LIST, run, scene};
use crate::common::recordings::captures;
use crate::common::server::Fault;
use crate::graph_server::large_list;

#[test]
fn what_was_not_read_is_not_saved() {
    let captures = captures();
    let scene = scene(&captures, "plat171", true);
    scene.server.fail(LIST, Fault::Cut, None);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("snapshot.json");
    let output = run(&scene, "snapshot save", &[&file.display().to_string()]);
    assert_eq!(output.status.code(), Some(7));
    assert!(!file.exists());
}

// The server's arrays are null where they are empty (pulse-api, section 12).
#[test]
fn a_server_without_anything_is_no_failure() {
    let captures = captures();
    for gate_open in [true, false] {
        let scene = scene(&captures, "plat171", gate_open);
        let empty = [
            (LIST, r#"{"active_sessions":null,"total":0}"#),
            ("/api/workflow/running", r#"{"running":null}"#),
            ("/api/terminals?content=none", r#"{"terminals":null,"runtime_states":null}"#),
            ("/api/browser/sessions", r#"{"sessions":null}"#),
        ];
        for (path, body) in empty {
            scene.server.answer_with(path, "application/json", body);
        }
        for (command, arguments, code) in [
            ("status", &[][..], 0),
            ("sessions", &[], 0),
            ("snapshot show", &[], 0),
            ("plan shutdown", &[], 0),
            ("graph", &[CHAT], 6),
            ("plan stop", &[CHAT], 6),
            ("plan schedule-stop", &["nightly"], 6),
        ] {
            let output = run(&scene, command, arguments);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command}, gate open: {gate_open}: {stderr}");
        }
        // Ids that were not listed are not asked about.
        assert!(!scene.server.requests().iter().any(|seen| seen.request.contains(CHAT)));
    }
}

#[test]
fn ids_that_cannot_stand_in_a_path_are_not_asked_about_and_odd_ones_are_encoded() {
    let captures = captures();
    let scene = scene(&captures, "plat171", true);
    let mut list = scene.server.recorded(LIST);
    let row = list["active_sessions"][0].clone();
    let mut with = |id: &str| {
        let mut row = row.clone();
        row["session_id"] = json!(id);
        list["active_sessions"].as_array_mut().expect("a list").push(row);
    };
    with("x/../../../session/stop");
    with("..");
    with("odd:id ?a#b%2f");
    scene.server.answer_with(LIST, "application/json", &list.to_string());
    let output = run(&scene, "snapshot show", &["-o", "json"]);
    assert_eq!(output.status.code(), Some(7));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let gaps = document["gaps"].as_array().expect("a list");
    let unaskable: Vec<&Value> =
        gaps.iter().filter(|gap| gap["code"] == "unaskable_id").map(|gap| &gap["session"]).collect();
    assert_eq!(unaskable, [&json!(".."), &json!("x/../../../session/stop")]);
    assert_eq!(scene.server.count("GET /api/sessions/odd%3Aid%20%3Fa%23b%252f/execution-tree"), 1);
}

#[test]
fn ten_thousand_sessions_and_a_hundred_thousand_executions_are_read() {
    let captures = captures();
    let scene = scene(&captures, "plat171", false);
    let list = large_list(&captures.join("plat171/http-before"));
    scene.server.answer_with(LIST, "application/json", &list.to_string());
    let output = run(&scene, "sessions", &["--no-headers", "--columns", "id,runs"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().filter(|line| line.ends_with("  10")).count(), 10_000);
    let output = run(&scene, "plan stop", &["session-07777", "--agents", "-o", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let plan: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(plan["rows"].as_array().map(Vec::len), Some(10));
    // Of 10,000 sessions only the one that was named is asked about.
    let about_sessions = |request: &str| request.contains("/api/sessions/session-");
    let asked = scene.server.requests().iter().filter(|seen| about_sessions(&seen.request)).count();
    assert_eq!(asked, 1);
}

// pulse-api, section 1.4: the gate and an unknown route give the same 404; a server that does not name its gate is
// asked. formats.md, section 5: what a closed gate hides is a gap, exit code 0.
#[test]
fn a_gate_that_the_server_does_not_name_is_tried() {
    let captures = captures();
    for gate_open in [true, false] {
        let scene = scene(&captures, "plat171", gate_open);
        scene.server.answer_with("/api/capabilities", "application/json", "{}");
        let output = run(&scene, "snapshot show", &["-o", "json"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "gate open: {gate_open}: {stderr}");
        assert_eq!(stderr.contains("debug gate is closed"), !gate_open, "{stderr}");
        assert_eq!(scene.server.count(&format!("GET /api/sessions/{CHAT}/execution-tree")), 1);
    }
}
