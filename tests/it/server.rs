//! The reading commands against a real server that plays recordings, in health and with faults.

use std::process::Output;
use std::time::Duration;

use serde_json::Value;

use crate::common::pulsectl;
use crate::common::recordings::{captures, moments, with_closed_gate};
use crate::common::server::{Fault, PulseServer, REFUSAL, usual_ports};

const SESSIONS: &str = "/api/sessions/active";

/// A server that plays the moment before the incident of PLAT-171, or `None` where there are no recordings.
fn server() -> PulseServer {
    PulseServer::play(&captures().join("plat171/http-before"))
}

fn run(arguments: &[&str]) -> Output {
    pulsectl().args(arguments).output().expect("the program runs")
}

fn on(server: &PulseServer, arguments: &[&str]) -> Output {
    let url = server.url();
    run(&[arguments, &["--server", &url]].concat())
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// The snapshot without what differs by nature: where and when it was read.
fn without_circumstances(output: &Output) -> Value {
    let mut document = json(output);
    for key in ["source", "read_at", "as_of", "server"] {
        document[key].take();
    }
    document
}

#[test]
fn a_live_server_gives_the_same_snapshot_as_its_recording() {
    for moment in moments("before") {
        for gate_open in [true, false] {
            let closed = (!gate_open).then(|| with_closed_gate(&moment.folder));
            let folder = closed.as_ref().map_or(moment.folder.as_path(), |closed| closed.path());
            let server = PulseServer::play(folder);
            let live = on(&server, &["snapshot", "show", "-o", "json"]);
            let recorded = run(&["snapshot", "show", "-o", "json", "--from", &folder.display().to_string()]);
            assert_eq!(code(&live), code(&recorded), "{}: {}", moment.recording, stderr(&live));
            let (live, recorded) = (without_circumstances(&live), without_circumstances(&recorded));
            for key in
                ["sessions", "executions", "terminals", "running", "browsers", "event_nodes", "complete"]
            {
                assert_eq!(live[key], recorded[key], "{}: {key}", moment.recording);
            }
            // A live client does not ask twice for what the list of terminals has told.
            let hidden =
                server.requests().iter().filter(|seen| seen.request.contains("execution-tree")).count();
            assert_eq!(hidden > 0, gate_open, "{}", moment.recording);
        }
    }
}

#[test]
fn a_saved_snapshot_is_the_snapshot_without_what_people_wrote() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for moment in moments("before") {
        let source = moment.folder.display().to_string();
        let file = folder.path().join("snapshot.json").display().to_string();
        let saved = run(&["snapshot", "save", &file, "--from", &source]);
        let text = std::fs::read_to_string(&file).expect("it was written");
        // Queries begin with a person's words; the recordings' index gives none of them, the answers do.
        let list: Value = serde_json::from_slice(
            &std::fs::read(moment.folder.join("sessions-active.json")).expect("the list can be read"),
        )
        .expect("the list is JSON");
        for row in list["active_sessions"].as_array().expect("a list") {
            if let Some(query) = row["query"].as_str() {
                let quoted = serde_json::to_string(query).expect("it encodes");
                assert!(!text.contains(quoted.trim_matches('"')), "{}: {query}", moment.recording);
            }
        }
        let again = run(&["snapshot", "show", "-o", "json", "--from", &file]);
        let first = run(&["snapshot", "show", "-o", "json", "--from", &source]);
        assert_eq!(code(&again), code(&saved), "{}", moment.recording);
        let mut first = json(&first);
        let mut again = json(&again);
        for document in [&mut first, &mut again] {
            document["source"]["kind"].take();
            document["source"]["path"].take();
        }
        assert_eq!(first, again, "{}", moment.recording);
    }
}

