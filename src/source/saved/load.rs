//! A document becomes the model again. The file is outside data: every word of it is checked.

use jiff::Timestamp;
use thiserror::Error;

use super::document as saved;
use super::document::{Document, SCHEMA};
use crate::model::execution::{
    BackgroundRow, Execution, Membership, Metadata, Parent, Status, TrackedRow, TrackedSource,
};
use crate::model::fact::{Fact, Label, Rule, Source};
use crate::model::gap::{Gap, GapCode};
use crate::model::server::{Server, ServerVersion, User, VersionSource};
use crate::model::session::{Foreground, Runtime, Session, Waiting};
use crate::model::snapshot::{Browser, EventNode, Origin, RunningRow, Snapshot};
use crate::model::status::{Phase, SessionStatus};
use crate::model::terminal::{ProcessState, Terminal, TerminalState};

/// Why a file is no snapshot.
#[derive(Debug, Error)]
pub enum SavedError {
    /// It is not JSON, or JSON of another shape.
    #[error("it is no snapshot: {0}")]
    Undecodable(#[from] serde_json::Error),
    /// It is a document of another kind, or of a later version.
    #[error("its schema is `{found}` and not `{SCHEMA}`")]
    OtherSchema {
        /// What it says.
        found: String,
    },
    /// A word that this version does not know, where guessing would be wrong.
    #[error("it says `{word}` for {subject}, which is not known")]
    UnknownWord {
        /// What the word stands for.
        subject: &'static str,
        /// The word.
        word: String,
    },
    /// A time that is none.
    #[error("`{0}` is no time")]
    BadTime(String),
}

/// Reads a saved snapshot. Its origin is the file: what it was made from is history.
///
/// # Errors
/// When the text is no such document.
pub fn load(text: &[u8], path: &str) -> Result<Snapshot, SavedError> {
    let document: Document = serde_json::from_slice(text)?;
    if document.schema != SCHEMA {
        return Err(SavedError::OtherSchema { found: document.schema });
    }
    let mut snapshot = Snapshot::default();
    snapshot.origin = Origin::Snapshot { path: path.to_owned() };
    snapshot.as_of = time(document.as_of)?;
    for (name, at) in document.read_at {
        snapshot.read_at.insert(source(&name)?, parse(&at)?);
    }
    snapshot.server = server(document.server, &document.source)?;
    snapshot.gaps = document.gaps.into_iter().map(gap).collect::<Result<_, _>>()?;
    snapshot.removed = document.removed;
    snapshot.trees_read = document.trees_read;
    snapshot.trees_read.sort();
    snapshot.running = match document.running {
        Some(rows) => Some(rows.into_iter().map(running).collect::<Result<_, _>>()?),
        None => None,
    };
    snapshot.browsers = document.browsers.map(|browsers| {
        let browser = |browser: saved::Browser| Browser {
            id: browser.id,
            agent_session: browser.agent_session,
            session: browser.session,
        };
        browsers.into_iter().map(browser).collect()
    });
    snapshot.event_nodes = document.event_nodes.into_iter().map(event_node).collect::<Result<_, _>>()?;
    snapshot.set_sessions(document.sessions.into_iter().map(session).collect::<Result<_, _>>()?);
    snapshot.set_executions(document.executions.into_iter().map(execution).collect::<Result<_, _>>()?);
    snapshot.set_terminals(document.terminals.into_iter().map(terminal).collect::<Result<_, _>>()?);
    Ok(snapshot)
}

fn gap(gap: saved::Gap) -> Result<Gap, SavedError> {
    let code = GapCode::ALL.into_iter().find(|code| code.name() == gap.code);
    let code = code.ok_or(SavedError::UnknownWord { subject: "a gap", word: gap.code })?;
    Ok(Gap { code, session: gap.session, message: gap.message })
}

fn server(server: saved::Server, origin: &saved::Origin) -> Result<Server, SavedError> {
    let unknown = |subject, word: &str| SavedError::UnknownWord { subject, word: word.to_owned() };
    let version = ServerVersion::ALL.into_iter().find(|version| version.name() == origin.server_version);
    let sources = [VersionSource::Probe, VersionSource::Option, VersionSource::Assumed];
    let source = sources.into_iter().find(|source| source.name() == origin.server_version_source);
    Ok(Server {
        version: version.ok_or_else(|| unknown("the server's version", &origin.server_version))?,
        version_source: source
            .ok_or_else(|| unknown("how the version is known", &origin.server_version_source))?,
        provider_library: fact(server.provider_library, Ok)?,
        debug_gate_open: fact(server.debug_gate_open, Ok)?,
        multi_user: fact(server.multi_user, Ok)?,
        user: fact(server.user, |user| {
            Ok(User { id: user.id, name: user.name, workflow_access: user.workflow_access })
        })?,
        schedules_paused: fact(server.schedules_paused, Ok)?,
        external_tools: server.external_tools,
    })
}

fn session(session: saved::Session) -> Result<Session, SavedError> {
    let waiting = session.waiting.map(|waiting| {
        Ok::<_, SavedError>(Waiting {
            event_type: waiting.event_type,
            message: waiting.message.map(label),
            since: time(waiting.since)?,
        })
    });
    Ok(Session {
        id: session.id,
        source: source(&session.from)?,
        title: session.title.map(label),
        query: session.query.map(label),
        workflow: session.workflow,
        workflow_path: session.workflow_path,
        status: session.status.map(|status| SessionStatus::from_word(&status)),
        display_status: session.display_status,
        created_at: time(session.created_at)?,
        last_activity: time(session.last_activity)?,
        agent_mode: session.agent_mode,
        triggered_by: session.triggered_by,
        parent_session: session.parent_session,
        user: fact(session.user, Ok)?,
        running_agents_listed: session.running_agents_listed,
        retained_pane_listed: session.retained_pane_listed,
        waiting: waiting.transpose()?,
        waiting_known: session.waiting_known,
        runtime: session.runtime.map(runtime).transpose()?,
        logged_foreground: fact(session.logged_foreground, |foreground| {
            Ok(Foreground {
                busy: foreground.busy,
                has_cancel: foreground.has_cancel,
                can_steer: foreground.can_steer,
                synthetic: foreground.synthetic,
            })
        })?,
        stopped_guard: fact(session.stopped_guard, Ok)?,
    })
}

fn runtime(runtime: saved::Runtime) -> Result<Runtime, SavedError> {
    Ok(Runtime {
        generation: runtime.generation,
        revision: runtime.revision,
        phase: Phase::from_word(&runtime.phase),
        reason: runtime.reason,
        raw_status: runtime.raw_status.map(|status| SessionStatus::from_word(&status)),
        foreground: Foreground {
            busy: runtime.busy,
            has_cancel: runtime.has_cancel,
            can_steer: runtime.can_steer,
            synthetic: runtime.synthetic,
        },
        background_live: runtime.background_live,
        terminal_busy: runtime.terminal_busy,
        row_running: runtime.row_running,
        changed_at: time(runtime.changed_at)?,
        source: source(&runtime.from)?,
    })
}

fn execution(saved: saved::Execution) -> Result<Execution, SavedError> {
    let status = |word: String| Status::from_word(&word);
    let tracked = saved.tracked.map(|row| {
        Ok::<_, SavedError>(Box::new(TrackedRow {
            written_by: fact(row.written_by, |word| Ok(TrackedSource::from_word(&word)))?,
            kind: row.kind,
            status: row.status.map(status),
            started_at: time(row.started_at)?,
            finished_at: time(row.finished_at)?,
        }))
    });
    let background = saved.background.map(|row| {
        Ok::<_, SavedError>(Box::new(BackgroundRow {
            kind: row.kind,
            status: row.status.map(status),
            started_at: time(row.started_at)?,
            finished_at: time(row.finished_at)?,
        }))
    });
    let parent = fact(saved.parent, |parent| {
        Ok(match parent {
            saved::Parent::Session => Parent::Session,
            saved::Parent::Execution(id) => Parent::Execution(id),
            saved::Parent::Lost => Parent::Lost,
        })
    })?;
    let base = Execution::new(saved.session, saved.id);
    Ok(Execution {
        in_tracked: membership(saved.in_tracked),
        in_background: membership(saved.in_background),
        tracked: tracked.transpose()?,
        background: background.transpose()?,
        tree_status: saved.tree_status.map(status),
        listed_running: saved.listed_running,
        status: fact(saved.status, |word| Ok(Status::from_word(&word)))?,
        name: fact(saved.name, |name| Ok(label(name)))?,
        parent: parent.unwrap_or_else(|| base.parent.clone()),
        started_at: fact(saved.started_at, |at| parse(&at))?,
        finished_at: fact(saved.finished_at, |at| parse(&at))?,
        error: saved.error.map(label),
        metadata: saved.metadata.map(|metadata| Box::new(kept(metadata))),
        ..base
    })
}

fn kept(metadata: saved::Metadata) -> Metadata {
    Metadata {
        execution_type: metadata.execution_type,
        run_folder: metadata.run_folder,
        group_name: metadata.group_name,
        step_id: metadata.step_id,
        iteration: metadata.iteration,
        item_id: metadata.item_id,
        workflow_path: metadata.workflow_path,
        completion_mode: metadata.completion_mode,
    }
}

fn terminal(terminal: saved::Terminal) -> Result<Terminal, SavedError> {
    Ok(Terminal {
        owner: terminal.owner,
        execution: terminal.execution,
        execution_kind: terminal.execution_kind,
        has_tmux: terminal.has_tmux,
        tmux: terminal.tmux,
        active: terminal.active,
        state: terminal.state.map(|state| TerminalState::from_word(&state)),
        process_state: terminal.process_state.map(|state| ProcessState::from_word(&state)),
        created_at: time(terminal.created_at)?,
        updated_at: time(terminal.updated_at)?,
        close_reason: terminal.close_reason,
        step_id: terminal.step_id,
        rate_limited: terminal.rate_limited,
        source: source(&terminal.from)?,
        id: terminal.id,
        session: terminal.session,
    })
}

fn running(row: saved::RunningRow) -> Result<RunningRow, SavedError> {
    Ok(RunningRow {
        session: row.session,
        id: row.id,
        kind: row.kind,
        workflow_path: row.workflow_path,
        phase: row.phase,
        triggered_by: row.triggered_by,
        run_folder: row.run_folder,
        user: row.user,
        started_at: time(row.started_at)?,
    })
}

fn event_node(node: saved::EventNode) -> Result<EventNode, SavedError> {
    Ok(EventNode {
        session: node.session,
        id: node.id,
        kind: node.kind,
        status: node.status.map(|status| Status::from_word(&status)),
        started_at: time(node.started_at)?,
    })
}

fn fact<T, U>(
    saved: Option<saved::Fact<T>>,
    value: impl FnOnce(T) -> Result<U, SavedError>,
) -> Result<Option<Fact<U>>, SavedError> {
    let Some(saved) = saved else { return Ok(None) };
    Ok(Some(Fact::new(value(saved.value)?, source(&saved.from)?)))
}

fn label(label: saved::Label) -> Label {
    match label {
        saved::Label::Plain(text) => Label::Plain(text),
        saved::Label::Removed { removed_bytes } => Label::Removed(removed_bytes),
    }
}

fn membership(present: Option<bool>) -> Membership {
    match present {
        Some(true) => Membership::Present,
        Some(false) => Membership::Absent,
        None => Membership::Unknown,
    }
}

fn time(text: Option<String>) -> Result<Option<Timestamp>, SavedError> {
    text.map(|text| parse(&text)).transpose()
}

fn parse(text: &str) -> Result<Timestamp, SavedError> {
    text.parse().map_err(|_| SavedError::BadTime(text.to_owned()))
}

/// Reads a source's name back.
fn source(name: &str) -> Result<Source, SavedError> {
    const PLAIN: [Source; 14] = [
        Source::SessionList,
        Source::RuntimeState,
        Source::ExecutionTree,
        Source::TerminalList,
        Source::MainTerminal,
        Source::RunningList,
        Source::BrowserList,
        Source::SchedulerConfig,
        Source::EventStream,
        Source::Health,
        Source::Capabilities,
        Source::AuthMode,
        Source::Identity,
        Source::Given,
    ];
    let log = || {
        let (input, line) = name.strip_prefix("log:")?.split_once(':')?;
        Some(Source::Log { input: input.parse().ok()?, line: line.parse().ok()? })
    };
    PLAIN
        .into_iter()
        .chain(Rule::ALL.map(Source::Rule))
        .find(|source| source.name() == name)
        .or_else(log)
        .ok_or_else(|| SavedError::UnknownWord { subject: "a source", word: name.to_owned() })
}
