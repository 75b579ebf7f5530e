//! Registries rebuilt from a log become a snapshot; each fact carries the line that tells it.

use jiff::Timestamp;

use super::episode::Container;
use super::registry::{LoggedRow, LoggedSession, LoggedTurn, RegistryReplay, is_launched};
use crate::events::SharedEvent;
use crate::model::execution::{
    BackgroundRow, Execution, Membership, Parent, Status, TrackedRow, TrackedSource,
};
use crate::model::fact::{Fact, Gap, GapCode, Source};
use crate::model::id::{self, IdKind};
use crate::model::session::{Session, SessionStatus};
use crate::model::snapshot::{Origin, Snapshot};
use crate::model::terminal::Terminal;

impl RegistryReplay {
    /// The snapshot at this moment of the log's time.
    #[must_use]
    pub fn snapshot(&self, origin: Origin, as_of: Option<Timestamp>) -> Snapshot {
        let mut snapshot = Snapshot::default();
        snapshot.origin = origin;
        snapshot.as_of = as_of;
        let mut executions = Vec::new();
        let mut terminals = Vec::new();
        let mut sessions = Vec::new();
        for (id, logged) in &self.sessions {
            let state = self.replay.sessions.get(id);
            let stopped = state.is_some_and(|state| state.is_stopped());
            sessions.push(session(id, logged, stopped));
            executions.extend(logged.turns.iter().map(|turn| turn_row(id, turn)));
            executions.extend(logged.rows.iter().map(|(row_id, row)| row_of(id, row_id, row, logged)));
            let pane = state.and_then(|state| state.panes.used.iter().rev().find(|used| !used.ambiguous));
            terminals.extend(pane.map(|used| Terminal {
                has_tmux: Some(true),
                tmux: Some(used.tmux.to_string()),
                source: source(&used.event),
                ..Terminal::new(id.to_string(), format!("{id}:main:{id}"))
            }));
        }
        snapshot.set_sessions(sessions);
        snapshot.set_executions(executions);
        snapshot.set_terminals(terminals);
        snapshot.gaps = self.gaps();
        snapshot
    }

    fn gaps(&self) -> Vec<Gap> {
        let mut gaps = vec![String::from(
            "a log never tells turn cancels, pane states, browsers and sub-agents of todo steps: they are unknown",
        )];
        let losses = self.losses();
        if losses.sessions_evicted > 0 {
            gaps.push(format!("{} sessions were too many to be kept", losses.sessions_evicted));
        }
        if losses.rows_dropped > 0 {
            gaps.push(format!("{} rows were too many to be kept", losses.rows_dropped));
        }
        gaps.into_iter().map(|message| Gap { code: GapCode::LogHole, session: None, message }).collect()
    }
}

fn session(id: &str, logged: &LoggedSession, stopped: bool) -> Session {
    let status = logged.status.as_ref();
    Session {
        source: logged.last.as_ref().map_or(Source::Given, source),
        workflow: logged.workflow.as_deref().map(str::to_owned),
        status: status.map(|(_, status)| SessionStatus::from_word(status)),
        created_at: logged.first.as_ref().and_then(moment),
        last_activity: logged.last.as_ref().and_then(moment),
        stopped_guard: status.map(|(event, _)| Fact::new(stopped, source(event))),
        ..Session::new(id)
    }
}

/// The id of a turn: its own where the log tells it, else its session and start.
fn turn_id(session: &str, turn: &LoggedTurn) -> String {
    match &turn.query {
        Some(query) => query.to_string(),
        None => {
            let at = moment(&turn.start).map_or_else(String::new, |moment| moment.to_string());
            format!("turn:{session}@{at}")
        }
    }
}

fn turn_row(session: &str, turn: &LoggedTurn) -> Execution {
    let id = turn_id(session, turn);
    let started_at = id::nanoseconds(&id)
        .filter(|_| turn.query.is_some())
        .and_then(|nanoseconds| Timestamp::from_nanosecond(i128::from(nanoseconds)).ok())
        .or_else(|| moment(&turn.start));
    let mut row = Execution::new(session, id);
    row.in_tracked = Membership::Present;
    row.in_background = Membership::Absent;
    row.parent = Fact::new(Parent::Session, source(&turn.start));
    fill(&mut row, &turn.start, started_at, turn.end.as_ref(), false);
    row
}

fn row_of(session: &str, id: &str, logged: &LoggedRow, of: &LoggedSession) -> Execution {
    let mut row = Execution::new(session, id);
    row.in_tracked = Membership::Present;
    row.in_background = if of.agents_dropped { Membership::Unknown } else { Membership::Present };
    let parent = match &logged.container {
        Container::Run(parent) | Container::Step(parent) => Some(parent.to_string()),
        Container::OneOf(_) | Container::Unknown if is_launched(row.kind) => {
            let start = logged.launched_in.as_ref().map(|start| start.position);
            let turn = of.turns.iter().find(|turn| Some(turn.start.position) == start);
            turn.map(|turn| turn_id(session, turn))
        }
        Container::OneOf(_) | Container::Unknown => None,
    };
    let parent = parent.filter(|parent| parent != id).map_or(Parent::Unknown, Parent::Execution);
    row.parent = Fact::new(parent, source(&logged.recorded));
    let started_at = id::nanoseconds(id)
        .filter(|_| row.kind != IdKind::Run)
        .and_then(|nanoseconds| Timestamp::from_nanosecond(i128::from(nanoseconds)).ok())
        .or_else(|| moment(&logged.recorded));
    fill(&mut row, &logged.recorded, started_at, logged.end.as_ref(), logged.swept);
    row
}

fn fill(
    row: &mut Execution,
    begun: &SharedEvent,
    started_at: Option<Timestamp>,
    end: Option<&(SharedEvent, Status)>,
    swept: bool,
) {
    let finished_at = end.and_then(|(event, _)| moment(event));
    let status = match end {
        Some((_, status)) => status.clone(),
        None if swept => Status::Canceled,
        None => Status::Running,
    };
    let tells = end.map_or(begun, |(event, _)| event);
    row.status = Some(Fact::new(status.clone(), source(tells)));
    row.started_at = started_at.map(|moment| Fact::new(moment, source(begun)));
    row.finished_at = finished_at.map(|moment| Fact::new(moment, source(tells)));
    let writer =
        if row.kind.is_turn() { TrackedSource::ConversationTurn } else { TrackedSource::WorkshopBackground };
    row.tracked = Some(Box::new(TrackedRow {
        written_by: Some(Fact::new(writer, source(begun))),
        kind: None,
        status: Some(status.clone()),
        started_at,
        finished_at,
    }));
    if row.in_background == Membership::Present {
        row.background =
            Some(Box::new(BackgroundRow { kind: None, status: Some(status), started_at, finished_at }));
    }
}

fn source(event: &SharedEvent) -> Source {
    Source::Log { input: u16::try_from(event.position.input).unwrap_or(u16::MAX), line: event.position.line }
}

fn moment(event: &SharedEvent) -> Option<Timestamp> {
    Timestamp::from_second(event.utc()).ok()
}
