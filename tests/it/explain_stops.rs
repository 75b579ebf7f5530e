//! `audit --explain-stops`: the model on trial against every stop of every recording.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::captures::recordings;
use crate::common::pulsectl;

fn audit(arguments: &[&str]) -> (i32, String, String) {
    let output = pulsectl().arg("audit").args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is UTF-8");
    (output.status.code().expect("it ends"), text(output.stdout), text(output.stderr))
}

fn stops(path: &Path) -> Vec<Value> {
    let path = path.display().to_string();
    let (_, stdout, stderr) = audit(&[&path, "--explain-stops", "-o", "json"]);
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    document["stops"].as_array().expect("a list").clone()
}

// Issue of the dry run, part D: the counters predicted are those that the log then printed. A stop of an old server
// prints none, and then nothing is claimed.
#[test]
fn every_stop_of_every_recording_came_out_as_foreseen() {
    let recordings = recordings();
    let mut tried: BTreeMap<String, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for recording in recordings {
        for stop in stops(&recording.folder()) {
            let explained = &stop["explained"];
            let label = format!("{} {} {}", recording.name, stop["cause"], stop["time"]);
            let logged = stop["counters"].as_object().is_some_and(|all| all.values().any(|of| !of.is_null()));
            let cause = stop["cause"].as_str().expect("a cause");
            let is_foreseen = !matches!(cause, "cancel_turn" | "child_terminal_death" | "agent_stop_tool");
            if is_foreseen && logged && explained["agrees"] != true {
                wrong.push(format!("{label}: {explained} against {}", stop["counters"]));
            }
            if !explained["rows"].as_array().is_some_and(Vec::is_empty) {
                wrong.push(format!("{label}: {}", explained["rows"]));
            }
            if is_foreseen && logged {
                *tried.entry(cause.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (cause, least) in [("user_stop", 10), ("shutdown", 15), ("terminal_death", 5), ("schedule_stop", 4)] {
        assert!(tried.get(cause).is_some_and(|count| *count >= least), "{tried:?}");
    }
}

// A trial that cannot be lost is none: another number, or a row that the model did not know of.
#[test]
fn other_numbers_are_told() {
    let recordings = recordings();
    let recording = recordings.iter().find(|of| of.name == "plat171").expect("it is in the index");
    let log = String::from_utf8(recording.server_log()).expect("the log is UTF-8");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("server_debug.log");
    for (from, to) in [
        ("background agents: canceled=1 no_cancel_func=1", "background agents: canceled=2 no_cancel_func=1"),
        ("active turn context canceled=false", "active turn context canceled=true"),
    ] {
        assert!(log.contains(from), "{from}");
        fs::write(&file, log.replacen(from, to, 1)).expect("the log can be written");
        let all = stops(&file);
        let death = all.iter().find(|stop| stop["cause"] == "terminal_death").expect("the death");
        assert_eq!(death["explained"]["agrees"], false, "{to}");
    }
    // A log that begins after the run does not know it: a difference then proves nothing.
    let begin = log.find("\n2026/11/30 03:15:05").expect("a line of that second");
    fs::write(&file, &log[begin + 1..]).expect("the log can be written");
    let all = stops(&file);
    let death = all.iter().find(|stop| stop["cause"] == "terminal_death").expect("the death");
    assert_eq!(death["explained"]["agrees"], Value::Null, "{death}");
}

#[test]
fn a_person_reads_it_below_the_stop() {
    let recordings = recordings();
    let recording = recordings.iter().find(|of| of.name == "stop-agents").expect("it is in the index");
    let path = recording.folder().display().to_string();
    let (code, stdout, _) = audit(&[&path, "--explain-stops"]);
    assert_eq!(code, 0);
    let flat = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the model agrees: the counters came out as foreseen (canceled=1"), "{stdout}");
    assert!(
        flat.contains("model against log: 1 stop as foreseen, 0 otherwise, 0 cannot be told"),
        "{stdout}"
    );
    // Not asked for, not there.
    let (_, stdout, _) = audit(&[&path, "-o", "json"]);
    assert!(!stdout.contains("explained"));
}

// One pass over the bytes: a log that can be read only once says the same as the file.
#[test]
fn standard_input_is_explained_as_well() {
    let recordings = recordings();
    let recording = recordings.iter().find(|of| of.name == "stop-agents").expect("it is in the index");
    let log = recording.server_log();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("server_debug.log");
    fs::write(&file, log).expect("the log can be written");
    let stdin = fs::File::open(&file).expect("it is there");
    let piped = pulsectl().args(["audit", "-", "--explain-stops", "-o", "json"]).stdin(stdin).output();
    let piped: Value =
        serde_json::from_slice(&piped.expect("the program runs").stdout).expect("the report is JSON");
    let explained = |stops: &[Value]| stops.iter().map(|stop| stop["explained"].clone()).collect::<Vec<_>>();
    let piped = explained(piped["stops"].as_array().expect("a list"));
    assert_eq!(piped, explained(&stops(&file)));
    assert_eq!(piped[0]["agrees"], true);
}
