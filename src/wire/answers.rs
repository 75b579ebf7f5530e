//! The answers that were read, decoded, before they become the model; the same for a live server and a recording.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::error::{AnswerError, cut, quoted};
use super::names::Started;
use super::routes::Slot;
use super::types::{
    AuthMode, BrowserList, Capabilities, ExecutionTree, Health, Identity, RunningList, SchedulerConfig,
    SessionList, TerminalList, TerminalRow, count_rows,
};

/// The most rows of one answer that are decoded: more than twice a list of 100,000 executions. In memory a row of
/// few bytes takes some hundred.
const MOST_ROWS: usize = 250_000;

/// One answer as it came.
#[derive(Debug, Clone, Copy)]
pub struct RawAnswer<'a> {
    /// Path and query that were asked for, for messages.
    pub request: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The content type, or an empty string.
    pub content_type: &'a str,
    /// The target of a redirect, or an empty string.
    pub location: &'a str,
    /// The body.
    pub body: &'a [u8],
    /// When it was read, by the server's clock.
    pub read_at: Option<Timestamp>,
}

/// What became of a question.
#[derive(Debug, Clone, Default)]
pub enum Answer<T> {
    /// It was not asked, or not recorded.
    #[default]
    NotRead,
    /// The answer.
    Read {
        /// What it says.
        value: T,
        /// When it was read, by the server's clock.
        read_at: Option<Timestamp>,
    },
    /// No answer, or not the one that was asked for.
    Failed(AnswerError),
}

impl<T> Answer<T> {
    /// What the answer says, where there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Read { value, .. } => Some(value),
            Self::NotRead | Self::Failed(_) => None,
        }
    }

    /// Takes what the answer says out of it.
    pub fn take(&mut self) -> Option<T> {
        match std::mem::take(self) {
            Self::Read { value, .. } => Some(value),
            Self::NotRead | Self::Failed(_) => None,
        }
    }

    /// When it was read.
    #[must_use]
    pub fn read_at(&self) -> Option<Timestamp> {
        match self {
            Self::Read { read_at, .. } => *read_at,
            Self::NotRead | Self::Failed(_) => None,
        }
    }
}

impl<T: DeserializeOwned> Answer<T> {
    fn decode(raw: RawAnswer<'_>) -> Self {
        match decode(raw) {
            Ok(value) => Self::Read { value, read_at: raw.read_at },
            Err(error) => Self::Failed(error),
        }
    }
}

/// All answers of one round of reading.
#[derive(Debug, Default)]
pub struct Answers {
    /// `health`.
    pub health: Answer<Health>,
    /// `capabilities`.
    pub capabilities: Answer<Capabilities>,
    /// `auth/mode`.
    pub auth_mode: Answer<AuthMode>,
    /// `auth/me`.
    pub identity: Answer<Identity>,
    /// `sessions/active`.
    pub sessions: Answer<SessionList>,
    /// `workflow/running`.
    pub running: Answer<RunningList>,
    /// `terminals`.
    pub terminals: Answer<TerminalList>,
    /// Execution trees by session.
    pub trees: BTreeMap<String, Answer<ExecutionTree>>,
    /// Main terminals by session.
    pub main_terminals: BTreeMap<String, Answer<TerminalRow>>,
    /// What the event streams say about started agents, by session.
    pub names: BTreeMap<String, Answer<Vec<Started>>>,
    /// `browser/sessions`.
    pub browsers: Answer<BrowserList>,
    /// `scheduler/config`.
    pub scheduler: Answer<SchedulerConfig>,
    /// `external/v1/tools`: whether it is there at all.
    pub external_tools: Answer<IgnoredAny>,
    /// The sessions that were asked about in full; `None` for all of them. About others nothing is missing.
    pub asked_about: Option<BTreeSet<String>>,
    /// Whether trees and browsers were left out on purpose, so that none is missing.
    pub is_overview: bool,
}

