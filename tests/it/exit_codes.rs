//! The exit codes of an audit, one test per code of formats.md, section 5.

use std::fs;
use std::path::Path;

use crate::common::Pulsectl;

/// A log with one incident at critical: the embedded example.
const INCIDENT: &[u8] = include_bytes!("../../src/cli/commands/demo.log");
/// A log without a stop, from the start of its process.
const QUIET: &[u8] = b"2026/11/30 03:06:26 [SERVER DEBUG] Using MCP config file: configs/x.json\n\
    2026/11/30 03:06:27 [API] --> GET /api/health in_flight=1\n";
/// One that begins in mid-process: a gap, and nothing more (formats.md, section 5).
const CUT: &[u8] = b"2026/11/30 03:06:27 [API] --> GET /api/health in_flight=1\n";

/// A folder with these files, and a call of `audit` in it.
struct Case(tempfile::TempDir);

impl Case {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a file has a folder")).expect("it is made");
            fs::write(path, content).expect("it is written");
        }
        Self(folder)
    }

    fn code(&self, arguments: &[&str]) -> Option<i32> {
        let mut command = crate::common::pulsectl();
        command.current_dir(self.0.path()).env("HOME", self.0.path()).arg("audit").args(arguments);
        command.stdin(std::process::Stdio::null());
        command.output().expect("the program starts").status.code()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, content).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

/// Inputs that give nothing to check, each with the name to ask for.
fn nothing() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty.log", Vec::new()),
        ("binary.log", vec![0; 500]),
        ("other.log", b"hello\nworld\n".to_vec()),
        ("nginx.log", b"2026/11/30 03:06:26 [error] 12#0: *1 open() failed\n".to_vec()),
        ("folder/readme.txt", b"no log\n".to_vec()),
    ]
}

const NOT_THERE: [&str; 6] = ["empty.log", "binary.log", "other.log", "nginx.log", "folder", "missing.log"];

#[test]
fn clean_is_0() {
    let case = Case::new(&[("quiet.log", QUIET), ("cut.log", CUT), ("logs/server_debug.log", QUIET)]);
    for arguments in [&["quiet.log"][..], &["cut.log"], &["logs"], &[]] {
        assert_eq!(case.code(arguments), Some(0), "{arguments:?}");
    }
}

#[test]
fn an_own_failure_is_1_and_goes_before_findings() {
    let case = Case::new(&[("quiet.log", QUIET), ("incident.log", INCIDENT)]);
    for log in ["quiet.log", "incident.log"] {
        assert_eq!(case.code(&[log, "-o", "sarif=missing/x.sarif"]), Some(1));
        assert_eq!(case.code(&[log, "--write-baseline", "missing/x.json"]), Some(1));
    }
    assert_eq!(case.code(&["missing.log", "-o", "sarif=missing/x.sarif"]), Some(3), "3 goes before 1");
}

#[test]
fn wrong_usage_is_2_before_anything_is_read() {
    let case = Case::new(&[("incident.log", INCIDENT), ("broken.json", b"{")]);
    for arguments in [
        &[][..],
        &["incident.log", "--since", "yesterday-ish"],
        &["incident.log", "--last", "soon"],
        &["incident.log", "--tz", "Nowhere/Land"],
        &["incident.log", "--fail-on", "dreadful"],
        &["incident.log", "--only", "no-such-rule"],
        &["incident.log", "-o", "yaml"],
        &["incident.log", "-o", "json", "-o", "sarif"],
        &["incident.log", "--baseline", "missing.json"],
        &["incident.log", "--baseline", "broken.json"],
        &["missing.log", "--last", "soon"],
        &["incident.log", "--no-such-flag"],
    ] {
        assert_eq!(case.code(arguments), Some(2), "{arguments:?}");
    }
    fs::write(case.path().join("pulsectl.toml"), "[audit]\nfailon = \"high\"\n").expect("it is written");
    assert_eq!(case.code(&["incident.log"]), Some(2), "an unknown key of the settings");
}

#[test]
fn nothing_checked_is_3() {
    let files = nothing();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, content.as_slice())).collect();
    let case = Case::new(&[&files[..], &[("quiet.log", QUIET)]].concat());
    for name in NOT_THERE {
        assert_eq!(case.code(&[name]), Some(3), "{name}");
        assert_eq!(case.code(&[name, "--exit-zero"]), Some(3), "{name}: `--exit-zero` hides only 10 and 11");
    }
    assert_eq!(case.code(&["*.nothing"]), Some(3), "a glob without a match");
    assert_eq!(case.code(&["-"]), Some(3), "empty standard input");
    assert_eq!(case.code(&["quiet.log", "--since", "2027-01-01"]), Some(3), "a window without a line");
    assert_eq!(case.code(&["quiet.log", "--until", "2025-01-01"]), Some(3), "a window without a line");
}

