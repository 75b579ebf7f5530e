//! A server at one moment: sessions, executions, terminals and what is known about the server itself.
//!
//! It is filled from live answers, recorded answers, a saved snapshot or a log; nothing here knows which.
//! Rows are kept sorted, so look-ups are binary searches and every listing has one order.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::execution::{Execution, Membership, Status};
use super::fact::{Judgement, Source};
use super::gap::{Gap, GapCode};
use super::id::IdKind;
use super::server::Server;
use super::session::Session;
use super::terminal::Terminal;

/// What a snapshot was made from (`source`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// Written by hand in a test.
    #[default]
    Given,
    /// A running server.
    Server {
        /// Its address, such as `http://127.0.0.1:8000`.
        address: String,
    },
    /// A saved snapshot.
    Snapshot {
        /// The file.
        path: String,
    },
    /// A folder of recorded answers.
    Recorded {
        /// The folder.
        path: String,
    },
    /// Logs; [`Source::Log`] counts them from 0.
    Log {
        /// The files.
        paths: Vec<String>,
    },
}

/// A node that the server's tree shows but no registry holds: inferred by the server from events
/// (server-behaviour.md#what-a-client-can-read, source `event_stream`). There is nothing to cancel behind it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventNode {
    /// Its session.
    pub session: String,
    /// Its id, such as `workflow-step:<execution>:<step>`.
    pub id: String,
    /// Its kind, as the tree names it. Its name is not kept: it may be what a person wrote.
    pub kind: String,
    /// Its status.
    pub status: Option<Status>,
    /// When it started.
    #[schemars(with = "Option<String>")]
    pub started_at: Option<Timestamp>,
}

/// A row of `/workflow/running`: the server believes that this execution runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunningRow {
    /// Its session.
    pub session: String,
    /// The execution's id.
    pub id: String,
    /// Kind of the tracked row.
    pub kind: Option<String>,
    /// Workflow folder; a running row of it makes that workflow busy.
    pub workflow_path: Option<String>,
    /// Phase of the workflow, such as `workflow-builder`.
    pub phase: Option<String>,
    /// What triggered it.
    pub triggered_by: Option<String>,
    /// Run folder; for workshop rows only at completion.
    pub run_folder: Option<String>,
    /// Account that owns it.
    pub user: Option<String>,
    /// When it started.
    #[schemars(with = "Option<String>")]
    pub started_at: Option<Timestamp>,
}

/// A headless browser.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Browser {
    /// Its id.
    pub id: String,
    /// The agent session that uses it.
    pub agent_session: Option<String>,
    /// The chat or schedule session that owns it; a stop of that one closes it.
    pub session: Option<String>,
}

/// Everything that is known about a server at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// What it was made from.
    pub origin: Origin,
    /// The moment, by the server's own clock where an answer told it.
    pub as_of: Option<Timestamp>,
    /// When each source was read, by the server's clock; the oldest where it was read several times.
    pub read_at: BTreeMap<Source, Timestamp>,
    /// The server itself.
    pub server: Server,
    /// What was not read, not decoded or not certain.
    pub gaps: Vec<Gap>,
    /// Rows of `/workflow/running`; `None` where that was not read.
    pub running: Option<Vec<RunningRow>>,
    /// Headless browsers; `None` where they were not read.
    pub browsers: Option<Vec<Browser>>,
    /// Nodes that only the server's tree shows.
    pub event_nodes: Vec<EventNode>,
    /// Sessions whose execution tree was read.
    pub trees_read: Vec<String>,
    /// What was taken out before it was saved; empty unless it was loaded from a file.
    pub removed: Vec<String>,
    sessions: Vec<Session>,
    executions: Vec<Execution>,
    terminals: Vec<Terminal>,
}

impl Snapshot {
    /// Sets all sessions. Order does not matter; of two with the same id the first is kept.
    pub fn set_sessions(&mut self, mut sessions: Vec<Session>) {
        sessions.sort_by(|left, right| left.id.cmp(&right.id));
        sessions.dedup_by(|later, first| later.id == first.id);
        self.sessions = sessions;
    }

    /// Sets all executions. Order does not matter; of two with the same session and id the first is kept.
    pub fn set_executions(&mut self, mut executions: Vec<Execution>) {
        executions.sort_by(|left, right| execution_key(left).cmp(&execution_key(right)));
        executions.dedup_by(|later, first| execution_key(later) == execution_key(first));
        self.executions = executions;
    }