impl Answers {
    /// Decodes one answer into its place.
    pub fn put(&mut self, slot: Slot, raw: RawAnswer<'_>) {
        match slot {
            Slot::Health => self.health = Answer::decode(raw),
            Slot::Capabilities => self.capabilities = Answer::decode(raw),
            Slot::AuthMode => self.auth_mode = Answer::decode(raw),
            Slot::Identity => self.identity = Answer::decode(raw),
            Slot::Sessions => self.sessions = Answer::decode(raw),
            Slot::Running => self.running = Answer::decode(raw),
            Slot::Terminals => self.terminals = Answer::decode(raw),
            Slot::ExecutionTree(session) => {
                self.trees.insert(session, Answer::decode(raw));
            }
            Slot::MainTerminal(session) => {
                self.main_terminals.insert(session, Answer::decode(raw));
            }
            Slot::Browsers => self.browsers = Answer::decode(raw),
            Slot::SchedulerConfig => self.scheduler = Answer::decode(raw),
            Slot::ExternalTools => self.external_tools = Answer::decode(raw),
        }
    }

    /// Puts the failure to get an answer in the answer's place.
    pub fn fail(&mut self, slot: Slot, error: AnswerError) {
        match slot {
            Slot::Health => self.health = Answer::Failed(error),
            Slot::Capabilities => self.capabilities = Answer::Failed(error),
            Slot::AuthMode => self.auth_mode = Answer::Failed(error),
            Slot::Identity => self.identity = Answer::Failed(error),
            Slot::Sessions => self.sessions = Answer::Failed(error),
            Slot::Running => self.running = Answer::Failed(error),
            Slot::Terminals => self.terminals = Answer::Failed(error),
            Slot::ExecutionTree(session) => {
                self.trees.insert(session, Answer::Failed(error));
            }
            Slot::MainTerminal(session) => {
                self.main_terminals.insert(session, Answer::Failed(error));
            }
            Slot::Browsers => self.browsers = Answer::Failed(error),
            Slot::SchedulerConfig => self.scheduler = Answer::Failed(error),
            Slot::ExternalTools => self.external_tools = Answer::Failed(error),
        }
    }

    /// Whether this session was asked about in full.
    #[must_use]
    pub fn asks_about(&self, session: &str) -> bool {
        self.asked_about.as_ref().is_none_or(|asked| asked.contains(session))
    }

    /// Whether the debug gate is open, by what the server says about itself; `None` where it says nothing.
    #[must_use]
    pub fn gate_open(&self) -> Option<bool> {
        self.capabilities.value()?.runtime_debug
    }

    /// The sessions whose answers come from different moments, by the revisions that the answers carry.
    #[must_use]
    pub fn disagreeing(&self) -> Vec<String> {
        let Some(list) = self.sessions.value() else { return Vec::new() };
        let mut revisions: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for row in list.active_sessions.iter().filter(|row| self.asks_about(&row.session_id)) {
            if let Some(state) = &row.runtime_state {
                revisions.insert(&row.session_id, (state.revision, state.revision));
            }
        }
        let mut note = |session: &str, revision: u64| {
            if let Some((low, high)) = revisions.get_mut(session) {
                *low = revision.min(*low);
                *high = revision.max(*high);
            }
        };
        for (session, tree) in &self.trees {
            if let Some(state) = tree.value().and_then(|tree| tree.runtime_state.as_ref()) {
                note(session, state.revision);
            }
        }
        for (session, head) in self.terminals.value().map(|list| &list.runtime_states).into_iter().flatten() {
            note(session, head.revision);
        }
        for row in self.running.value().map(|list| &list.running).into_iter().flatten() {
            if let Some(head) = &row.runtime_state {
                note(&row.session_id, head.revision);
            }
        }
        revisions.iter().filter(|(_, (low, high))| low != high).map(|(id, _)| (*id).to_owned()).collect()
    }
}

/// Decodes an answer, or says what came instead.
///
/// # Errors
/// On every status but 200, on what is not JSON, and on JSON of another shape. The content type of an error
/// says nothing: the server sends JSON-looking error bodies as plain text.
pub(crate) fn decode<T: DeserializeOwned>(raw: RawAnswer<'_>) -> Result<T, AnswerError> {
    check(raw)?;
    let undecodable = |cause: String| AnswerError::Undecodable { request: raw.request.to_owned(), cause };
    // Every answer is an object; the decoder would also take a list for one, field by field.
    if raw.body.trim_ascii_start().first() != Some(&b'{') {
        return Err(undecodable("it is no JSON object".to_owned()));
    }
    if count_rows(raw.body) > MOST_ROWS {
        return Err(AnswerError::TooManyRows { request: raw.request.to_owned(), most: MOST_ROWS });
    }
    serde_json::from_slice(raw.body).map_err(|error| undecodable(error.to_string()))
}

