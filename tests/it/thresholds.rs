//! Each limit of time, set far up and far down: every rule, fate and verdict follows (issue 10, A.2).

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::pulsectl;

const HEAD: &str = "2026/08/20 09:30:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json\n";
const TAIL: &str = "2026/08/20 11:30:00 [API] --> GET /api/sessions/active in_flight=1\n";

/// An execution that ends 100 s after a person's stop.
const LATE: &str = r"2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent exec-post-1787198460000000000 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
2026/08/20 09:33:50 [FINALIZE_EXEC] exec=exec-post-1787198460000000000 step=post — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
";

/// A stop that closes the workshop and empties the registry; a run ends 20 s later.
const WIPED: &str = r#"2026/08/20 09:31:00 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt2wrr0g07 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
2026/08/20 09:32:10 [SESSION DEBUG] Closed workshop session "b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70" (all step executions canceled)
2026/08/20 09:32:10 [SESSION DEBUG] Cleared synthetic-turn state for stopped session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
2026/08/20 09:32:30 [FINALIZE_EXEC] exec=workflow-full-mt2wrr0g07 step=full-workflow — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
"#;

/// A first sign of a dead pane, discovered 90 s later.
const SIGN: &str = r#"2026/08/20 09:31:00 [BG AGENT] Live steer delivery failed for session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 agent bg-audit-81177: exit status 1: can't find pane: mlp-claude-code-1787313003118204000-2f22765d — falling back to queue
2026/08/20 09:32:30 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
"#;

/// A close by the platform, and 60 s later its own watchdog finds the pane dead.
const OWN_CLOSE: &str = r#"2026/08/20 09:31:00 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [STREAMING_LIFECYCLE] T+120ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=hello
time="2026-08-20T09:31:01Z" level=info msg="Executing Claude Code tmux session: mlp-claude-code-1787218261118204000-2f22765d" file="logger.go:177"
time="2026-08-20T09:31:30Z" level=debug msg="Closing persistent Claude Code tmux session mlp-claude-code-1787218261118204000-2f22765d for owner b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70: idle timeout" file="logger.go:173"
2026/08/20 09:32:30 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
2026/08/20 09:32:30 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 chunks=1 duration=90000ms
"#;

/// A log, the limits that differ, the rules with their severities, and the verdicts of the stops.
type Case<'case> = (&'case str, &'case [(&'case str, &'case str)], &'case [&'case str], &'case [&'case str]);

/// The rules with their severities, in order, and the verdicts of the stops.
fn judged(log: &str, limits: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let path = folder.path().join("server_debug.log");
    fs::write(&path, format!("{HEAD}{log}{TAIL}")).expect("it is written");
    let mut command = pulsectl();
    for (name, value) in limits {
        command.env(format!("PULSECTL_{name}"), value);
    }
    let answer = command.args(["audit", "-o", "json"]).arg(path).output().expect("the program runs");
    let document: Value = serde_json::from_slice(&answer.stdout).expect("it is JSON");
    let list = |name: &str| document[name].as_array().expect("a list").clone();
    let word = |entry: &Value, key: &str| entry[key].as_str().expect("a text").to_owned();
    let mut rules: Vec<String> = list("findings")
        .iter()
        .map(|finding| format!("{} {}", word(finding, "rule"), word(finding, "severity")))
        .collect();
    rules.sort();
    (rules, list("stops").iter().map(|stop| word(stop, "verdict")).collect())
}

#[test]
fn every_rule_and_verdict_follows_the_limits() {
    let long = "1h";
    let cases: [Case<'_>; 14] = [
        (LATE, &[], &["PLS012 high"], &["findings"]),
        (LATE, &[("CANCEL_LAG", long)], &["PLS012 low"], &["findings"]),
        (LATE, &[("CANCEL_LAG", long), ("STOP_GRACE", long)], &[], &["clean"]),
        (LATE, &[("CANCEL_LAG", "0s"), ("STOP_GRACE", long)], &["PLS012 high"], &["findings"]),
        (WIPED, &[], &["PLS012 low", "PLS014 high"], &["findings"]),
        (WIPED, &[("STOP_GRACE", long)], &[], &["clean"]),
        (
            WIPED,
            &[("STOP_GRACE", "0s"), ("CANCEL_LAG", "0s")],
            &["PLS012 high", "PLS014 high"],
            &["findings"],
        ),
        (SIGN, &[], &["PLS017 medium", "PLS036 info"], &["clean"]),
        (SIGN, &[("DEAD_PANE_GAP", long)], &["PLS017 info", "PLS036 info"], &["clean"]),
        (SIGN, &[("DEAD_PANE_GAP", "0s")], &["PLS017 medium", "PLS036 info"], &["clean"]),
        (OWN_CLOSE, &[], &["PLS018 critical"], &["findings"]),
        (OWN_CLOSE, &[("SELF_KILL_WINDOW", long)], &["PLS018 critical"], &["findings"]),
        (OWN_CLOSE, &[("SELF_KILL_WINDOW", "59s")], &["PLS036 info"], &["clean"]),
        (OWN_CLOSE, &[("SELF_KILL_WINDOW", "60s")], &["PLS018 critical"], &["findings"]),
    ];
    for (log, limits, rules, verdicts) in cases {
        let (found, verdict) = judged(log, limits);
        assert_eq!(found, rules, "{limits:?} over\n{log}");
        assert_eq!(verdict, verdicts, "{limits:?} over\n{log}");
    }
}

/// A limit beyond an hour would let a stop that did not hold pass for one that did.
#[test]
fn a_limit_has_an_upper_bound() {
    for (value, code) in [("61m", Some(2)), ("1h", Some(3))] {
        let answer = pulsectl().env("PULSECTL_CANCEL_LAG", value).args(["audit", "no-such.log"]).output();
        assert_eq!(answer.expect("the program runs").status.code(), code, "{value}");
    }
}
