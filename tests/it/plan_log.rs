//! The law of the dry run: a plan from the log at a time equals the plan from the registries at that time, as far
//! as both know (issue of the dry run, part D). And what a log hides is never taken for "nothing there".

use std::collections::BTreeMap;
use std::process::Output;

use jiff::Timestamp;
use pulsectl::testing::engine::plan::{PaneState, Plan, PlannedRow, Trigger};
use serde_json::Value;

use crate::common::pulsectl;
use crate::common::recordings::captures;
use crate::plan_recordings::{Recording, each};

fn run(arguments: &[String]) -> Output {
    pulsectl().args(arguments).output().expect("the program runs")
}

/// The trigger as a person types it.
fn typed(trigger: &Trigger) -> Vec<String> {
    let words: Vec<&str> = match trigger {
        Trigger::Stop { session, agents: false } => vec!["stop", session],
        Trigger::Stop { session, agents: true } => vec!["stop", session, "--agents"],
        Trigger::CancelTurn { session } => vec!["cancel-turn", session],
        Trigger::ScheduleStop { session } => vec!["schedule-stop", session],
        Trigger::TerminalDeath { session, terminal, pane } => {
            let pane = match pane {
                PaneState::Missing => "missing",
                PaneState::Dead => "dead",
                PaneState::Wall => "wall",
            };
            let mut words = vec!["terminal-death", session, "--pane", pane];
            words.extend(terminal.iter().flat_map(|terminal| ["--terminal", terminal]));
            words
        }
        Trigger::KillTerminal { terminal } => vec!["kill-terminal", terminal],
        Trigger::StopStep { target } => vec!["stop-step", target],
        Trigger::StopAll { session } => vec!["stop-all", session],
        Trigger::Shutdown => vec!["shutdown"],
        Trigger::Dismiss { session } => vec!["dismiss", session],
        Trigger::Clear { session } => vec!["clear", session],
    };
    words.into_iter().map(str::to_owned).collect()
}

/// The second before the registries were recorded: a log counts in seconds, and the trigger may fall in that one.
fn second_before(recording: &Recording) -> Timestamp {
    let file = captures().join(&recording.name).join("registries-before.json");
    let registries = std::fs::read(file).expect("the registries can be read");
    let registries: Value = serde_json::from_slice(&registries).expect("they are JSON");
    let at: Timestamp = registries["at"].as_str().expect("a time").parse().expect("it is a time");
    Timestamp::from_second(at.as_second() - 1).expect("it is in range")
}

/// The plan from the log; `None` where the log has not named the session by then.
fn from_log(recording: &Recording, trigger: &Trigger) -> Option<Value> {
    let log = captures().join(&recording.name).join("server_debug.log.gz");
    let mut arguments = vec!["plan".to_owned()];
    arguments.extend(typed(trigger));
    arguments.extend(["--log", &log.display().to_string(), "-o", "json", "--at"].map(str::to_owned));
    arguments.push(second_before(recording).to_string());
    let output = run(&arguments);
    if output.status.code() == Some(6) {
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("stdout holds one JSON document"))
}

