//! What the client never does, whatever a server says (issue part A): follow a redirect, ask without end, give a
//! token away, or go through a proxy to its own machine.

use std::io::Read as _;
use std::process::Output;
use std::time::Duration;

use crate::common::pulsectl;
use crate::common::recordings::{captures, with_closed_gate};
use crate::common::server::{Fault, PulseServer, REFUSAL, Seen, usual_ports};

const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const PROXIES: [&str; 4] = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

fn server() -> PulseServer {
    PulseServer::play(&captures().join("plat171/http-before"))
}

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    pulsectl().args(arguments).envs(variables.iter().copied()).output().expect("the program runs")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn got_token(server: &PulseServer, token: &str) -> bool {
    let has = |seen: &Seen| seen.authorization.as_deref().is_some_and(|value| value.contains(token));
    server.requests().iter().any(has)
}

#[test]
fn the_budget_of_retries_is_one_for_the_whole_run() {
    let server = server();
    let tree = format!("/api/sessions/{CHAT}/execution-tree");
    for path in [
        "/api/workflow/running",
        "/api/terminals?content=none",
        &tree,
        "/api/browser/sessions",
        "/api/scheduler/config",
    ] {
        server.fail(path, Fault::Status(500, "boom"), None);
    }
    let output = run(&["snapshot", "show", "--server", &server.url()], &[]);
    assert_eq!(code(&output), Some(7), "{}", stderr(&output));
    let mut paths: Vec<String> = server.requests().into_iter().map(|seen| seen.request).collect();
    let all = paths.len();
    paths.sort();
    paths.dedup();
    // At most two for one read, four for the run.
    assert_eq!(all - paths.len(), 4, "{:?}", server.requests());
    assert_eq!(server.count("GET /api/workflow/running"), 3);
    assert_eq!(server.count("GET /api/scheduler/config"), 1);
}

// pulse-api, section 12: 429 is not retried in a loop. A login is no read.
#[test]
fn only_a_stumble_of_a_read_is_retried() {
    for (path, fault) in [
        ("/api/sessions/active", Fault::Status(429, "later")),
        ("/api/sessions/active", Fault::Status(403, "no")),
        ("/api/sessions/active", Fault::Html),
        ("/api/auth/login", Fault::Status(500, "boom")),
        ("/api/auth/login", Fault::Cut),
    ] {
        let server = server();
        server.fail(path, fault.clone(), None);
        assert_ne!(code(&run(&["status", "--server", &server.url()], &[])), Some(0), "{path} {fault:?}");
        let count = server.requests().iter().filter(|seen| seen.request.ends_with(path)).count();
        assert_eq!(count, 1, "{path} {fault:?}");
    }
}

// pulse-api, section 12: 401 → log in again once.
#[test]
fn a_login_that_runs_out_in_mid_run_is_made_once_more_whatever_was_asked() {
    let captures = captures();
    let tree = format!("/api/sessions/{CHAT}/execution-tree");
    let main = format!("/api/sessions/{CHAT}/main-terminal?content=stored");
    let events = format!("/api/sessions/{CHAT}/events/stream?since=0");
    let open = captures.join("plat171/http-before");
    let closed = with_closed_gate(&open);
    for (path, folder) in [
        ("/api/workflow/running", open.as_path()),
        (&tree, &open),
        (&main, closed.path()),
        (&events, closed.path()),
    ] {
        let server = PulseServer::play(folder);
        server.answer_with(&events, "text/event-stream", "event: event\ndata: {\"events\":[]}\n\n");
        server.fail(path, Fault::Status(401, REFUSAL), Some(1));
        let output = run(&["snapshot", "show", "--names", "--server", &server.url()], &[]);
        assert_eq!(code(&output), Some(0), "{path}: {}", stderr(&output));
        assert_eq!(server.count("POST /api/auth/login"), 2, "{path}");
        assert_eq!(server.count(&format!("GET {path}")), 2, "{path}");
    }
}

