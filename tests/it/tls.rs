//! Encrypted connections, against a real TLS server with the certificates of `tests/fixtures/tls`, which are valid
//! from 2020 to 2120 (`make.sh` there makes them anew).

use std::path::Path;
use std::process::Output;

use crate::common::pulsectl;
use crate::common::recordings::captures;
use crate::common::secure::certificate;
use crate::common::server::PulseServer;

/// A server with this certificate.
fn server(shown: &str) -> PulseServer {
    PulseServer::play_secure(&captures().join("plat171/http-before"), shown)
}

fn run(arguments: &[&str], url: &str, authority: Option<&str>, roots: Option<&Path>) -> Output {
    let mut command = pulsectl();
    command.args(arguments).args(["--server", url]);
    if let Some(authority) = authority {
        command.arg("--ca-cert").arg(certificate(authority));
    }
    if let Some(roots) = roots {
        command.env("SSL_CERT_FILE", roots);
    }
    command.output().expect("the program runs")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_private_authority_opens_an_encrypted_server() {
    let server = server("server.pem");
    let by_name = server.url().replace("127.0.0.1", "localhost");
    for url in [server.url(), by_name] {
        for command in [&["status"][..], &["sessions"], &["snapshot", "show"], &["plan", "shutdown"]] {
            let output = run(command, &url, Some("ca.pem"), None);
            assert_eq!(code(&output), Some(0), "{command:?} {url}: {}", stderr(&output));
            assert!(!output.stdout.is_empty(), "{command:?} {url}");
            assert!(!stderr(&output).contains("unencrypted"), "{}", stderr(&output));
        }
    }
    assert!(server.count("GET /api/sessions/active") >= 8);
}

// The roots of the system, which are those of this variable where it is set.
#[test]
fn the_systems_roots_are_used_where_no_authority_is_named() {
    let server = server("server.pem");
    let trusted = run(&["status"], &server.url(), None, Some(&certificate("ca.pem")));
    assert_eq!(code(&trusted), Some(0), "{}", stderr(&trusted));
    let unknown = run(&["status"], &server.url(), None, Some(&certificate("other-ca.pem")));
    assert_eq!(code(&unknown), Some(4), "{}", stderr(&unknown));
    let broken = run(&["status"], &server.url(), None, Some(Path::new("no-such-file")));
    assert_eq!(code(&broken), Some(2), "{}", stderr(&broken));
    assert!(stderr(&broken).contains("no-such-file") && stderr(&broken).contains("--ca-cert"));
}

#[test]
fn a_named_authority_replaces_the_systems_roots_and_these_are_not_even_read() {
    let server = server("server.pem");
    let missing = Path::new("no-such-file");
    let named = run(&["status"], &server.url(), Some("ca.pem"), Some(missing));
    assert_eq!(code(&named), Some(0), "{}", stderr(&named));
    // The system would trust the server, and the named authority does not.
    let replaced = run(&["status"], &server.url(), Some("other-ca.pem"), Some(&certificate("ca.pem")));
    assert_eq!(code(&replaced), Some(4), "{}", stderr(&replaced));
}

#[test]
fn without_encryption_no_roots_are_needed() {
    let captures = captures();
    let server = PulseServer::play(&captures.join("plat171/http-before"));
    let output = run(&["status"], &server.url(), None, Some(Path::new("no-such-file")));
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
}

#[test]
fn each_fault_of_a_certificate_has_its_own_words_and_nothing_is_sent() {
    for (shown, authority, cause, hint) in [
        ("server.pem", "other-ca.pem", "comes from an authority that is not trusted here", "--ca-cert"),
        (
            "other-name.pem",
            "ca.pem",
            "is not for `127.0.0.1` but for `pulse.example.org`",
            "as its certificate does",
        ),
        ("expired.pem", "ca.pem", "its certificate has expired", "clock"),
    ] {
        let server = server(shown);
        let url = server.url();
        for command in ["status", "sessions"] {
            let output = run(&[command], &url, Some(authority), None);
            let said = stderr(&output);
            assert_eq!(code(&output), Some(4), "{shown}: {said}");
            assert!(output.stdout.is_empty(), "{shown}");
            assert!(said.starts_with(&format!("error: no secure connection to `{url}`\n")), "{said}");
            assert!(said.contains(cause) && said.contains(hint), "{shown}: {said}");
            // To do without encryption is no answer to a doubtful certificate.
            assert!(!said.contains("http://"), "{shown}: {said}");
        }
        assert!(server.requests().is_empty(), "{shown}");
    }
}

#[test]
fn http_and_https_taken_for_one_another_are_told() {
    let captures = captures();
    let open = PulseServer::play(&captures.join("plat171/http-before"));
    let output = run(&["status"], &open.url().replace("http:", "https:"), Some("ca.pem"), None);
    assert_eq!(code(&output), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("does not speak TLS"), "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: a server without encryption is named with http://"));

    let secure = server("server.pem");
    let output = run(&["status"], &secure.url().replace("https:", "http:"), None, None);
    assert_eq!(code(&output), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("broke before an answer to `/api/health` came"), "{}", stderr(&output));
    assert!(secure.requests().is_empty() && output.stdout.is_empty());
}
