//! What must hold for any input: no panic and a known exit code; findings do not depend on how the input is
//! cut into files, nor on lines that have nothing to do with them.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::Config;
use tempfile::TempDir;

use crate::common::Pulsectl;
use crate::common::audit::{Audit, File};
use crate::common::captures::{Recording, recordings};
use crate::common::in_parallel;
use crate::transform::cut::before_shutdown;
use crate::transform::pieces::messages;
use crate::transform::random::Random;
use crate::transform::weave::{chatter, quoting_chunk, with_strangers};

/// Exit codes that an audit of some file can have (formats.md, section 5).
const CODES: [i32; 4] = [0, 3, 7, 10];

/// A fixture of the project, so that these tests run without the recordings.
fn fixture() -> &'static [u8] {
    include_bytes!("../fixtures/logs/plat171.log")
}

/// Audits bytes and says what is wrong with the way it ended.
fn ended_well(content: &[u8]) -> Result<(), String> {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let path = folder.path().join("server_debug.log");
    fs::write(&path, content).expect("a temporary file can be written");
    for format in ["json", "jsonl", "text"] {
        let answer = Pulsectl::new(["audit", "-o", format]).arg(&path).run();
        if !answer.code.is_some_and(|code| CODES.contains(&code)) || answer.stderr.contains("panicked") {
            return Err(format!("-o {format}: exit code {:?}, stderr {}", answer.code, answer.stderr));
        }
        if format == "json" && matches!(answer.code, Some(0 | 7 | 10)) {
            Audit::from_answer(answer)?;
        }
    }
    Ok(())
}

/// Pieces of real lines, to get past the first look that a reader takes.
const FRAGMENTS: [&[u8]; 24] = [
    b"2026/11/30 03:15:26 ",
    b"time=\"2026-11-30T03:15:26Z\" level=info msg=\"",
    b"[STOP] session=",
    b"9c1be844-00b2-4793-9bc1-726bd3c6c0b3",
    b" begin runtime cancel (reason=\"",
    b"tmux pane disappeared unexpectedly\" phase=failed)",
    b" background agents: canceled=1 no_cancel_func=18446744073709551616 already_done=-1",
    b" tracked execution marked canceled: id=",
    b"workflow-full-mx2p37yb01",
    b"workflow-full-",
    b"workflow-full-zzzzzzzzzzzzzzzzzzzzzzzz",
    b"msgseq-collect-invoices-fetch-1796008500334093566",
    b"msgseq--99999999999999999999",
    b" kind=workflow_builder_task name=\"\\",
    b"[AGENT DEBUG] raw chunk (len=18446744073709551615): ",
    b"[AGENT DEBUG] raw chunk (len=3): ",
    b"[workflow=a group=b] c mode= session=] [STREAMING_LIFECYCLE] T+99999999999999999999ms | Starting StreamWithEvents | session=",
    b"schedule-manual--nightly_1796009573465584953",
    b"[BG AGENT] Recorded UI-only background start for agent ",
    b" in session ",
    b"9999/99/99 99:99:99 ",
    b"0001/01/01 00:00:00 ",
    b"\xff\xfe\0\r\n",
    b"\n",
];

fn spliced() -> impl Strategy<Value = Vec<u8>> {
    let fragment = (0..FRAGMENTS.len()).prop_map(|index| FRAGMENTS[index].to_vec());
    let noise = prop::collection::vec(any::<u8>(), 0..12);
    let part = prop_oneof![8 => fragment, 1 => noise, 3 => Just(b"\n".to_vec())];
    prop::collection::vec(part, 0..120).prop_map(|parts| parts.concat())
}

/// A real log with places overwritten and a stretch taken out.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let length = fixture().len();
    (prop::collection::vec((0..length, any::<u8>()), 0..40), 0..length, 0_usize..4_000).prop_map(
        |(overwritten, from, taken)| {
            let mut log = fixture().to_vec();
            for (at, byte) in overwritten {
                log[at] = byte;
            }
            let until = (from + taken).min(log.len());
            log.drain(from..until);
            log
        },
    )
}

