//! What a server says that is damaged, short of something, or more than anybody can hold (issue 12).

use serde_json::{Value, json};

use crate::common::recordings::captures;
use crate::common::server::{Fault, PulseServer};
use crate::common::{Answer, Pulsectl};

const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const SESSIONS: &str = "/api/sessions/active";
const TERMINALS: &str = "/api/terminals?content=none";
const RUNNING: &str = "/api/workflow/running";

/// A server that plays the moment before the incident of PLAT-171: the chat and a schedule that it watches.
fn server() -> PulseServer {
    PulseServer::play(&captures().join("plat171/http-before"))
}

fn on(server: &PulseServer, arguments: &[&str]) -> Answer {
    Pulsectl::new(arguments).args(["--server", &server.url()]).run()
}

/// Answers as recorded, but changed.
fn change(server: &PulseServer, path: &str, changes: impl FnOnce(&mut Value)) {
    let mut answer = server.recorded(path);
    changes(&mut answer);
    server.answer_with(path, "application/json", &answer.to_string());
}

fn gaps(answer: &Answer) -> Vec<(String, String, String)> {
    let document: Value = serde_json::from_slice(&answer.stdout).expect("it is JSON");
    assert_eq!(document["complete"], false);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let gaps = document["gaps"].as_array().expect("a list").iter();
    gaps.map(|gap| (text(&gap["code"]), text(&gap["session"]), text(&gap["message"]))).collect()
}

// Issue 12, A.7: a row without an id, or with one of a wrong type, makes the answer incomplete.
#[test]
fn a_lost_row_makes_every_answer_incomplete() {
    for id in [Value::Null, json!(""), json!(7), json!(["a"])] {
        let server = server();
        change(&server, SESSIONS, |list| {
            let rows = list["active_sessions"].as_array_mut().expect("a list");
            let mut lost = rows[0].clone();
            lost["session_id"] = id.clone();
            rows.push(lost);
            list["total"] = json!(rows_of(list));
        });
        let lost = "1 row of `/api/sessions/active` without an id or of another shape";
        for command in [&["sessions"][..], &["status"], &["graph", CHAT], &["stop", CHAT, "--dry-run"]] {
            let answer = on(&server, &[command, &["-o", "json"]].concat());
            assert_eq!(answer.code, Some(7), "{command:?} {id}: {}", answer.stderr);
            let expected = ("unreadable_row".to_owned(), String::new(), lost.to_owned());
            assert!(gaps(&answer).contains(&expected), "{command:?} {id}: {:?}", gaps(&answer));
            let answer = on(&server, command);
            let shown = format!("{}{}", String::from_utf8_lossy(&answer.stdout), answer.stderr);
            assert_eq!(answer.code, Some(7), "{command:?} {id}: {shown}");
            assert!(shown.contains(lost), "{command:?} {id}: {shown}");
        }
    }
}

fn rows_of(list: &Value) -> usize {
    list["active_sessions"].as_array().map_or(0, Vec::len)
}

