//! The recordings of a real server: an audit of each says what the index says, and nothing else at high or
//! critical but what measured.md, section 9, expects beside it.

use crate::common::audit::Audit;
use crate::common::captures::recordings;
use crate::common::in_parallel;

#[test]
fn every_recording_gives_what_the_index_says() {
    let recordings = recordings();
    let problems = in_parallel(&recordings, |recording| {
        let problems = match Audit::of(&recording.folder()) {
            Ok(audit) => audit.problems(&recording.expect),
            Err(problem) => vec![problem],
        };
        problems.into_iter().map(|problem| format!("{}: {problem}", recording.name)).collect()
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// The tests over recordings must not shrink in silence: every folder with a server log is in the index and
/// every entry of the index has its logs.
#[test]
fn the_index_and_the_folders_agree() {
    let recordings = recordings();
    let mut listed: Vec<_> = recordings.iter().map(|recording| recording.name.clone()).collect();
    listed.sort();
    let captures = crate::common::material::captures();
    let mut present: Vec<_> = std::fs::read_dir(captures)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry can be read"))
        .filter(|entry| entry.path().join("server_debug.log.gz").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    present.sort();
    assert_eq!(listed, present);
}

/// formats.md, section 1: one stop per episode, the harmless ones too. measured.md, section 1: the sweep of
/// a shutdown is no incident.
#[test]
fn each_harmless_stop_is_listed_and_not_blamed() {
    let recordings = recordings();
    let harmless: Vec<_> = recordings
        .into_iter()
        .filter(|recording| recording.expect.is_empty())
        .filter(|recording| {
            ["stop", "stop+agents", "schedule-stop", "stop-all"].contains(&&*recording.trigger)
        })
        .collect();
    assert!(!harmless.is_empty(), "the index lists harmless stops");
    let problems = in_parallel(&harmless, |recording| {
        let session = recording.session.as_deref().expect("a stop has a session");
        let stops = match Audit::of(&recording.folder()) {
            Ok(audit) => audit.stops(session),
            Err(problem) => return vec![format!("{}: {problem}", recording.name)],
        };
        if stops.is_empty() {
            vec![format!("{}: the stop is not listed", recording.name)]
        } else {
            Vec::new()
        }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