/// What is wrong with an answer that should have been a stream of events.
pub(crate) fn refusal(raw: RawAnswer<'_>) -> AnswerError {
    match check(raw) {
        Ok(()) | Err(AnswerError::NotJson { .. }) => AnswerError::NoStream {
            request: raw.request.to_owned(),
            content_type: cut(if raw.content_type.is_empty() { "nothing" } else { raw.content_type }),
        },
        Err(error) => error,
    }
}

fn check(raw: RawAnswer<'_>) -> Result<(), AnswerError> {
    let request = raw.request.to_owned();
    let message = || quoted(raw.body);
    let error = match raw.status {
        200 => {
            let media = raw.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            if media == "application/json" || media.ends_with("+json") {
                return Ok(());
            }
            // An unknown API path is answered with the web application's page
            // (server-behaviour.md#requests-and-answers).
            if media == "text/html" {
                AnswerError::Html { request }
            } else {
                let content_type = cut(if media.is_empty() { "nothing" } else { &media });
                AnswerError::NotJson { request, content_type }
            }
        }
        300..=399 => AnswerError::Redirect { request, location: cut(raw.location) },
        401 => AnswerError::Unauthorized { message: message() },
        403 => AnswerError::Forbidden { request, message: message() },
        404 if raw.body.trim_ascii() == b"404 page not found" => AnswerError::NoRoute { request },
        404 => AnswerError::NotFound { request, message: message() },
        409 => AnswerError::Conflict { request, message: message() },
        429 => AnswerError::TooManyRequests { message: message() },
        status @ 500..=599 => AnswerError::ServerFailed { request, status, message: message() },
        status => AnswerError::UnexpectedStatus { request, status, message: message() },
    };
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw<'a>(status: u16, content_type: &'a str, body: &'a str) -> RawAnswer<'a> {
        RawAnswer {
            request: "/api/x",
            status,
            content_type,
            location: "",
            body: body.as_bytes(),
            read_at: None,
        }
    }

    // Bodies as recorded in captures/http.
    #[test]
    fn the_debug_gate_is_told_from_a_session_that_is_not_there() {
        let gate = decode::<Health>(raw(404, "text/plain; charset=utf-8", "404 page not found\n"));
        assert!(matches!(gate, Err(AnswerError::NoRoute { .. })));
        let session = decode::<Health>(raw(404, "text/plain; charset=utf-8", "Session not found\n"));
        assert!(matches!(session, Err(AnswerError::NotFound { .. })));
    }

    #[test]
    fn the_servers_words_are_quoted_without_their_wrapping() {
        let refused = decode::<Health>(raw(401, "text/plain", "{\"error\": \"Invalid or expired token\"}\n"));
        let Err(error) = refused else { panic!("a 401 is an error") };
        assert_eq!(error.to_string(), "the server refused the token: Invalid or expired token");
        let long = "x".repeat(5000);
        let Err(error) = decode::<Health>(raw(500, "text/plain", &long)) else { panic!("a 500 is an error") };
        assert!(error.to_string().len() < 300, "{error}");
    }

    #[test]
    fn a_page_and_a_cut_body_are_not_taken_for_answers() {
        assert!(matches!(
            decode::<Health>(raw(200, "text/html; charset=utf-8", "<html>")),
            Err(AnswerError::Html { .. })
        ));
        assert!(matches!(
            decode::<Health>(raw(200, "application/json", "{\"status\":\"hea")),
            Err(AnswerError::Undecodable { .. })
        ));
    }

    #[test]
    fn another_object_or_a_list_is_no_empty_list() {
        for body in ["{}", "[]", "{\"error\":\"no\"}", "null", ""] {
            let list = decode::<SessionList>(raw(200, "application/json", body));
            assert!(matches!(list, Err(AnswerError::Undecodable { .. })), "{body}");
        }
        assert!(decode::<SessionList>(raw(200, "application/json", "{\"active_sessions\":null}")).is_ok());
    }
}
