//! Answers become the model. Owns which answer wins, what a closed debug gate hides, and what a frozen runtime
//! snapshot still tells. Reads nothing itself.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::answers::{Answer, Answers};
use super::executions::{NamedRow, SessionRows, executions_of, name_rows};
use super::gaps::note_gaps;
use super::terminals::terminals_of;
use super::types::{ExecutionTree, RuntimeState, SessionRow, TerminalRow, Time, filled};
use crate::model::execution::Execution;
use crate::model::fact::{Fact, Label, Rule, Source};
use crate::model::gap::{Gap, GapCode};
use crate::model::server::{Server, ServerVersion, User, VersionSource};
use crate::model::session::{Foreground, Runtime, Session, Waiting};
use crate::model::snapshot::{Browser, Origin, RunningRow, Snapshot};
use crate::model::status::{Phase, SessionStatus};
use crate::model::terminal::Terminal;

/// Makes a snapshot of what was read. A list of sessions that could not be read is the caller's error; here it
/// leaves the snapshot without sessions.
#[must_use]
pub fn convert(mut answers: Answers, origin: Origin) -> Snapshot {
    let mut snapshot = Snapshot::default();
    snapshot.origin = origin;
    snapshot.server = server(&answers);
    note_reading_times(&answers, &mut snapshot);
    note_gaps(&answers, &mut snapshot.gaps);

    let disagreeing = answers.disagreeing();
    for session in disagreeing {
        snapshot.gaps.push(Gap {
            code: GapCode::RevisionsDisagree,
            message: "the session changed between two answers; they do not describe one moment".to_owned(),
            session: Some(session),
        });
    }

    let mut newest = None;
    let list = answers.sessions.take().unwrap_or_default();
    let running = running_rows(&mut answers, &mut newest);
    let mut terminal_rows = terminal_rows(&mut answers);
    snapshot.browsers = answers.browsers.take().map(|list| {
        let mut browsers: Vec<Browser> = list
            .sessions
            .into_iter()
            .map(|row| Browser {
                id: row.browser_session,
                agent_session: row.agent_session,
                session: row.workflow_session,
            })
            .collect();
        browsers.sort();
        browsers
    });

    let mut sessions = Vec::new();
    let mut executions: Vec<Execution> = Vec::new();
    let mut terminals: Vec<Terminal> = Vec::new();
    let mut seen = BTreeSet::new();
    for row in list.active_sessions {
        if !seen.insert(row.session_id.clone()) {
            snapshot.gaps.push(Gap {
                code: GapCode::DuplicateRow,
                message: "the server lists this session twice".to_owned(),
                session: Some(row.session_id),
            });
            continue;
        }
        let tree = answers.trees.remove(&row.session_id).and_then(|mut tree| tree.take());
        let main = answers.main_terminals.remove(&row.session_id).and_then(|mut main| main.take());
        let rows =
            running.as_ref().map(|by_session| by_session.get(&row.session_id).map_or(&[][..], Vec::as_slice));
        newest = newest.max(row.last_activity.0);

        let has_tree = tree.is_some();
        let (mut session, state, tree) = session(row, tree);
        newest = newest.max(session.runtime.as_ref().and_then(|runtime| runtime.changed_at));
        if session.user.is_none() {
            session.user = rows
                .and_then(|rows| rows.iter().find_map(|row| row.row.user.clone()))
                .map(|user| Fact::new(user, Source::RunningList));
        }
        if has_tree {
            snapshot.trees_read.push(session.id.clone());
        }
        let listed_terminals =
            terminal_rows.as_mut().map(|rows| rows.remove(&session.id).unwrap_or_default());
        terminals.extend(terminals_of(&session, state.as_ref(), listed_terminals, main));
        let names = answers.names.remove(&session.id).and_then(|mut names| names.take());
        let (mut rows, nodes) = executions_of(SessionRows { session: &session, state, tree, running: rows });
        name_rows(&mut rows, names.unwrap_or_default());
        executions.extend(rows);
        snapshot.event_nodes.extend(nodes);
        sessions.push(session);
    }
    // Terminals and running rows whose session is not in the list are shown all the same.
    for (id, rows) in terminal_rows.into_iter().flatten() {
        terminals.extend(terminals_of(&Session::new(id), None, Some(rows), None));
    }
    for (id, rows) in running.iter().flatten() {
        if !seen.contains(id) {
            let session = Session::new(id.clone());
            let rows = SessionRows { session: &session, state: None, tree: None, running: Some(rows) };
            executions.extend(executions_of(rows).0);
        }
    }

    snapshot.running = running.map(|by_session| {
        let mut rows: Vec<RunningRow> = by_session.into_values().flatten().map(|row| row.row).collect();
        rows.sort();
        rows
    });
    snapshot.trees_read.sort();
    snapshot.event_nodes.sort();
    snapshot.set_sessions(sessions);
    snapshot.set_executions(executions);
    snapshot.set_terminals(terminals);
    if snapshot.as_of.is_none() {
        snapshot.as_of = newest;
        if let Some(newest) = newest {
            snapshot.read_at.insert(Source::Rule(Rule::NewestTime), newest);
        }
    }
    snapshot.gaps.sort();
    snapshot.gaps.dedup();
    snapshot
}

