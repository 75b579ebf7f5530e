use crate::model::gap::GapCode;
use std::io::Write as _;

use tempfile::TempDir;

use super::*;

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        fs::write(path, content).expect("the folder is writable");
    }
    folder
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

/// Discovers with paths relative to the folder, and gives names relative to it.
fn look(folder: &TempDir, arguments: &[&str], siblings: bool) -> Discovered {
    let arguments: Vec<String> = arguments.iter().map(|name| show(&folder.path().join(name))).collect();
    discover(&arguments, siblings)
}

fn names(files: &[LogFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.rsplit('/').next().unwrap_or_default()).collect()
}

const EARLY: &[u8] = b"2026/08/20 09:00:00 [API] early\n";
const LATE: &[u8] = b"2026/08/21 09:00:00 [API] late\n";
const SCHEDULE: &[u8] = b"2026/08/20 09:00:00 [SCHEDULER] tick\n";

#[test]
fn a_directory_gives_the_logs_of_a_server_in_the_order_of_their_content() {
    let compressed = gzip(EARLY);
    let folder = folder(&[
        ("server_debug.log", LATE),
        ("server_debug.log.9.gz", &compressed),
        ("server_debug.log.rotate.4711", LATE),
        ("schedule.log", SCHEDULE),
        ("workspace_debug.log", EARLY),
    ]);
    let found = look(&folder, &[""], true);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let [group] = found.groups.as_slice() else { panic!("one server, not {}", found.groups.len()) };
    assert_eq!(names(&group.main), ["server_debug.log.9.gz", "server_debug.log"]);
    assert_eq!(names(&group.schedule), ["schedule.log"]);
    assert_eq!((group.main[0].kind, group.schedule[0].kind), (LogKind::ServerDebug, LogKind::Schedule));
    let [skipped] = found.skipped.as_slice() else { panic!("the left-over is named") };
    assert_eq!(skipped.code, GapCode::RotationLeftOver);
}

#[test]
fn the_schedule_log_beside_a_named_log_is_read_with_it() {
    let compressed = gzip(SCHEDULE);
    let folder = folder(&[
        ("server_debug.log", EARLY),
        ("schedule.log.gz", &compressed),
        ("04-x.log", LATE),
        ("04-x.schedule.log", SCHEDULE),
    ]);
    for (argument, siblings, main, schedule) in [
        ("server_debug.log", true, "server_debug.log", vec!["schedule.log.gz"]),
        ("server_debug.log", false, "server_debug.log", vec![]),
        ("04-x.log", true, "04-x.log", vec!["04-x.schedule.log"]),
    ] {
        let found = look(&folder, &[argument], siblings);
        assert_eq!(found.groups.len(), 1);
        assert_eq!(names(&found.groups[0].main), [main]);
        assert_eq!(names(&found.groups[0].schedule), schedule);
    }
}

#[test]
fn each_server_is_a_group() {
    let folder = folder(&[
        ("a/server_debug.log", EARLY),
        ("b/server_debug.log", LATE),
        ("b/schedule.log", SCHEDULE),
        ("c/agent.log", LATE),
        ("c/schedule.log", b"2026/08/22 09:00:00 [SCHEDULER] tick\n"),
    ]);
    let found = look(&folder, &["c", "b", "a/server_debug.log"], true);
    let groups: Vec<_> =
        found.groups.iter().map(|group| (names(&group.main), names(&group.schedule))).collect();
    assert_eq!(
        groups,
        [
            (vec!["server_debug.log"], vec![]),
            (vec!["server_debug.log"], vec!["schedule.log"]),
            (vec!["agent.log"], vec!["schedule.log"]),
        ]
    );
    assert_eq!(found.groups[2].main[0].kind, LogKind::Desktop);
}

#[test]
fn patterns_that_no_shell_expanded_are_expanded() {
    let folder = folder(&[("one.log", EARLY), ("two.log", LATE), ("odd[1].log", b"2026/08/22 09:00:00 x\n")]);
    let found = look(&folder, &["t*.log", "one.log", "odd[1].log", "nothing*.log"], true);
    assert_eq!(found.groups.len(), 3);
    let [problem] = found.problems.as_slice() else { panic!("one pattern has no match") };
    assert!(matches!(problem, InputProblem::GlobWithoutMatch { .. }));
}

#[test]
fn a_log_and_its_copy_are_read_once() {
    let long: Vec<u8> = EARLY.iter().copied().cycle().take(EARLY.len() * 500).collect();
    let mut grown = long.clone();
    grown.extend_from_slice(LATE);
    let compressed = gzip(&long);
    let other = [&long[..long.len() - EARLY.len()], LATE].concat();
    let folder = folder(&[
        ("server_debug.log", &grown),
        ("server_debug.log.gz", &compressed),
        ("copy/server_debug.log", &long),
        ("other/server_debug.log", &other),
    ]);
    let found = look(&folder, &["", "copy", "other", "server_debug.log", "./server_debug.log"], true);
    let read: Vec<_> = found.groups.iter().flat_map(|group| &group.main).map(|file| &file.path).collect();
    assert_eq!(read.len(), 2, "another server may begin alike: {read:?}");
    assert!(!read[0].contains("copy") && !read[0].ends_with(".gz"), "the longest one is read: {read:?}");
    assert_eq!(
        found.skipped.iter().map(|skipped| skipped.code).collect::<Vec<_>>(),
        [GapCode::CopySkipped; 2]
    );
}

