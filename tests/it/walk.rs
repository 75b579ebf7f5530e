//! Every command that reads a server, against a real one: in health with its debug gate open and closed, and with
//! every fault. The list of commands is that of the command line itself. The server fails the test on any request
//! that an inspect must never send.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::recordings::{captures, with_closed_gate};
use crate::common::server::{Fault, PulseServer, REFUSAL};
use crate::common::{in_parallel_on, pulsectl};

/// The session, its main terminal and one of its items in the recording `plat171`.
const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const MAIN: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3:main:9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const ITEM: &str = "msgseq-collect-invoices-fetch-1796008500334093566";

const LIST: &str = "/api/sessions/active";
const LOGIN: &str = "/api/auth/login";

/// Enough threads that those which wait for a timeout do not hold up the others.
const THREADS: usize = 24;

/// How long a request may take where the server is slow; long for a machine under load to answer in health.
const PATIENCE: &str = "3s";

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
    leaves(&pulsectl::cli::command(), "", &mut found);
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
    let Some(captures) = captures() else { return };
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

/// A fault and what it means. The exit codes are those of formats.md, section 5.
struct Trouble {
    name: &'static str,
    fault: Fault,
    times: Option<u32>,
    /// The exit code where it strikes the list of sessions, without which nothing can be said.
    of_list: i32,
    /// The exit code where it strikes one of the other reads.
    of_part: i32,
    /// The words that tell it from all others.
    words: &'static str,
}

impl Trouble {
    /// Whether the server says by it that it has no such thing, or not for this caller.
    fn is_absence(&self) -> bool {
        matches!(self.fault, Fault::Html | Fault::Status(403, _))
    }
}

fn troubles() -> Vec<Trouble> {
    let trouble =
        |name, fault, times, of_list, of_part, words| Trouble { name, fault, times, of_list, of_part, words };
    let refusal = Fault::Status(401, REFUSAL);
    let forbidden = "{\"error\": \"This token is not valid for this endpoint\"}";
    vec![
        trouble("slow", Fault::Slow(Duration::from_secs(600)), None, 4, 7, "within 3 s"),
        trouble("cut", Fault::Cut, None, 7, 7, "was cut off"),
        trouble("cut once", Fault::Cut, Some(1), 0, 0, ""),
        trouble("401", refusal.clone(), None, 5, 7, "the server refused the token: Invalid or expired token"),
        trouble("401 once", refusal, Some(1), 0, 0, ""),
        trouble(
            "403",
            Fault::Status(403, forbidden),
            None,
            5,
            7,
            "This token is not valid for this endpoint",
        ),
        trouble("409", Fault::Status(409, "busy"), None, 7, 7, "conflicts with the server's state: busy"),
        trouble("429", Fault::Status(429, "too many"), None, 7, 7, "come back later (429): too many"),
        trouble("500", Fault::Status(500, "boom"), None, 7, 7, "with status 500: boom"),
        trouble("500 once", Fault::Status(500, "boom"), Some(1), 0, 0, ""),
        trouble("a page", Fault::Html, None, 7, 7, "was answered with a web page instead of JSON"),
        trouble(
            "a redirect",
            Fault::Redirect("/api/session/stop"),
            None,
            7,
            7,
            "redirected to `/api/session/stop`",
        ),
        trouble("half JSON", Fault::Json("{\"active_sess".to_owned()), None, 7, 7, "cannot be decoded"),
        trouble("a list", Fault::Json("[]".to_owned()), None, 7, 7, "it is no JSON object"),
    ]
}

/// What is wrong with a run that met a trouble and must tell it in these words.
fn troubled(output: &Output, trouble: &Trouble, code: i32, words: &str) -> Vec<String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut problems = Vec::new();
    problems.extend(misbehaviour(output).map(str::to_owned));
    if output.status.code() != Some(code) {
        problems.push(format!("exit code {:?} instead of {code}", output.status.code()));
    }
    let told = stderr.lines().any(|line| !line.contains("debug gate is closed"));
    if trouble.times.is_some() && code == 0 && told {
        problems.push("a trouble that passed is told".to_owned());
    }
    if code != 0 && !stderr.contains(words) {
        problems.push(format!("`{words}` is not told"));
    }
    if !problems.is_empty() {
        problems.push(stderr.into_owned());
    }
    problems
}