#[test]
fn no_such_session_is_6() {
    let case = Case::new(&[("quiet.log", QUIET), ("incident.log", INCIDENT)]);
    for log in ["quiet.log", "incident.log"] {
        assert_eq!(case.code(&[log, "--session", "no-such-session"]), Some(6));
        assert_eq!(case.code(&[log, "missing.log", "--session", "no-such-session"]), Some(6), "6 before 7");
    }
}

// formats.md, section 6: `--match` without a hit is 6.
#[test]
fn nothing_that_matches_is_6() {
    let case = Case::new(&[("quiet.log", QUIET), ("incident.log", INCIDENT)]);
    for log in ["quiet.log", "incident.log"] {
        assert_eq!(case.code(&[log, "--match", "no such workflow"]), Some(6));
    }
}

#[test]
fn an_incomplete_answer_is_7() {
    let mut files = nothing();
    files.push(("quiet.log", QUIET.to_vec()));
    let long: Vec<u8> = QUIET.repeat(2_000);
    let packed = gzip(&long);
    files.push(("torn.log.gz", packed[..packed.len() - 9].to_vec()));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, content.as_slice())).collect();
    let case = Case::new(&files);
    for name in NOT_THERE {
        assert_eq!(case.code(&["quiet.log", name]), Some(7), "{name}");
        assert_eq!(case.code(&["quiet.log", name, "--exit-zero"]), Some(7), "{name}");
    }
    assert_eq!(case.code(&["torn.log.gz"]), Some(7), "something could not be decoded");
}

#[test]
fn findings_are_10_and_go_before_7() {
    let case = Case::new(&[("incident.log", INCIDENT), ("quiet.log", QUIET)]);
    assert_eq!(case.code(&["incident.log"]), Some(10));
    assert_eq!(case.code(&["incident.log", "quiet.log"]), Some(10));
    assert_eq!(case.code(&["incident.log", "missing.log"]), Some(10), "10 before 7");
    assert_eq!(case.code(&["incident.log", "--exit-zero"]), Some(0));
    assert_eq!(case.code(&["incident.log", "missing.log", "--exit-zero"]), Some(7));
    assert_eq!(case.code(&["incident.log", "--only", "PLS036", "--fail-on", "high"]), Some(0));
    for format in ["json", "jsonl", "sarif", "junit", "github", "markdown", "csv", "concise", "text"] {
        assert_eq!(case.code(&["incident.log", "-o", format]), Some(10), "{format}");
    }
}

// anchors.md, section 3: a broken pipe ends quietly with 0, whatever was found.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_early_ends_the_audit_quietly() {
    let case = Case::new(&[("incident.log", INCIDENT)]);
    for format in ["text", "json", "github", "sarif"] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = crate::common::pulsectl();
        command.arg("audit").arg(case.path().join("incident.log")).args(["-o", format]).stdout(writer);
        let output = command.output().expect("the program starts");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{format}");
    }
    // What goes into a file is written all the same.
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let file = case.path().join("a.sarif");
    let mut command = crate::common::pulsectl();
    command.arg("audit").arg(case.path().join("incident.log")).stdout(writer);
    command.arg("-o").arg(format!("sarif={}", file.display()));
    assert_eq!(command.status().expect("the program starts").code(), Some(0));
    assert!(fs::metadata(file).is_ok_and(|file| file.len() > 1_000));
}

/// 130: the work was cut off.
#[cfg(unix)]
mod interrupted {
    use std::io::{Read as _, Write as _};
    use std::process::Stdio;

    use crate::common::recordings::{captures, with_closed_gate};
    use crate::common::server::{Fault, PulseServer};

