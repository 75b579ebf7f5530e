//! What a server that is only inspected may be sent, without anything of pulsectl's own (pulse-api, sections 1.3 and
//! 13): the reads that change nothing, asked about sessions that the server itself listed before.

use std::collections::BTreeSet;

use axum::http::request::Parts;
use serde_json::Value;

/// Knows which sessions were listed, and notes what must never be sent.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    listed: BTreeSet<String>,
    /// Method, path and query, and what is wrong.
    pub(crate) forbidden: Vec<String>,
}

impl Guard {
    /// Notes the ids of a list of sessions that is being answered.
    pub(crate) fn lists(&mut self, body: &[u8]) {
        let list: Value = serde_json::from_slice(body).unwrap_or_default();
        let rows = list["active_sessions"].as_array().into_iter().flatten();
        self.listed.extend(rows.filter_map(|row| row["session_id"].as_str()).map(str::to_owned));
    }

    /// Notes a request that must never be sent.
    pub(crate) fn check(&mut self, request: &Parts, body: &[u8]) {
        let (path, query) = (request.uri.path(), request.uri.query().unwrap_or_default());
        let wrong = match request.method.as_str() {
            "GET" if !self.is_plain_read(path, query) => Some("no plain read"),
            "GET" if !body.is_empty() => Some("a read with a body"),
            "GET" if is_public(path) && request.headers.contains_key("authorization") => {
                Some("a token where none is needed")
            }
            "GET" => None,
            "POST" if path != "/api/auth/login" || !query.is_empty() => Some("a POST that is no login"),
            "POST" if body != b"{}" => Some("a login with a name"),
            "POST" => None,
            _ => Some("a method that is no read"),
        };
        // An origin may be refused, an upgrade attaches to a pane, and a session's header belongs to a stop.
        let header = ["origin", "upgrade", "x-session-id", "cookie"]
            .into_iter()
            .find(|name| request.headers.contains_key(*name));
        if let Some(wrong) = wrong.or(header) {
            self.forbidden.push(format!("{} {}: {wrong}", request.method, request.uri));
        }
    }

    fn is_plain_read(&self, path: &str, query: &str) -> bool {
        if let Some((id, leaf)) = path.strip_prefix("/api/sessions/").and_then(|rest| rest.split_once('/')) {
            return decoded(id).is_some_and(|id| self.listed.contains(&id))
                && match leaf {
                    "execution-tree" => query.is_empty(),
                    "main-terminal" => query == "content=stored",
                    "events/stream" => query == "since=0",
                    _ => false,
                };
        }
        match path {
            "/api/terminals" => query == "content=none",
            "/api/auth/me"
            | "/api/sessions/active"
            | "/api/workflow/running"
            | "/api/browser/sessions"
            | "/api/scheduler/config"
            | "/api/external/v1/tools" => query.is_empty(),
            path => is_public(path) && query.is_empty(),
        }
    }
}

fn is_public(path: &str) -> bool {
    matches!(path, "/api/health" | "/api/capabilities" | "/api/auth/mode")
}

/// An id without its percent escapes; `None` where it is not encoded as it must be.
fn decoded(id: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = id.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            bytes.push(u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
