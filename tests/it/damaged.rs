//! The recordings damaged (issue 12, E): whatever happened to a file, an audit has the findings of the whole one or
//! says that its answer is incomplete. Never fewer findings and exit 0.

use crate::common::audit::{Audit, File};
use crate::common::captures::{Recording, recordings};
use crate::common::in_parallel;
use crate::transform::damage::{newest_first, shuffled, stamped_lines, with_nuls, without_line_end};
use crate::transform::pack::gzipped;
use crate::transform::pieces::pieces;
use crate::transform::random::Random;

/// Runs the cases of each recording but the busy day, beside the audit of the whole log, and fails with all problems.
fn for_each(work: impl Fn(&Recording, &Audit, &[u8], &[u8]) -> Vec<String> + Sync) {
    let mut recordings = recordings();
    recordings.retain(|recording| recording.name != "benign-busy-day");
    assert!(!recordings.is_empty());
    let problems = in_parallel(&recordings, |recording| {
        let (server, schedule) = (recording.server_log(), recording.schedule_log());
        match Audit::of_logs(&server, &schedule) {
            Ok(whole) => work(recording, &whole, &server, &schedule),
            Err(problem) => vec![format!("{}: {problem}", recording.name)],
        }
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// What is wrong if these files are to have all findings of the whole, or to be incomplete.
fn problem(case: &str, recording: &Recording, whole: &Audit, files: &[File<'_>]) -> Option<String> {
    let damaged = match Audit::of_files(files) {
        Ok(damaged) => damaged,
        Err(problem) => return Some(format!("{} ({case}): {problem}", recording.name)),
    };
    if !damaged.is_complete() {
        return (damaged.code() == Some(0)).then(|| format!("{} ({case}): exit 0", recording.name));
    }
    let found = damaged.findings();
    let missing: Vec<_> = whole.findings().into_iter().filter(|finding| !found.contains(finding)).collect();
    (!missing.is_empty()).then(|| format!("{} ({case}): complete, but without {missing:?}", recording.name))
}

#[test]
fn nul_runs() {
    for_each(|recording, whole, server, schedule| {
        let mut random = Random::of_text(61, recording.name.as_bytes());
        let cases =
            [24, 512, 4_096].map(|length| (length, random.below(server.len().saturating_sub(length).max(1))));
        let problems = cases.into_iter().filter_map(|(length, at)| {
            let damaged = with_nuls(server, at, length);
            let files: [File<'_>; 2] = [("server_debug.log", &damaged), ("schedule.log", schedule)];
            let problem = problem(&format!("{length} NULs at {at}"), recording, whole, &files);
            problem.or_else(|| {
                let audit = Audit::of_files(&files).ok()?;
                (audit.is_complete() && !is_in_text(server, at, length))
                    .then(|| format!("{}: {length} NULs at {at} without a word", recording.name))
            })
        });
        problems.collect()
    });
}

/// Whether these bytes are text of a model: it may write NULs, and nothing else is lost.
fn is_in_text(log: &[u8], at: usize, length: usize) -> bool {
    let mut end = 0;
    pieces(log).iter().any(|piece| {
        end += piece.len();
        let body = end - piece.end.len() - piece.body.map_or(0, <[u8]>::len)..end - piece.end.len();
        body.start <= at && at + length <= body.end
    })
}

#[test]
fn lost_line_ends() {
    for_each(|recording, whole, server, schedule| {
        let mut random = Random::of_text(62, recording.name.as_bytes());
        let lines = stamped_lines(server);
        let mut problems = Vec::new();
        for _ in 0..4 {
            let line = lines[random.below(lines.len())];
            let damaged = without_line_end(server, line);
            let files: [File<'_>; 2] = [("server_debug.log", &damaged), ("schedule.log", schedule)];
            problems.extend(problem(&format!("line {} joined", line + 1), recording, whole, &files));
        }
        problems
    });
}

/// Read the other way round, a file gives what it gave; a compressed one says that it has no order.
#[test]
fn newest_line_first() {
    for_each(|recording, whole, server, schedule| {
        let (server, schedule) = (newest_first(server), newest_first(schedule));
        let files: [File<'_>; 2] = [("server_debug.log", &server), ("schedule.log", &schedule)];
        let mut problems: Vec<String> =
            problem("newest first", recording, whole, &files).into_iter().collect();
        match Audit::of_files(&files) {
            Ok(audit) if audit.findings() == whole.findings() => {}
            Ok(audit) => problems.push(format!("{} (newest first): {:?}", recording.name, audit.findings())),
            Err(problem) => problems.push(format!("{} (newest first): {problem}", recording.name)),
        }
        let packed = gzipped(&server);
        let files: [File<'_>; 2] = [("server_debug.log.gz", &packed), ("schedule.log", &schedule)];
        problems.extend(problem("newest first, compressed", recording, whole, &files));
        problems
    });
}

#[test]
fn lines_in_an_order_of_chance() {
    for_each(|recording, whole, server, schedule| {
        let server = shuffled(server, &mut Random::of_text(63, recording.name.as_bytes()));
        let files: [File<'_>; 2] = [("server_debug.log", &server), ("schedule.log", schedule)];
        problem("shuffled", recording, whole, &files).into_iter().collect()
    });
}
