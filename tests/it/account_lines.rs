//! Small logs that attacks on the account made: lines as a server prints them, in orders and mixes that no recording
//! has. What is right stands in the issue "account" (B, C) and in the measurements of what ends a row.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::pulsectl;

const START: &str = "2026/09/10 22:00:00 [SERVER DEBUG] Using MCP config file: configs/mcp_servers.json
2026/09/10 22:00:20 [workflow=w mode=workflow user=zoe user_id=u-77 session=<S>] [STREAMING_LIFECYCLE] T+90ms | Starting StreamWithEvents | session=<S> query=go on
";
const STOP: &str = "2026/09/10 22:10:00 [ACTIVE_SESSION] Updated session <S> status to: stopped
2026/09/10 22:10:00 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=<S> chunks=1 duration=580000ms
";
const RECORDED: &str =
    "2026/09/10 22:00:30 [BG AGENT] Recorded UI-only background start for agent <R> in session <S>\n";
const DONE_LATE: &str =
    "2026/09/10 22:34:00 [FINALIZE_EXEC] exec=<R> step=full-workflow — done (result_len=512)\n";
const LATER: &str = "2026/09/10 23:30:00 [API] --> GET /api/sessions/active in_flight=1\n";

/// The verdicts of the stops, and the rules that fired above info.
fn judged(name: &str, parts: &[&str]) -> (Vec<String>, BTreeSet<String>, Option<i32>) {
    let log = parts
        .concat()
        .replace("<S>", "6a0b1c2d-3e4f-4a5b-8c6d-7e8f90a1b2c3")
        .replace("<R>", "workflow-full-mtwaaaaa01");
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join(name), log).expect("the log can be written");
    let output = pulsectl().args(["audit", "-o", "json"]).arg(folder.path()).output().expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let texts = |list: &str, key: &str, keep: &dyn Fn(&Value) -> bool| -> Vec<String> {
        let list = document[list].as_array().expect("a list").iter().filter(|value| keep(value));
        list.map(|value| value[key].as_str().expect("a word").to_owned()).collect()
    };
    let verdicts = texts("stops", "verdict", &|_| true);
    let rules = texts("findings", "rule", &|finding| finding["severity"] != "info");
    (verdicts, rules.into_iter().collect(), output.status.code())
}

// Measured 14: work that a tool stops ends at its own line; `queued completion` only settles. In both orders of it and
// the tool's line.
#[test]
fn a_completion_that_waits_is_no_end() {
    let queued = "2026/09/10 22:10:00 [BG AGENT] Session <S> busy, queued completion for agent <R>\n";
    let stopped = "time=\"2026-09-10T22:10:00Z\" level=info msg=\"🛑 Workshop: step \\\"full-workflow\\\" (execution_id=\\\"<R>\\\") cancelled\" file=\"logger.go:177\"\n";
    for order in [[stopped, queued], [queued, stopped]] {
        let (verdicts, rules, _) =
            judged("server_debug.log", &[START, RECORDED, order[0], order[1], DONE_LATE, LATER]);
        assert_eq!(verdicts, ["findings"], "{order:?}");
        assert!(rules.contains("PLS012"), "{order:?}: {rules:?}");
    }
    let told = "2026/09/10 22:10:01 [FINALIZE_EXEC] exec=<R> step=full-workflow — already cancelled by stop_step, skipNotify=true\n";
    let (verdicts, rules, _) = judged("server_debug.log", &[START, RECORDED, queued, stopped, told, LATER]);
    assert_eq!((verdicts, rules), (vec![String::from("clean")], BTreeSet::new()));
}

// Log grammar: what starts although its session is stopped must be cancelled at once. Where it works on, or nothing
// tells that it ended, the stop is not clean.
#[test]
fn what_starts_in_the_dark_is_waited_for() {
    let dark = "2026/09/10 22:10:01 [BG AGENT] OnExecutionStart ignored for stopped session <S> (exec=<R>)\n";
    for end in [DONE_LATE, ""] {
        let (verdicts, rules, _) = judged("server_debug.log", &[START, STOP, dark, end, LATER]);
        assert_eq!(verdicts, ["findings"], "{end}");
        assert!(rules.contains("PLS012"), "{end}: {rules:?}");
    }
    let at_once = "2026/09/10 22:10:02 [FINALIZE_EXEC] exec=<R> step=full-workflow — context cancelled (err=context canceled), status=Cancelled\n";
    let (verdicts, ..) = judged("server_debug.log", &[START, STOP, dark, at_once, LATER]);
    assert_eq!(verdicts, ["clean"]);
}

// Log grammar: bot sessions that are busy print this line in place of `Recorded UI-only background start`.
#[test]
fn a_start_that_a_bots_session_queues_is_a_row() {
    let queued = "2026/09/10 22:00:30 [BG AGENT] Session <S> busy, queued start notification for agent <R>\n";
    for end in [DONE_LATE, ""] {
        let (verdicts, rules, _) = judged("server_debug.log", &[START, queued, STOP, end, LATER]);
        assert_eq!(verdicts, ["findings"], "{end}");
        assert!(rules.contains("PLS012"), "{end}: {rules:?}");
    }
}

// Measured 14: PLS012 without an end needs lines of the process `cancel_lag` after the stop. One that printed nothing
// more and was started again later was not going on.
#[test]
fn a_process_is_seen_up_to_its_own_last_line() {
    let again = "2026/09/10 22:12:00 [SERVER DEBUG] Using MCP config file: configs/mcp_servers.json\n";
    let (verdicts, rules, _) = judged("server_debug.log", &[START, RECORDED, STOP, again, LATER]);
    assert_eq!(verdicts, ["inconclusive"]);
    assert_eq!(rules, BTreeSet::new());
    let alive = "2026/09/10 22:11:50 [ACTIVE_SESSION] Updated session 7c-other status to: running
";
    let (_, rules, _) = judged("server_debug.log", &[START, RECORDED, STOP, alive, again, LATER]);
    assert!(rules.contains("PLS012"), "{rules:?}");
}

// A log that begins inside a sweep names its rows only there; their ends stand in it all the same.
#[test]
fn rows_that_only_a_cut_sweep_names_find_their_ends() {
    let sweep = "2026/09/10 22:10:00 [STOP] session=<S> background agents: canceled=1 no_cancel_func=0 already_done=0
2026/09/10 22:10:00 [STOP] session=<S> tracked execution marked canceled: id=<R> kind=workflow_builder_task name=\"full-run\"
2026/09/10 22:10:00 [STOP] session=<S> tracked executions marked canceled=1 (status only)
2026/09/10 22:10:01 [FINALIZE_EXEC] exec=<R> step=full-workflow — context cancelled (err=context canceled), status=Cancelled
";
    let (_, rules, _) = judged("server_debug.log", &[sweep, LATER]);
    assert_eq!(rules, BTreeSet::new());
}

// formats.md, section 6: a schedule.log without its server_debug.log is 7.
#[test]
fn a_schedule_log_alone_is_incomplete() {
    let log = "2026/11/30 03:11:50 [workflow=w group=g mode=workflow] [SCHEDULER] runJob starting for nightly (Nightly sync) at 2026-11-30T03:11:50Z, groups=[g]\n";
    let (_, _, code) = judged("schedule.log", &[log]);
    assert_eq!(code, Some(7));
}
