//! Plans of recorded servers, made from the answers before the trigger, held against what the servers then did
//! and logged (issue of the dry run, part D).

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use pulsectl::testing::audit::finding::Report;
use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::check::plan_check::check;
use pulsectl::testing::check::saved_plan;
use pulsectl::testing::engine::plan::{Outcome, PaneState, Plan, Policy, Summary, Trigger, plan};
use pulsectl::testing::model::counters::Counters;
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::render::plan::view::PlanView;
use pulsectl::testing::render::{plan, schemas};
use serde_json::Value;

use crate::common::recordings::{captures, snapshot, with_closed_gate};

/// One recording with rows to compare.
pub(crate) struct Recording {
    pub(crate) name: String,
    pub(crate) entry: Value,
    truth: Value,
}

impl Recording {
    /// The trigger, as the index names it: `stop+agents`, `terminal-death:child`, …
    fn trigger(&self) -> Trigger {
        let text = |key: &str| self.entry[key].as_str().map(str::to_owned);
        let session = text("session").unwrap_or_default();
        let target = text("target");
        let name = self.entry["trigger"].as_str().unwrap_or_default();
        let (name, child) = name.split_once(':').map_or((name, None), |(name, child)| (name, Some(child)));
        let terminal = target.clone().filter(|_| child.is_some());
        let pane = match (name, text("pane").as_deref()) {
            ("usage-wall", _) | (_, Some("wall")) => PaneState::Wall,
            (_, Some("dead")) => PaneState::Dead,
            _ => PaneState::Missing,
        };
        match name {
            "stop" => Trigger::Stop { session, agents: false },
            "stop+agents" => Trigger::Stop { session, agents: true },
            "cancel-turn" => Trigger::CancelTurn { session },
            "schedule-stop" => Trigger::ScheduleStop { session },
            "terminal-death" | "usage-wall" => Trigger::TerminalDeath { session, terminal, pane },
            "kill-terminal" => {
                let main = format!("{session}:main:{session}");
                Trigger::KillTerminal { terminal: target.unwrap_or(main) }
            }
            "stop-step" => Trigger::StopStep { target: target.expect("the index names the step") },
            "stop-all" => Trigger::StopAll { session },
            "shutdown" => Trigger::Shutdown,
            "dismiss" => Trigger::Dismiss { session },
            other => panic!("{}: an unknown trigger `{other}`", self.name),
        }
    }
}