#[test]
fn what_is_not_found_beside_lost_rows_may_be_in_one() {
    let server = server();
    change(&server, SESSIONS, |list| list["active_sessions"][0]["session_id"] = json!(7));
    let lost = "1 row of `/api/sessions/active` without an id or of another shape";
    for command in [
        &["graph", "no-such-session"][..],
        &["graph", "--up", "no-such-row"],
        &["stop", "no-such-session", "--dry-run"],
        &["plan", "terminal-death", "no-such-session"],
        &["plan", "kill-terminal", "no-such-terminal"],
        &["plan", "stop-step", "no-such-row"],
    ] {
        let answer = on(&server, command);
        assert_eq!(answer.code, Some(7), "{command:?}: {}", answer.stderr);
        let expected = format!(
            "error: `{}` is not among the rows that could be read\n  cause: {lost}\n",
            command.iter().rfind(|word| word.starts_with("no-such")).expect("it is named")
        );
        assert!(answer.stderr.contains(&expected), "{command:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty(), "{command:?}");
    }
}

#[test]
fn rows_that_the_server_tells_of_and_does_not_list_are_missing() {
    for (path, total, message) in [
        (SESSIONS, "total", "`/api/sessions/active` tells of 1000 rows and lists 1"),
        (TERMINALS, "total", "`/api/terminals?content=none` tells of 1000 rows and lists"),
        (RUNNING, "count", "`/api/workflow/running` tells of 1000 rows and lists"),
        ("/api/browser/sessions", "count", "`/api/browser/sessions` tells of 1000 rows and lists"),
    ] {
        let server = server();
        change(&server, path, |list| list[total] = json!(1000));
        let answer = on(&server, &["snapshot", "show", "-o", "json"]);
        assert_eq!(answer.code, Some(7), "{path}: {}", answer.stderr);
        let found = gaps(&answer);
        let told = found.iter().find(|(code, ..)| code == "rows_missing").expect("it is told");
        assert!(told.2.starts_with(message), "{path}: {told:?}");
    }
}

#[test]
fn a_lost_row_of_a_session_is_told_of_that_session() {
    let server = server();
    change(&server, SESSIONS, |list| {
        for session in list["active_sessions"].as_array_mut().expect("a list") {
            if session["session_id"] == CHAT {
                let state = &mut session["runtime_state"];
                state["child_executions"] = json!([{"status": "running"}, {"execution_id": 1}]);
                state["background_agents"] = json!([{"agent_id": null}]);
            }
        }
    });
    change(&server, &format!("/api/sessions/{CHAT}/execution-tree"), |tree| {
        tree["root"]["children"].as_array_mut().expect("a list").push(json!({"status": "running"}));
    });
    change(&server, TERMINALS, |list| {
        list["terminals"].as_array_mut().expect("a list").push(json!({"terminal_id": "", "active": true}));
    });
    let answer = on(&server, &["plan", "stop", CHAT, "-o", "json"]);
    assert_eq!(answer.code, Some(7), "{}", answer.stderr);
    let found = gaps(&answer);
    for (session, place) in [
        (CHAT, "3 rows of its runtime snapshot"),
        (CHAT, "1 row of its execution tree"),
        ("", "1 row of `/api/terminals?content=none`"),
    ] {
        let told = found.iter().any(|(code, about, message)| {
            code == "unreadable_row" && about == session && message.starts_with(place)
        });
        assert!(told, "{place}: {found:?}");
    }
}

fn packed(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, body).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

// Issue 12, C: a row of few bytes takes some hundred in memory, so the rows of an answer are counted first.
#[test]
fn an_answer_has_a_bound_of_rows_and_the_error_names_it() {
    let list = |rows: usize| {
        let rows = vec!["{\"session_id\":\"s\"}"; rows].join(",");
        format!("{{\"active_sessions\":[{rows}]}}").into_bytes()
    };
    let server = server();
    server.fail(SESSIONS, Fault::Packed(packed(&list(250_001))), None);
    for command in [&["sessions"][..], &["graph", "s"], &["plan", "stop", "s"]] {
        let answer = on(&server, command);
        assert_eq!(answer.code, Some(7), "{}", answer.stderr);
        assert_eq!(answer.stderr, "error: the answer to `/api/sessions/active` has more than 250000 rows\n");
        assert!(answer.stdout.is_empty());
    }
    // One row less is read; all but the first say the same and are told as such.
    server.fail(SESSIONS, Fault::Packed(packed(&list(250_000))), None);
    let answer = on(&server, &["status"]);
    assert_eq!(answer.code, Some(7), "{}", answer.stderr);
    assert!(!answer.stdout.is_empty());
}

// The same bound for every list, also for rows inside of rows; a part that is too large leaves the rest.
#[test]
fn rows_inside_of_rows_count_and_a_part_that_is_too_large_leaves_the_rest() {
    let server = server();
    let child = vec!["{}"; 250_001].join(",");
    let tree = format!("{{\"root\":{{\"children\":[{child}]}}}}");
    server.fail(
        &format!("/api/sessions/{CHAT}/execution-tree"),
        Fault::Packed(packed(tree.as_bytes())),
        None,
    );
    let answer = on(&server, &["graph", CHAT, "-o", "json"]);
    assert_eq!(answer.code, Some(7), "{}", answer.stderr);
    let path = format!("/api/sessions/{CHAT}/execution-tree");
    let told = (
        "unreadable_answer".to_owned(),
        CHAT.to_owned(),
        format!("the answer to `{path}` has more than 250000 rows"),
    );
    assert!(gaps(&answer).contains(&told), "{:?}", gaps(&answer));
}

// 600 MiB decoded, whatever the length of what is sent.
#[test]
fn an_answer_has_a_bound_of_bytes_and_the_error_names_it() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..601 {
        std::io::Write::write_all(&mut encoder, &[b' '; 1024 * 1024]).expect("memory takes all");
    }
    let body = encoder.finish().expect("memory takes all");
    let server = server();
    server.fail(SESSIONS, Fault::Packed(body), None);
    let answer = on(&server, &["status", "--timeout", "60s"]);
    assert_eq!(answer.code, Some(7), "{}", answer.stderr);
    assert_eq!(answer.stderr, "error: the answer to `/api/sessions/active` is larger than 600 MiB\n");
}

