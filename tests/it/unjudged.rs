//! Lines that the audit knows and no rule judges: counted, named, and never called clean (issue "account", B).

use std::fs;

use serde_json::{Value, json};

use crate::common::pulsectl;

const LOG: &str = "2026/11/30 09:00:00 [STARTUP_TIMING] process started
2026/11/30 09:00:01 [QUERY] Received query for session chat-1
2026/11/30 09:00:30 [WORKFLOW_BUSY] Rejected workflow_builder chat for workspace \"W\": running session chat-9 started t (triggered_by=x)
2026/11/30 09:05:00 [EXEC_TRACKER] Reaping stale running execution exec-a-1 (workspace=w, session=chat-2, started t, age 12h)
2026/11/30 09:05:01 [EXEC_TRACKER] Reaping stale running execution exec-a-2 (workspace=w, session=chat-2, started t, age 12h)
";

fn audit(arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("server_debug.log");
    fs::write(&file, LOG).expect("the log can be written");
    let output = pulsectl().arg("audit").arg(&file).args(arguments).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it is UTF-8"))
}

#[test]
fn they_keep_the_last_line_from_saying_clean() {
    let (code, text) = audit(&[]);
    assert_eq!(code, Some(0), "they change no verdict: {text}");
    let last = text.lines().last().expect("there is one");
    let expected = "No finding; 3 lines that no rule judges: a stale execution was dropped (2), a chat was refused \
                    because its workflow is busy (1).";
    assert!(last.starts_with(expected), "{last}");
}

#[test]
fn the_document_counts_them() {
    let (_, text) = audit(&["-o", "json"]);
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let expected = json!([
        { "template": "stale_run_reaped", "count": 2 },
        { "template": "workflow_busy", "count": 1 },
    ]);
    assert_eq!(document["summary"]["unjudged"], expected);
    assert_eq!(document["inputs"][0]["unjudged"], 3);
}

#[test]
fn a_window_leaves_out_what_lies_outside() {
    let (_, text) = audit(&["-o", "json", "--since", "2026-11-30 09:04"]);
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["summary"]["unjudged"], json!([{ "template": "stale_run_reaped", "count": 2 }]));
}
