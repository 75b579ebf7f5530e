//! What bounds give up is told, and hides nothing (issue "hostile input", A.1, A.6 and C).

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::common::captures::recordings;
use crate::common::pulsectl;

const SESSION: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";

fn audit(log: &str) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("server_debug.log");
    fs::write(&file, log).expect("the log can be written");
    let output = pulsectl().args(["audit", "-o", "json"]).arg(&file).output().expect("the program runs");
    let document = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    (output.status.code(), document)
}

fn list<'value>(document: &'value Value, key: &str) -> &'value [Value] {
    document[key].as_array().expect("a list")
}

fn codes(document: &Value) -> Vec<&str> {
    list(document, "gaps").iter().filter_map(|gap| gap["code"].as_str()).collect()
}

/// A recording with 3,000 more lines of its session behind the line that holds a text; `<S>` in that is the session.
fn flooded(name: &str, behind: &str) -> String {
    let recordings = recordings();
    let recording = recordings.iter().find(|of| of.name == name).expect("it is in the pack");
    let log = String::from_utf8(recording.server_log()).expect("the log is UTF-8");
    let session = recording.session.as_deref().expect("it has one");
    let stop = log.find(&behind.replace("<S>", session)).expect("the stop is logged");
    let begin = log[..stop].rfind('\n').expect("a line before") + 1;
    let end = begin + log[begin..].find('\n').expect("it ends") + 1;
    let stamp = &log[begin..begin + 19];
    let mut flood = log[..end].to_owned();
    for number in 0..3_000 {
        let _ = writeln!(flood, "{stamp} [TOOL] session={session} START id=flood-{number} name=read_file");
    }
    flood + &log[end..]
}

// A.1: 2,100 more lines of a session after its stop, and PLS005 critical vanished without a word.
#[test]
fn a_flood_of_lines_hides_no_finding() {
    let (code, document) = audit(&flooded("plat171", " failing main session="));
    assert_eq!(code, Some(10));
    let critical = |finding: &&Value| finding["rule"] == "PLS005" && finding["severity"] == "critical";
    assert_eq!(list(&document, "findings").iter().filter(critical).count(), 1);
    assert!(codes(&document).contains(&"lines_dropped"), "{:?}", codes(&document));
    assert_eq!(document["complete"], false);
}

// A.1: what was not kept makes a harmless stop inconclusive and the answer incomplete.
#[test]
fn a_flood_makes_a_harmless_stop_undecided() {
    let (code, document) = audit(&flooded("stop-agents", "[STOP] session=<S> background agents:"));
    assert_eq!(code, Some(7));
    let stop = &list(&document, "stops")[0];
    assert_eq!(stop["verdict"], "inconclusive");
}

// C: from 64 subjects of one rule in one incident on, the rest are one finding with a count; below nothing changes.
#[test]
fn many_findings_of_a_rule_in_one_incident_are_counted() {
    let stop_of = |rows: u32| {
        let mut log =
            String::from("2026/11/30 03:14:56 [SERVER DEBUG] Using MCP config file: configs/x.json\n");
        for row in 0..rows {
            let _ = writeln!(
                log,
                "2026/11/30 03:15:00 [BG AGENT] Recorded UI-only background start for agent exec-a-{row:019} in session {SESSION}"
            );
        }
        let _ = writeln!(
            log,
            "2026/11/30 03:15:26 [ACTIVE_SESSION] Updated session {SESSION} status to: stopped"
        );
        log.push_str("2026/11/30 03:25:26 [API] --> GET /api/sessions/active in_flight=1\n");
        let (code, document) = audit(&log);
        assert_eq!(code, Some(10), "{rows} rows have no end");
        let of_rule = list(&document, "findings").iter().filter(|finding| finding["rule"] == "PLS012");
        of_rule.map(|finding| finding["claim"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let few = stop_of(64);
    assert_eq!(few.len(), 64);
    assert!(few.iter().all(|claim| !claim.contains("more of these")), "{few:?}");
    let many = stop_of(100);
    assert_eq!(many.len(), 65);
    let counted: Vec<&String> = many.iter().filter(|claim| claim.starts_with("36 more of these")).collect();
    assert_eq!(counted.len(), 1, "{many:?}");
}
