//! The recordings transformed: the same incidents under other ids and names, in another zone, two in one
//! file, cut and packed differently. What an audit says must not change but for the ids (issue 3, G).

use crate::common::audit::{Audit, File, Found, problems_of};
use crate::common::captures::{Recording, recordings};
use crate::common::in_parallel;
use crate::transform::clock::in_india;
use crate::transform::cut::{after_stop, before_shutdown, head_off, head_off_in_mid_line, until};
use crate::transform::identity::Identity;
use crate::transform::names::{BLANKS_AND_QUOTES, renamed};
use crate::transform::pack::{gzipped, gzipped_in_members, rotated};
use crate::transform::pieces::messages;
use crate::transform::random::Random;
use crate::transform::weave::interleaved;

/// The recordings but for the busy day, which is run once as it is.
fn small_recordings() -> Vec<Recording> {
    let mut recordings = recordings();
    recordings.retain(|recording| recording.name != "benign-busy-day");
    recordings
}

/// Runs the cases of each recording and fails with all problems.
fn for_each(work: impl Fn(&Recording, &[u8], &[u8]) -> Vec<String> + Sync) {
    let recordings = small_recordings();
    let problems = in_parallel(&recordings, |recording| {
        work(recording, &recording.server_log(), &recording.schedule_log())
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn both(server: &[u8], schedule: &[u8], change: impl Fn(&[u8]) -> Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    (change(server), change(schedule))
}

#[test]
fn other_ids_and_another_day() {
    let identity = Identity {
        seed: 11,
        shift: -(3 * 86_400 + 15_443),
        words: vec![("nightly", "evening"), ("payments", "clearing")],
    };
    for_each(|recording, server, schedule| {
        let (server, schedule) = both(server, schedule, |log| identity.log(log));
        let mapped = recording.map_ids(|id| identity.id(id));
        problems_of("other ids", &mapped, &[("server_debug.log", &server), ("schedule.log", &schedule)])
    });
}

/// Ids, steps and titles of other lengths, so that the stated lengths of raw chunks change too.
#[test]
fn other_ids_of_other_lengths() {
    let words = vec![
        ("nightly", "eve"),
        ("payments", "pay"),
        ("collect-invoices", "gather-all-supplier-bills"),
        ("Collect invoices", "Gather all supplier bills"),
        ("verify-totals-usd-inr", "check-sums"),
        ("reconcile", "settle-the-books"),
        ("fetch", "get-them"),
    ];
    let identity = Identity { seed: 12, shift: 40 * 86_400 + 7, words };
    for_each(|recording, server, schedule| {
        let (server, schedule) = both(server, schedule, |log| identity.log(log));
        let mapped = recording.map_ids(|id| identity.id(id));
        problems_of("other lengths", &mapped, &[("server_debug.log", &server), ("schedule.log", &schedule)])
    });
}

#[test]
fn groups_and_workflows_with_blanks_and_quotes() {
    for_each(|recording, server, schedule| {
        let (server, schedule) = both(server, schedule, |log| renamed(log, &BLANKS_AND_QUOTES));
        problems_of(
            "blanks and quotes",
            recording,
            &[("server_debug.log", &server), ("schedule.log", &schedule)],
        )
    });
}

#[test]
fn another_zone() {
    for_each(|recording, server, schedule| {
        if memchr::memmem::find(server, b"+05:30\" level=").is_some() {
            return Vec::new(); // recorded in that zone
        }
        let (server, schedule) = both(server, schedule, in_india);
        problems_of("zone +05:30", recording, &[("server_debug.log", &server), ("schedule.log", &schedule)])
    });
}

#[test]
fn the_head_cut_off() {
    for_each(|recording, server, schedule| {
        let cuts = [
            ("head off", head_off(server, &recording.sessions)),
            ("head off in mid-line", head_off_in_mid_line(server, &recording.sessions)),
        ];
        let mut problems = Vec::new();
        for (case, cut) in cuts {
            match cut {
                Some(cut) => problems.extend(problems_of(
                    case,
                    recording,
                    &[("server_debug.log", cut), ("schedule.log", schedule)],
                )),
                None => problems.push(format!("{} ({case}): nothing to cut", recording.name)),
            }
        }
        problems
    });
}

/// Compressed, in several members, and as a rotated set: the same findings with the same fingerprints
/// (formats.md, section 1).
#[test]
fn packed_in_other_ways() {
    for_each(|recording, server, schedule| {
        let plain = match Audit::of_logs(server, schedule) {
            Ok(audit) => audit.findings(),
            Err(problem) => return vec![format!("{}: {problem}", recording.name)],
        };
        let (packed, packed_schedule) = both(server, schedule, gzipped);
        let members = gzipped_in_members(server, 5);
        let (older, newer) = rotated(server, 55).expect("recordings last longer than a second");
        let old_packed = gzipped(older);
        let cases: [(&str, Vec<File<'_>>); 4] = [
            ("gz", vec![("server_debug.log.gz", &packed), ("schedule.log.gz", &packed_schedule)]),
            ("gz of five members", vec![("server_debug.log.gz", &members), ("schedule.log", schedule)]),
            (
                "rotated",
                vec![("server_debug.log.1", older), ("server_debug.log", newer), ("schedule.log", schedule)],
            ),
            (
                "rotated, old part gz",
                vec![
                    ("server_debug.log.1.gz", &old_packed),
                    ("server_debug.log", newer),
                    ("schedule.log", schedule),
                ],
            ),
        ];
        let mut problems = Vec::new();
        for (case, files) in cases {
            match Audit::of_files(&files) {
                Ok(audit) => {
                    problems.extend(audit.problems(&recording.expect));
                    if audit.findings() != plain {
                        problems.push(format!("{case}: {:?} instead of {plain:?}", audit.findings()));
                    }
                }
                Err(problem) => problems.push(format!("{case}: {problem}")),
            }
        }
        problems.into_iter().map(|problem| format!("{}: {problem}", recording.name)).collect()
    });
}

/// The log ends with the last line of the stop's own block, so before its grace time is over: the stop is
/// listed, its verdict is never `clean`, and nothing is reported that the whole recording does not have.
#[test]
fn cut_right_after_the_stop() {
    for_each(|recording, server, schedule| {
        let Some(session) = recording.session.as_deref() else { return Vec::new() };
        let Some(cut) = after_stop(server, schedule, session) else { return Vec::new() };
        let audit = match Audit::of_logs(cut.server, cut.schedule) {
            Ok(audit) => audit,
            Err(problem) => return vec![format!("{}: {problem}", recording.name)],
        };
        let mut problems = Vec::new();
        let severe = audit.findings_at("high");
        for found in &severe {
            if !recording.expect.iter().any(|expected| found.belongs_to(expected)) {
                problems.push(format!("invented: {found:?}"));
            }
        }
        let stops = audit.stops(session);
        match stops.last() {
            None => problems.push("the stop is not listed".to_owned()),
            Some((_, verdict)) if verdict == "inconclusive" => {}
            Some((_, verdict)) if verdict == "findings" && is_blamed(&audit.findings(), session) => {}
            Some((time, verdict)) => problems.push(format!("verdict `{verdict}` of the stop at {time}")),
        }
        problems
            .into_iter()
            .map(|problem| format!("{} (cut after stop): {problem}", recording.name))
            .collect()
    });
}

/// Wherever the log ends, nothing is reported that the whole recording does not have, and a stop is `clean`
/// only if it is in the whole recording.
#[test]
fn cut_anywhere() {
    for_each(|recording, server, schedule| {
        let mut random = Random::of_text(41, recording.name.as_bytes());
        let places = messages(server).len();
        let cuts = (0..8).map(|_| {
            let kept = places * 4 / 10 + random.below(places * 6 / 10);
            (
                format!("the first {kept} messages"),
                messages(server)[..kept].iter().map(|message| message.bytes.len()).sum(),
            )
        });
        let cuts = cuts.collect::<Vec<(String, usize)>>();
        not_more_than_the_whole(
            recording,
            server,
            schedule,
            cuts.iter().map(|(case, end)| {
                let last =
                    messages(&server[..*end]).last().and_then(|message| message.wall).unwrap_or(i64::MAX);
                (case.clone(), &server[..*end], until(schedule, last))
            }),
        )
    });
}

/// Wherever the log begins, too: the launcher caps it, so most logs begin in mid-process.
#[test]
fn begun_anywhere() {
    for_each(|recording, server, schedule| {
        let mut random = Random::of_text(43, recording.name.as_bytes());
        let all = messages(server);
        let cuts: Vec<(String, usize)> = (0..8)
            .map(|_| random.below(all.len()))
            .map(|lost| {
                (
                    format!("without the first {lost} messages"),
                    all[..lost].iter().map(|message| message.bytes.len()).sum(),
                )
            })
            .collect();
        not_more_than_the_whole(
            recording,
            server,
            schedule,
            cuts.iter().map(|(case, start)| (case.clone(), &server[*start..], schedule)),
        )
    });
}

fn not_more_than_the_whole<'log>(
    recording: &Recording,
    server: &[u8],
    schedule: &[u8],
    cuts: impl Iterator<Item = (String, &'log [u8], &'log [u8])>,
) -> Vec<String> {
    let named = |case: &str, problem: String| format!("{} ({case}): {problem}", recording.name);
    let whole = match Audit::of_logs(server, schedule) {
        Ok(audit) => audit,
        Err(problem) => return vec![named("whole", problem)],
    };
    let mut problems = Vec::new();
    for (case, server, schedule) in cuts {
        let audit = match Audit::of_logs(server, schedule) {
            Ok(audit) => audit,
            Err(problem) => {
                problems.push(named(&case, problem));
                continue;
            }
        };
        for found in audit.findings_at("high") {
            if !recording.expect.iter().any(|expected| found.belongs_to(expected)) {
                problems.push(named(&case, format!("invented: {found:?}")));
            }
        }
        for session in &recording.sessions {
            let known = whole.stops(session);
            for (time, verdict) in audit.stops(session) {
                if verdict == "clean" && !known.contains(&(time.clone(), verdict)) {
                    problems.push(named(
                        &case,
                        format!("clean by absence: the stop at {time}; whole: {known:?}"),
                    ));
                }
            }
        }
    }
    problems
}

fn is_blamed(findings: &[Found], session: &str) -> bool {
    findings.iter().any(|found| found.session == session && found.at_least("low"))
}

/// Incident with incident of another kind, incident with each kind of harmless stop, harmless with harmless.
const PAIRS: [(&str, &str); 18] = [
    ("plat171", "schedule-stop-relaunch-window"),
    ("plat171", "child-pane-killed"),
    ("plat171", "stop-agents-two-runs"),
    ("plat171-latent-death", "reaper-after-dismiss"),
    ("plat171-latent-death", "plat171"),
    ("terminal-death-mixed", "terminal-death-watched-run"),
    ("terminal-death-watched-run", "schedule-stop"),
    ("terminal-death-watched-run", "stop-then-new-message"),
    ("schedule-stop-window-late", "usage-wall-main"),
    ("schedule-stop-window-late", "schedule-stop-window"),
    ("schedule-stop-relaunch-window", "message-after-stop-late"),
    ("operator-kill-main", "operator-kill-child"),
    ("child-pane-killed", "benign-full-run"),
    ("old-plat171", "v1-stop-schedule"),
    ("v1-terminal-death-watched-run", "v1-stop-schedule-window-setup"),
    ("terminal-death-ist-blanks", "schedule-stop-agents-ist-blanks"),
    ("stop-main-and-steps", "terminal-death-own-work"),
    ("tool-stop-all", "main-death-idle"),
];

/// The first wall clock of a log.
fn start(log: &[u8]) -> i64 {
    messages(log).iter().find_map(|message| message.wall).expect("a log has times")
}

/// Two servers' worth of work in one log, the other's ids made different and shifted to the same start, with
/// the same names and with names of its own.
#[test]
fn two_recordings_interleaved() {
    let recordings = small_recordings();
    let of_name = |name: &str| {
        let found = recordings.iter().find(|recording| recording.name == name);
        found.unwrap_or_else(|| panic!("{name} is in the index")).clone()
    };
    let pairs: Vec<_> = PAIRS.iter().map(|(one, other)| (of_name(one), of_name(other))).collect();
    assert_pairs(&pairs);
}

/// Every pair of recordings of one zone: minutes of work, so only on demand.
#[test]
#[ignore = "some thousand pairs take minutes"]
fn every_two_recordings_interleaved() {
    let recordings = small_recordings();
    let zone = |recording: &Recording| recording.name.ends_with("-ist-blanks");
    let mut pairs = Vec::new();
    for one in &recordings {
        let others = recordings.iter().filter(|other| other.name != one.name && zone(other) == zone(one));
        pairs.extend(others.map(|other| (one.clone(), other.clone())));
    }
    assert_pairs(&pairs);
}

fn assert_pairs(pairs: &[(Recording, Recording)]) {
    let problems = in_parallel(pairs, |(one, other)| {
        let (server, other_server) = (one.server_log(), other.server_log());
        let shift = start(&server) - start(&other_server);
        let identity = Identity { seed: 21, shift, words: vec![("nightly", "evening")] };
        let mapped = other.map_ids(|id| identity.id(id));
        let other_server = identity.log(before_shutdown(&other_server));
        let other_schedule = identity.log(&other.schedule_log());
        let server = before_shutdown(&server);
        let mut pair = one.clone();
        pair.name = format!("{} × {}", one.name, other.name);
        pair.expect.extend(mapped.expect);
        let mut problems = Vec::new();
        for (case, other_server, other_schedule) in [
            ("interleaved", other_server.clone(), other_schedule.clone()),
            (
                "interleaved, other names",
                renamed(&other_server, &BLANKS_AND_QUOTES),
                renamed(&other_schedule, &BLANKS_AND_QUOTES),
            ),
        ] {
            let server = interleaved(server, &other_server, 31);
            let schedule = interleaved(&one.schedule_log(), &other_schedule, 32);
            problems.extend(problems_of(
                case,
                &pair,
                &[("server_debug.log", &server), ("schedule.log", &schedule)],
            ));
        }
        problems
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
