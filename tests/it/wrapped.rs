//! A wrapped log gives the same findings as the plain one (issue 6).

use std::fs;
use std::path::{Path, PathBuf};

use pulsectl::testing::audit::finding::Report;
use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::model::gap::GapCode;

use crate::common::captures::recordings;
use crate::common::material::root;
use crate::common::wrappers::{
    WRAPPERS, compose, cri, crlf, docker_json, docker_timestamps, journal_export, journal_short,
};

/// Bigger than the others together; the proof of the rest does not need it.
const HUGE: &str = "benign-busy-day";

fn audit_folder(folder: &Path) -> Report {
    let options =
        AuditOptions { paths: vec![folder.to_path_buf()], siblings: true, ..AuditOptions::default() };
    pulsectl::testing::audit::run(&options, &Progress::default()).expect("the log is readable")
}

/// The audit of a log of this name and content, with a `schedule.log` beside it.
fn audit_as(name: &str, content: &[u8], schedule: &[u8]) -> Report {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join(name), content).expect("it is written");
    if !schedule.is_empty() {
        fs::write(folder.path().join("schedule.log"), schedule).expect("it is written");
    }
    audit_folder(folder.path())
}

fn audit(content: &[u8]) -> Report {
    audit_as("server_debug.log", content, b"")
}

/// What must be the same whatever a log is wrapped in: what is found, and every stop with its verdict.
fn judged(report: &Report) -> (Vec<String>, Vec<String>) {
    let findings = report.findings.iter().map(|finding| {
        format!(
            "{} {} {} {} {:?}",
            finding.rule, finding.severity, finding.fingerprint, finding.claim, finding.first_time
        )
    });
    let stops = report
        .stops
        .iter()
        .map(|stop| format!("{:?} {} {} {:?}", stop.time, stop.session, stop.cause, stop.verdict));
    (findings.collect(), stops.collect())
}

fn codes(report: &Report) -> Vec<(GapCode, bool)> {
    report.gaps.iter().map(|gap| (gap.code, gap.code.is_incomplete())).collect()
}

#[test]
fn every_recording_gives_the_same_findings_in_every_wrapper() {
    let recordings = recordings();
    for recording in recordings.iter().filter(|recording| recording.name != HUGE) {
        let (content, schedule) = (recording.server_log(), recording.schedule_log());
        let plain = audit_as("server_debug.log", &content, &schedule);
        let folder = &recording.name;
        for (name, wrap) in WRAPPERS {
            let wrapped = audit_as("server_debug.log", &wrap(&content), &schedule);
            assert_eq!(judged(&wrapped), judged(&plain), "{folder} in {name}");
            assert!(wrapped.complete(), "{folder} in {name}: {:?}", wrapped.gaps);
            if !name.starts_with("journal") && name != "crlf" {
                let lines = |report: &Report| report.inputs.first().map(|input| input.lines);
                assert_eq!(lines(&wrapped), lines(&plain), "{folder} in {name}");
            }
        }
    }
}

#[test]
fn every_sample_gives_the_same_findings_in_every_wrapper() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut samples: Vec<PathBuf> = vec![project.join("src/cli/commands/demo.log")];
    for folder in [project.join("tests/fixtures/logs"), root().join("logs")] {
        let entries = fs::read_dir(folder).expect("the folder can be listed");
        samples.extend(entries.map(|entry| entry.expect("an entry can be read").path()));
    }
    let is_main = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".log") && !name.ends_with(".schedule.log")
    };
    assert!(samples.iter().filter(is_main).count() > 6, "the fixtures are part of the project");
    for sample in samples.iter().filter(is_main) {
        let content = fs::read(sample).expect("a sample is readable");
        let schedule = fs::read(sample.with_extension("schedule.log")).unwrap_or_default();
        let plain = audit_as("server_debug.log", &content, &schedule);
        for (name, wrap) in WRAPPERS {
            let wrapped = audit_as("server_debug.log", &wrap(&content), &schedule);
            assert_eq!(judged(&wrapped), judged(&plain), "{} in {name}", sample.display());
        }
    }
}

/// A log with one incident, cut down from a recording: the embedded example.
fn incident() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/commands/demo.log");
    fs::read(path).expect("the example is part of the project")
}

#[test]
fn the_example_has_an_incident() {
    let report = audit(&incident());
    assert!(
        report.findings.iter().any(|finding| finding.rule == "PLS005"),
        "or the tests here compare nothing"
    );
}

