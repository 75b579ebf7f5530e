//! The test server's own guard: what must never be sent to a server fails a test.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::common::recordings::captures;
use crate::common::server::PulseServer;

/// The session of the recording `plat171` and its main terminal.
const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const MAIN: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3:main:9c1be844-00b2-4793-9bc1-726bd3c6c0b3";

const LIST: &str = "/api/sessions/active";
const LOGIN: &str = "/api/auth/login";

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
    let captures = captures();
    let server = PulseServer::play(&captures.join("plat171/http-before"));
    let end = "Host: x\nConnection: close";
    let plain = |request: &str| format!("{request} HTTP/1.1\n{end}\n\n");
    let tree = format!("/api/sessions/{CHAT}/execution-tree");
    let early = send(&server, &plain(&format!("GET {tree}")));
    assert!(!early.is_empty());
    assert_eq!(server.take_forbidden().len(), 1, "the session was not listed yet");

    // In health a list is answered only to a login.
    send(&server, &format!("POST {LOGIN} HTTP/1.1\n{end}\nContent-Length: 2\n\n{{}}"));
    let token = "Authorization: Bearer own-token-1";
    let listed = send(&server, &format!("GET {LIST} HTTP/1.1\n{end}\n{token}\n\n"));
    assert_eq!(listed, "HTTP/1.1 200 OK");
    send(&server, &plain(&format!("GET {tree}")));
    assert!(server.take_forbidden().is_empty(), "a login, the list and a listed session");

    let of_chat = |leaf: &str| plain(&format!("GET /api/sessions/{CHAT}/{leaf}"));
    for request in [
        of_chat("events?since=0"),
        of_chat("events/stream"),
        of_chat("status"),
        of_chat("main-terminal"),
        of_chat("main-terminal?content=tail"),
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
        send(&server, &request);
        assert_eq!(server.take_forbidden().len(), 1, "{request}");
    }
}

#[test]
fn a_forbidden_request_fails_the_test() {
    let captures = captures();
    let ended = std::thread::spawn(move || {
        let server = PulseServer::play(&captures.join("plat171/http-before"));
        send(&server, "POST /api/session/stop HTTP/1.1\nHost: x\nConnection: close\n\n");
    })
    .join();
    let panic = ended.expect_err("the server's end fails the test");
    let text = panic.downcast_ref::<String>().map(String::as_str).unwrap_or_default();
    assert!(text.contains("POST /api/session/stop: a POST that is no login"), "{text}");
}
