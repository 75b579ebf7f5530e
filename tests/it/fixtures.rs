//! The project's own fixtures: recordings cut down to the lines that matter, each with what an audit must say
//! of it. They stand in where the recordings are absent.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::audit::{Audit, problems_of};
use crate::common::captures::Recording;
use crate::common::in_parallel;
use crate::transform::clock::in_india;
use crate::transform::cut::{after_stop, head_off};
use crate::transform::identity::Identity;
use crate::transform::names::{BLANKS_AND_QUOTES, renamed};
use crate::transform::pieces::pieces;

/// The fixtures there must be at least.
const FIXTURES: [&str; 6] =
    ["latent-death", "pane-loss", "plat171", "relaunch-window", "schedule-stop", "v1-terminal-death"];

struct Fixture {
    expect: Recording,
    server: Vec<u8>,
    schedule: Vec<u8>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs")
}

fn fixtures() -> Vec<Fixture> {
    let read = |name: String| fs::read(folder().join(name)).expect("the fixture can be read");
    FIXTURES
        .iter()
        .map(|name| {
            let entry = serde_json::from_slice(&read(format!("{name}.expect.json"))).expect("it is JSON");
            let schedule = format!("{name}.schedule.log");
            let has_schedule = folder().join(&schedule).exists();
            Fixture {
                expect: Recording::from_json(&entry),
                server: read(format!("{name}.log")),
                schedule: if has_schedule { read(schedule) } else { Vec::new() },
            }
        })
        .collect()
}

fn problems(case: &str, expect: &Recording, server: &[u8], schedule: &[u8]) -> Vec<String> {
    if schedule.is_empty() {
        return problems_of(case, expect, &[("server_debug.log", server)]);
    }
    problems_of(case, expect, &[("server_debug.log", server), ("schedule.log", schedule)])
}

#[test]
fn every_fixture_gives_what_it_expects() {
    let found = in_parallel(&fixtures(), |fixture| {
        problems("fixture", &fixture.expect, &fixture.server, &fixture.schedule)
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The transformations of the recordings, over the fixtures.
#[test]
fn every_fixture_transformed_gives_the_same() {
    let identity = Identity { seed: 5, shift: 9_876_543, words: vec![("nightly", "evening")] };
    let found = in_parallel(&fixtures(), |fixture| {
        let Fixture { expect, server, schedule } = fixture;
        let mapped = expect.map_ids(|id| identity.id(id));
        let mut found = problems("other ids", &mapped, &identity.log(server), &identity.log(schedule));
        let names = |log: &[u8]| renamed(log, &BLANKS_AND_QUOTES);
        found.extend(problems("blanks and quotes", expect, &names(server), &names(schedule)));
        found.extend(problems("zone +05:30", expect, &in_india(server), &in_india(schedule)));
        let cut = head_off(server, &expect.sessions).expect("something comes before the session");
        found.extend(problems("head off", expect, cut, schedule));
        found
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Right after its stop no fixture's stop is called clean.
#[test]
fn no_fixture_is_clean_by_absence() {
    let stopped: Vec<_> =
        fixtures().into_iter().filter(|fixture| fixture.expect.name != "pane-loss").collect();
    let found = in_parallel(&stopped, |fixture| {
        let session = fixture.expect.session.as_deref().expect("a fixture has a session");
        let cut = after_stop(&fixture.server, &fixture.schedule, session).expect("a stop");
        let files = [("server_debug.log", cut.server), ("schedule.log", cut.schedule)];
        let files: Vec<_> = files.into_iter().filter(|(_, log)| !log.is_empty()).collect();
        let stops = match Audit::of_files(&files) {
            Ok(audit) => audit.stops(session),
            Err(problem) => return vec![format!("{}: {problem}", fixture.expect.name)],
        };
        match stops.last() {
            Some((_, verdict)) if verdict != "clean" => Vec::new(),
            other => vec![format!("{}: {other:?}", fixture.expect.name)],
        }
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A fixture must be as sound as a recording: whole raw chunks, no path of a machine.
#[test]
fn fixtures_are_sound() {
    for fixture in fixtures() {
        let chunks: Vec<_> = pieces(&fixture.server)
            .into_iter()
            .filter(|piece| piece.body.is_some())
            .map(|piece| (piece.end.len(), piece.body.and_then(<[u8]>::last).copied()))
            .collect();
        assert!(!chunks.is_empty(), "{}: a raw chunk is among the lines", fixture.expect.name);
        let whole = |(end, last): &(usize, Option<u8>)| *end == 1 || *last == Some(b'\n');
        assert!(chunks.iter().all(whole), "{}: {chunks:?}", fixture.expect.name);
        let lines = fixture.server.iter().filter(|byte| **byte == b'\n').count();
        assert!((90..=260).contains(&lines), "{}: {lines} lines", fixture.expect.name);
    }
}

/// The log that `demo` runs over is the fixture.
#[test]
fn the_demo_log_is_the_fixture() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/commands/demo.log");
    let demo = fs::read(demo).expect("the demo's log can be read");
    assert_eq!(demo, fs::read(folder().join("plat171.log")).expect("the fixture can be read"));
    assert!(demo.len() <= 60 * 1024);
}
