//! Logs of several servers in one audit: each is judged, and narrowed by the time window, in its own zone.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::Pulsectl;

/// A server in UTC; its stop hit nothing.
const IN_UTC: &str = r#"2026/08/20 09:00:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json
time="2026-08-20T09:00:01Z" level=info msg="ready" file="logger.go:177"
2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session a7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
2026/08/20 09:55:00 [API] --> GET /api/sessions/active in_flight=1
"#;

/// A server at +05:30, at the same moments; what its first stop hit ended 260 s later. Its second stop, of the
/// same session, comes at 15:46, so 10:16 in UTC.
const IN_INDIA: &str = r#"2026/08/20 14:30:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json
time="2026-08-20T14:30:01+05:30" level=info msg="ready" file="logger.go:177"
2026/08/20 15:01:00 [BG AGENT] Recorded UI-only background start for agent exec-post-1787198460000000000 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
2026/08/20 15:02:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
2026/08/20 15:06:30 [FINALIZE_EXEC] exec=exec-post-1787198460000000000 step=post — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
2026/08/20 15:46:00 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
2026/08/20 15:55:00 [API] --> GET /api/sessions/active in_flight=1
"#;

/// The audit of these folders in this window: rules and severities, sessions that were stopped, severities of the
/// incidents, and the exit code.
fn audit(folder: &Path, names: &[&str], until: &str) -> (Vec<String>, Vec<String>, Vec<String>, Option<i32>) {
    let paths = names.iter().map(|name| folder.join(name));
    let answer = Pulsectl::new(["audit", "-o", "json", "--since", "2026-08-20T09:00:00Z", "--until", until])
        .args(paths)
        .run();
    let document: Value = serde_json::from_slice(&answer.stdout).expect("it is JSON");
    let texts = |list: &str, key: &str| -> Vec<String> {
        let entries = document[list].as_array().expect("a list");
        entries.iter().map(|entry| entry[key].as_str().expect("a text").to_owned()).collect()
    };
    let rules = texts("findings", "rule").into_iter().zip(texts("findings", "severity"));
    let rules = rules.map(|(rule, severity)| format!("{rule} {severity}")).collect();
    (rules, texts("stops", "session"), texts("incidents", "severity"), answer.code)
}

/// Issue 10, A.1: the window of one server is never laid over another's wall clock, whichever comes first.
#[test]
fn each_server_has_its_own_window() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    for (name, log) in [("utc", IN_UTC), ("india", IN_INDIA)] {
        fs::create_dir(folder.path().join(name)).expect("it is made");
        fs::write(folder.path().join(name).join("server_debug.log"), log).expect("it is written");
    }
    let (utc, india) = ("a7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70", "b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70");
    for order in [["utc", "india"], ["india", "utc"]] {
        // 10:10 in UTC is 15:40 in India: the late end lies inside, the second stop outside.
        let (rules, stops, incidents, code) = audit(folder.path(), &order, "2026-08-20T10:10:00Z");
        assert_eq!(rules, ["PLS012 high"], "{order:?}");
        assert_eq!(incidents, ["high"], "{order:?}");
        let mut expected = [utc, india];
        // Both stops are of one second.
        expected.sort_unstable();
        assert_eq!(stops, expected, "{order:?}");
        assert_eq!(code, Some(10), "{order:?}");
        // Before 15:02 in India, so 09:32 in UTC, nothing had happened.
        let (rules, stops, _, code) = audit(folder.path(), &order, "2026-08-20T09:30:00Z");
        assert_eq!((rules, stops, code), (Vec::new(), Vec::new(), Some(0)), "{order:?}");
    }
}