proptest! {
    #![proptest_config(Config { cases: 48, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_bytes_end_well(content in prop::collection::vec(any::<u8>(), 0..3_000)) {
        prop_assert_eq!(ended_well(&content), Ok(()));
    }

    #[test]
    fn spliced_lines_end_well(content in spliced()) {
        prop_assert_eq!(ended_well(&content), Ok(()));
    }

    #[test]
    fn a_damaged_log_ends_well(content in damaged()) {
        prop_assert_eq!(ended_well(&content), Ok(()));
    }

    #[test]
    fn damaged_gzip_ends_well(at in 0_usize..2_000, byte in any::<u8>()) {
        let mut packed = crate::transform::pack::gzipped(fixture());
        let at = at % packed.len();
        packed[at] = byte;
        let folder = TempDir::new().expect("a temporary folder can be made");
        let path = folder.path().join("server_debug.log.gz");
        fs::write(&path, packed).expect("a temporary file can be written");
        let answer = Pulsectl::audit(&path).run();
        prop_assert!(answer.code.is_some_and(|code| CODES.contains(&code)), "{answer:?}");
    }
}

/// A dozen recordings of every kind, or the fixture where there are none.
fn logs() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let names = [
        "plat171",
        "plat171-latent-death",
        "child-pane-killed",
        "reaper-after-dismiss",
        "terminal-death-mixed",
        "schedule-stop-relaunch-window",
        "schedule-stop-window-late",
        "old-plat171",
        "schedule-stop",
        "stop-agents",
        "message-after-stop-late",
        "usage-wall-main",
    ];
    let recordings = recordings();
    let chosen = |name: &&str| -> Recording {
        let found = recordings.iter().find(|recording| recording.name == **name);
        found.unwrap_or_else(|| panic!("{name} is in the index")).clone()
    };
    names
        .iter()
        .map(chosen)
        .map(|recording| (recording.name.clone(), recording.server_log(), recording.schedule_log()))
        .collect()
}

/// Audits a log with its sibling, if it has one.
fn audited(files: &[File<'_>]) -> Result<Audit, String> {
    let files: Vec<_> = files.iter().filter(|(_, content)| !content.is_empty()).copied().collect();
    Audit::of_files(&files)
}

/// Compares the findings of changed logs with those of the logs as they are.
fn same_findings(change: impl Fn(&[u8], u64) -> Vec<(&'static str, Vec<u8>)> + Sync) {
    let logs = logs();
    let problems = in_parallel(&logs, |(name, server, schedule)| {
        let original = match audited(&[("server_debug.log", server), ("schedule.log", schedule)]) {
            Ok(audit) => audit.findings(),
            Err(problem) => return vec![format!("{name}: {problem}")],
        };
        let mut problems = Vec::new();
        for seed in 0..4 {
            let changed = change(server, seed);
            let mut files: Vec<File<'_>> =
                changed.iter().map(|(name, content)| (*name, content.as_slice())).collect();
            files.push(("schedule.log", schedule));
            match audited(&files) {
                Ok(audit) if audit.findings() == original => {}
                Ok(audit) => problems
                    .push(format!("{name} (seed {seed}): {:#?} instead of {original:#?}", audit.findings())),
                Err(problem) => problems.push(format!("{name} (seed {seed}): {problem}")),
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// A rotated set of up to four parts, cut before any message that begins a second of its own, so that the
/// parts' first times give their order.
#[test]
fn any_rotation_gives_the_same_findings() {
    same_findings(|server, seed| {
        let mut random = Random::new(seed);
        let mut places = Vec::new();
        let mut at = 0;
        let mut latest = None;
        for message in messages(server) {
            if latest.is_some() && message.wall > latest {
                places.push(at);
            }
            latest = latest.max(message.wall);
            at += message.bytes.len();
        }
        let mut cuts: Vec<usize> = (0..3).map(|_| places[random.below(places.len())]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let ends = cuts.iter().copied().chain([server.len()]);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let parts: Vec<_> = starts.zip(ends).map(|(start, end)| server[start..end].to_vec()).collect();
        let names = ["server_debug.log", "server_debug.log.1", "server_debug.log.2", "server_debug.log.3"];
        parts.into_iter().rev().zip(names).map(|(part, name)| (name, part)).collect()
    });
}

#[test]
fn unrelated_lines_change_no_finding() {
    same_findings(|server, seed| vec![("server_debug.log", with_strangers(server, seed, 40, chatter))]);
}

/// A model that quotes an incident, in a chunk of any session, proves nothing.
#[test]
fn quoted_incidents_change_no_finding() {
    let quoted = before_shutdown(fixture()).to_vec();
    same_findings(move |server, seed| {
        let stranger = |stamp: &str, _| quoting_chunk(stamp, &quoted);
        vec![("server_debug.log", with_strangers(server, seed, 1, stranger))]
    });
}
