//! Every command that reads a server, against a real one: in health with its debug gate open and closed, and with
//! every fault. The list of commands is that of the command line itself. The server fails the test on any request
//! that an inspect must never send.

mod edges;
mod troubles;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::recordings::{captures, with_closed_gate};
use crate::common::server::PulseServer;
use crate::common::{in_parallel_on, pulsectl};

/// The session, its main terminal and one of its items in the recording `plat171`.
const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const MAIN: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3:main:9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const ITEM: &str = "msgseq-collect-invoices-fetch-1796008500334093566";

const LIST: &str = "/api/sessions/active";

/// Enough threads that those which wait for a timeout do not hold up the others.
const THREADS: usize = 24;

/// A command that reads a server, and the arguments with which it is walked.
struct Reading {
    command: &'static str,
    recording: &'static str,
    ways: &'static [&'static [&'static str]],
}

const fn reading(command: &'static str, ways: &'static [&'static [&'static str]]) -> Reading {
    Reading { command, recording: "plat171", ways }
}

const READINGS: [Reading; 16] = [
    reading("status", &[&[]]),
    reading("sessions", &[&[]]),
    reading("graph", &[&[CHAT], &["--up", ITEM], &["--up", MAIN]]),
    reading("plan stop", &[&[CHAT], &[CHAT, "--agents", "--compare"]]),
    reading("plan cancel-turn", &[&[CHAT]]),
    // A job by its name, and its session.
    Reading {
        command: "plan schedule-stop",
        recording: "schedule-stop",
        ways: &[&["nightly"], &["schedule-manual--nightly_1796008310025719938"]],
    },
    reading("plan terminal-death", &[&[CHAT], &[CHAT, "--terminal", MAIN], &[CHAT, "--pane", "wall"]]),
    reading("plan kill-terminal", &[&[MAIN]]),
    reading("plan stop-step", &[&["msgseq-collect"]]),
    reading("plan stop-all", &[&[CHAT]]),
    reading("plan shutdown", &[&[]]),
    reading("plan dismiss", &[&[CHAT]]),
    reading("plan clear", &[&[CHAT]]),
    reading("stop", &[&[CHAT, "--dry-run"], &[CHAT, "--dry-run", "--agents"]]),
    reading("snapshot save", &[&["-"]]),
    reading("snapshot show", &[&[]]),
];

/// The commands that reach no server.
const OFFLINE: [&str; 7] = ["audit", "config show", "demo", "explain", "generate", "plan check", "rules"];

/// All commands of the command line that do something by themselves.
fn leaves(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
    if !command.has_subcommands() {
        found.push((path.trim_start().to_owned(), command.clone()));
    }
    for part in command.get_subcommands() {
        leaves(part, &format!("{path} {}", part.get_name()), found);
    }
}

fn command_line() -> Vec<(String, clap::Command)> {
    let mut found = Vec::new();
    leaves(&pulsectl::testing::cli::command(), "", &mut found);
    found
}

/// The formats that a command's `-o` takes.
fn formats(command: &str) -> Vec<String> {
    let Some((_, command)) = command_line().into_iter().find(|(path, _)| path == command) else {
        panic!("there is no command `{command}`");
    };
    let output = command.get_arguments().find(|argument| argument.get_id() == "output").cloned();
    let values = output.map(|output| output.get_possible_values()).unwrap_or_default();
    values.iter().map(|value| value.get_name().to_owned()).collect()
}

#[test]
fn every_command_that_reads_a_server_is_walked() {
    let (mut reads, mut offline) = (BTreeSet::new(), BTreeSet::new());
    for (path, command) in command_line() {
        let names_server = command.get_arguments().any(|argument| argument.get_id() == "server");
        if names_server {
            reads.insert(path)
        } else {
            offline.insert(path)
        };
    }
    assert_eq!(reads, READINGS.iter().map(|reading| reading.command.to_owned()).collect());
    assert_eq!(offline, OFFLINE.iter().map(|path| (*path).to_owned()).collect());
}

/// A server for one run, and the folder that it plays where that was made for it.
struct Scene {
    server: PulseServer,
    _folder: Option<TempDir>,
}