#[test]
fn text_in_a_raw_chunk_stays_text_in_every_wrapper() {
    let quoted = "Look:\n2026/11/30 03:15:26 [STOP] session=forged background agents: canceled=9 no_cancel_func=9 already_done=0\nend";
    let long = "x".repeat(40_000);
    let mut content = incident();
    let text = format!("{quoted}\n{long}");
    content.extend(
        format!(
            "2026/11/30 03:20:00 [AGENT DEBUG] raw chunk (len={}): {text}\n2026/11/30 03:20:01 [API] x\n",
            text.len()
        )
        .into_bytes(),
    );
    let plain = audit(&content);
    for (name, wrap) in WRAPPERS {
        let wrapped = audit(&wrap(&content));
        assert_eq!(judged(&wrapped), judged(&plain), "{name}");
        assert!(!codes(&wrapped).iter().any(|(code, _)| code.name().starts_with("raw_chunk")), "{name}");
    }
}

#[test]
fn a_damaged_record_is_counted_and_is_a_gap() {
    let content = incident();
    for (name, wrap) in WRAPPERS {
        let wrapped = wrap(&content);
        let mut lines: Vec<Vec<u8>> =
            wrapped.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.insert(13, b"\x01 torn\n".to_vec());
        let report = audit(&lines.concat());
        let damaged: Vec<_> =
            report.gaps.iter().filter(|gap| gap.code == GapCode::WrapperLineDamaged).collect();
        if name == "crlf" {
            assert!(damaged.is_empty(), "a copy from Windows is no wrapper");
            continue;
        }
        assert_eq!(damaged.len(), 1, "{name}: {:?}", report.gaps);
        assert!(damaged[0].code.is_incomplete() && !report.complete(), "{name}");
    }
    let record = String::from_utf8(docker_json(&content)).expect("it is UTF-8");
    let cut = &record[..record.len() - 20];
    assert_eq!(codes(&audit(cut.as_bytes())).last(), Some(&(GapCode::WrapperLineDamaged, true)));
    let tail = &record[20..];
    assert!(codes(&audit(tail.as_bytes())).contains(&(GapCode::WrapperBeginsInside, false)));
}

#[test]
fn only_the_services_of_pulse_are_read_from_compose() {
    let content = incident();
    let plain = audit(&content);
    let others = [
        ("db-1", "2026-11-30 03:06:26.123 UTC [1] LOG: checkpoint"),
        ("web-1", "2026/11/30 03:06:26 [error] 12#0: *1 open() failed"),
        ("space-1", "2026/11/30 03:06:26 [WORKSPACE] listed"),
    ];
    let report = audit(&compose(&content, &others));
    assert_eq!(judged(&report), judged(&plain));
    assert_eq!(report.inputs.len(), 1);
    let skipped = report.gaps.iter().find(|gap| gap.code == GapCode::ServicesSkipped).expect("it is said");
    assert!(skipped.message.contains("db-1, space-1, web-1"), "{}", skipped.message);
    assert!(!skipped.code.is_incomplete());
}

#[test]
fn two_servers_in_one_file_are_two_logs() {
    let content = incident();
    let other = String::from_utf8_lossy(&content).replace("agent", "Agent");
    let mut both = compose(&content, &[]);
    both.extend(
        other
            .split_inclusive('\n')
            .flat_map(|line| [b"agent-2  | ".as_slice(), line.as_bytes()].concat())
            .collect::<Vec<u8>>(),
    );
    let report = audit(&both);
    assert_eq!(report.inputs.len(), 2, "{:?}", report.gaps);
    assert!(report.complete());
}

#[test]
fn a_server_that_begins_late_in_a_file_is_not_passed_over_in_silence() {
    let content = incident();
    let mut late = compose(&content, &[]);
    while late.len() < (1 << 20) {
        late.extend(b"agent-1  | 2026/11/30 03:30:00 [API] --> GET /api/health in_flight=1\n");
    }
    late.extend(b"agent-2  | 2026/11/30 03:30:01 [STOP] session=x background agents: canceled=0\n");
    let report = audit(&late);
    assert!(codes(&report).contains(&(GapCode::ServiceNotRead, true)), "{:?}", report.gaps);
}

/// Without logrus lines and ids the zone is unknown: whether a wrapper tells it.
fn zone_in(wrapped: &[u8]) -> (String, &'static str) {
    let report = audit(wrapped);
    let input = report.inputs.into_iter().next().expect("it was read");
    (input.time_zone, input.time_zone_source.name())
}