/// Issue 12, A.2: equal for the first MiB, and the smaller one ends in something else.
#[test]
fn logs_that_begin_alike_and_end_differently_are_all_read() {
    let head: Vec<u8> = EARLY.iter().copied().cycle().take((HEAD / EARLY.len() + 2) * EARLY.len()).collect();
    let smaller = [&head[..], b"2026/08/20 09:00:01 [STOP] only here\n"].concat();
    let larger = [&head[..], &b"2026/08/20 09:00:01 [API] other\n".repeat(9)].concat();
    let whole = [&larger[..], LATE].concat();
    let folder = folder(&[
        ("server_debug.log", &larger),
        ("server_debug.log.1", &smaller),
        ("server_debug.log.2.gz", &gzip(&whole)),
        ("elsewhere/server_debug.log", &smaller),
    ]);
    for arguments in [
        vec!["", "elsewhere"],
        vec!["server_debug.log", "server_debug.log.1", "server_debug.log.2.gz", "elsewhere/server_debug.log"],
    ] {
        let found = look(&folder, &arguments, true);
        let mut read: Vec<_> = found.groups.iter().flat_map(|group| names(&group.main)).collect();
        read.sort_unstable();
        assert_eq!(read.len(), 2, "{read:?}");
        assert!(read.contains(&"server_debug.log.2.gz"), "the longest has all of the larger one: {read:?}");
        let skipped: Vec<_> = found.skipped.iter().map(|skipped| skipped.message.as_str()).collect();
        assert_eq!(skipped.len(), 2, "{skipped:?}");
        assert!(skipped.iter().any(|message| message.contains("server_debug.log.2.gz")), "{skipped:?}");
    }
}

/// What can be read only once cannot be compared, so it is read.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_copy() {
    let long = EARLY.repeat(500);
    let folder = folder(&[("server_debug.log", &long)]);
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("every Unix has mkfifo");
    assert!(made.success());
    let writer = std::thread::spawn(move || fs::write(path, long));
    let found = look(&folder, &["server_debug.log", "pipe"], true);
    assert_eq!((found.groups.len(), found.skipped.len()), (2, 0));
    drop(found);
    let _ = writer.join().expect("the writer does not panic");
}

/// Issue 12, C: 3,000 rotated files with one head took minutes when each was compared with each.
#[test]
fn many_rotated_files_with_one_head_are_compared_in_one_reading() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let head = EARLY.repeat(WITNESS / EARLY.len() + 1);
    for number in 0..3_000 {
        let tail = format!("2026/08/20 09:00:01 [API] {number} {}\n", "x".repeat(number));
        fs::write(
            folder.path().join(format!("server_debug.log.{number}")),
            [&head, tail.as_bytes()].concat(),
        )
        .expect("the folder is writable");
    }
    let begun = std::time::Instant::now();
    let found = look(&folder, &[""], true);
    assert_eq!((found.groups[0].main.len(), found.skipped.len()), (3_000, 0));
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

/// Issue 12, B.8: rotated parts under the names that other writers give them.
#[test]
fn rotated_parts_of_other_names_are_read_and_other_logs_are_named() {
    let starts = b"2026/08/20 09:00:00 [SERVER DEBUG] Using MCP config file: x\n";
    let folder = folder(&[
        ("server_debug.log", LATE),
        ("server_debug-2026-08-20T09-15-26.000.log", EARLY),
        ("server_debug.1.log", b"2026/08/19 09:00:00 [API] earlier\n"),
        ("x.server_debug.log", EARLY),
        ("server_debug (copy).log.gz", &gzip(EARLY)),
        ("renamed.log", starts),
        ("workspace_debug.log", EARLY),
        ("notes.txt", starts),
        ("old/server_debug.log", EARLY),
        ("empty/readme.txt", b"nothing"),
    ]);
    let found = look(&folder, &[""], true);
    let [group] = found.groups.as_slice() else { panic!("one server, not {}", found.groups.len()) };
    assert_eq!(
        names(&group.main),
        ["server_debug.1.log", "server_debug-2026-08-20T09-15-26.000.log", "server_debug.log"]
    );
    let named = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let problems: Vec<_> = found
        .problems
        .iter()
        .map(|problem| (named(problem.path()), matches!(problem, InputProblem::FolderNotRead { .. })))
        .collect();
    assert_eq!(
        problems,
        [
            ("old".to_owned(), true),
            ("renamed.log".to_owned(), false),
            ("server_debug (copy).log.gz".to_owned(), false),
            ("x.server_debug.log".to_owned(), false),
        ]
    );
    let nothing = look(&folder, &["old/..", "empty"], true);
    assert!(nothing.problems.iter().any(|problem| matches!(problem, InputProblem::NoLogsInDirectory { .. })));
}