    /// Audits a pipe that never ends, and sends the signal once the reading has begun.
    fn cut_off_by(signal: &str) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let mut child = crate::common::pulsectl()
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .args(["audit", "-", "-o", "json", "-o", "sarif=a.sarif", "--write-baseline", "known.json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        // More than a pipe holds: once it is written the program reads, and it listens to signals before.
        let line = b"2026/11/30 03:06:27 [API] --> GET /api/health in_flight=1\n";
        stdin.write_all(&line.repeat(10_000)).expect("it reads");
        let sent = std::process::Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .expect("the signal can be sent");
        assert!(sent.success());
        let status = child.wait().expect("it ends, although its input does not");
        drop(stdin);
        assert_eq!(status.code(), Some(130), "{signal}");
        let (mut stdout, mut stderr) = (String::new(), String::new());
        child.stdout.take().expect("it is piped").read_to_string(&mut stdout).expect("it is text");
        child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("it is text");
        assert_eq!(stdout, "", "no half answer");
        let error: serde_json::Value = serde_json::from_str(&stderr).expect("it is one JSON object");
        assert_eq!((&error["code"], &error["error"]), (&130.into(), &"interrupted".into()));
        let left = std::fs::read_dir(folder.path()).expect("it is there").count();
        assert_eq!(left, 0, "nothing is left over");
    }

    /// Reads from a server that does not answer this path, and sends the signal once it was asked.
    fn cut_off_while_waiting(path: &str, fault: Fault, arguments: &[&str], signal: &str) {
        let captures = captures();
        let closed = with_closed_gate(&captures.join("plat171/http-before"));
        let server = PulseServer::play(closed.path());
        server.fail(path, fault, None);
        let mut child = crate::common::pulsectl()
            .args(arguments)
            .args(["--timeout", "1h", "--server", &server.url()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while server.count(&format!("GET {path}")) == 0 {
            assert!(child.try_wait().expect("it can be asked").is_none(), "{arguments:?} ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent = std::process::Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .expect("the signal can be sent");
        assert!(sent.success());
        let output = child.wait_with_output().expect("it ends, although the server does not answer");
        assert_eq!(output.status.code(), Some(130), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}: no half answer");
        let stderr = String::from_utf8_lossy(&output.stderr);
        if arguments.contains(&"json") {
            let error: serde_json::Value = serde_json::from_str(&stderr).expect("it is one JSON object");
            assert_eq!((&error["code"], &error["error"]), (&130.into(), &"interrupted".into()));
        } else {
            assert_eq!(stderr, "error: interrupted\n", "{arguments:?}");
        }
    }

    #[test]
    fn ctrl_c_ends_the_wait_for_a_server_at_once() {
        let slow = || Fault::Slow(std::time::Duration::from_secs(3600));
        cut_off_while_waiting("/api/health", slow(), &["status"], "INT");
        cut_off_while_waiting("/api/sessions/active", slow(), &["sessions", "-o", "json"], "INT");
        let chat = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
        let main = format!("/api/sessions/{chat}/main-terminal?content=stored");
        cut_off_while_waiting(&main, slow(), &["plan", "stop", chat], "TERM");
        // A stream that is open and silent.
        let events = format!("/api/sessions/{chat}/events/stream?since=0");
        let silent = Fault::Events(": heartbeat\n".to_owned());
        cut_off_while_waiting(&events, silent, &["graph", chat, "--names"], "INT");
    }

    #[test]
    fn ctrl_c_is_130_and_leaves_nothing() {
        cut_off_by("INT");
    }

    #[test]
    fn sigterm_is_130_and_leaves_nothing() {
        cut_off_by("TERM");
    }
}

// formats.md, section 5: 6 is "no such rule"; rules of the settings are rules.
#[test]
fn rules_of_the_settings_are_listed_and_explained() {
    let case = Case::new(&[(
        "pulsectl.toml",
        b"[[rule]]\nid = \"custom/quota\"\nseverity = \"low\"\ntag = \"[QUOTA]\"\npattern = 'used (?<share>\\d+)%'\nclaim = \"{share} percent are used\"\n",
    )]);
    let run = |arguments: &[&str]| {
        let mut command = crate::common::pulsectl();
        let output = command
            .current_dir(case.path())
            .env("HOME", case.path())
            .args(arguments)
            .output()
            .expect("the program starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("it is UTF-8"))
    };
    let (code, table) = run(&["rules"]);
    assert_eq!(code, Some(0));
    let line = table.lines().find(|line| line.starts_with("custom/quota")).expect("it is listed");
    assert!(line.contains("low") && line.contains("{share} percent are used"), "{line}");
    for arguments in [
        &["explain", "custom/quota"][..],
        &["explain", "CUSTOM/QUOTA", "-o", "markdown"],
        &["explain", "--all"],
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(0), "{arguments:?}");
        assert!(text.contains("custom/quota") && text.contains("used (?<share>\\d+)%"), "{text}");
    }
    let (code, document) = run(&["rules", "-o", "json"]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("it is JSON");
    let last = document["rules"].as_array().and_then(|rules| rules.last()).expect("there are rules");
    assert_eq!((code, &last["code"], &last["custom"]), (Some(0), &"custom/quota".into(), &true.into()));
    assert_eq!(run(&["explain", "custom/other"]).0, Some(6));
    assert_eq!(Pulsectl::new(["explain", "custom/quota"]).run().code, Some(6), "without the settings");
}