fn running_rows(
    answers: &mut Answers,
    newest: &mut Option<Timestamp>,
) -> Option<BTreeMap<String, Vec<NamedRow>>> {
    let list = answers.running.take()?;
    let mut by_session: BTreeMap<String, Vec<NamedRow>> = BTreeMap::new();
    for row in list.running {
        *newest = (*newest).max(row.started_at.0);
        by_session.entry(row.session_id.clone()).or_default().push(NamedRow {
            title: filled(row.title),
            row: RunningRow {
                session: row.session_id,
                id: row.query_id,
                kind: filled(row.kind),
                workflow_path: filled(row.workspace_path),
                phase: filled(row.phase_id),
                triggered_by: filled(row.triggered_by),
                run_folder: filled(row.run_folder),
                user: filled(row.user_id),
                started_at: row.started_at.0,
            },
        });
    }
    Some(by_session)
}

fn terminal_rows(answers: &mut Answers) -> Option<BTreeMap<String, Vec<TerminalRow>>> {
    let list = answers.terminals.take()?;
    let mut by_session: BTreeMap<String, Vec<TerminalRow>> = BTreeMap::new();
    for row in list.terminals {
        by_session.entry(row.session_id.clone()).or_default().push(row);
    }
    Some(by_session)
}

/// A session, the newest runtime snapshot of it, and its tree.
fn session(
    row: SessionRow,
    mut tree: Option<ExecutionTree>,
) -> (Session, Option<RuntimeState>, Option<ExecutionTree>) {
    let from_tree = tree.as_mut().and_then(|tree| tree.runtime_state.take());
    let state = match (row.runtime_state, from_tree) {
        (Some(listed), Some(shown)) if shown.revision > listed.revision => Some(shown),
        (listed, shown) => listed.or(shown),
    };
    let user = row
        .chats_folder
        .as_deref()
        .and_then(|folder| folder.strip_prefix("_users/"))
        .and_then(|rest| rest.split('/').next())
        .filter(|user| !user.is_empty())
        .map(|user| Fact::new(user.to_owned(), Source::SessionList));
    let waiting = waiting(
        row.needs_user_input,
        row.waiting_event_type,
        row.waiting_message,
        row.waiting_since,
        state.as_ref(),
    );
    let mut session = Session {
        id: row.session_id,
        source: Source::SessionList,
        title: None,
        query: filled(row.query).map(Label::Written),
        workflow: filled(row.workflow_name).or(filled(row.workflow_label)),
        workflow_path: filled(row.workspace_path),
        status: filled(row.status).map(|status| SessionStatus::from_word(&status)),
        display_status: filled(row.display_status),
        created_at: row.created_at.0,
        last_activity: row.last_activity.0,
        agent_mode: filled(row.agent_mode),
        triggered_by: filled(row.triggered_by),
        parent_session: filled(row.parent_session_id),
        user,
        running_agents_listed: row.running_background_agent_count,
        retained_pane_listed: row.has_retained_tmux_session,
        waiting,
        waiting_known: state.is_some(),
        runtime: state.as_ref().map(runtime),
        logged_foreground: None,
        stopped_guard: None,
    };
    // A schedule's title is the schedule's name; a chat's is made of its first message.
    session.title = filled(row.title)
        .map(|title| if session.is_schedule() { Label::Plain(title) } else { Label::Written(title) });
    (session, state, tree)
}