#[test]
fn a_folder_whose_logs_lie_deeper_names_the_folders() {
    let folder = folder(&[("a/server_debug.log", EARLY), ("b/readme.txt", b"x")]);
    let found = look(&folder, &[""], true);
    let [problem] = found.problems.as_slice() else { panic!("one problem, not {:?}", found.problems) };
    assert!(problem.hint().ends_with("/a"), "{}", problem.hint());
}

/// Issue 12, A.7: to open it might wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_is_skipped() {
    let folder = folder(&[("server_debug.log", EARLY)]);
    let path = folder.path().join("server_debug.log.1");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("every Unix has mkfifo");
    assert!(made.success());
    for argument in ["", "server_debug*"] {
        let found = look(&folder, &[argument], true);
        assert_eq!(found.groups.len(), 1);
        let codes: Vec<_> = found.skipped.iter().map(|skipped| skipped.code).collect();
        assert_eq!(codes, [GapCode::SpecialFileSkipped]);
        assert!(GapCode::SpecialFileSkipped.is_incomplete());
    }
}

#[test]
fn what_is_no_log_says_what_it_looks_like() {
    let mut cut = gzip(&EARLY.repeat(100));
    cut.truncate(8);
    let elf = [b"\x7fELF".as_slice(), &[0; 100]].concat();
    let nested = gzip(&gzip(EARLY));
    let folder = folder(&[
        ("empty.log", b""),
        ("program", &elf),
        ("lines.json", b"{\"a\":1}\n{\"a\":2}\n"),
        ("nginx.log", b"2026/08/20 09:00:00 [error] 1#0: *1 open() failed\n"),
        ("cut.gz", &cut),
        ("twice.gz", &nested),
        ("bare/readme.txt", b"hello"),
    ]);
    let problem = |name: &str| {
        let mut found = look(&folder, &[name], true);
        assert!(found.groups.is_empty(), "{name}");
        let problem = found.problems.pop().expect(name);
        assert!(!problem.hint().is_empty());
        assert!(problem.to_string().contains(problem.path()));
        problem
    };
    assert!(matches!(problem("missing.log"), InputProblem::NotFound { .. }));
    assert!(matches!(problem("bare"), InputProblem::NoLogsInDirectory { .. }));
    assert!(matches!(problem("empty.log"), InputProblem::Empty { .. }));
    assert!(matches!(problem("program"), InputProblem::Binary { looks_like: "an ELF program", .. }));
    assert!(matches!(problem("twice.gz"), InputProblem::Binary { looks_like: "gzip inside gzip", .. }));
    assert!(matches!(problem("lines.json"), InputProblem::NotAPulseLog { looks_like: "JSON lines", .. }));
    assert!(matches!(
        problem("nginx.log"),
        InputProblem::NotAPulseLog { looks_like: "an nginx error log", .. }
    ));
    assert!(matches!(problem("cut.gz"), InputProblem::BadCompression { .. }));
}

#[test]
fn an_empty_log_that_nobody_named_is_no_problem() {
    let folder = folder(&[("server_debug.log", EARLY), ("schedule.log", b"")]);
    let found = look(&folder, &[""], true);
    assert!(found.problems.is_empty());
    assert_eq!(found.skipped.iter().map(|skipped| skipped.code).collect::<Vec<_>>(), [GapCode::EmptyFile]);
}

#[test]
fn the_schedule_log_has_the_zone_of_its_server() {
    let logrus = b"time=\"2026-08-20T09:00:00+05:30\" level=info msg=x\n";
    let folder = folder(&[("server_debug.log", logrus), ("schedule.log", SCHEDULE)]);
    let found = look(&folder, &[""], true);
    let zone = &found.groups[0].schedule[0].zone;
    assert_eq!((zone.offset, zone.source), (19_800, ZoneSource::Logrus));
}

#[cfg(unix)]
#[test]
fn a_pipe_loses_nothing_by_being_looked_at() {
    use crate::logs::{ReadOptions, Reader, Tag, TagTable};
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("every Unix has mkfifo");
    assert!(made.success());
    let content = EARLY.repeat(100_000);
    let (target, written) = (path.clone(), content.clone());
    let writer = std::thread::spawn(move || fs::write(target, written));
    let mut found = discover(&[show(&path)], true);
    let tags = TagTable::new(&[Tag { text: "[API] ", literals: &[], plain: false, raw_text: false }]);
    let mut reader = Reader::new(found.groups.remove(0).main, 0, &tags, ReadOptions::default());
    let mut lines = 0;
    while reader.next().is_some() {
        lines += 1;
    }
    assert_eq!(lines, 100_000);
    assert_eq!(reader.finish().0[0].bytes, content.len() as u64);
    writer.join().expect("the writer ends").expect("the pipe takes all");
}