/// The row of the log's plan that is this one: by id, or a turn that the log does not name by its second.
fn same<'a>(row: &PlannedRow, logged: &'a [Value]) -> Option<&'a Value> {
    if let Some(found) = logged.iter().find(|other| other["id"] == row.id.as_str()) {
        return Some(found);
    }
    let nanoseconds: i64 = row.id.strip_prefix("query_")?.parse().ok()?;
    // The line that shows it may fall in the next second.
    let seconds = [0, 1].map(|later| Timestamp::from_second(nanoseconds / 1_000_000_000 + later));
    let ids = seconds.map(|began| format!("turn:{}@{}", row.session, began.expect("it is in range")));
    logged.iter().find(|other| ids.iter().any(|id| other["id"] == id.as_str()))
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn a_plan_from_the_log_is_the_plan_from_the_registries() {
    let (mut rows, mut counters) = (BTreeMap::new(), 0);
    let mut wrong = Vec::new();
    each(|recording, label, _, plan| {
        if label.ends_with("closed") {
            return;
        }
        let Some(document) = from_log(recording, &plan.trigger) else { return };
        let logged = document["rows"].as_array().expect("a plan has rows");
        let mut moved = false;
        for row in &plan.rows {
            let Some(other) = same(row, logged) else { continue };
            let running = row.status.as_ref().is_some_and(|status| status.as_str() == "running");
            // Something happened to it in the second that is left out.
            if running != (other["status"] == "running") {
                moved = true;
                continue;
            }
            let (one, two) = (row.outcome.name(), word(&other["outcome"]));
            let otherwise = word(&other["otherwise"]["outcome"]);
            let via: Vec<&str> = row.via.iter().map(String::as_str).collect();
            if two == "unknown" || (one != two && one != otherwise) {
                wrong.push(format!("{label}: {} {one}, from the log {two}", row.id));
            }
            if one == two && via.len() == 1 && other["via"] != via[0] {
                wrong.push(format!("{label}: {} via {via:?}, from the log {}", row.id, other["via"]));
            }
            *rows.entry(one).or_insert(0) += 1;
        }
        counters += usize::from(!moved && compare_counters(label, plan, &document, &mut wrong));
    });
    assert!(wrong.is_empty(), "{} wrong of {rows:?}:\n{}", wrong.len(), wrong.join("\n"));
    let some = |outcome: &str, least: i32| rows.get(outcome).is_some_and(|count| *count >= least);
    assert!(
        (some("cancelled", 30)
            && some("cancelled_by_ancestor", 25)
            && some("ends_with_pane", 10)
            && some("marked_only", 3)
            && some("survives", 15)
            && counters > 20),
        "{rows:?} {counters}"
    );
}

/// Whether counters were there to compare.
fn compare_counters(label: &str, plan: &Plan, document: &Value, wrong: &mut Vec<String>) -> bool {
    let mut compared = false;
    for prediction in &plan.predicted {
        let logged = document["predicted"].as_array().expect("a list");
        let Some(logged) = logged.iter().find(|of| of["session"] == prediction.session.as_str()) else {
            continue;
        };
        let counters = prediction.counters;
        let known = [
            ("orchestrator_queries", counters.orchestrator_queries),
            ("orchestrator_canceled", counters.orchestrator_canceled),
            ("canceled", counters.canceled),
            ("no_cancel_func", counters.no_cancel_func),
            ("tracked_marked", counters.tracked_marked),
            ("turn_canceled", counters.turn_canceled.map(u64::from)),
        ];
        for (name, one) in known {
            let number = |value: &Value| value.as_u64().or(value.as_bool().map(u64::from));
            let two = number(&logged["counters"][name]);
            let otherwise = number(&logged["otherwise"]["counters"][name]);
            if let (Some(one), Some(two)) = (one, two) {
                compared = true;
                if one != two && Some(one) != otherwise {
                    wrong.push(format!("{label}: {name}={one}, from the log {two}"));
                }
            }
        }
    }
    compared
}

// Recording terminal-death-watched-run: an API chat whose main pane no line names. "No pane" would be a wrong "safe".
#[test]
fn a_pane_that_the_log_does_not_name_may_be_there() {
    let captures = captures();
    let log = captures.join("terminal-death-watched-run/server_debug.log.gz").display().to_string();
    let session = "6f1b2c3d-0001-4a5e-9b10-aa0000000001";
    let plan = |arguments: &[&str]| -> Value {
        let mut all = vec!["plan".to_owned()];
        all.extend(arguments.iter().map(|word| (*word).to_owned()));
        all.extend(["--log", &log, "--at", "03:07:31", "-o", "json"].map(str::to_owned));
        let output = run(&all);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let death = plan(&["terminal-death", session]);
    assert_eq!(death["refused"], Value::Null);
    assert_eq!(death["summary"]["safe"], false);
    let rows = death["rows"].as_array().expect("rows");
    let run_row = rows.iter().find(|row| word(&row["id"]).starts_with("workflow-full-")).expect("the run");
    assert_eq!(run_row["outcome"], "cancelled");
    assert_eq!(run_row["confidence"], "low");
    assert_eq!(run_row["otherwise"]["outcome"], "survives");
    // Its owner follows from the id: the pane of a step fails no row.
    let step = format!("{session}:workflow-step:exec-collect-invoices-1:collect-invoices");
    for trigger in [&["kill-terminal", &step][..], &["terminal-death", session, "--terminal", &step]] {
        let plan = plan(trigger);
        assert_eq!(plan["refused"], Value::Null, "{trigger:?}");
        assert_eq!(plan["summary"]["safe"], false, "{trigger:?}");
    }
}