#[test]
fn every_command_tells_every_trouble_with_the_list_of_sessions() {
    let Some(captures) = captures() else { return };
    let troubles = troubles();
    let cases: Vec<(&Reading, &Trouble)> =
        troubles.iter().flat_map(|trouble| READINGS.iter().map(move |reading| (reading, trouble))).collect();
    let problems = in_parallel_on(THREADS, &cases, |(reading, trouble)| {
        let scene = scene(&captures, reading.recording, true);
        scene.server.fail(LIST, trouble.fault.clone(), trouble.times);
        let mut more = reading.ways.first().expect("there is a way").to_vec();
        if trouble.of_list == 4 {
            more.extend(["--timeout", PATIENCE]);
        }
        let output = run(&scene, reading.command, &more);
        let mut problems = troubled(&output, trouble, trouble.of_list, trouble.words);
        if trouble.of_list != 0 && !String::from_utf8_lossy(&output.stderr).starts_with("error: ") {
            problems.push("it does not begin with the error".to_owned());
        }
        let logins = if trouble.name.starts_with("401") { 2 } else { 1 };
        if scene.server.count(&format!("POST {LOGIN}")) != logins {
            problems.push(format!("not {logins} logins"));
        }
        problems.into_iter().map(|it| format!("{} with {}: {it}", reading.command, trouble.name)).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Which reads a command sends, and how its exit code follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Without it there is no server to speak of.
    Health,
    /// A read that needs no login.
    Public,
    /// The login, which is no read.
    Login,
    /// Any other read.
    Part,
    /// A session's stream of events.
    Stream,
    /// One that not every version or caller has.
    Optional,
}

impl Place {
    fn code(self, trouble: &Trouble) -> i32 {
        let refused_once = trouble.name == "401 once";
        match self {
            Self::Health if trouble.of_part == 0 && !refused_once => 0,
            Self::Health => 4,
            // Such a read has no token that could have run out.
            Self::Public if refused_once => 7,
            Self::Login if trouble.of_list == 4 => 4,
            Self::Login => 5,
            Self::Optional if trouble.is_absence() => 0,
            Self::Public | Self::Part | Self::Stream | Self::Optional => trouble.of_part,
        }
    }

    /// The words by which a trouble is told here.
    fn words(self, trouble: &Trouble) -> &'static str {
        match (self, &trouble.fault) {
            (Self::Stream, Fault::Json(_)) => "with `application/json` instead of a stream of events",
            _ => trouble.words,
        }
    }
}

#[test]
fn every_read_that_fails_is_told_and_leaves_the_answer_incomplete() {
    let Some(captures) = captures() else { return };
    let of_chat = |leaf: &str| format!("/api/sessions/{CHAT}/{leaf}");
    let places: Vec<(&str, bool, String, Place)> = [
        ("snapshot show", true, "/api/health".to_owned(), Place::Health),
        ("snapshot show", true, "/api/capabilities".to_owned(), Place::Public),
        ("snapshot show", true, "/api/auth/mode".to_owned(), Place::Public),
        ("snapshot show", true, LOGIN.to_owned(), Place::Login),
        ("snapshot show", true, "/api/workflow/running".to_owned(), Place::Part),
        ("snapshot show", true, "/api/terminals?content=none".to_owned(), Place::Part),
        ("snapshot show", true, of_chat("execution-tree"), Place::Part),
        ("snapshot show", true, "/api/browser/sessions".to_owned(), Place::Optional),
        ("snapshot show", true, "/api/scheduler/config".to_owned(), Place::Part),
        ("snapshot show", false, of_chat("main-terminal?content=stored"), Place::Part),
        ("snapshot show", false, of_chat("events/stream?since=0"), Place::Stream),
        ("status", true, "/api/auth/me".to_owned(), Place::Part),
        ("status", true, "/api/external/v1/tools".to_owned(), Place::Optional),
    ]
    .into();
    let troubles = troubles();
    let cases: Vec<_> =
        troubles.iter().flat_map(|trouble| places.iter().map(move |place| (place, trouble))).collect();
    let problems = in_parallel_on(THREADS, &cases, |((command, gate_open, path, place), trouble)| {
        let scene = scene(&captures, "plat171", *gate_open);
        scene.server.fail(path, trouble.fault.clone(), trouble.times);
        if *place == Place::Stream && trouble.name == "cut" {
            // A stream is cut in the middle of its first frame; what comes after that is not read.
            scene.server.answer_with(
                path,
                "text/event-stream",
                "event: event\ndata: {\"events\":[{\"type\":\"back",
            );
        }
        let mut more = vec!["--names"];
        if trouble.of_list == 4 {
            more.extend(["--timeout", PATIENCE]);
        }
        let output = run(&scene, command, &more);
        let mut problems = troubled(&output, trouble, place.code(trouble), place.words(trouble));
        if !scene.server.requests().iter().any(|seen| seen.request.ends_with(path.as_str())) {
            problems.push("it was not asked for".to_owned());
        }
        problems.into_iter().map(|it| format!("{path} with {}: {it}", trouble.name)).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

// Two reads that disagree are read again; if they still do, the answer is incomplete (exit code 7).
#[test]
fn every_command_reads_again_what_disagrees() {
    let Some(captures) = captures() else { return };
    let cases: Vec<(&Reading, bool)> =
        READINGS.iter().flat_map(|reading| [(reading, true), (reading, false)]).collect();
    let problems = in_parallel_on(THREADS, &cases, |(reading, for_good)| {
        let scene = scene(&captures, reading.recording, true);
        let mut list = scene.server.recorded(LIST);
        for session in list["active_sessions"].as_array_mut().expect("a list") {
            let revision = &mut session["runtime_state"]["revision"];
            *revision = json!(revision.as_u64().expect("a revision") - 1);
        }
        scene.server.fail(LIST, Fault::Json(list.to_string()), (!for_good).then_some(1));
        let output = run(&scene, reading.command, reading.ways.first().expect("there is a way"));
        // `status` says nothing about any session, so nothing that it says can disagree.
        let (code, lists) = match (reading.command, for_good) {
            ("status", _) => (0, 1),
            (_, true) => (7, 3),
            (_, false) => (0, 2),
        };
        let mut problems: Vec<String> = misbehaviour(&output).into_iter().map(str::to_owned).collect();
        if output.status.code() != Some(code) {
            problems.push(format!("exit code {:?} instead of {code}", output.status.code()));
        }
        let read = scene.server.count(&format!("GET {LIST}"));
        if read != lists {
            problems.push(format!("the list was read {read} times instead of {lists}"));
        }
        problems.into_iter().map(|it| format!("{}, for good: {for_good}: {it}", reading.command)).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

// formats.md, section 4: an error where a machine format is asked for is one object with the exit code.
#[test]
fn every_machine_format_has_machine_errors() {
    let Some(captures) = captures() else { return };
    let cases: Vec<(&Reading, String)> = READINGS
        .iter()
        .flat_map(|reading| formats(reading.command).into_iter().map(move |format| (reading, format)))
        .filter(|(_, format)| format == "json" || format == "yaml")
        .collect();
    assert!(cases.len() > READINGS.len());
    let problems = in_parallel_on(THREADS, &cases, |(reading, format)| {
        let scene = scene(&captures, reading.recording, true);
        scene.server.fail(LIST, Fault::Status(403, "no"), None);
        let more = [reading.ways.first().expect("there is a way"), &["-o", format.as_str()][..]].concat();
        let output = run(&scene, reading.command, &more);
        let error: Value = serde_json::from_slice(&output.stderr).unwrap_or_default();
        let sound = output.status.code() == Some(5)
            && output.stdout.is_empty()
            && error["schema"] == "pulsectl.error/1"
            && error["code"] == 5;
        if sound { Vec::new() } else { vec![format!("{} -o {format}: {output:?}", reading.command)] }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_was_not_read_is_not_saved() {
    let Some(captures) = captures() else { return };
    let scene = scene(&captures, "plat171", true);
    scene.server.fail(LIST, Fault::Cut, None);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("snapshot.json");
    let output = run(&scene, "snapshot save", &[&file.display().to_string()]);
    assert_eq!(output.status.code(), Some(7));
    assert!(!file.exists());
}

// The server's arrays are null where they are empty (pulse-api, section 12).
#[test]
fn a_server_without_anything_is_no_failure() {
    let Some(captures) = captures() else { return };
    for gate_open in [true, false] {
        let scene = scene(&captures, "plat171", gate_open);
        let empty = [
            (LIST, r#"{"active_sessions":null,"total":0}"#),
            ("/api/workflow/running", r#"{"running":null}"#),
            ("/api/terminals?content=none", r#"{"terminals":null,"runtime_states":null}"#),
            ("/api/browser/sessions", r#"{"sessions":null}"#),
        ];
        for (path, body) in empty {
            scene.server.answer_with(path, "application/json", body);
        }
        for (command, arguments, code) in [
            ("status", &[][..], 0),
            ("sessions", &[], 0),
            ("snapshot show", &[], 0),
            ("plan shutdown", &[], 0),
            ("graph", &[CHAT], 6),
            ("plan stop", &[CHAT], 6),
            ("plan schedule-stop", &["nightly"], 6),
        ] {
            let output = run(&scene, command, arguments);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command}, gate open: {gate_open}: {stderr}");
        }
        // Ids that were not listed are not asked about.
        assert!(!scene.server.requests().iter().any(|seen| seen.request.contains(CHAT)));
    }
}

#[test]
fn ids_that_cannot_stand_in_a_path_are_not_asked_about_and_odd_ones_are_encoded() {
    let Some(captures) = captures() else { return };
    let scene = scene(&captures, "plat171", true);
    let mut list = scene.server.recorded(LIST);
    let row = list["active_sessions"][0].clone();
    let mut with = |id: &str| {
        let mut row = row.clone();
        row["session_id"] = json!(id);
        list["active_sessions"].as_array_mut().expect("a list").push(row);
    };
    with("x/../../../session/stop");
    with("..");
    with("odd:id ?a#b%2f");
    scene.server.answer_with(LIST, "application/json", &list.to_string());
    let output = run(&scene, "snapshot show", &["-o", "json"]);
    assert_eq!(output.status.code(), Some(7));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let gaps = document["gaps"].as_array().expect("a list");
    let unaskable: Vec<&Value> =
        gaps.iter().filter(|gap| gap["code"] == "unaskable_id").map(|gap| &gap["session"]).collect();
    assert_eq!(unaskable, [&json!(".."), &json!("x/../../../session/stop")]);
    assert_eq!(scene.server.count("GET /api/sessions/odd%3Aid%20%3Fa%23b%252f/execution-tree"), 1);
}

#[test]
fn ten_thousand_sessions_and_a_hundred_thousand_executions_are_read() {
    let Some(captures) = captures() else { return };
    let scene = scene(&captures, "plat171", false);
    let list = super::graph_server::large_list(&captures.join("plat171/http-before"));
    scene.server.answer_with(LIST, "application/json", &list.to_string());
    let output = run(&scene, "sessions", &["--no-headers", "--columns", "id,runs"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().filter(|line| line.ends_with("  10")).count(), 10_000);
    let output = run(&scene, "plan stop", &["session-07777", "--agents", "-o", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let plan: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(plan["rows"].as_array().map(Vec::len), Some(10));
    // Of 10,000 sessions only the one that was named is asked about.
    let about_sessions = |request: &str| request.contains("/api/sessions/session-");
    let asked = scene.server.requests().iter().filter(|seen| about_sessions(&seen.request)).count();
    assert_eq!(asked, 1);
}

/// Sends a request as it stands and returns the status line.
fn send(server: &PulseServer, request: &str) -> String {
    let address = server.url().replace("http://", "");
    let mut stream = TcpStream::connect(&address).expect("the server listens");
    let text = request.replace('\n', "\r\n");
    stream.write_all(text.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers and hangs up");
    answer.lines().next().unwrap_or_default().to_owned()
}

// The guard itself: each of these would fail a test (pulse-api, section 13, the forbidden ones).
#[test]
fn the_server_notices_what_must_never_be_sent() {
    let Some(captures) = captures() else { return };
    let scene = scene(&captures, "plat171", true);
    let end = "Host: x\nConnection: close";
    let plain = |request: &str| format!("{request} HTTP/1.1\n{end}\n\n");
    let tree = format!("/api/sessions/{CHAT}/execution-tree");
    let early = send(&scene.server, &plain(&format!("GET {tree}")));
    assert!(!early.is_empty());
    assert_eq!(scene.server.take_forbidden().len(), 1, "the session was not listed yet");

    // In health a list is answered only to a login.
    send(&scene.server, &format!("POST {LOGIN} HTTP/1.1\n{end}\nContent-Length: 2\n\n{{}}"));
    let token = "Authorization: Bearer own-token-1";
    let listed = send(&scene.server, &format!("GET {LIST} HTTP/1.1\n{end}\n{token}\n\n"));
    assert_eq!(listed, "HTTP/1.1 200 OK");
    send(&scene.server, &plain(&format!("GET {tree}")));
    assert!(scene.server.take_forbidden().is_empty(), "a login, the list and a listed session");

    let of_chat = |leaf: &str| plain(&format!("GET /api/sessions/{CHAT}/{leaf}"));
    for request in [
        of_chat("events?since=0"),
        of_chat("events/stream"),
        of_chat("status"),
        of_chat("main-terminal"),
        of_chat("main-terminal?content=tail"),
        of_chat("activity-tree"),
        plain("GET /api/sessions/never-listed/execution-tree"),
        plain("GET /api/terminals"),
        plain(&format!("GET /api/terminals/{MAIN}")),
        plain("GET /api/scheduler/jobs"),
        plain("GET /api/workflows/manifests"),
        plain("GET /api/header-summary"),
        plain("GET /api/workflow/builder-session?preset_query_id=x"),
        plain("GET /"),
        plain("POST /api/session/stop"),
        plain(&format!("POST {LIST}")),
        plain(&format!("PUT {LIST}")),
        plain(&format!("PATCH /api/workflow/running/{CHAT}")),
        plain(&format!("DELETE /api/terminals/{MAIN}")),
        plain(&format!("OPTIONS {LIST}")),
        format!("POST {LOGIN} HTTP/1.1\n{end}\nContent-Length: 16\n\n{{\"username\":\"a\"}}"),
        format!("GET {LIST} HTTP/1.1\n{end}\nX-Session-ID: {CHAT}\n\n"),
        format!("GET {LIST} HTTP/1.1\n{end}\nOrigin: http://x\n\n"),
        format!("GET {LIST} HTTP/1.1\n{end}\nContent-Length: 2\n\n{{}}"),
        format!("GET /api/health HTTP/1.1\n{end}\n{token}\n\n"),
    ] {
        send(&scene.server, &request);
        assert_eq!(scene.server.take_forbidden().len(), 1, "{request}");
    }
}

#[test]
fn a_forbidden_request_fails_the_test() {
    let Some(captures) = captures() else { return };
    let ended = std::thread::spawn(move || {
        let scene = scene(&captures, "plat171", true);
        send(&scene.server, "POST /api/session/stop HTTP/1.1\nHost: x\nConnection: close\n\n");
    })
    .join();
    let panic = ended.expect_err("the server's end fails the test");
    let text = panic.downcast_ref::<String>().map(String::as_str).unwrap_or_default();
    assert!(text.contains("POST /api/session/stop: a POST that is no login"), "{text}");
}
