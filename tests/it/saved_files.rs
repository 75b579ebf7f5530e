//! What version 0.1.0 wrote to files is still read, and nothing of it is lost. The files under `tests/fixtures`
//! were written by that version from the recordings whose names they bear.

use std::collections::BTreeMap;
use std::fs;

use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::check::plan_check::check;
use pulsectl::testing::check::saved_plan;
use pulsectl::testing::engine::plan::TriggerKind;
use serde_json::Value;

use crate::common::recordings::captures;

/// The saved files of a folder, by name.
fn saved(folder: &str) -> BTreeMap<String, String> {
    let folder = format!("{}/tests/fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).expect("the folder can be listed");
    files
        .map(|file| {
            let path = file.expect("an entry can be read").path();
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("it is text"))
        })
        .collect()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn plans_of_the_first_version_are_read_without_loss() {
    let plans = saved("plans");
    let mut kinds = Vec::new();
    for (name, text) in &plans {
        let plan = saved_plan::read(text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let again = serde_json::to_value(&plan).expect("it can be written");
        assert_eq!(again, value(text), "{name}");
        kinds.push(plan.trigger.kind);
    }
    kinds.sort();
    kinds.dedup();
    let expected = [
        TriggerKind::Stop,
        TriggerKind::CancelTurn,
        TriggerKind::ScheduleStop,
        TriggerKind::TerminalDeath,
        TriggerKind::KillTerminal,
    ];
    assert_eq!(kinds, expected, "each kind whose stops a log shows");
}

// What the recordings' logs say of their triggers is what was foreseen then.
#[test]
fn plans_of_the_first_version_are_held_against_their_logs() {
    let mut told = 0;
    for (name, text) in saved("plans") {
        let plan = saved_plan::read(&text).expect("it is a plan");
        let options = AuditOptions { paths: vec![captures().join(&name)], ..AuditOptions::default() };
        let report = pulsectl::testing::audit::run(&options, &Progress::default()).expect("the log is one");
        let checked = check(&plan, &report).unwrap_or_else(|error| panic!("{name}: {error}"));
        // There the schedule's next message was being prepared, and its turn began after the plan was made.
        let began_later = name == "schedule-stop-relaunch-window";
        let wrong: Vec<_> = checked.rows.iter().filter(|row| !row.agrees).collect();
        assert!(wrong.iter().all(|row| began_later && row.predicted.is_none()), "{name}: {wrong:#?}");
        assert!(checked.counters.iter().all(|of| of.agrees), "{name}: {:#?}", checked.counters);
        told += checked.rows.iter().filter(|row| row.told).count();
    }
    assert!(told > 15, "the logs tell of {told} rows");
}

// A file is outside data: a word that this version does not know is said, and not guessed.
#[test]
fn a_plan_with_an_unknown_word_is_refused_by_that_word() {
    let plan = saved("plans").remove("plat171").expect("it is there");
    let strange = plan.replacen("\"outcome\": \"cancelled\"", "\"outcome\": \"vanishes\"", 1);
    assert_ne!(strange, plan);
    let error = saved_plan::read(&strange).expect_err("no outcome has this name");
    assert!(format!("{error:?}").contains("`vanishes` is none of `cancelled`"), "{error:?}");
}