    /// Sets all terminals. Order does not matter; of two with the same session and id the first is kept.
    pub fn set_terminals(&mut self, mut terminals: Vec<Terminal>) {
        terminals.sort_by(|left, right| terminal_key(left).cmp(&terminal_key(right)));
        terminals.dedup_by(|later, first| terminal_key(later) == terminal_key(first));
        self.terminals = terminals;
    }

    /// Adds a session, or replaces the one with its id.
    #[must_use]
    pub fn with_session(mut self, session: Session) -> Self {
        match self.sessions.binary_search_by(|known| known.id.cmp(&session.id)) {
            Ok(at) => self.sessions[at] = session,
            Err(at) => self.sessions.insert(at, session),
        }
        self
    }

    /// Adds an execution, or replaces the one with its session and id.
    #[must_use]
    pub fn with_execution(mut self, execution: Execution) -> Self {
        let key = execution_key(&execution);
        match self.executions.binary_search_by(|known| execution_key(known).cmp(&key)) {
            Ok(at) => self.executions[at] = execution,
            Err(at) => self.executions.insert(at, execution),
        }
        self
    }

    /// Adds a terminal, or replaces the one with its session and id.
    #[must_use]
    pub fn with_terminal(mut self, terminal: Terminal) -> Self {
        let key = terminal_key(&terminal);
        match self.terminals.binary_search_by(|known| terminal_key(known).cmp(&key)) {
            Ok(at) => self.terminals[at] = terminal,
            Err(at) => self.terminals.insert(at, terminal),
        }
        self
    }

    /// All sessions, by id.
    #[must_use]
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// All executions, by session and id.
    #[must_use]
    pub fn executions(&self) -> &[Execution] {
        &self.executions
    }

    /// All terminals, by session and id.
    #[must_use]
    pub fn terminals(&self) -> &[Terminal] {
        &self.terminals
    }

    /// The session with this id.
    #[must_use]
    pub fn session(&self, id: &str) -> Option<&Session> {
        let at = self.sessions.binary_search_by(|session| session.id.as_str().cmp(id)).ok()?;
        self.sessions.get(at)
    }

    /// The execution with this id in this session.
    #[must_use]
    pub fn execution(&self, session: &str, id: &str) -> Option<&Execution> {
        let rows = self.executions_of(session);
        let at = rows.binary_search_by(|execution| execution.id.as_str().cmp(id)).ok()?;
        rows.get(at)
    }

    /// The executions of a session, by id.
    #[must_use]
    pub fn executions_of(&self, session: &str) -> &[Execution] {
        group(&self.executions, session, |execution| &execution.session)
    }

    /// The terminals of a session, by id, those of earlier turns included.
    #[must_use]
    pub fn terminals_of(&self, session: &str) -> &[Terminal] {
        group(&self.terminals, session, |terminal| &terminal.session)
    }