// Issue 12, D.14: one bound for all reads together, whatever each of them may take; nothing is shown of a part.
#[test]
fn all_reads_together_have_a_deadline() {
    for arguments in [&["sessions", "--names"][..], &["plan", "shutdown"]] {
        let server = server();
        server.fail(SESSIONS, Fault::Slow(Duration::from_secs(20)), None);
        let output = on(&server, &[arguments, &["--timeout", "30s", "--deadline", "1s"]].concat());
        assert_eq!(code(&output), 4, "{arguments:?}: {}", stderr(&output));
        let expected = "error: not everything could be read within 1s\n  hint: --deadline grants more time\n";
        assert_eq!(stderr(&output), expected, "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn each_failure_has_its_message_and_exit_code() {
    let cut_at = Fault::Cut;
    for (path, fault, expected_code, words) in [
        ("/api/health", Fault::Html, 4, "does not answer as a Pulse server"),
        ("/api/health", Fault::Json(r#"{"status":"sad"}"#.to_owned()), 4, "`sad` and not `healthy`"),
        ("/api/health", Fault::Redirect("/login"), 4, "redirects are not followed"),
        ("/api/health", Fault::Slow(Duration::from_secs(20)), 4, "within 1 s"),
        (SESSIONS, Fault::Html, 7, "a web page instead of JSON"),
        (
            SESSIONS,
            Fault::Json("{\"active_sessions\":{\"session_id\":7}}".to_owned()),
            7,
            "cannot be decoded",
        ),
        (SESSIONS, Fault::Redirect("/api/session/stop"), 7, "redirected to `/api/session/stop`"),
        (SESSIONS, Fault::Slow(Duration::from_secs(20)), 4, "no answer to `/api/sessions/active` within 1 s"),
        (SESSIONS, cut_at, 7, "was cut off"),
        (
            SESSIONS,
            Fault::Status(403, "{\"error\": \"This token is not valid for this endpoint\"}"),
            5,
            "This token is not valid",
        ),
        (SESSIONS, Fault::Status(409, "busy"), 7, "conflicts with the server's state: busy"),
        (SESSIONS, Fault::Status(429, "{\"error\": \"Too many\"}"), 7, "come back later (429): Too many"),
        (SESSIONS, Fault::Status(500, "boom"), 7, "failed on `/api/sessions/active` with status 500: boom"),
        (SESSIONS, Fault::Status(404, "404 page not found"), 7, "this server has no `/api/sessions/active`"),
        (SESSIONS, Fault::Status(418, "teapot"), 7, "status 418: teapot"),
        (
            "/api/auth/login",
            Fault::Status(429, "{\"error\": \"Too many failed logins\"}"),
            5,
            "Too many failed logins",
        ),
        ("/api/auth/login", Fault::Html, 5, "the server refused the login"),
    ] {
        let server = server();
        server.fail(path, fault.clone(), None);
        let output = on(&server, &["status", "--timeout", "1s"]);
        assert_eq!(code(&output), expected_code, "{path} {fault:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{path} {fault:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{path} {fault:?}");
    }
}

#[test]
fn errors_with_a_machine_format_are_one_object() {
    let server = server();
    server.fail(SESSIONS, Fault::Status(500, "boom"), None);
    let output = on(&server, &["status", "-o", "json"]);
    let error: Value = serde_json::from_slice(&output.stderr).expect("stderr holds one object");
    assert_eq!(error["schema"], "pulsectl.error/1");
    assert_eq!(error["code"], 7);
    assert!(output.stdout.is_empty());
}

#[test]
fn a_part_that_fails_leaves_the_answer_incomplete() {
    for (path, fault) in [
        ("/api/workflow/running", Fault::Status(500, "boom")),
        ("/api/workflow/running", Fault::Html),
        ("/api/terminals?content=none", Fault::Cut),
        ("/api/terminals?content=none", Fault::Status(404, "404 page not found")),
        ("/api/capabilities", Fault::Json("[]".to_owned())),
    ] {
        let server = server();
        server.fail(path, fault.clone(), None);
        let output = on(&server, &["snapshot", "show", "-o", "json"]);
        assert_eq!(code(&output), 7, "{path} {fault:?}: {}", stderr(&output));
        let document = json(&output);
        assert_eq!(document["complete"], false);
        let codes: Vec<&str> = document["gaps"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|gap| gap["code"].as_str())
            .collect();
        assert!(codes.contains(&"unreadable_answer"), "{path} {fault:?}: {codes:?}");
    }
}

#[test]
fn a_stumbling_server_is_asked_again_within_a_budget() {
    let server = server();
    server.fail(SESSIONS, Fault::Status(503, "restarting"), Some(2));
    let output = on(&server, &["status"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(server.count("GET /api/sessions/active"), 3);

    let broken = self::server();
    broken.fail(SESSIONS, Fault::Cut, None);
    assert_eq!(code(&on(&broken, &["status"])), 7);
    assert_eq!(broken.count("GET /api/sessions/active"), 3);
}

#[test]
fn a_login_that_ran_out_is_made_once_more_and_a_given_token_is_not_replaced() {
    let server = server();
    let refusal = Fault::Status(401, REFUSAL);
    server.fail(SESSIONS, refusal.clone(), Some(1));
    assert_eq!(code(&on(&server, &["status"])), 0);
    assert_eq!(server.count("POST /api/auth/login"), 2);

    let refusing = self::server();
    refusing.fail(SESSIONS, refusal, None);
    let output = on(&refusing, &["status"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert_eq!(refusing.count("POST /api/auth/login"), 2);

    let named = self::server();
    let url = named.url();
    let output = pulsectl()
        .args(["status", "--server", &url])
        .env("PULSECTL_TOKEN", "stale")
        .output()
        .expect("the program runs");
    assert_eq!(code(&output), 5);
    assert!(stderr(&output).contains("Invalid or expired token"), "{}", stderr(&output));
    assert_eq!(named.count("POST /api/auth/login"), 0);
}

#[test]
fn a_server_with_users_wants_a_token() {
    let server = server();
    server.with_users("token-of-asha");
    let output = on(&server, &["status"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert!(stderr(&output).contains("needs a token"), "{}", stderr(&output));
    assert_eq!(server.count("POST /api/auth/login"), 0, "a nameless login cannot succeed there");

    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("token");
    std::fs::write(&file, "token-of-asha\n").expect("it can be written");
    let output = on(&server, &["status", "-vv", "--token-file", &file.display().to_string()]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("GET /api/sessions/active: 200"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("token-of-asha"), "a token is never printed");
    // A token goes only where the server asks for one.
    for seen in server.requests() {
        let public = ["/api/health", "/api/capabilities", "/api/auth/mode"]
            .iter()
            .any(|path| seen.request.ends_with(path));
        assert!(!(public && seen.authorization.is_some()), "{}", seen.request);
    }
}

#[test]
fn a_token_is_never_sent_to_a_server_that_was_found_by_probing() {
    let captures = captures();
    let _held = usual_ports();
    let server = PulseServer::play_on(&captures.join("plat171/http-before"), 18743);
    let output =
        pulsectl().arg("status").env("PULSECTL_TOKEN", "secret-token").output().expect("the program runs");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("the token was not sent"), "{}", stderr(&output));
    let leaked = |seen: &crate::common::server::Seen| {
        seen.authorization.as_deref().is_some_and(|value| value.contains("secret-token"))
    };
    assert!(!server.requests().iter().any(leaked));
}

#[test]
fn loopback_bypasses_any_proxy() {
    let server = server();
    let url = server.url();
    let output = pulsectl()
        .args(["status", "--server", &url])
        .envs(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map(|name| (name, "http://127.0.0.1:9")))
        .output()
        .expect("the program runs");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn nobody_there_and_no_encryption_there_are_told_apart() {
    let gone = run(&["status", "--server", "http://127.0.0.1:9"]);
    assert_eq!(code(&gone), 4);
    assert!(stderr(&gone).contains("cannot be reached"), "{}", stderr(&gone));

    let server = server();
    let https = server.url().replace("http://", "https://");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let not_pem = folder.path().join("ca.pem");
    std::fs::write(&not_pem, "no certificate").expect("it can be written");
    let bad = run(&["status", "--server", &https, "--ca-cert", &not_pem.display().to_string()]);
    assert_eq!(code(&bad), 2, "{}", stderr(&bad));
    assert!(stderr(&bad).contains("no certificate in PEM form"), "{}", stderr(&bad));
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/ca.pem");
    let plain = run(&["status", "--server", &https, "--ca-cert", authority]);
    assert_eq!(code(&plain), 4, "{}", stderr(&plain));
    assert!(stderr(&plain).contains("no secure connection to"), "{}", stderr(&plain));
    assert!(server.requests().is_empty());
}

#[test]
fn wrong_addresses_and_files_are_refused_before_anything_is_sent() {
    for (arguments, expected) in [
        (vec!["status", "--server", "ftp://a"], 2),
        (vec!["status", "--server", "http://u:geheim@a"], 2),
        (vec!["status", "--timeout", "soon"], 2),
        (vec!["status", "--server-version", "2025"], 2),
        (vec!["status", "--from", "x", "--server", "y"], 2),
        (vec!["status", "--from", "/no/such/file"], 3),
        (vec!["status", "--server", "http://127.0.0.1:9", "--token-file", "/no/such/file"], 3),
        (vec!["status", "--from", "Cargo.toml"], 3),
        (vec!["status", "--from", "src"], 3),
    ] {
        let output = pulsectl()
            .args(&arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the program runs");
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("geheim"), "{}", stderr(&output));
    }
}

#[test]
fn answers_that_disagree_are_read_again() {
    let server = server();
    // The list is one revision behind the tree, once or for good.
    let mut list = server.recorded(SESSIONS);
    let revision = &mut list["active_sessions"][0]["runtime_state"]["revision"];
    *revision = Value::from(revision.as_u64().expect("a revision") - 1);

    server.fail(SESSIONS, Fault::Json(list.to_string()), Some(1));
    let output = on(&server, &["snapshot", "show", "-o", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(server.count("GET /api/sessions/active"), 2);

    server.fail(SESSIONS, Fault::Json(list.to_string()), None);
    let output = on(&server, &["snapshot", "show", "-o", "json"]);
    assert_eq!(code(&output), 7, "{}", stderr(&output));
    assert_eq!(json(&output)["gaps"][0]["code"], "stale_snapshot");
}

// formats.md, section 5: a closed debug gate is a gap, not incomplete; exit 0.
#[test]
fn status_says_what_a_closed_gate_hides_and_how_to_open_it() {
    let captures = captures();
    let closed = with_closed_gate(&captures.join("plat171/http-before"));
    let server = PulseServer::play(closed.path());
    let output = on(&server, &["status"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("no  execution trees") && text.contains("AGENTWORKS_RUNTIME_DEBUG=1"), "{text}");

    let document = json(&on(&server, &["status", "-o", "json"]));
    assert_eq!(document["schema"], "pulsectl.status/1");
    assert_eq!(document["complete"], true);
    assert_eq!(document["features"]["debug_gate_open"], false);
    assert_eq!(document["user"]["name"], "user");
    assert_eq!(document["source"]["server_version_source"], "assumed");
}

// pulse-api, section 12: `drain` came later.
#[test]
fn a_later_server_is_known_by_its_features_and_the_option_wins() {
    let server = server();
    let mut health = server.recorded("/api/health");
    health["drain"] = serde_json::json!({"active_sessions": 1, "idle": false});
    server.fail("/api/health", Fault::Json(health.to_string()), None);
    let source = json(&on(&server, &["status", "-o", "json"]))["source"].clone();
    assert_eq!(
        (source["server_version"].as_str(), source["server_version_source"].as_str()),
        (Some("later"), Some("probe"))
    );
    let given =
        json(&on(&server, &["status", "-o", "json", "--server-version", "2026-08-20"]))["source"].clone();
    assert_eq!(
        (given["server_version"].as_str(), given["server_version_source"].as_str()),
        (Some("2026-08-20"), Some("option"))
    );
}

#[test]
fn hostile_text_of_a_server_is_made_harmless() {
    let server = server();
    server.fail(SESSIONS, Fault::Status(500, "\u{1b}[2Jgone"), None);
    let output = on(&server, &["status"]);
    assert!(!stderr(&output).contains('\u{1b}'), "{}", stderr(&output));
}

// Measured, section 11: the first frame has the names and the true parents; nothing of the prompts may stay.
#[test]
fn names_come_from_the_event_stream_where_the_gate_is_closed() {
    let captures = captures();
    let closed = with_closed_gate(&captures.join("plat171/http-before"));
    let server = PulseServer::play(closed.path());
    let row = |document: &Value| {
        let rows = document["executions"].as_array().expect("a list").clone();
        rows.into_iter()
            .find(|row| row["id"].as_str().is_some_and(|id| id.starts_with("msgseq-")))
            .expect("the item")
    };
    let without = on(&server, &["snapshot", "show", "-o", "json"]);
    assert_eq!(row(&json(&without))["parent"], Value::Null);

    let document = json(&without);
    let session = document["sessions"][0]["id"].as_str().expect("an id").to_owned();
    let item = row(&document)["id"].as_str().expect("an id").to_owned();
    let event = serde_json::json!({ "events": [
        { "type": "user_message", "data": { "data": { "content": "a secret prompt" } } },
        { "type": "background_agent_started", "execution_id": item, "execution_kind": "message_sequence_item",
          "data": { "data": { "agent_id": item, "name": "An item", "parent_execution_id": "exec-collect-invoices-1" } } },
    ]});
    let frames = format!("id: 0\nevent: event\ndata: {event}\n\n");
    server.fail(&format!("/api/sessions/{session}/events/stream?since=0"), Fault::Events(frames), None);
    let with = on(&server, &["snapshot", "show", "-o", "json", "--names", "--timeout", "20s"]);
    assert_eq!(code(&with), 0, "{}", stderr(&with));
    assert!(!String::from_utf8_lossy(&with.stdout).contains("a secret prompt"));
    let row = row(&json(&with));
    assert_eq!(row["parent"]["value"]["execution"], "exec-collect-invoices-1");
    assert_eq!(row["parent"]["from"], "events/stream");
    // `/workflow/running` had its title already.
    assert_eq!(row["name"]["from"], "workflow/running");
}

#[test]
fn every_document_keeps_to_its_schema() {
    for (command, schema) in [
        (vec!["status"], "pulsectl.status-1.schema.json"),
        (vec!["snapshot", "show"], "pulsectl.snapshot-1.schema.json"),
    ] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
        let schema: Value = serde_json::from_slice(&std::fs::read(path).expect("the schema is committed"))
            .expect("it is JSON");
        let validator = jsonschema::validator_for(&schema).expect("it is a schema");
        for moment in moments("") {
            let folder = moment.folder.display().to_string();
            let document = json(&run(&[command.as_slice(), &["-o", "json", "--from", &folder]].concat()));
            if let Err(error) = validator.validate(&document) {
                panic!("{}: {error} at {}", moment.recording, error.instance_path());
            }
        }
    }
}