fn recordings() -> Vec<Recording> {
    let captures = captures();
    let read = |path: &Path| -> Value {
        let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let index = read(&captures.join("index.json"));
    let entries = index.as_array().expect("the index is a list");
    let to_compare = entries.iter().filter(|entry| entry["plan"] == true);
    to_compare
        .map(|entry| {
            let name = entry["name"].as_str().expect("every recording has a name").to_owned();
            Recording { truth: read(&captures.join(&name).join("truth.json")), entry: entry.clone(), name }
        })
        .collect()
}

/// The plan of each recording, with the debug gate as recorded and as a server with a closed one would answer.
pub(crate) fn each(mut check: impl FnMut(&Recording, &str, &Snapshot, &Plan)) {
    let captures = captures();
    let all = recordings();
    assert!(!all.is_empty(), "the index names recordings with rows to compare");
    for recording in all {
        let folder = captures.join(&recording.name).join("http-before");
        let closed = with_closed_gate(&folder);
        for (gate, folder) in [("open", folder.as_path()), ("closed", closed.path())] {
            let snapshot = snapshot(folder);
            let plan = plan(&snapshot, &recording.trigger(), Policy::Server);
            let label = format!("{} with the gate {gate}", recording.name);
            check(&recording, &label, &snapshot, &plan);
        }
    }
}

/// Whether an outcome is what `truth.json` says really happened.
fn agrees(outcome: Outcome, really: &str) -> bool {
    match outcome {
        Outcome::Cancelled | Outcome::CancelledByAncestor => really == "ends",
        // A server-managed turn that loses its pane ends by itself (measured, section 3); the truth has one word
        // for every end.
        Outcome::EndsWithPane => really == "ends_with_pane" || really == "ends",
        Outcome::MarkedOnly => really == "marked_only",
        Outcome::Survives => really == "survives",
        Outcome::AlreadyDone => really == "already_done",
        Outcome::Unknown => false,
    }
}

#[test]
fn every_row_comes_out_as_it_really_did() {
    let mut compared = BTreeMap::new();
    let mut wrong = Vec::new();
    each(|recording, label, _, plan| {
        let rows: BTreeMap<&str, _> = plan.rows.iter().map(|row| (row.id.as_str(), row)).collect();
        let hit: Vec<&str> = plan.predicted.iter().map(|of| of.session.as_str()).collect();
        for row in recording.truth["rows"].as_array().expect("the truth has rows") {
            let (Some(id), Some(really)) = (row["id"].as_str(), row["really"].as_str()) else { continue };
            if row["before"].is_null() {
                continue;
            }
            let session = row["session"].as_str().unwrap_or_default();
            let Some(planned) = rows.get(id) else {
                // A session that the trigger does not hit is no part of the plan; its rows must live on.
                if hit.contains(&session) || !matches!(really, "survives" | "already_done") {
                    wrong.push(format!("{label}: {id} is missing, really {really}"));
                }
                continue;
            };
            let other = planned.otherwise.as_ref().is_some_and(|other| agrees(other.outcome, really));
            if !agrees(planned.outcome, really) {
                let race = if other { " (the other side of the race)" } else { "" };
                wrong.push(format!("{label}: {id} {:?}, really {really}{race}", planned.outcome));
            }
            let stays = row["row_stays_listed"] == true;
            if planned.stays_listed != stays {
                wrong.push(format!("{label}: {id} stays listed {}, really {stays}", planned.stays_listed));
            }
            *compared.entry(really.to_owned()).or_insert(0) += 1;
        }
    });
    assert!(wrong.is_empty(), "{} wrong of {compared:?}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared["ends"] > 100, "{compared:?}");
}

/// The lines of a recording's log that belong to its trigger: up to the shutdown of the process, or for a
/// shutdown those after it.
fn log_of(recording: &Recording) -> String {
    let folder = captures().join(&recording.name);
    let mut text = Vec::new();
    let file = fs::File::open(folder.join("server_debug.log.gz")).expect("the log can be opened");
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text).expect("the log can be read");
    let text = String::from_utf8_lossy(&text).into_owned();
    let Some((before, after)) = text.split_once("🛑 Shutting down server...") else { return text };
    if recording.entry["trigger"] == "shutdown" { after.to_owned() } else { before.to_owned() }
}

fn number(text: &str, name: &str) -> Option<u64> {
    let rest = &text[text.find(name)? + name.len()..];
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// The counters that the log printed for a session, by the lines of measured, section 8.
fn printed(log: &str, session: &str) -> Counters {
    let mut counters = Counters::default();
    let prefix = format!("[STOP] session={session} ");
    for line in log.lines() {
        let Some((_, text)) = line.split_once(&prefix) else { continue };
        if let Some(canceled) = text.strip_prefix("active turn context canceled=") {
            counters.turn_canceled = Some(canceled.starts_with("true"));
        } else if text.starts_with("orchestrator contexts:") {
            counters.orchestrator_queries = number(text, "queries=");
            counters.orchestrator_canceled = number(text, "canceled=");
        } else if text.starts_with("background agents:") && counters.canceled.is_none() {
            counters.canceled = number(text, " canceled=");
            counters.no_cancel_func = number(text, "no_cancel_func=");
            counters.already_done = number(text, "already_done=");
        } else if text.starts_with("tracked executions marked canceled=") {
            counters.tracked_marked = number(text, "marked canceled=");
        }
    }
    counters
}

#[test]
fn the_counters_are_those_that_the_log_printed() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    each(|recording, label, _, plan| {
        // Which comes first is a race, so these have no counters to foresee (measured, section 8).
        if matches!(plan.trigger, Trigger::StopAll { .. } | Trigger::StopStep { .. }) {
            return;
        }
        let log = log_of(recording);
        // A version without such lines cannot be told from outside: not logged is no disagreement.
        if !log.contains("[STOP] session=") && recording.name.starts_with(['v', 'o']) {
            return;
        }
        for prediction in &plan.predicted {
            compared += 1;
            let printed = printed(&log, &prediction.session);
            if prediction.counters != printed {
                wrong.push(format!("{label}: foreseen {:?}, printed {printed:?}", prediction.counters));
            }
        }
    });
    assert!(wrong.is_empty(), "{} of {compared} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 80, "{compared}");
}

/// The documents of the plans, as `-o json` writes them.
fn document(snapshot: &Snapshot, plan: &Plan) -> String {
    let compared: Vec<Plan> = Policy::ALL
        .iter()
        .map(|policy| pulsectl::testing::engine::plan::plan(snapshot, &plan.trigger, *policy))
        .collect();
    let summary = Summary::of(plan);
    let view =
        PlanView { snapshot, plan, compared: &compared, summary, show_content: false, everything: false };
    plan::json_v1::render(&view).expect("it encodes")
}

#[test]
fn every_document_is_of_its_schema_and_masks_what_people_wrote() {
    let schema: Value = serde_json::from_str(&schemas::plan()).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    each(|_, label, snapshot, plan| {
        let text = document(snapshot, plan);
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{label}: {errors:?}");
        assert!(!text.contains("[[sleep") && !text.contains("[[tool"), "{label}: a message is shown");
        let all: usize = document["summary"]["outcomes"]
            .as_object()
            .expect("counts")
            .values()
            .filter_map(Value::as_u64)
            .sum::<u64>() as usize;
        assert_eq!(all, plan.rows.len(), "{label}");
    });
}

// The saved plan of each recording, held against the log of what then happened.
#[test]
fn every_saved_plan_agrees_with_its_log() {
    let mut reports: BTreeMap<String, Report> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut observed = 0;
    each(|recording, label, snapshot, plan| {
        let report = reports.entry(recording.name.clone()).or_insert_with(|| {
            let folder = captures().join(&recording.name);
            let options = AuditOptions { paths: vec![folder], ..AuditOptions::default() };
            pulsectl::testing::audit::run(&options, &Progress::default()).expect("the log is one")
        });
        let saved = saved_plan::read(&document(snapshot, plan)).expect("it is a plan");
        let checked = match check(&saved, report) {
            Ok(checked) => checked,
            Err(error) => {
                wrong.push(format!("{label}: {error}"));
                return;
            }
        };
        observed += checked.rows.iter().filter(|row| row.observed.is_some()).count();
        for row in checked.rows.iter().filter(|row| !row.agrees) {
            wrong.push(format!("{label}: {row:?}"));
        }
        for counters in checked.counters.iter().filter(|counters| !counters.agrees) {
            wrong.push(format!("{label}: {counters:?}"));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(observed > 150, "{observed} rows were seen in logs");
}

// A check that cannot fail is none: the plan of a death does not agree with the log once its words are turned.
#[test]
fn a_wrong_plan_differs_from_the_log() {
    each(|recording, label, snapshot, plan| {
        if recording.name != "plat171" {
            return;
        }
        let folder = captures().join(&recording.name);
        let options = AuditOptions { paths: vec![folder], ..AuditOptions::default() };
        let report = pulsectl::testing::audit::run(&options, &Progress::default()).expect("the log is one");
        let right = document(snapshot, plan);
        for (from, to) in [
            ("\"outcome\": \"cancelled\"", "\"outcome\": \"survives\""),
            ("\"no_cancel_func\": 1", "\"no_cancel_func\": 0"),
        ] {
            let saved = saved_plan::read(&right.replacen(from, to, 1)).expect("it is a plan");
            assert!(!check(&saved, &report).expect("there is a stop").agrees, "{label}: {to}");
        }
        let other = right.replace("\"kind\": \"terminal_death\"", "\"kind\": \"schedule_stop\"");
        let saved = saved_plan::read(&other).expect("it is a plan");
        assert!(check(&saved, &report).is_err(), "{label}: the log shows no stop of a schedule");
    });
}