#[test]
fn a_token_of_the_environment_stays_with_the_server_of_the_environment() {
    let server = server();
    let url = server.url();
    let token = ("PULSECTL_TOKEN", "token-of-asha");
    let elsewhere = ("PULSECTL_SERVER", "https://pulse.example.org");
    server.with_users("token-of-asha");

    let output = run(&["status", "--server", &url], &[token, elsewhere]);
    assert_eq!(code(&output), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("PULSECTL_TOKEN was not sent"), "{}", stderr(&output));
    assert!(!got_token(&server, "token-of-asha"));

    // The same server by both, or a token that was named with the server.
    let same = run(&["status", "--server", &url], &[token, ("PULSECTL_SERVER", &url)]);
    assert_eq!(code(&same), Some(0), "{}", stderr(&same));
    let by_variable = run(&["status"], &[token, ("PULSECTL_SERVER", &url)]);
    assert_eq!(code(&by_variable), Some(0), "{}", stderr(&by_variable));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("token").display().to_string();
    std::fs::write(&file, "token-of-asha").expect("it can be written");
    let named = run(&["status", "--server", &url, "--token-file", &file], &[elsewhere]);
    assert_eq!(code(&named), Some(0), "{}", stderr(&named));
}

#[test]
fn a_token_that_a_server_repeats_is_not_printed() {
    for fault in [
        Fault::Status(401, "the token token-of-asha has run out"),
        Fault::Status(500, "token-of-asha"),
        Fault::Redirect("/login?token=token-of-asha"),
    ] {
        let server = server();
        server.fail("/api/sessions/active", fault.clone(), None);
        for format in ["text", "json"] {
            let output = run(
                &["status", "-vv", "-o", format, "--server", &server.url()],
                &[("PULSECTL_TOKEN", "token-of-asha")],
            );
            assert_ne!(code(&output), Some(0), "{fault:?}");
            assert!(!stderr(&output).contains("token-of-asha"), "{fault:?}: {}", stderr(&output));
            assert!(stderr(&output).contains("(token)"), "{fault:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn this_machine_by_any_name_is_reached_without_a_proxy() {
    let server = server();
    for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
        let url = server.url().replace("127.0.0.1", host);
        let output = run(&["status", "--server", &url], &PROXIES.map(|name| (name, "http://127.0.0.1:9")));
        assert_eq!(code(&output), Some(0), "{host}: {}", stderr(&output));
        assert!(!stderr(&output).contains("unencrypted"), "{}", stderr(&output));
    }
}

// The server plays the proxy: it is sent the requests for another machine.
#[test]
fn another_machine_is_reached_through_the_proxy_and_a_token_in_the_clear_is_told() {
    let server = server();
    let url = server.url();
    let proxies = PROXIES.map(|name| (name, url.as_str()));
    let output = run(&["status", "--server", "http://pulse.example.org"], &proxies);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the token travels unencrypted"), "{}", stderr(&output));
    assert!(server.count("GET /api/sessions/active") == 1);
}

// pulse-api, section 12: only a healthy answer makes a Pulse server.
#[test]
fn another_server_on_a_usual_port_is_passed_over() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let _held = usual_ports();
    let (other, pulse) = (PulseServer::play_on(&folder, 8000), PulseServer::play_on(&folder, 18743));
    for fault in [Fault::Html, Fault::Status(404, "404 page not found"), Fault::Json("{}".to_owned())] {
        other.fail("/api/health", fault.clone(), None);
        let output = run(&["status", "-o", "json"], &[]);
        assert_eq!(code(&output), Some(0), "{fault:?}: {}", stderr(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("http://127.0.0.1:18743"), "{fault:?}: {text}");
    }
    assert!(other.requests().iter().all(|seen| seen.request == "GET /api/health"));
    assert_eq!(pulse.count("GET /api/sessions/active"), 3);
}

#[test]
fn a_time_below_a_second_is_written_as_it_was_given() {
    let server = server();
    server.fail("/api/health", Fault::Slow(Duration::from_secs(60)), None);
    let output = run(&["status", "--timeout", "200ms", "--server", &server.url()], &[]);
    assert_eq!(code(&output), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("within 200 ms"), "{}", stderr(&output));
}

#[test]
fn a_server_that_hangs_up_is_asked_again_and_then_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port can be bound");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let output = std::thread::scope(|scope| {
        let hanging_up = scope.spawn(|| {
            for _ in 0..3 {
                let (mut stream, _) = listener.accept().expect("somebody asks");
                // What was asked is read first, so that hanging up is no reset.
                let _ = stream.read(&mut [0; 4096]);
            }
        });
        let output = run(&["status", "--server", &url], &[]);
        hanging_up.join().expect("it was asked three times");
        output
    });
    assert_eq!(code(&output), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("broke before an answer to `/api/health` came"), "{}", stderr(&output));
}