/// Controls that steer a terminal, a bidirectional override, a formula, and what breaks out of other formats.
const EVIL: &str = "\u{1b}[31mX\u{1b}]0;pwn\u{7}\u{202e}\n::error::x\"];a->b;`|<script>\r=1+1";

/// The answer with the evil behind every text but times and the words that decide what a row is.
fn spoil(value: &mut Value, formula: bool) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| spoil(value, formula)),
        Value::Array(values) => values.iter_mut().for_each(|value| spoil(value, formula)),
        Value::String(text) => {
            let is_time = text.as_bytes().get(4) == Some(&b'-') && text.starts_with("20");
            if !is_time && !["running", "completed", "canceled"].contains(&text.as_str()) {
                *text = if formula { format!("=1+1{EVIL}") } else { format!("{text}{EVIL}") };
            }
        }
        _ => {}
    }
}

// Issue 12, E: every format of every command, CSV included. JSON and YAML escape by their own rules.
#[test]
fn no_format_lets_a_server_steer_a_terminal() {
    let server = server();
    change(&server, SESSIONS, |list| spoil(list, false));
    change(&server, RUNNING, |list| spoil(list, false));
    change(&server, TERMINALS, |list| spoil(list, false));
    let commands: [(&[&str], &[&str]); 5] = [
        (&["sessions", "--show-content"], &["table", "wide", "json", "csv"]),
        (
            &["graph", CHAT, "--show-content", "--all"],
            &["tree", "table", "json", "dot", "mermaid", "markdown"],
        ),
        (&["plan", "stop", CHAT, "--show-content", "-v"], &["text", "json", "yaml", "markdown", "table"]),
        (&["status"], &["text", "json"]),
        (&["snapshot", "show"], &["text", "json"]),
    ];
    for (command, formats) in commands {
        for format in formats {
            let answer = on(&server, &[command, &["-o", format]].concat());
            assert!(!answer.stdout.is_empty(), "{command:?} -o {format}: {}", answer.stderr);
            let shown = format!("{}{}", String::from_utf8_lossy(&answer.stdout), answer.stderr);
            // In JSON an override is data; nobody reads it as it is.
            let unsafe_here: &[char] = match *format {
                "json" | "yaml" => &['\u{1b}', '\u{7}', '\r'],
                _ => &['\u{1b}', '\u{7}', '\r', '\u{202e}'],
            };
            assert!(!shown.contains(unsafe_here), "{command:?} -o {format}: {shown:?}");
        }
    }
}

// formats.md, section 1: CSV guards a leading `= + - @`.
#[test]
fn a_table_holds_no_formula_of_a_server() {
    let server = server();
    change(&server, SESSIONS, |list| {
        let id = list["active_sessions"][0]["session_id"].clone();
        spoil(list, true);
        list["active_sessions"][0]["session_id"] = id;
    });
    let answer = on(&server, &["sessions", "--show-content", "-o", "csv"]);
    let text = String::from_utf8(answer.stdout).expect("it is text");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fields: Vec<String> = reader
        .records()
        .flat_map(|record| record.expect("it is a record").iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(fields.iter().any(|field| field.starts_with("'=1+1")), "{fields:?}");
    assert!(!fields.iter().any(|field| field.starts_with(['=', '+', '-', '@'])), "{fields:?}");
}