/// A server in health, with a silent event stream for every session.
fn scene(captures: &Path, recording: &str, gate_open: bool) -> Scene {
    let folder = captures.join(recording).join("http-before");
    let closed = (!gate_open).then(|| with_closed_gate(&folder));
    let server = PulseServer::play(closed.as_ref().map_or(&folder, |closed| closed.path()));
    let event = json!({"events": [{
        "type": "background_agent_started",
        "execution_id": ITEM,
        "data": {"agent_id": ITEM, "name": "An item", "parent_execution_id": "exec-collect-invoices-1"},
    }]});
    for session in server.recorded(LIST)["active_sessions"].as_array().expect("a list") {
        let id = session["session_id"].as_str().expect("an id");
        let stream = format!("/api/sessions/{id}/events/stream?since=0");
        server.answer_with(&stream, "text/event-stream", &format!("event: event\ndata: {event}\n\n"));
    }
    Scene { server, _folder: closed }
}

fn run(scene: &Scene, command: &str, more: &[&str]) -> Output {
    pulsectl()
        .args(command.split(' '))
        .args(more)
        .args(["--server", &scene.server.url()])
        .output()
        .expect("the program runs")
}

/// What no run may do, whatever the server does.
fn misbehaviour(output: &Output) -> Option<&'static str> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("panicked") || stderr.contains("RUST_BACKTRACE") {
        return Some("it panicked");
    }
    if output.status.code().is_none() {
        return Some("a signal ended it");
    }
    let failed = stderr.contains("error: ");
    if failed && !output.stdout.is_empty() {
        return Some("it failed and answered all the same");
    }
    (!failed && output.stdout.is_empty()).then_some("it neither failed nor answered")
}

struct Healthy {
    reading: &'static Reading,
    way: &'static [&'static str],
    format: Option<String>,
    gate_open: bool,
    names: bool,
}

impl Healthy {
    fn problems(&self, captures: &Path) -> Vec<String> {
        let Self { reading, way, format, gate_open, names } = self;
        let scene = scene(captures, reading.recording, *gate_open);
        let mut more = way.to_vec();
        if let Some(format) = format {
            more.extend(["-o", format]);
        }
        if *names {
            more.push("--names");
        }
        let output = run(&scene, reading.command, &more);
        let mut problems = Vec::new();
        let mut check = |holds: bool, problem: &str| {
            if !holds {
                let stderr = String::from_utf8_lossy(&output.stderr);
                problems.push(format!(
                    "{} {more:?}, gate open: {gate_open}: {problem}: {stderr}",
                    reading.command
                ));
            }
        };
        check(misbehaviour(&output).is_none(), misbehaviour(&output).unwrap_or_default());
        // formats.md, section 5: a closed debug gate is a gap, and the exit code is 0.
        check(output.status.code() == Some(0), "the exit code is not 0");
        if format.as_deref().is_some_and(|format| format == "json") {
            let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            check(document["complete"] == true, "the document is not complete");
        }
        let asked = |part: &str| scene.server.requests().iter().any(|seen| seen.request.contains(part));
        let in_full = !matches!(reading.command, "status" | "sessions");
        check(
            asked("/execution-tree") == (in_full && *gate_open),
            "trees are asked for where they are there",
        );
        check(asked("/api/terminals") == *gate_open, "terminals are asked for where they are there");
        let streams = in_full && *names && !gate_open;
        check(asked("/events/stream") == streams, "streams are asked for where nothing else tells the names");
        problems
    }
}

#[test]
fn in_health_every_command_and_format_answers_with_plain_reads() {
    let captures = captures();
    let mut cases = Vec::new();
    for reading in &READINGS {
        let formats = formats(reading.command);
        for (at, &way) in reading.ways.iter().enumerate() {
            for gate_open in [true, false] {
                let with = |format, names| Healthy { reading, way, format, gate_open, names };
                cases.push(with(None, true));
                // The formats show one state in many ways, so the first way to ask is enough.
                match at {
                    0 if !formats.is_empty() => {
                        cases.extend(formats.iter().map(|format| with(Some(format.clone()), false)));
                    }
                    _ => cases.push(with(None, false)),
                }
            }
        }
    }
    let problems = in_parallel_on(THREADS, &cases, |case| case.problems(&captures));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
