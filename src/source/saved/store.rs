//! The model becomes a document. What people wrote stays behind.

use jiff::Timestamp;

use super::document as saved;
use super::document::{Document, REMOVED, SCHEMA};
use crate::model::execution::{Execution, Membership, Metadata, Parent};
use crate::model::fact::{Fact, Label, Source};
use crate::model::server::Server;
use crate::model::session::Session;
use crate::model::snapshot::{Origin, Snapshot};
use crate::model::terminal::Terminal;

/// The document of a snapshot.
#[must_use]
pub fn store(snapshot: &Snapshot) -> Document {
    Document {
        schema: SCHEMA.to_owned(),
        tool: saved::Tool { name: "pulsectl".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        complete: snapshot.is_complete(),
        gaps: snapshot
            .gaps
            .iter()
            .map(|gap| saved::Gap {
                code: gap.code.name().to_owned(),
                message: gap.message.clone(),
                session: gap.session.clone(),
            })
            .collect(),
        source: origin(&snapshot.origin, &snapshot.server),
        as_of: time(snapshot.as_of),
        read_at: snapshot.read_at.iter().map(|(source, at)| (from(*source), at.to_string())).collect(),
        removed: REMOVED.map(str::to_owned).to_vec(),
        server: server(&snapshot.server),
        sessions: snapshot.sessions().iter().map(session).collect(),
        executions: snapshot.executions().iter().map(execution).collect(),
        terminals: snapshot.terminals().iter().map(terminal).collect(),
        running: snapshot.running.as_ref().map(|rows| {
            rows.iter()
                .map(|row| saved::RunningRow {
                    session: row.session.clone(),
                    id: row.id.clone(),
                    kind: row.kind.clone(),
                    workflow_path: row.workflow_path.clone(),
                    phase: row.phase.clone(),
                    triggered_by: row.triggered_by.clone(),
                    run_folder: row.run_folder.clone(),
                    user: row.user.clone(),
                    started_at: time(row.started_at),
                })
                .collect()
        }),
        browsers: snapshot.browsers.as_ref().map(|browsers| {
            browsers
                .iter()
                .map(|browser| saved::Browser {
                    id: browser.id.clone(),
                    agent_session: browser.agent_session.clone(),
                    session: browser.session.clone(),
                })
                .collect()
        }),
        event_nodes: snapshot
            .event_nodes
            .iter()
            .map(|node| saved::EventNode {
                session: node.session.clone(),
                id: node.id.clone(),
                kind: node.kind.clone(),
                status: node.status.as_ref().map(|status| status.as_str().to_owned()),
                started_at: time(node.started_at),
            })
            .collect(),
        trees_read: snapshot.trees_read.clone(),
    }
}

fn origin(origin: &Origin, server: &Server) -> saved::Origin {
    let mut saved = saved::Origin {
        server_version: server.version.name().to_owned(),
        server_version_source: server.version_source.name().to_owned(),
        ..saved::Origin::default()
    };
    match origin {
        Origin::Given => "given".clone_into(&mut saved.kind),
        Origin::Server { address } => {
            "server".clone_into(&mut saved.kind);
            saved.address = Some(address.clone());
        }
        Origin::Snapshot { path } => {
            "snapshot".clone_into(&mut saved.kind);
            saved.path = Some(path.clone());
        }
        Origin::Recorded { path } => {
            "recorded".clone_into(&mut saved.kind);
            saved.path = Some(path.clone());
        }
        Origin::Log { paths } => {
            "log".clone_into(&mut saved.kind);
            saved.path = paths.first().cloned();
            saved.paths.clone_from(paths);
        }
    }
    saved
}

fn server(server: &Server) -> saved::Server {
    saved::Server {
        provider_library: server.provider_library.as_ref().map(|library| fact(library, String::clone)),
        debug_gate_open: server.debug_gate_open.as_ref().map(|open| fact(open, |open| *open)),
        multi_user: server.multi_user.as_ref().map(|multi_user| fact(multi_user, |multi_user| *multi_user)),
        user: server.user.as_ref().map(|user| {
            fact(user, |user| saved::User {
                id: user.id.clone(),
                name: user.name.clone(),
                workflow_access: user.workflow_access.clone(),
            })
        }),
        schedules_paused: server.schedules_paused.as_ref().map(|paused| fact(paused, |paused| *paused)),
        external_tools: server.external_tools,
    }
}

fn session(session: &Session) -> saved::Session {
    saved::Session {
        id: session.id.clone(),
        from: from(session.source),
        title: session.title.as_ref().map(label),
        query: session.query.as_ref().map(label),
        workflow: session.workflow.clone(),
        workflow_path: session.workflow_path.clone(),
        status: session.status.as_ref().map(|status| status.as_str().to_owned()),
        display_status: session.display_status.clone(),
        created_at: time(session.created_at),
        last_activity: time(session.last_activity),
        agent_mode: session.agent_mode.clone(),
        triggered_by: session.triggered_by.clone(),
        parent_session: session.parent_session.clone(),
        user: session.user.as_ref().map(|user| fact(user, String::clone)),
        running_agents_listed: session.running_agents_listed,
        retained_pane_listed: session.retained_pane_listed,
        waiting: session.waiting.as_ref().map(|waiting| saved::Waiting {
            event_type: waiting.event_type.clone(),
            message: waiting.message.as_ref().map(label),
            since: time(waiting.since),
        }),
        waiting_known: session.waiting_known,
        runtime: session.runtime.as_ref().map(|runtime| saved::Runtime {
            generation: runtime.generation,
            revision: runtime.revision,
            phase: runtime.phase.as_str().to_owned(),
            reason: runtime.reason.clone(),
            raw_status: runtime.raw_status.as_ref().map(|status| status.as_str().to_owned()),
            busy: runtime.foreground.busy,
            has_cancel: runtime.foreground.has_cancel,
            can_steer: runtime.foreground.can_steer,
            synthetic: runtime.foreground.synthetic,
            background_live: runtime.background_live,
            terminal_busy: runtime.terminal_busy,
            row_running: runtime.row_running,
            changed_at: time(runtime.changed_at),
            from: from(runtime.source),
        }),
        logged_foreground: session.logged_foreground.as_ref().map(|told| {
            fact(told, |foreground| saved::Foreground {
                busy: foreground.busy,
                has_cancel: foreground.has_cancel,
                can_steer: foreground.can_steer,
                synthetic: foreground.synthetic,
            })
        }),
        stopped_guard: session.stopped_guard.as_ref().map(|guard| fact(guard, |guard| *guard)),
        frozen: session.frozen().as_option(),
    }
}

fn execution(execution: &Execution) -> saved::Execution {
    saved::Execution {
        id: execution.id.clone(),
        session: execution.session.clone(),
        in_tracked: membership(execution.in_tracked),
        in_background: membership(execution.in_background),
        tracked: execution.tracked.as_ref().map(|row| saved::TrackedRow {
            written_by: row.written_by.as_ref().map(|by| fact(by, |by| by.as_str().to_owned())),
            kind: row.kind.clone(),
            status: row.status.as_ref().map(|status| status.as_str().to_owned()),
            started_at: time(row.started_at),
            finished_at: time(row.finished_at),
        }),
        background: execution.background.as_ref().map(|row| saved::BackgroundRow {
            kind: row.kind.clone(),
            status: row.status.as_ref().map(|status| status.as_str().to_owned()),
            started_at: time(row.started_at),
            finished_at: time(row.finished_at),
        }),
        tree_status: execution.tree_status.as_ref().map(|status| status.as_str().to_owned()),
        listed_running: execution.listed_running,
        status: execution.status.as_ref().map(|status| fact(status, |status| status.as_str().to_owned())),
        name: execution.name.as_ref().map(|name| fact(name, label)),
        parent: match &execution.parent.value {
            Parent::Unknown => None,
            Parent::Session => Some(saved::Parent::Session),
            Parent::Execution(id) => Some(saved::Parent::Execution(id.clone())),
            Parent::Lost => Some(saved::Parent::Lost),
        }
        .map(|parent| saved::Fact { value: parent, from: from(execution.parent.source) }),
        started_at: execution.started_at.as_ref().map(|at| fact(at, Timestamp::to_string)),
        finished_at: execution.finished_at.as_ref().map(|at| fact(at, Timestamp::to_string)),
        error: execution.error.as_ref().map(label),
        metadata: execution.metadata.as_deref().map(metadata),
    }
}

fn metadata(metadata: &Metadata) -> saved::Metadata {
    saved::Metadata {
        execution_type: metadata.execution_type.clone(),
        run_folder: metadata.run_folder.clone(),
        group_name: metadata.group_name.clone(),
        step_id: metadata.step_id.clone(),
        iteration: metadata.iteration.clone(),
        item_id: metadata.item_id.clone(),
        workflow_path: metadata.workflow_path.clone(),
        completion_mode: metadata.completion_mode.clone(),
    }
}

fn terminal(terminal: &Terminal) -> saved::Terminal {
    saved::Terminal {
        id: terminal.id.clone(),
        session: terminal.session.clone(),
        owner: terminal.owner.clone(),
        execution: terminal.execution.clone(),
        execution_kind: terminal.execution_kind.clone(),
        has_tmux: terminal.has_tmux,
        tmux: terminal.tmux.clone(),
        active: terminal.active,
        state: terminal.state.as_ref().map(|state| state.as_str().to_owned()),
        process_state: terminal.process_state.as_ref().map(|state| state.as_str().to_owned()),
        created_at: time(terminal.created_at),
        updated_at: time(terminal.updated_at),
        close_reason: terminal.close_reason.clone(),
        step_id: terminal.step_id.clone(),
        rate_limited: terminal.rate_limited,
        from: from(terminal.source),
    }
}

fn fact<T, U>(fact: &Fact<T>, value: impl FnOnce(&T) -> U) -> saved::Fact<U> {
    saved::Fact { value: value(&fact.value), from: from(fact.source) }
}

fn label(label: &Label) -> saved::Label {
    match label {
        Label::Plain(text) => saved::Label::Plain(text.clone()),
        Label::Written(text) => saved::Label::Removed { removed_bytes: text.len() as u64 },
        Label::Removed(bytes) => saved::Label::Removed { removed_bytes: *bytes },
    }
}

fn membership(membership: Membership) -> Option<bool> {
    match membership {
        Membership::Present => Some(true),
        Membership::Absent => Some(false),
        Membership::Unknown => None,
    }
}

fn time(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}

/// A source's name; of a log also which one and the line.
fn from(source: Source) -> String {
    match source {
        Source::Log { input, line } => format!("log:{input}:{line}"),
        source => source.name().to_owned(),
    }
}
