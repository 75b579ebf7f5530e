//! The requests that pulsectl may send, by construction: a closed enum of GETs
//! (server-behaviour.md#requests-and-answers). There is no free path, no method and no body. Login is the
//! client's own affair.

use super::types::SessionList;

/// The id of a session that the server itself listed. Some reads create state for unknown ids, so only such
/// an id can be asked about, and only [`listed`] makes one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListedSession(String);

impl ListedSession {
    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0
    }
}

/// The ids that a `sessions/active` answer lists, and those of them that cannot stand in a path: the server
/// matches paths on the decoded form, so an id with a slash is out of reach
/// (server-behaviour.md#requests-and-answers).
#[must_use]
pub fn listed(list: &SessionList) -> (Vec<ListedSession>, Vec<String>) {
    let mut askable = Vec::new();
    let mut unaskable = Vec::new();
    for row in &list.active_sessions {
        let id = row.session_id.as_str();
        // `.` and `..` would be resolved away from the path.
        if id.is_empty() || id == "." || id == ".." || id.contains(['/', '\\']) {
            unaskable.push(id.to_owned());
        } else {
            askable.push(ListedSession(id.to_owned()));
        }
    }
    askable.sort();
    askable.dedup();
    unaskable.sort();
    (askable, unaskable)
}

/// A request that cannot change the server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// Liveness and clock; needs no login.
    Health,
    /// Feature flags; needs no login.
    Capabilities,
    /// Login mode; needs no login.
    AuthMode,
    /// Who the caller is.
    Identity,
    /// The sessions with their runtime snapshots.
    Sessions,
    /// The running top-level executions.
    Running,
    /// All terminals, without content; behind the debug gate.
    Terminals,
    /// One session's tree; behind the debug gate.
    ExecutionTree(ListedSession),
    /// One session's main terminal as stored, so that no pane is captured.
    MainTerminal(ListedSession),
    /// Headless browsers.
    Browsers,
    /// Whether all schedules are paused.
    SchedulerConfig,
    /// The later versions' external tools; tells the version.
    ExternalTools,
}

impl Route {
    /// Path and query.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Health => "/api/health".to_owned(),
            Self::Capabilities => "/api/capabilities".to_owned(),
            Self::AuthMode => "/api/auth/mode".to_owned(),
            Self::Identity => "/api/auth/me".to_owned(),
            Self::Sessions => "/api/sessions/active".to_owned(),
            Self::Running => "/api/workflow/running".to_owned(),
            Self::Terminals => "/api/terminals?content=none".to_owned(),
            Self::ExecutionTree(session) => {
                format!("/api/sessions/{}/execution-tree", percent_encode(session.id()))
            }
            Self::MainTerminal(session) => {
                format!("/api/sessions/{}/main-terminal?content=stored", percent_encode(session.id()))
            }
            Self::Browsers => "/api/browser/sessions".to_owned(),
            Self::SchedulerConfig => "/api/scheduler/config".to_owned(),
            Self::ExternalTools => "/api/external/v1/tools".to_owned(),
        }
    }

    /// Whether the server answers it without a login.
    #[must_use]
    pub fn is_public(&self) -> bool {
        matches!(self, Self::Health | Self::Capabilities | Self::AuthMode)
    }

    /// Which answer it gives.
    #[must_use]
    pub fn slot(&self) -> Slot {
        match self {
            Self::Health => Slot::Health,
            Self::Capabilities => Slot::Capabilities,
            Self::AuthMode => Slot::AuthMode,
            Self::Identity => Slot::Identity,
            Self::Sessions => Slot::Sessions,
            Self::Running => Slot::Running,
            Self::Terminals => Slot::Terminals,
            Self::ExecutionTree(session) => Slot::ExecutionTree(session.id().to_owned()),
            Self::MainTerminal(session) => Slot::MainTerminal(session.id().to_owned()),
            Self::Browsers => Slot::Browsers,
            Self::SchedulerConfig => Slot::SchedulerConfig,
            Self::ExternalTools => Slot::ExternalTools,
        }
    }
}

/// A session's stream of events from the beginning. Not a [`Route`], since it has no end: only its first frame
/// is read. With `since` it changes nothing; it is heavy, so it is asked for only on request
/// (server-behaviour.md#frozen-answers).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventStream(pub ListedSession);

impl EventStream {
    /// Path and query.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/api/sessions/{}/events/stream?since=0", percent_encode(self.0.id()))
    }
}

/// What an answer is about, whether it was fetched or recorded. Not a request: a recording may name any id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    Health,
    Capabilities,
    AuthMode,
    Identity,
    Sessions,
    Running,
    Terminals,
    ExecutionTree(String),
    MainTerminal(String),
    Browsers,
    SchedulerConfig,
    ExternalTools,
}

/// What a recorded request is to pulsectl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It is read.
    Used(Slot),
    /// An inspect may send it, but nothing of it is needed.
    Unneeded,
    /// Unknown, or never sent by an inspect: its answer is not believed to be a plain read.
    Foreign,
}

