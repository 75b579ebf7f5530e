//! What version 0.1.0 wrote to files is still read, and nothing of it is lost. The files under `tests/fixtures`
//! were written by that version from the recordings whose names they bear.

use std::collections::BTreeMap;
use std::fs;

use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::check::plan_check::check;
use pulsectl::testing::check::saved_plan;
use pulsectl::testing::engine::plan::{Policy, Trigger, TriggerKind, plan};
use pulsectl::testing::model::fact::Label;
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::source::saved::{self, Document};
use serde_json::{Value, json};

use crate::common::recordings::{captures, moments, snapshot};

/// The saved files of a folder, by name.
fn files(folder: &str) -> BTreeMap<String, String> {
    let folder = format!("{}/tests/fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(folder).expect("the folder can be listed");
    entries
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
    let plans = files("plans");
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
    for (name, text) in files("plans") {
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
    let plan = files("plans").remove("plat171").expect("it is there");
    let strange = plan.replacen("\"outcome\": \"cancelled\"", "\"outcome\": \"vanishes\"", 1);
    assert_ne!(strange, plan);
    let error = saved_plan::read(&strange).expect_err("no outcome has this name");
    assert!(format!("{error:?}").contains("`vanishes` is none of `cancelled`"), "{error:?}");
}

/// What `snapshot save` writes.
fn written(snapshot: &Snapshot) -> String {
    serde_json::to_string(&Document::of(snapshot)).expect("it can be written")
}

/// A document without what it was made from, which is the file itself once it is read.
fn without_source(text: &str) -> Value {
    let mut document = value(text);
    // Nor is which version wrote it a part of what it holds.
    document["tool"]["version"].take();
    let source = document["source"].as_object_mut().expect("it has a source");
    source.retain(|key, _| key.starts_with("server_version"));
    assert_eq!(source.len(), 2);
    document
}

#[test]
fn snapshots_of_the_first_version_are_read_without_loss() {
    let files = files("snapshots");
    assert_eq!(files.len(), 5);
    for (name, text) in &files {
        let read = saved::load(text.as_bytes(), name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(without_source(&written(&read)), without_source(text), "{name}");
        let (recording, moment) = name.rsplit_once('.').expect("the name tells the moment");
        if moment != "log" {
            let now = snapshot(&captures().join(recording).join(format!("http-{moment}")));
            assert_eq!(without_source(&written(&now)), without_source(text), "{name} is written as it was");
        }
    }
}

// The rows that are saved are the model's own: what is read back is what was saved, less what people wrote.
#[test]
fn what_is_read_back_is_what_was_saved_less_what_people_wrote() {
    let (mut snapshots, mut texts) = (0, 0);
    for moment in moments("") {
        let before = snapshot(&moment.folder);
        let text = written(&before);
        let after = saved::load(text.as_bytes(), "saved.json").expect("it was just written");
        let label = format!("{}/{}", moment.recording, moment.moment);
        assert_eq!(without_source(&written(&after)), without_source(&text), "{label}");
        assert_eq!(after.terminals(), before.terminals(), "{label}");
        assert_eq!((&after.server, &after.gaps), (&before.server, &before.gaps), "{label}");
        let executions = before.executions().iter().cloned().map(|mut row| {
            row.name = row.name.map(|mut name| {
                name.value = removed(name.value);
                name
            });
            row.error = row.error.map(removed);
            row
        });
        assert_eq!(after.executions(), executions.collect::<Vec<_>>(), "{label}");
        for session in before.sessions() {
            let trigger = Trigger::Stop { session: session.id.clone(), agents: true };
            let outcomes = |snapshot| plan(snapshot, &trigger, Policy::Server).predicted;
            assert_eq!(outcomes(&after), outcomes(&before), "{label}");
            for written in [&session.title, &session.query].into_iter().flatten() {
                if let Label::Written(words) = written {
                    let quoted = json!(words).to_string();
                    assert!(!text.contains(quoted.trim_matches('"')), "{label}: a message is saved");
                    texts += 1;
                }
            }
        }
        snapshots += 1;
    }
    assert!(snapshots > 200 && texts > 200, "{snapshots} snapshots, {texts} texts");
}

fn removed(label: Label) -> Label {
    match label {
        Label::Written(text) => Label::Removed(text.len() as u64),
        other => other,
    }
}

#[test]
fn a_snapshot_with_an_unknown_word_is_refused_by_that_word() {
    let text = files("snapshots").remove("plat171-latent-death.before").expect("it is there");
    for (from, to, said) in [
        ("\"server_version\": \"2026-08-22\"", "\"server_version\": \"2031\"", "`2031` is none of"),
        ("\"from\": \"runtime_state\"", "\"from\": \"hearsay\"", "`hearsay` is no source"),
        ("\"as_of\": \"2026", "\"as_of\": \"soon 2026", "failed to parse"),
        ("pulsectl.snapshot/1", "pulsectl.snapshot/9", "its schema is `pulsectl.snapshot/9`"),
        ("\"sessions\": [", "\"sitzungen\": [", "missing field `sessions`"),
    ] {
        let strange = text.replacen(from, to, 1);
        assert_ne!(strange, text, "{from}");
        let error = saved::load(strange.as_bytes(), "saved.json").expect_err("it is not known");
        assert!(error.to_string().contains(said), "{said}: {error}");
    }
}