    /// The turns of a session, by id: `query_…` and `synthetic-turn:…` rows with the times that were seen.
    pub fn turns_of<'a>(&'a self, session: &str) -> impl Iterator<Item = &'a Execution> + use<'a> {
        self.executions_of(session).iter().filter(|execution| execution.kind.is_turn())
    }

    /// The runs and evaluations of a session, by id.
    pub fn runs_of<'a>(&'a self, session: &str) -> impl Iterator<Item = &'a Execution> + use<'a> {
        self.executions_of(session).iter().filter(|execution| execution.kind.is_run())
    }

    /// The session's main terminal, not the records of earlier turns.
    #[must_use]
    pub fn main_terminal(&self, session: &str) -> Option<&Terminal> {
        self.terminals_of(session).iter().find(|terminal| terminal.is_main() && !terminal.is_history())
    }

    /// Whether rows may be at work that no source shows: a log hides what was registered before its first line.
    #[must_use]
    pub fn hides_rows(&self) -> bool {
        self.gaps.iter().any(|gap| gap.code == GapCode::LogBegins)
    }

    /// The session of a terminal that may well be there although no source could show it: neither a runtime
    /// snapshot nor a list of terminals was read, as with a log.
    #[must_use]
    pub fn hides_terminal(&self, id: &str) -> Option<&str> {
        if !self.gaps.iter().any(|gap| gap.code == GapCode::NoTerminals && gap.session.is_none()) {
            return None;
        }
        let owns = |session: &&Session| {
            id.strip_prefix(session.id.as_str()).is_some_and(|rest| rest.starts_with(':'))
        };
        let session = self.sessions.iter().find(owns)?;
        session.runtime.is_none().then_some(session.id.as_str())
    }

    /// Whether the next watchdog poll may cancel everything under this session although its pane is healthy
    /// (server-behaviour.md#latent-death).
    #[must_use]
    pub fn latent_death(&self, session: &str) -> Judgement {
        self.main_terminal(session).map_or(Judgement::No, Terminal::latent_death)
    }

    /// Whether the session's execution tree was read, so that names, parents and metadata are those of the tree.
    #[must_use]
    pub fn has_tree(&self, session: &str) -> bool {
        self.trees_read.binary_search_by(|read| read.as_str().cmp(session)).is_ok()
    }

    /// The conversation turn of the session that was running at this moment: the one whose start and end hold
    /// it (server-behaviour.md#frozen-answers: 228 of 228, always exactly one). `None` where none or several
    /// do.
    #[must_use]
    pub fn turn_at(&self, session: &str, moment: Timestamp) -> Option<&Execution> {
        let mut holding = self.turns_of(session).filter(|turn| {
            turn.kind == IdKind::Turn
                && turn.started_at.is_some_and(|started| started.value <= moment)
                && turn.finished_at.is_none_or(|finished| moment <= finished.value)
        });
        let first = holding.next()?;
        holding.next().is_none().then_some(first)
    }

    /// Whether everything that was asked for was read and decoded.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.gaps.iter().any(|gap| gap.code.is_incomplete())
    }

    /// The rows that the registries still say to be running in a session that a stop has ended
    /// (server-behaviour.md#reading-a-stop-from-a-log, PLS040). Empty where the session is not known to be
    /// stopped.
    #[must_use]
    pub fn rows_left_running(&self, session: &Session) -> Vec<&Execution> {
        let stopped = session.frozen().is_yes() || session.stopped_guard.is_some_and(|guard| guard.value);
        if !stopped {
            return Vec::new();
        }
        self.executions_of(&session.id)
            .iter()
            .filter(|execution| {
                execution.is_running() == Some(true) && execution.in_tracked == Membership::Present
            })
            .collect()
    }
}

fn execution_key(execution: &Execution) -> (&str, &str) {
    (&execution.session, &execution.id)
}

fn terminal_key(terminal: &Terminal) -> (&str, &str) {
    (&terminal.session, &terminal.id)
}

/// The rows of one session out of rows sorted by session.
fn group<'a, Row>(rows: &'a [Row], session: &str, session_of: impl Fn(&Row) -> &String) -> &'a [Row] {
    let start = rows.partition_point(|row| session_of(row).as_str() < session);
    let end = rows.partition_point(|row| session_of(row).as_str() <= session);
    rows.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::execution::Parent;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_796_008_000 + second).expect("the test's time is in range")
    }

    #[test]
    fn rows_are_found_in_whatever_order_they_came() {
        let mut snapshot = Snapshot::default();
        snapshot.set_executions(vec![
            Execution::running("b", "query_2", at(2)),
            Execution::running("a", "workflow-full-x", at(3)),
            Execution::running("a", "query_1", at(1)).ended(Status::Completed, at(4)),
        ]);
        let of_a: Vec<&str> = snapshot.executions_of("a").iter().map(|row| row.id.as_str()).collect();
        assert_eq!(of_a, ["query_1", "workflow-full-x"]);
        assert!(snapshot.execution("b", "query_2").is_some());
        assert!(snapshot.execution("b", "query_1").is_none());
        assert!(snapshot.executions_of("c").is_empty());
    }

    // server-behaviour.md#what-a-client-can-read: the turn whose [started, completed] holds the row's start.
    #[test]
    fn the_launching_turn_is_the_one_that_holds_the_moment() {
        let snapshot = Snapshot::default()
            .with_execution(Execution::running("s", "query_1", at(0)).ended(Status::Completed, at(10)))
            .with_execution(Execution::running("s", "query_2", at(20)));
        let turn = |second| snapshot.turn_at("s", at(second)).map(|turn| turn.id.as_str());
        assert_eq!(turn(5), Some("query_1"));
        assert_eq!(turn(15), None);
        assert_eq!(turn(25), Some("query_2"));
    }

    #[test]
    fn a_row_by_hand_stands_in_the_registries_of_its_kind() {
        let row = Execution::running("s", "todo-generic-1", at(0)).under("workflow-full-x");
        assert_eq!((row.in_tracked, row.in_background), (Membership::Absent, Membership::Present));
        assert_eq!(row.parent.value, Parent::Execution("workflow-full-x".to_owned()));
        let row = Execution::running("s", "query_1", at(0));
        assert_eq!((row.in_tracked, row.in_background), (Membership::Present, Membership::Absent));
    }
}