fn waiting(
    needs_input: Option<bool>,
    event_type: Option<String>,
    message: Option<String>,
    since: Time,
    state: Option<&RuntimeState>,
) -> Option<Waiting> {
    let in_state = state.is_some_and(|state| state.waiting_for_user == Some(true));
    if needs_input != Some(true) && !in_state {
        return None;
    }
    let message = filled(message).or_else(|| filled(state?.waiting_message.clone()));
    Some(Waiting { event_type: filled(event_type), message: message.map(Label::Written), since: since.0 })
}

fn runtime(state: &RuntimeState) -> Runtime {
    let running = |status: &str| status == "running";
    let turn = state.foreground_turn;
    Runtime {
        generation: state.generation,
        revision: state.revision,
        phase: Phase::from_word(&state.phase),
        reason: filled(state.reason.clone()),
        raw_status: filled(state.raw_session_status.clone()).map(|status| SessionStatus::from_word(&status)),
        foreground: Foreground {
            busy: turn.busy,
            has_cancel: turn.has_cancel,
            can_steer: turn.can_steer,
            synthetic: turn.synthetic,
        },
        background_live: state.background_live,
        terminal_busy: state.terminal_busy,
        row_running: state.child_executions.iter().any(|row| running(&row.status))
            || state.background_agents.iter().any(|row| running(&row.status)),
        changed_at: state.observed_at.0,
        source: Source::RuntimeState,
    }
}

fn server(answers: &Answers) -> Server {
    let health = answers.health.value();
    let capabilities = answers.capabilities.value();
    // server-behaviour.md#requests-and-answers: these keys came after August; their absence tells nothing
    // about the day.
    let later = health.is_some_and(|health| health.drain.is_some())
        || capabilities.is_some_and(|flags| flags.display_time_zone.is_some() || flags.voice.is_some())
        || answers.external_tools.value().is_some();
    Server {
        version: if later { ServerVersion::Later } else { ServerVersion::default() },
        version_source: if later { VersionSource::Probe } else { VersionSource::Assumed },
        provider_library: health
            .and_then(|health| filled(health.version.clone()))
            .map(|version| Fact::new(version, Source::Health)),
        debug_gate_open: answers.gate_open().map(|open| Fact::new(open, Source::Capabilities)),
        multi_user: answers
            .auth_mode
            .value()
            .and_then(|mode| mode.multi_user_mode)
            .map(|multi_user| Fact::new(multi_user, Source::AuthMode)),
        user: answers.identity.value().map(|identity| {
            let user = User {
                id: identity.id.clone(),
                name: identity.username.clone(),
                workflow_access: filled(identity.workflow_access.clone()),
            };
            Fact::new(user, Source::Identity)
        }),
        schedules_paused: answers
            .scheduler
            .value()
            .and_then(|config| config.globally_paused)
            .map(|paused| Fact::new(paused, Source::SchedulerConfig)),
        external_tools: match &answers.external_tools {
            Answer::Read { .. } => Some(true),
            Answer::Failed(error) if error.is_absence() => Some(false),
            Answer::Failed(_) | Answer::NotRead => None,
        },
    }
}

fn note_reading_times(answers: &Answers, snapshot: &mut Snapshot) {
    let clock = answers.health.value().and_then(|health| health.time.0);
    snapshot.as_of = answers.sessions.read_at().or(clock);
    let mut note = |source: Source, was_read: bool, read_at: Option<Timestamp>| {
        if let (true, Some(time)) = (was_read, read_at.or(clock)) {
            snapshot.read_at.entry(source).and_modify(|known| *known = time.min(*known)).or_insert(time);
        }
    };
    macro_rules! note_answer {
        ($($source:ident: $answer:expr),+ $(,)?) => {
            $(note(Source::$source, $answer.value().is_some(), $answer.read_at());)+
        };
    }
    note_answer! {
        Health: answers.health,
        Capabilities: answers.capabilities,
        AuthMode: answers.auth_mode,
        Identity: answers.identity,
        SessionList: answers.sessions,
        RuntimeState: answers.sessions,
        RunningList: answers.running,
        TerminalList: answers.terminals,
        BrowserList: answers.browsers,
        SchedulerConfig: answers.scheduler,
    }
    for tree in answers.trees.values() {
        note(Source::ExecutionTree, tree.value().is_some(), tree.read_at());
    }
    for names in answers.names.values() {
        note(Source::EventStream, names.value().is_some(), names.read_at());
    }
    for terminal in answers.main_terminals.values() {
        note(Source::MainTerminal, terminal.value().is_some(), terminal.read_at());
    }
}