#[test]
fn the_time_of_a_wrapper_tells_the_zone_only_where_it_agrees_twice() {
    let line = |utc: &str, wall: &str| {
        format!("2026-11-30T{utc}.5Z 2026/11/30 {wall} [API] --> GET /api/health in_flight=1\n")
    };
    let first = line("03:06:26", "08:36:26");
    let assumed = ("UTC".to_owned(), "assumed");
    assert_eq!(zone_in(format!("{first}{}", line("03:06:30", "08:36:29")).as_bytes()), assumed);
    assert_eq!(zone_in(format!("{first}{}", line("03:06:30", "09:06:30")).as_bytes()), assumed);
    let twice = format!("{first}{}", line("03:06:30", "08:36:30"));
    assert_eq!(zone_in(twice.as_bytes()), ("+05:30".to_owned(), "wrapper"));
    let logrus =
        "2026-11-30T03:06:31.1Z time=\"2026-11-30T08:51:31+05:45\" level=info msg=x file=\"logger.go:1\"\n";
    assert_eq!(zone_in(format!("{twice}{logrus}").as_bytes()), ("+05:45".to_owned(), "logrus"));
}

#[test]
fn lines_that_journalctl_left_out_are_a_gap() {
    let mut wrapped = journal_short(&incident(), "Nov 30 03:06:26");
    wrapped.extend(b"Nov 30 03:06:26 host pulse[4711]: [64.2K blob data]\n");
    assert!(codes(&audit(&wrapped)).contains(&(GapCode::WrapperLeftLinesOut, true)));
}

#[test]
fn standard_input_may_be_wrapped() {
    let content = incident();
    for wrapped in
        [docker_json(&content), docker_timestamps(&content), cri(&content), journal_export(&content)]
    {
        let mut child = crate::common::pulsectl()
            .args(["audit", "-", "-o", "json"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        std::io::Write::write_all(&mut stdin, &wrapped).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(output.status.code(), Some(10));
        assert_eq!(document["findings"][0]["fingerprint"], audit(&content).findings[0].fingerprint.as_str());
    }
}

#[test]
fn compressed_and_wrapped_is_one_log() {
    let content = docker_json(&incident());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let zst = zstd::encode_all(content.as_slice(), 1).expect("it is compressed");
    fs::write(folder.path().join("server_debug.log.zst"), &zst).expect("it is written");
    assert_eq!(judged(&audit_folder(folder.path())), judged(&audit(&incident())));
    // The same log, plain beside it: read once.
    fs::write(folder.path().join("server_debug.log"), incident()).expect("it is written");
    let report = audit_folder(folder.path());
    assert_eq!(judged(&report), judged(&audit(&incident())));
    assert!(codes(&report).contains(&(GapCode::CopySkipped, false)), "{:?}", report.gaps);
}

/// A zstd frame with a window of this size, as a power of two.
fn with_window(content: &[u8], log: u32) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.window_log(log).expect("a window");
    std::io::Write::write_all(&mut encoder, content).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

#[test]
fn a_window_beyond_the_limit_is_refused_with_a_way_on() {
    let plain = judged(&audit(&incident()));
    assert_eq!(judged(&audit_as("server_debug.log.zst", &with_window(&incident(), 27), b"")), plain);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("server_debug.log.zst");
    fs::write(&path, with_window(&incident(), 28)).expect("it is written");
    let output = crate::common::pulsectl().arg("audit").arg(&path).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3), "formats.md, section 5: nothing was checked");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("--long=31"), "{text}");
}

// Grammar, section 1.1: the desktop application trims its log, says so in the first line, and appends over
// restarts.
#[test]
fn a_desktop_log_holds_several_processes_and_a_trimmed_head() {
    let recordings = recordings();
    let log_of = |name: &str| recordings.iter().find(|recording| recording.name == name);
    let (first, second) = (log_of("plat171"), log_of("operator-kill-main"));
    let first = first.expect("the recording is in the index").server_log();
    let second = second.expect("the recording is in the index").server_log();
    let separate: Vec<String> = [&first, &second]
        .into_iter()
        .flat_map(|content| judged(&audit_as("agent.log", content, b"")).0)
        .collect();
    assert!(separate.len() >= 2);
    // The tail of the first process, cut in the middle of a line well before its incident.
    let mut log = b"[2026-11-30T03:15:00.000Z] Log truncated by AgentWorks to stay under 26214400 bytes; kept the tail of a 26.1 MB file.\n".to_vec();
    log.extend(&first[1_000..]);
    log.extend(&second);
    let report = audit_as("agent.log", &log, b"");
    let mut together = judged(&report).0;
    let mut separate = separate;
    together.sort();
    separate.sort();
    assert_eq!(together, separate);
    let input = report.inputs.first().expect("it was read");
    assert_eq!(input.kind.name(), "desktop");
    assert!(codes(&report).contains(&(GapCode::LogBegins, false)));
    // The same by content alone, under another name and in a copy from Windows.
    let copied = audit_as("server_debug.log.1", &crlf(&log), b"");
    assert_eq!(judged(&copied).0.len(), together.len());
}
