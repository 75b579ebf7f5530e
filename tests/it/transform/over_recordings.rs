//! The transformations over all recordings: a transformation that breaks a log would prove nothing.

use super::clock::{in_india, wall_of};
use super::cut::{after_stop, before_shutdown};
use super::identity::Identity;
use super::names::{BLANKS_AND_QUOTES, renamed};
use super::pack::rotated;
use super::pieces::{messages, pieces, rewrite};
use super::weave::interleaved;
use crate::common::captures::{Recording, recordings};
use crate::common::in_parallel;

/// Chunks that do not end at a line's end or the log's: there are none in a recording, so none may be made.
fn torn_chunks(log: &[u8]) -> usize {
    pieces(log)
        .iter()
        .filter(|piece| piece.body.is_some_and(|body| piece.end.is_empty() && body.last() != Some(&b'\n')))
        .count()
}

fn problems(recording: &Recording) -> Vec<String> {
    let log = recording.server_log();
    let mut problems = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("{}: {what}", recording.name));
        }
    };
    check(torn_chunks(&log) == 0, "the recording's chunks are whole");
    check(rewrite(&log, <[u8]>::to_vec, <[u8]>::to_vec) == log, "an empty rewrite is the log");
    check(renamed(&log, &[]) == log, "no new names, no change");

    let still = Identity { seed: 1, shift: 0, words: Vec::new() };
    check(still.log(&log).len() == log.len(), "new ids have the length of the old");
    let moved = Identity { seed: 2, shift: 100_000, words: vec![("nightly", "evening")] }.log(&log);
    check(moved.len() == log.len(), "shifted times have the length of the old");
    for id in recording.sessions.iter().filter(|id| id.len() > 30) {
        check(memchr::memmem::find(&moved, id.as_bytes()).is_none(), "an old session id is left");
    }
    let walls = |log: &[u8]| pieces(log).iter().filter_map(|piece| wall_of(piece.head)).collect::<Vec<_>>();
    let old = walls(&log);
    let agrees = |new: Vec<i64>, by: i64| {
        new.len() == old.len() && new.iter().zip(&old).all(|(new, old)| *new == old + by)
    };
    check(agrees(walls(&moved), 100_000), "every stamp moved by the shift");
    let is_utc = memchr::memmem::find(&log, b"+05:30\" level=").is_none();
    check(!is_utc || agrees(walls(&in_india(&log)), 19_800), "every stamp moved by the zone");

    let named = renamed(&log, &BLANKS_AND_QUOTES);
    check(torn_chunks(&named) == 0, "the stated lengths are right after renaming");
    check(messages(&named).len() == messages(&log).len(), "renaming tears no line");
    let lines = |log: &[u8]| log.iter().filter(|byte| **byte == b'\n').count();
    check(lines(&named) == lines(&log), "renaming adds no line");
    for left in
        ["workflow=invoice-sync", "group=group-1", "[group-1 / ", "/group-1/", "group=\"North Region\""]
    {
        check(memchr::memmem::find(&named, left.as_bytes()).is_none(), "an old name is left");
    }

    let other = still.log(&log);
    let woven = interleaved(&log, &other, 5);
    let added = usize::from(log.last() != Some(&b'\n'));
    check(woven.len() <= log.len() + other.len() + added, "weaving keeps all bytes");
    let (one, both) = (messages(&log).len(), messages(&woven).len());
    check(both == one * 2 - 1, "weaving tears no message (the unstamped heads become one)");
    check(torn_chunks(&woven) == 0, "weaving tears no chunk");
    let (older, newer) = rotated(&log, 50).expect("recordings last longer than a second");
    check([older, newer].concat() == log, "the parts are the log");
    problems
}

/// The busy day is left out: it is fifty megabytes of the same shapes.
fn small_recordings() -> Vec<Recording> {
    let mut recordings = recordings();
    recordings.retain(|recording| recording.name != "benign-busy-day");
    recordings
}

#[test]
fn transformations_break_no_recording() {
    let recordings = small_recordings();
    let problems = in_parallel(&recordings, problems);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Each recording whose trigger stopped something has a place right after its stop. measured.md, sections
/// 3 and 6, and the recordings' notes tell the deaths that print nothing: in a first turn, when idle, of a stale pane.
#[test]
fn each_stop_can_be_cut_off_behind() {
    let recordings = small_recordings();
    let silent = ["main-death-first-turn", "main-death-idle", "terminal-death-stale-pane"];
    for recording in recordings {
        let stops = [
            "stop",
            "stop+agents",
            "schedule-stop",
            "stop-all",
            "terminal-death",
            "kill-terminal",
            "usage-wall",
        ];
        let expected =
            stops.contains(&recording.trigger.as_str()) && !silent.contains(&recording.name.as_str());
        let session = recording.session.clone().expect("all but the busy day name one");
        let (server, schedule) = (recording.server_log(), recording.schedule_log());
        let cut = after_stop(&server, &schedule, &session);
        assert_eq!(cut.is_some(), expected, "{}", recording.name);
        let Some(cut) = cut else { continue };
        assert!(
            cut.server.len() < before_shutdown(&server).len(),
            "{}: something comes after",
            recording.name
        );
    }
}
