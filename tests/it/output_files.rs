//! Files that pulsectl writes: what is refused, how they are replaced, and signals while one is written
//! (issue 12, D.11 to D.13).
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{Answer, Pulsectl, pulsectl};

/// A folder with a server's log in it: that of the PLAT-171 fixture.
fn folder_with_log() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let log = folder.path().join("server_debug.log");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs/plat171.log");
    fs::copy(fixture, &log).expect("the fixture is there");
    (folder, log)
}

fn run(folder: &Path, arguments: &[&str]) -> Answer {
    let output = pulsectl()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    Answer {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

// D.11: exit 2 before anything is read, the file as it was; compared by identity and through links.
#[test]
fn an_output_that_would_destroy_something_is_refused() {
    let (folder, log) = folder_with_log();
    let at = folder.path();
    let before = fs::read(&log).expect("it is read");
    symlink("server_debug.log", at.join("link.log")).expect("a link can be made");
    fs::hard_link(&log, at.join("twin")).expect("a link can be made");
    fs::create_dir(at.join("sub")).expect("a folder can be made");
    fs::write(at.join("notes.txt"), "mine").expect("it is written");
    fs::write(at.join("pulsectl.toml"), "").expect("it is written");
    let baseline = run(at, &["audit", "server_debug.log", "--write-baseline", "known.json", "--exit-zero"]);
    assert_eq!(baseline.code, Some(0), "{}", baseline.stderr);
    for arguments in [
        &["audit", "server_debug.log", "-o", "json=server_debug.log"][..],
        &["audit", "server_debug.log", "-o", "json=./sub/../server_debug.log"],
        &["audit", "server_debug.log", "-o", "json=link.log"],
        &["audit", "link.log", "-o", "csv=server_debug.log"],
        &["audit", "server_debug.log", "-o", "json=twin"],
        &["audit", ".", "-o", "json=server_debug.log"],
        &["audit", "*.log", "-o", "json=server_debug.log"],
        &["audit", "server_debug.log", "-o", "json=sub"],
        &["audit", "server_debug.log", "-o", "json=new", "-o", "csv=./new"],
        &["audit", "server_debug.log", "-o", "json=new", "--write-baseline", "new"],
        &["audit", "server_debug.log", "--write-baseline", "server_debug.log"],
        &["audit", "server_debug.log", "--write-baseline", "notes.txt"],
        &["audit", "server_debug.log", "--baseline", "known.json", "-o", "json=known.json"],
        &["audit", "server_debug.log", "-o", "json=pulsectl.toml"],
        &["rules", "-o", "json=pulsectl.toml"],
        &["sessions", "--log", "server_debug.log", "-o", "json=server_debug.log"],
        &["plan", "shutdown", "--log", ".", "-o", "json=server_debug.log"],
        &["snapshot", "save", "server_debug.log", "--log", "server_debug.log"],
        &["plan", "check", "known.json", "--log", "server_debug.log", "-o", "json=known.json"],
    ] {
        let answer = run(at, arguments);
        assert_eq!(answer.code, Some(2), "{arguments:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty() && answer.stderr.starts_with("error: `"), "{}", answer.stderr);
    }
    // Also where a shell opened the file as standard input or output.
    let program = env!("CARGO_BIN_EXE_pulsectl");
    for command in
        ["audit - -o json=server_debug.log < server_debug.log", "audit server_debug.log >> server_debug.log"]
    {
        let script = format!("'{program}' {command}");
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(at).output().expect("a shell starts");
        assert_eq!(output.status.code(), Some(2), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(fs::read(&log).expect("it is read"), before);
    assert_eq!(fs::read(at.join("notes.txt")).expect("it is read"), b"mine");
    assert!(!at.join("new").exists());
    // A file in a folder of logs that is no log may be written, also a second time.
    for _ in 0..2 {
        let answer = run(at, &["audit", ".", "--exit-zero", "-o", "json=audit.json"]);
        assert!(answer.code != Some(2), "{}", answer.stderr);
    }
    // A baseline, and an empty file such as `mktemp` makes, may become one.
    fs::write(at.join("empty"), "").expect("it is written");
    for file in ["known.json", "empty"] {
        let answer = run(at, &["audit", "server_debug.log", "--exit-zero", "--write-baseline", file]);
        assert_eq!(answer.code, Some(0), "{file}: {}", answer.stderr);
    }
}

// D.12: the mode of an existing file is kept, a link stays and its target is replaced, nothing is left beside.
#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = folder.path();
    fs::write(at.join("old.json"), "old").expect("it is written");
    fs::set_permissions(at.join("old.json"), Permissions::from_mode(0o640)).expect("it is set");
    fs::create_dir(at.join("sub")).expect("a folder can be made");
    symlink("../old.json", at.join("sub/link")).expect("a link can be made");
    symlink("later.json", at.join("dangling")).expect("a link can be made");
    let answer = run(at, &["rules", "-o", "json=sub/link", "-o", "json=dangling"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert!(answer.stdout.starts_with(b"CODE "), "the table goes to stdout");
    assert_eq!(fs::read_link(at.join("sub/link")).expect("it is a link"), Path::new("../old.json"));
    assert_eq!(fs::read_link(at.join("dangling")).expect("it is a link"), Path::new("later.json"));
    for file in ["old.json", "later.json"] {
        let text = fs::read_to_string(at.join(file)).expect("it is read");
        assert!(text.contains("\"pulsectl.rules/1\""), "{file}");
    }
    assert_eq!(mode(&at.join("old.json")), 0o640);
    assert_eq!(names(at), ["dangling", "later.json", "old.json", "sub"]);
    assert_eq!(names(&at.join("sub")), ["link"]);
}

// D.12: a failed write leaves the old file whole, the report goes to stdout, and the exit status is 1.
#[test]
fn a_file_that_cannot_be_written_costs_nothing_but_itself() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = folder.path();
    let answer = run(at, &["rules", "-o", "json=absent/rules.json", "-o", "json=rules.json"]);
    assert_eq!(answer.code, Some(1));
    assert!(answer.stderr.starts_with("error: could not write `absent/rules.json`\n"), "{}", answer.stderr);
    assert!(answer.stdout.starts_with(b"CODE "));
    assert_eq!(names(at), ["rules.json"]);
}

// D.12: snapshots are for their owner alone, whatever the mask says.
#[test]
fn a_snapshot_is_private_and_another_file_follows_the_mask() {
    let (folder, _) = folder_with_log();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_pulsectl");
    let script = format!(
        "umask 022; '{program}' -q snapshot save saved.json --log server_debug.log; \
         '{program}' -q snapshot show -o json=shown.json --log server_debug.log; '{program}' rules -o json=rules.json"
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .current_dir(at)
        .stdout(Stdio::null())
        .status()
        .expect("a shell starts");
    assert!(status.success());
    let modes = ["saved.json", "shown.json", "rules.json"].map(|file| mode(&at.join(file)));
    assert_eq!(modes, [0o600, 0o600, 0o644]);
}

// D.11: devices, FIFOs and descriptors are written in place, and may stand twice.
#[test]
fn what_is_no_regular_file_is_written_in_place() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = folder.path();
    let answer = run(at, &["rules", "-o", "json=/dev/null", "-o", "text=/dev/null", "-o", "json"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let program = env!("CARGO_BIN_EXE_pulsectl");
    let script =
        format!("'{program}' rules -o json=/dev/fd/3 3>three.json > out.txt; '{program}' rules > plain.txt");
    let status = Command::new("sh").args(["-c", &script]).current_dir(at).status().expect("a shell starts");
    assert!(status.success());
    let read = |file: &str| fs::read(at.join(file)).expect("it is read");
    assert_eq!(read("three.json"), answer.stdout);
    assert_eq!(read("out.txt"), read("plain.txt"));
    // A folder of memory below /dev holds regular files like any other.
    if Path::new("/dev/shm").is_dir() {
        let shared = tempfile::tempdir_in("/dev/shm").expect("a folder can be made");
        let file = shared.path().join("rules.json");
        assert_eq!(run(at, &["rules", "-o", &format!("json={}", file.display())]).code, Some(0));
        assert_eq!(fs::read(file).expect("it is read"), answer.stdout);
    }
    // A full disk is a failure, for a file and for stdout.
    if Path::new("/dev/full").exists() {
        let answer = run(at, &["rules", "-o", "json=/dev/full"]);
        assert_eq!(answer.code, Some(1), "{}", answer.stderr);
        assert!(answer.stdout.starts_with(b"CODE "));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is opened");
        for argument in ["rules", "--help", "--version"] {
            let full = full.try_clone().expect("it is copied");
            let output = pulsectl().arg(argument).stdout(full).output().expect("it starts");
            assert_eq!(output.status.code(), Some(1), "{argument}");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let expected = "error: could not write standard output\n  cause: ";
            assert!(stderr.starts_with(expected), "{argument}: {stderr}");
        }
    }
}

/// Sends a signal to a process once it has had time to block, and returns its exit code.
fn ended_by(signal: &str, mut child: std::process::Child) -> Option<i32> {
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("it is asked").is_none(), "it waits");
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().expect("kill starts");
    assert!(sent.success());
    let begin = Instant::now();
    let status = child.wait().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(5), "it ends at once");
    status.code()
}

// D.13: a signal ends the run also while a FIFO has no reader, a pipe is full, or an input gives nothing.
#[test]
fn a_signal_ends_the_run_whatever_it_waits_for() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts").success());
    let output = format!("json={}", fifo.display());
    for signal in ["-INT", "-TERM"] {
        let child = pulsectl()
            .args(["rules", "-o", &output])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        assert_eq!(ended_by(signal, child), Some(130), "a FIFO without a reader, {signal}");
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        // More than a pipe holds: all rules in full, as JSON.
        let child = pulsectl()
            .args(["explain", "--all", "-o", "json"])
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        assert_eq!(ended_by(signal, child), Some(130), "a full pipe, {signal}");
        drop(reader);
        let mut child = pulsectl()
            .args(["audit", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Waiting for the program would close its input.
        let input = child.stdin.take();
        assert_eq!(ended_by(signal, child), Some(130), "a silent input, {signal}");
        drop(input);
    }
}

// D.13: a reader that leaves has seen enough, of a FIFO as of stdout.
#[test]
fn a_reader_of_a_fifo_that_leaves_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts").success());
    let output = format!("json={}", fifo.display());
    let writer = std::thread::spawn(move || Pulsectl::new(["explain", "--all", "-o", &output]).run());
    let mut reader = fs::File::open(&fifo).expect("the writer comes");
    let mut begin = [0; 100];
    reader.read_exact(&mut begin).expect("it writes");
    drop(reader);
    let answer = writer.join().expect("it does not panic");
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
}