// Else a server that hangs would take the timeout for each of its sessions.
#[test]
fn a_server_that_hangs_is_given_up_after_three_waits_in_a_row() {
    let captures = captures();
    let open = captures.join("plat171/http-before");
    let closed = with_closed_gate(&open);
    for (folder, leaf, more) in
        [(open.as_path(), "execution-tree", None), (closed.path(), "events/stream?since=0", Some("--names"))]
    {
        let server = PulseServer::play(folder);
        let mut list = server.recorded("/api/sessions/active");
        let row = list["active_sessions"][0].clone();
        for number in 1..6 {
            let mut row = row.clone();
            let id = format!("session-{number}");
            server.fail(&format!("/api/sessions/{id}/{leaf}"), Fault::Slow(Duration::from_secs(600)), None);
            row["session_id"] = id.into();
            list["active_sessions"].as_array_mut().expect("a list").push(row);
        }
        server.answer_with("/api/sessions/active", "application/json", &list.to_string());
        let events = format!("/api/sessions/{CHAT}/events/stream?since=0");
        server.answer_with(&events, "text/event-stream", "data: {\"events\":[]}\n\n");
        let mut arguments = vec!["snapshot", "show", "-o", "json", "--timeout", "1s"];
        arguments.extend(more);
        let url = server.url();
        arguments.extend(["--server", &url]);
        let output = run(&arguments, &[]);
        assert_eq!(code(&output), Some(7), "{}", stderr(&output));
        let told = |words: &str| stderr(&output).lines().filter(|line| line.contains(words)).count();
        assert_eq!(told("within 1 s"), 3, "{}", stderr(&output));
        let given_up = "was not asked, since 3 answers in a row did not come in time";
        assert!(told(given_up) >= 2, "{}", stderr(&output));
        // The session that was answered before is shown all the same.
        assert!(String::from_utf8_lossy(&output.stdout).contains("workflow-full-mx2p37yb01"));
        let asked = |part: &str| server.requests().iter().filter(|seen| seen.request.contains(part)).count();
        assert_eq!(asked(leaf), 4, "the recorded session and three that wait");
    }
}

// What is asked for as a stream may be answered by anything, also by something that never ends.
#[test]
fn an_endless_answer_that_is_no_event_ends_by_the_timeout() {
    let captures = captures();
    let closed = with_closed_gate(&captures.join("plat171/http-before"));
    let server = PulseServer::play(closed.path());
    let events = format!("/api/sessions/{CHAT}/events/stream?since=0");
    let show =
        |timeout| run(&["snapshot", "show", "--names", "--timeout", timeout, "--server", &server.url()], &[]);
    server.answer_with(&events, "text/event-stream; charset=utf-8", "data: {\"events\":null}\n\n");
    let output = show("20s");
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    server.answer_with(&events, "text/event-stream-of-another-kind", "data: {}\n\n");
    let output = show("1s");
    assert_eq!(code(&output), Some(7), "{}", stderr(&output));
    assert!(stderr(&output).contains("within 1 s"), "{}", stderr(&output));
}
