//! Every fault of a server, for every command and for every read.

use std::process::Output;
use std::time::Duration;

use serde_json::{Value, json};

use super::{CHAT, LIST, READINGS, Reading, THREADS, formats, misbehaviour, run, scene};
use crate::common::in_parallel_on;
use crate::common::recordings::captures;
use crate::common::server::{Fault, REFUSAL};

const LOGIN: &str = "/api/auth/login";

/// How long a request may take where the server is slow; long for a machine under load to answer in health.
const PATIENCE: &str = "3s";

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
    let captures = captures();
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
    let captures = captures();
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
    let captures = captures();
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
    let captures = captures();
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
