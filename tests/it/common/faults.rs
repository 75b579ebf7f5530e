//! Between pulsectl and a server: passes everything on, and answers one path with what a broken server, a proxy or an
//! attacker could send over the same connection.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use regex::bytes::Regex;

/// Writes an answer, given the body that the server meant to send.
pub(crate) type Sends = fn(&mut TcpStream, &[u8]) -> std::io::Result<()>;

/// The running go-between; it ends when it is dropped.
pub(crate) struct Between {
    address: std::net::SocketAddr,
    ended: Arc<AtomicBool>,
}

impl Between {
    /// Stands before the server of this address (`http://host:port`), and spoils the answers to this path and query.
    pub(crate) fn spoil(server: &str, path: &'static str, mode: Sends) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port can be bound");
        let address = listener.local_addr().expect("it is bound");
        let ended = Arc::new(AtomicBool::new(false));
        let (server, seen) = (server.trim_start_matches("http://").to_owned(), Arc::clone(&ended));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if seen.load(Ordering::Relaxed) {
                    return;
                }
                let server = server.clone();
                let Ok(client) = client else { continue };
                // A client that has had enough hangs up; that is no failure of the go-between.
                std::thread::spawn(move || drop(pass_on(client, &server, path, mode)));
            }
        });
        Self { address, ended }
    }

    /// `http://127.0.0.1:<port>`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Between {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for the next connection.
        drop(TcpStream::connect(self.address));
    }
}

/// One request on one connection.
fn pass_on(mut client: TcpStream, server: &str, path: &str, mode: Sends) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    let head = loop {
        let length = client.read(&mut piece)?;
        if length == 0 {
            return Ok(());
        }
        request.extend(&piece[..length]);
        if let Some(end) = memchr::memmem::find(&request, b"\r\n\r\n") {
            break end;
        }
    };
    let text = String::from_utf8_lossy(&request[..head]).into_owned();
    let length = text
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0_usize);
    while request.len() < head + 4 + length {
        let read = client.read(&mut piece)?;
        request.extend(&piece[..read]);
    }
    let mut upstream = TcpStream::connect(server)?;
    upstream.write_all(&[&request[..head], b"\r\nconnection: close", &request[head..]].concat())?;
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer)?;
    if text.split(' ').nth(1) != Some(path) {
        return client.write_all(&answer);
    }
    let body = memchr::memmem::find(&answer, b"\r\n\r\n").map_or(&answer[..], |end| &answer[end + 4..]);
    mode(&mut client, body)?;
    client.shutdown(Shutdown::Both)
}

fn answer(client: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n");
    client.write_all(&[head.as_bytes(), body].concat())
}

fn json(client: &mut TcpStream, body: &[u8]) -> std::io::Result<()> {
    answer(client, "200 OK", "content-type: application/json\r\n", body)
}

fn error(client: &mut TcpStream, status: &str, body: &[u8]) -> std::io::Result<()> {
    answer(client, status, "content-type: text/plain\r\n", body)
}

