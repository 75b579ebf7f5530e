//! Every fault of a server on every command that reads one: exit code and message per cell (issue 12, E). What is
//! expected comes from the exit codes of formats.md, section 5: 4 where the server does not answer, 5 where it refuses,
//! 7 where an answer cannot be read; a part that is missing beside others leaves the answer incomplete, 7.

use crate::common::faults::{Between, mode};
use crate::common::recordings::captures;
use crate::common::server::PulseServer;
use crate::common::{Pulsectl, in_parallel_on};

const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";
const HEALTH: &str = "/api/health";
const SESSIONS: &str = "/api/sessions/active";
const TERMINALS: &str = "/api/terminals?content=none";

const COMMANDS: [&[&str]; 5] =
    [&["status"], &["sessions"], &["graph", CHAT], &["stop", CHAT, "--dry-run"], &["snapshot", "show"]];

/// What a fault is to a reader.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing comes in time, or no HTTP: 4.
    Silent,
    /// 401 or 403: 5.
    Refused,
    /// An answer that is none: 7.
    Unreadable,
    /// A list whose rows are lost: 7, and the rest is shown, the chat too, which other answers name.
    Rows,
    /// Odd, but whole.
    Sound,
}

/// The faults: name, what it is, and the words about it (`{}` is the path).
const FAULTS: [(&str, Kind, &str); 37] = [
    ("hang", Kind::Silent, "no answer to `{}` within 400 ms"),
    ("slow", Kind::Silent, "no answer to `{}` within 400 ms"),
    ("slowhead", Kind::Silent, "no answer to `{}` within 400 ms"),
    ("100", Kind::Silent, "no answer to `{}` within 400 ms"),
    ("chunked", Kind::Silent, "no answer to `{}` within 400 ms"),
    ("garbage", Kind::Silent, "the connection broke before an answer to `{}` came"),
    ("hugehdr", Kind::Silent, "the connection broke before an answer to `{}` came"),
    ("manyhdr", Kind::Silent, "the connection broke before an answer to `{}` came"),
    ("401", Kind::Refused, "the server refused the token: no"),
    ("403", Kind::Refused, "the server does not allow `{}`: \\u{202e}no"),
    ("429", Kind::Unreadable, "the server asks to come back later (429): "),
    ("500", Kind::Unreadable, "the server failed on `{}` with status 500: boom"),
    (
        "502",
        Kind::Unreadable,
        "the server failed on `{}` with status 502: <html>502 \\u{1b}]0;pwn\\u{7}</html>",
    ),
    ("503ra", Kind::Unreadable, "the server failed on `{}` with status 503: slow down"),
    (
        "redirfile",
        Kind::Unreadable,
        "`{}` was redirected to `file:///etc/passwd`, and redirects are not followed",
    ),
    ("html", Kind::Unreadable, "`{}` was answered with a web page instead of JSON"),
    ("early", Kind::Unreadable, "the answer to `{}` was cut off"),
    ("earlychunk", Kind::Unreadable, "the answer to `{}` was cut off"),
    ("longlen", Kind::Unreadable, "the answer to `{}` was cut off"),
    ("gzip", Kind::Unreadable, "the answer to `{}` cannot be decoded: its compression is damaged"),
    ("deflate", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("deep", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("deepobj", Kind::Unreadable, "the answer to `{}` cannot be decoded"),
    ("nan", Kind::Unreadable, "the answer to `{}` cannot be decoded"),
    ("dup", Kind::Unreadable, "the answer to `{}` cannot be decoded"),
    ("empty", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("emptyobj", Kind::Unreadable, "the answer to `{}` cannot be decoded: missing field"),
    ("emptyarr", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("nulljson", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("htmljson", Kind::Unreadable, "the answer to `{}` cannot be decoded: it is no JSON object"),
    ("wronglen", Kind::Unreadable, "the answer to `{}` cannot be decoded"),
    ("trailing", Kind::Unreadable, "the answer to `{}` cannot be decoded: trailing characters"),
    ("null", Kind::Rows, "of `{}` without an id or of another shape"),
    ("types", Kind::Rows, "of `{}` without an id or of another shape"),
    ("missing", Kind::Rows, "of `{}` without an id or of another shape"),
    ("http10close", Kind::Sound, ""),
    ("neg", Kind::Rows, ""),
];

/// One call: the path that is spoilt, and what must come of it.
struct Cell {
    fault: &'static str,
    path: &'static str,
    command: &'static [&'static str],
    code: i32,
    words: String,
    /// Whether there is anything to show.
    is_shown: bool,
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (fault, kind, words) in FAULTS {
        for path in [SESSIONS, TERMINALS] {
            for command in COMMANDS {
                let (code, is_shown) = match (kind, path) {
                    (Kind::Sound, _) => (0, true),
                    // Without the list there is nothing to show.
                    (Kind::Silent, SESSIONS) => (4, false),
                    (Kind::Refused, SESSIONS) => (5, false),
                    (Kind::Unreadable, SESSIONS) => (7, false),
                    _ => (7, true),
                };
                cells.push(Cell { fault, path, command, code, words: words.replace("{}", path), is_shown });
            }
        }
        // Where health is odd, what answers is no Pulse server; a lost row is no matter of health.
        if !matches!(kind, Kind::Rows) {
            let (code, words) = match kind {
                Kind::Sound => (0, String::new()),
                _ if fault == "emptyobj" => (4, "its status is `` and not `healthy`".to_owned()),
                _ => (4, words.replace("{}", HEALTH)),
            };
            cells.push(Cell { fault, path: HEALTH, command: COMMANDS[0], code, words, is_shown: code == 0 });
        }
    }
    cells
}

#[test]
fn every_fault_has_its_exit_code_and_message_with_every_command() {
    let folder = captures().join("plat171/http-before");
    let problems = in_parallel_on(6, &cells(), |cell| {
        let server = PulseServer::play(&folder);
        let between = Between::spoil(&server.url(), cell.path, mode(cell.fault));
        let url = between.url();
        let answer = Pulsectl::new(cell.command).args(["--timeout", "400ms", "--server", &url]).run();
        let name = format!("{} of {} {:?}", cell.fault, cell.path, cell.command);
        let shown = format!("{}{}", String::from_utf8_lossy(&answer.stdout), answer.stderr);
        let mut problems = Vec::new();
        if answer.code != Some(cell.code) {
            problems
                .push(format!("{name}: exit code {:?}, not {}: {}", answer.code, cell.code, answer.stderr));
        }
        if !shown.contains(&cell.words) {
            problems.push(format!("{name}: `{}` is not said: {}", cell.words, answer.stderr));
        }
        if answer.stdout.is_empty() == cell.is_shown {
            problems.push(format!("{name}: shown is {}, not {}", !cell.is_shown, cell.is_shown));
        }
        if shown.contains(['\u{1b}', '\u{7}', '\u{202e}']) || shown.contains("panicked") {
            problems.push(format!("{name}: {shown:?}"));
        }
        problems
    });
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
