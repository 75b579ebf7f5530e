//! Laws of the account over all recordings and cases: every entry stands once and is proved, and a verdict changes
//! exactly where what became of a row does (issue "account", E).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::captures::decompressed;
use crate::common::material::root;
use crate::common::{Pulsectl, in_parallel};

/// The folders with a server's log: all recordings and cases.
fn folders() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for set in ["captures", "captures-structured", "cases"] {
        let set = fs::read_dir(root().join(set)).expect("it is there");
        let folders = set.map(|entry| entry.expect("it can be read").path());
        found.extend(folders.filter(|folder| {
            ["server_debug.log", "server_debug.log.gz"].iter().any(|name| folder.join(name).is_file())
        }));
    }
    found.sort();
    assert!(found.len() >= 12, "{found:?}");
    found
}

fn audit(paths: &[&Path]) -> Value {
    let answer = Pulsectl::new(["audit", "-o", "json"]).args(paths).run();
    serde_json::from_slice(&answer.stdout).unwrap_or_else(|error| panic!("{paths:?}: {error}"))
}

fn list<'value>(value: &'value Value, key: &str) -> &'value [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'value>(value: &'value Value, key: &str) -> &'value str {
    value[key].as_str().unwrap_or_default()
}

/// What names a stop: a change of other lines leaves it as it is.
fn name_of(stop: &Value) -> (String, String, String) {
    (text(stop, "session").to_owned(), text(stop, "time").to_owned(), text(stop, "cause").to_owned())
}

// "none twice"; `clean` only where each entry has a line that proves it, or its class never logs an end
// (measured 14: todo sub-agents never any line, items and mirrors by their container's, retained turns none).
#[test]
fn every_entry_stands_once_and_a_clean_stop_is_proved() {
    let problems = in_parallel(&folders(), |folder| {
        let document = audit(&[folder]);
        let mut problems = Vec::new();
        for stop in list(&document, "stops") {
            let label = format!("{}: {:?}", folder.display(), name_of(stop));
            let mut known = BTreeSet::new();
            for entry in list(stop, "account") {
                let (kind, id, fate) = (text(entry, "kind"), text(entry, "id"), text(entry, "fate"));
                if !known.insert((kind, id)) {
                    problems.push(format!("{label}: {kind} {id} stands twice"));
                }
                if stop["verdict"] != "clean" {
                    continue;
                }
                let over = match (entry["meant"] == true, fate) {
                    (true, "ended" | "ended_with_pane")
                    | (false, "ended" | "ended_with_pane" | "lives_on") => true,
                    // A shutdown cuts what it finds; nothing works on after the process.
                    (_, "cut") => stop["cause"] == "shutdown",
                    _ => false,
                };
                if !over {
                    problems.push(format!("{label}: clean, yet {kind} {id} is {fate}"));
                }
                let silent = matches!(kind, "sub_agent" | "mirror" | "item" | "turn");
                if over && fate != "lives_on" && !silent && list(entry, "evidence").is_empty() {
                    problems.push(format!("{label}: clean, and no line proves that {kind} {id} is {fate}"));
                }
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

// The two files are known by what they hold, so their order on the command line is nothing.
#[test]
fn the_order_of_the_files_is_nothing() {
    let problems = in_parallel(&folders(), |folder| {
        let files = ["server_debug.log.gz", "schedule.log.gz"].map(|name| folder.join(name));
        if !files.iter().all(|file| file.is_file()) {
            return Vec::new();
        }
        let [one, other] = &files;
        let (forth, back) = (audit(&[one, other]), audit(&[other, one]));
        let same = ["findings", "stops", "incidents"].iter().all(|part| forth[part] == back[part]);
        if same { Vec::new() } else { vec![folder.display().to_string()] }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A row that a clean stop of a person was meant to end, and whose own line told its end.
struct Ended {
    stop: (String, String, String),
    id: String,
    line: usize,
}

/// Rows of classes that always log their end (measured 14) with that line, of clean stops with that cause.
fn ended_rows(document: &Value) -> Vec<Ended> {
    let mut found = Vec::new();
    let stops = list(document, "stops").iter().filter(|stop| {
        stop["verdict"] == "clean" && matches!(text(stop, "cause"), "user_stop" | "schedule_stop")
    });
    for stop in stops {
        for entry in list(stop, "account") {
            let told = matches!(text(entry, "kind"), "run" | "step" | "agent") && entry["fate"] == "ended";
            let line = list(entry, "evidence").iter().find(|line| {
                text(line, "text").contains("[FINALIZE_EXEC]") && text(line, "path").contains("server_debug")
            });
            if let (true, Some(line)) = (told && entry["meant"] == true, line) {
                let line = line["line"].as_u64().and_then(|line| usize::try_from(line).ok());
                let id = text(entry, "id").to_owned();
                found.push(Ended { stop: name_of(stop), id, line: line.expect("a line") });
            }
        }
    }
    found
}

/// The lines of a log without those that tell the end of a row, and the end's own line.
fn without_end(log: &str, row: &Ended) -> (Vec<String>, String) {
    let tells = |line: &str| {
        line.contains(&*row.id)
            && ["[FINALIZE_EXEC]", "OnExecutionComplete", "queued completion", "Settled "]
                .iter()
                .any(|tag| line.contains(tag))
    };
    let own = log.lines().nth(row.line - 1).expect("the line is there").to_owned();
    assert!(own.contains("[FINALIZE_EXEC]"), "{own}");
    (log.lines().filter(|line| !tells(line)).map(str::to_owned).collect(), own)
}

/// The stamp `2026/11/30 HH:MM:SS` an hour later.
fn an_hour_later(line: &str) -> String {
    let hour: u32 = line.get(11..13).and_then(|hour| hour.parse().ok()).expect("a stamped line");
    assert!(hour < 23, "{line}");
    format!("{}{:02}{}", &line[..11], hour + 1, &line[13..])
}

/// The verdict of the row's stop after its log was changed, what became of the row, and the rules that name it
/// above info.
fn after_change(folder: &Path, lines: &[String], row: &Ended) -> (String, String, BTreeSet<String>) {
    let changed = tempfile::tempdir().expect("a folder can be made");
    fs::write(changed.path().join("server_debug.log"), lines.join("\n") + "\n").expect("it can be written");
    let schedule = folder.join("schedule.log.gz");
    if schedule.is_file() {
        fs::copy(schedule, changed.path().join("schedule.log.gz")).expect("it can be copied");
    }
    let document = audit(&[changed.path()]);
    let found = list(&document, "stops").iter().find(|of| name_of(of) == row.stop);
    let found = found.unwrap_or_else(|| panic!("{}: {:?} is gone", folder.display(), row.stop));
    let naming = list(&document, "findings").iter().filter(|finding| {
        finding["severity"] != "info" && list(finding, "subjects").iter().any(|of| text(of, "id") == row.id)
    });
    let rules = naming.map(|finding| text(finding, "rule").to_owned()).collect();
    let entry = list(found, "account").iter().find(|entry| text(entry, "id") == row.id);
    let fate = text(entry.expect("the row was open"), "fate");
    (text(found, "verdict").to_owned(), fate.to_owned(), rules)
}

// Where it must change: a run, step or agent whose end is missing, or comes an hour later, is not over. PLS012 names
// it where the log reaches far enough (measured 14), and the stop is clean no longer.
#[test]
fn an_end_that_is_missing_or_late_makes_no_stop_clean() {
    let problems = in_parallel(&folders(), |folder| {
        let file = folder.join("server_debug.log.gz");
        if !file.is_file() {
            return Vec::new();
        }
        let mut problems = Vec::new();
        for row in ended_rows(&audit(&[folder])) {
            let log = String::from_utf8_lossy(&decompressed(&file)).into_owned();
            let (without, own) = without_end(&log, &row);
            let (verdict, fate, rules) = after_change(folder, &without, &row);
            // A log that ends soon after the stop tells no more than that.
            let silent = matches!(&*fate, "no_end_seen" | "cut" | "unknown");
            if verdict == "clean" || !silent || (fate == "no_end_seen" && !rules.contains("PLS012")) {
                problems.push(format!(
                    "{}: without the end of {}: {verdict}, {fate}, {rules:?}",
                    folder.display(),
                    row.id
                ));
            }
            // The process lives on for that hour: the shutdown comes after it.
            let shutdown = without.iter().position(|line| line.contains("🛑 Shutting down server"));
            let mut late = without.clone();
            late.truncate(shutdown.unwrap_or(without.len()));
            late.push(an_hour_later(&own));
            let (verdict, fate, rules) = after_change(folder, &late, &row);
            if verdict == "clean" || fate != "ended_late" || !rules.contains("PLS012") {
                problems.push(format!(
                    "{}: {} an hour late: {verdict}, {fate}, {rules:?}",
                    folder.display(),
                    row.id
                ));
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

// Where it must not: rows of a stop are its session's, so another server's log beside it changes nothing.
#[test]
fn another_servers_log_beside_it_changes_no_stop() {
    let folders = folders();
    let other = folders.iter().find(|folder| folder.ends_with("stop-agents")).expect("it is in the pack");
    let stops_of_other = list(&audit(&[other]), "stops").len();
    let problems = in_parallel(&folders, |folder| {
        if folder == other || !folder.join("server_debug.log.gz").is_file() {
            return Vec::new();
        }
        let (alone, both) = (audit(&[folder]), audit(&[folder, other]));
        let verdicts = |document: &Value| -> BTreeSet<String> {
            let stops = list(document, "stops").iter();
            stops.map(|stop| format!("{:?} {} {}", name_of(stop), stop["verdict"], stop["account"])).collect()
        };
        let same = verdicts(&alone).is_subset(&verdicts(&both))
            && list(&both, "stops").len() == list(&alone, "stops").len() + stops_of_other;
        if same { Vec::new() } else { vec![folder.display().to_string()] }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