/// The body with every value that fits replaced.
fn replaced(body: &[u8], values: &str, by: &str) -> Vec<u8> {
    let pattern = Regex::new(&format!(r#"("[a-z_A-Z]+"): ?({values})"#)).expect("the pattern is sound");
    pattern.replace_all(body, format!("${{1}}:{by}").as_bytes()).into_owned()
}

const NUMBER: &str = r"-?\d[\d.eE+-]*";
const TEXT: &str = r#""(?:[^"\\]|\\.)*""#;
const SCALAR: &str = r#""(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false"#;

/// Begins an answer of this length in JSON.
fn begun(client: &mut TcpStream, length: usize) -> std::io::Result<()> {
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    client.write_all(head.as_bytes())
}

/// Waits until the client has had enough.
fn wait(client: &mut TcpStream) -> std::io::Result<()> {
    client.set_read_timeout(Some(Duration::from_secs(60)))?;
    client.read(&mut [0]).map(drop)
}

/// Writes this a byte at a time, far slower than anybody waits.
fn drip(client: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    bytes.iter().try_for_each(|byte| {
        client.write_all(&[*byte])?;
        std::thread::sleep(Duration::from_millis(200));
        Ok(())
    })
}

/// What goes wrong, by its name.
pub(crate) fn mode(name: &'static str) -> Sends {
    match name {
        "hang" => |client, _| wait(client),
        "slow" => |client, body| {
            begun(client, body.len())?;
            drip(client, body)
        },
        "slowhead" => |client, _| drip(client, b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"),
        "100" => |client, _| {
            loop {
                client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
                std::thread::sleep(Duration::from_millis(20));
            }
        },
        "chunked" => |client, _| {
            client.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n13\r\n{\"active_sessions\":\r\n")?;
            loop {
                client.write_all(b"5\r\n     \r\n")?;
                std::thread::sleep(Duration::from_millis(20));
            }
        },
        "deep" => |client, _| json(client, &b"[".repeat(100_000)),
        "deepobj" => {
            |client, _| json(client, &[&b"{\"active_sessions\":"[..], &b"{\"a\":".repeat(100_000)].concat())
        }
        "deflate" => |client, body| {
            answer(client, "200 OK", "content-type: application/json\r\ncontent-encoding: br\r\n", &body[1..])
        },
        "gzip" => |client, body| {
            answer(client, "200 OK", "content-type: application/json\r\ncontent-encoding: gzip\r\n", body)
        },
        "null" => |client, body| json(client, &replaced(body, SCALAR, "null")),
        "types" => |client, body| json(client, &replaced(body, TEXT, r#"[1,{"a":2}]"#)),
        "nums" => |client, body| json(client, &replaced(body, NUMBER, "1e999")),
        "bignum" => |client, body| json(client, &replaced(body, NUMBER, "99999999999999999999999999999")),
        "neg" => |client, body| json(client, &replaced(body, NUMBER, "-9223372036854775808")),
        "nan" => |client, body| json(client, &replaced(body, NUMBER, "NaN")),
        "dup" => |client, body| json(client, &replaced(body, SCALAR, "${2},${1}:${2}")),
        "missing" => |client, body| {
            let names = r#""((?:terminal_|session_|agent_|execution_|query_)id|status)":"#;
            let names = Regex::new(names).expect("the pattern is sound");
            json(client, &names.replace_all(body, &br#""zz_${1}":"#[..]))
        },
        "empty" => |client, _| json(client, b""),
        "emptyobj" => |client, _| json(client, b"{}"),
        "emptyarr" => |client, _| json(client, b"[]"),
        "nulljson" => |client, _| json(client, b"null"),
        "html" => |client, _| {
            answer(client, "200 OK", "content-type: text/html\r\n", b"<html>\x1b[31mproxy login</html>")
        },
        "htmljson" => |client, _| json(client, b"<html>"),
        "502" => |client, _| {
            answer(
                client,
                "502 Bad Gateway",
                "content-type: text/html\r\n",
                b"<html>502 \x1b]0;pwn\x07</html>",
            )
        },
        "500" => |client, _| error(client, "500 Internal Server Error", br#"{"error":"boom"}"#),
        "503ra" => |client, _| {
            answer(client, "503 Service Unavailable", "retry-after: 86400\r\n", br#"{"error":"slow down"}"#)
        },
        "401" => |client, _| error(client, "401 Unauthorized", br#"{"error":"no"}"#),
        "403" => |client, _| error(client, "403 Forbidden", "{\"error\":\"\u{202e}no\"}".as_bytes()),
        "429" => |client, _| error(client, "429 Too Many Requests", br#"{"error":"slow down"}"#),
        "redirfile" => |client, _| answer(client, "302 Found", "location: file:///etc/passwd\r\n", b""),
        "early" => |client, body| {
            begun(client, body.len())?;
            client.write_all(&body[..body.len() / 2])
        },
        "earlychunk" => |client, body| {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
            client.write_all(format!("{head}{:x}\r\n", body.len()).as_bytes())?;
            client.write_all(&[body, b"\r\n"].concat())
        },
        "http10close" => |client, body| {
            client.write_all(&[b"HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n", body].concat())
        },
        "wronglen" => |client, body| {
            begun(client, body.len() - 5)?;
            client.write_all(&body[..body.len() - 5])
        },
        "longlen" => |client, body| {
            begun(client, body.len() + 50)?;
            client.write_all(body)
        },
        "garbage" => |client, _| client.write_all(&[0x8f, 0x00, 0x17, 0xc3].repeat(500)),
        "hugehdr" => |client, _| {
            client.write_all(&[&b"HTTP/1.1 200 OK\r\nX: "[..], &b"a".repeat(5_000_000), b"\r\n\r\n"].concat())
        },
        "manyhdr" => |client, _| {
            client.write_all(&[&b"HTTP/1.1 200 OK\r\n"[..], &b"X: a\r\n".repeat(200_000), b"\r\n"].concat())
        },
        "trailing" => |client, body| json(client, &[body, b"{\"x\":1}"].concat()),
        other => panic!("no mode is called {other}"),
    }
}