/// Reads a recorded request, such as `GET /api/sessions/active`.
#[must_use]
pub fn recorded(request: &str) -> Recorded {
    let Some(target) = request.strip_prefix("GET ") else { return Recorded::Foreign };
    // curl users record full addresses.
    let target = match target.split_once("://") {
        Some((_, rest)) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None => target,
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let has = |pair: &str| query.split('&').any(|part| part == pair);
    match path {
        "/api/health" => Recorded::Used(Slot::Health),
        "/api/capabilities" => Recorded::Used(Slot::Capabilities),
        "/api/auth/mode" => Recorded::Used(Slot::AuthMode),
        "/api/auth/me" => Recorded::Used(Slot::Identity),
        "/api/sessions/active" => Recorded::Used(Slot::Sessions),
        "/api/workflow/running" => Recorded::Used(Slot::Running),
        // With a session or only the active ones it is a part, and a part is not the list.
        "/api/terminals"
            if has("content=none") && !query.contains("session_id=") && !query.contains("active_only=") =>
        {
            Recorded::Used(Slot::Terminals)
        }
        "/api/browser/sessions" => Recorded::Used(Slot::Browsers),
        "/api/scheduler/config" => Recorded::Used(Slot::SchedulerConfig),
        "/api/external/v1/tools" => Recorded::Used(Slot::ExternalTools),
        "/api/workflow/active-executions"
        | "/api/human-feedback/pending"
        | "/api/inspector"
        | "/api/terminals" => Recorded::Unneeded,
        _ => of_session(path),
    }
}

fn of_session(path: &str) -> Recorded {
    if path.starts_with("/api/workflow/running/") {
        return Recorded::Unneeded;
    }
    let Some((id, leaf)) = path.strip_prefix("/api/sessions/").and_then(|rest| rest.split_once('/')) else {
        return Recorded::Foreign;
    };
    let Some(id) = percent_decode(id) else { return Recorded::Foreign };
    match leaf {
        "execution-tree" => Recorded::Used(Slot::ExecutionTree(id)),
        "main-terminal" => Recorded::Used(Slot::MainTerminal(id)),
        "activity-tree" | "events/stream" => Recorded::Unneeded,
        _ => Recorded::Foreign,
    }
}

/// Encodes everything but the unreserved characters of RFC 3986.
fn percent_encode(id: &str) -> String {
    let mut encoded = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Decodes percent escapes; `None` for a broken escape or what is not UTF-8 then.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let value = digit(rest.next())? * 16 + digit(rest.next())?;
        bytes.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::types::SessionRow;

    fn list(ids: &[&str]) -> SessionList {
        let row = |id: &&str| SessionRow { session_id: (*id).to_owned(), ..SessionRow::default() };
        SessionList { active_sessions: ids.iter().map(row).collect(), ..SessionList::default() }
    }

    #[test]
    fn only_ids_that_stand_in_a_path_are_asked_for() {
        let (askable, unaskable) = listed(&list(&["b", "a", "a", "x/../../session/stop", "..", ""]));
        assert_eq!(askable.iter().map(ListedSession::id).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(unaskable, ["", "..", "x/../../session/stop"]);
    }

    #[test]
    fn an_id_cannot_leave_its_place_in_the_path() {
        let (askable, _) = listed(&list(&["a?content=tail#x%2f"]));
        let path = Route::MainTerminal(askable[0].clone()).path();
        assert_eq!(path, "/api/sessions/a%3Fcontent%3Dtail%23x%252f/main-terminal?content=stored");
    }

    #[test]
    fn every_route_is_read_back_from_a_recording() {
        let (askable, _) = listed(&list(&["schedule-manual--nightly_1:x"]));
        let session = askable[0].clone();
        for route in [
            Route::Health,
            Route::Capabilities,
            Route::AuthMode,
            Route::Identity,
            Route::Sessions,
            Route::Running,
            Route::Terminals,
            Route::ExecutionTree(session.clone()),
            Route::MainTerminal(session),
            Route::Browsers,
            Route::SchedulerConfig,
            Route::ExternalTools,
        ] {
            let request = format!("GET {}", route.path());
            assert_eq!(recorded(&request), Recorded::Used(route.slot()), "{request}");
            let request = format!("GET http://127.0.0.1:8000{}", route.path());
            assert_eq!(recorded(&request), Recorded::Used(route.slot()), "{request}");
        }
    }

    // server-behaviour.md#requests-and-answers, the forbidden ones.
    #[test]
    fn what_an_inspect_never_sends_is_foreign() {
        for request in [
            "POST /api/session/stop",
            "GET /api/sessions/s/events?since=0",
            "GET /api/sessions/s/status",
            "GET /api/scheduler/jobs",
            "GET /api/workflows/manifests",
            "GET /api/header-summary",
        ] {
            assert_eq!(recorded(request), Recorded::Foreign, "{request}");
        }
    }
}
