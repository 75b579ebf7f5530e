//! Registries rebuilt from a log become a snapshot; each fact carries the line that tells it.

use std::sync::Arc;

use jiff::Timestamp;

use super::episode::Container;
use super::registry::{LoggedRow, LoggedSession, LoggedTurn, Registry, Sessions, TurnStage, is_launched};
use crate::events::SharedEvent;
use crate::model::execution::{
    BackgroundRow, Execution, Membership, Parent, Status, TrackedRow, TrackedSource,
};
use crate::model::fact::{Fact, Source};
use crate::model::gap::{Gap, GapCode};
use crate::model::id::{self, IdKind};
use crate::model::session::{Foreground, Session};
use crate::model::snapshot::{Origin, Snapshot};
use crate::model::status::SessionStatus;
use crate::model::terminal::{ProcessState, Terminal};

/// The registries as the events applied so far leave them.
#[derive(Debug, Clone, Copy)]
pub struct RegistryNow<'a> {
    pub(super) sessions: &'a Sessions,
    pub(super) registry: &'a Registry,
    /// Whether the process was seen to start.
    pub(super) is_whole: bool,
    pub(super) sessions_evicted: u64,
    pub(super) rows_dropped: u64,
}

impl RegistryNow<'_> {
    /// How many rows and turns of a session are known.
    #[must_use]
    pub fn size_of(&self, session: &str) -> usize {
        self.registry.sessions.get(session).map_or(0, |logged| logged.rows.len() + logged.turns.len())
    }

    /// The snapshot at this moment of the log's time.
    #[must_use]
    pub fn snapshot(&self, origin: Origin, as_of: Option<Timestamp>) -> Snapshot {
        self.snapshot_with(self.registry.sessions.iter(), origin, as_of, None)
    }

    /// The same with one session alone; empty where the log has not named it.
    #[must_use]
    pub fn snapshot_of(&self, session: &str, origin: Origin, as_of: Option<Timestamp>) -> Snapshot {
        self.snapshot_with(self.registry.sessions.get_key_value(session).into_iter(), origin, as_of, None)
    }

    /// One session alone as if the stop that begins with this line (input and number) had not come yet: what its sweep
    /// is about to meet.
    #[must_use]
    pub fn snapshot_before(&self, session: &str, stop: (usize, u64)) -> Snapshot {
        let session = self.registry.sessions.get_key_value(session).into_iter();
        self.snapshot_with(session, Origin::default(), None, Some(stop))
    }

    fn snapshot_with<'a>(
        &'a self,
        logged: impl Iterator<Item = (&'a Arc<str>, &'a LoggedSession)>,
        origin: Origin,
        as_of: Option<Timestamp>,
        before: Option<(usize, u64)>,
    ) -> Snapshot {
        let mut snapshot = Snapshot::default();
        snapshot.origin = origin;
        snapshot.as_of = as_of;
        let mut executions = Vec::new();
        let mut terminals = Vec::new();
        let mut sessions = Vec::new();
        for (id, logged) in logged {
            let state = self.sessions.get(id);
            let stopped = state.is_some_and(|state| {
                let episode = state.episode.as_ref();
                let asked = episode.is_some_and(|episode| before == Some(line(episode.opener())));
                !asked && state.is_stopped()
            });
            let pane = state.and_then(|state| state.panes.used.iter().rev().find(|used| !used.ambiguous));
            let mut session = session(id, logged, stopped);
            if !self.is_whole {
                session.created_at = None;
            }
            session.logged_foreground = logged.foreground(pane.map(|pane| &pane.event));
            sessions.push(session);
            executions.extend(logged.turns.iter().map(|turn| turn_row(id, turn, logged)));
            executions.extend(logged.rows.iter().map(|(row_id, row)| {
                let swept = row.swept.as_ref().is_some_and(|stop| before != Some(line(stop)));
                row_of(id, row_id, row, logged, swept)
            }));
            terminals.extend(pane.map(|used| Terminal {
                has_tmux: Some(true),
                tmux: Some(used.tmux.to_string()),
                source: source(&used.event),
                ..Terminal::new(id.to_string(), format!("{id}:main:{id}"))
            }));
            let stale = state.and_then(|state| state.panes.stale_record(|_| true));
            if let (Some((new, old, _)), Some(terminal)) = (stale, terminals.last_mut())
                && terminal.tmux.as_deref() == Some(&*new.tmux)
            {
                // The turn made the record anew, with the old name and without a process state
                // (server-behaviour.md#latent-death).
                terminal.tmux = Some(old.to_owned());
                terminal.active = Some(true);
                terminal.process_state = Some(ProcessState::Absent);
                terminal.created_at = moment(&new.event);
            }
        }
        snapshot.set_sessions(sessions);
        snapshot.set_executions(executions);
        snapshot.set_terminals(terminals);
        snapshot.gaps = self.gaps();
        snapshot
    }

    fn gaps(&self) -> Vec<Gap> {
        let gap = |code, message: String| Gap { code, session: None, message };
        let mut gaps = vec![
            gap(
                GapCode::NoTerminals,
                "a log names main panes in passing, and never their state or the panes of steps".into(),
            ),
            gap(
                GapCode::NotLogged,
                "a log never tells of browsers and of the sub-agents of todo steps: they are unknown".into(),
            ),
        ];
        if !self.is_whole {
            let message =
                "the log begins in mid-process: what was registered before its first line is not known";
            gaps.push(gap(GapCode::LogBegins, message.to_owned()));
        }
        if self.sessions_evicted > 0 {
            let message = format!("{} sessions were too many to be kept", self.sessions_evicted);
            gaps.push(gap(GapCode::LogHole, message));
        }
        let rows = self.rows_dropped + self.registry.forgotten;
        if rows > 0 {
            gaps.push(gap(GapCode::LogHole, format!("{rows} rows and turns were too many to be kept")));
        }
        gaps
    }
}

fn session(id: &str, logged: &LoggedSession, stopped: bool) -> Session {
    let status = logged.status.as_ref();
    Session {
        source: logged.last.as_ref().map_or(Source::Given, source),
        workflow: logged.workflow.as_deref().map(str::to_owned),
        status: status.map(|(_, status)| SessionStatus::from_word(status)),
        agent_mode: logged.mode.as_deref().filter(|mode| !mode.is_empty()).map(str::to_owned),
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
            id::made_up_turn(session, &at)
        }
    }
}

impl LoggedSession {
    fn is_orchestrator_run(&self, turn: &LoggedTurn) -> bool {
        turn.stage == TurnStage::Preparing && self.mode.as_deref() == Some("workflow")
    }

    /// The foreground turn, from what its open turns have printed (server-behaviour.md#turns-in-a-live-pane): one
    /// that streams has registered its cancel, one that was delivered has none, one that is being prepared has
    /// none yet. Right for every turn of the recordings. `None` where the log shows no open turn, which proves
    /// nothing.
    fn foreground(&self, pane_used: Option<&SharedEvent>) -> Option<Fact<Foreground>> {
        let open = |stage: TurnStage| {
            let is_open = |turn: &&LoggedTurn| {
                turn.end.is_none() && turn.stage == stage && !self.is_orchestrator_run(turn)
            };
            self.turns.iter().find(is_open)
        };
        let idle = Foreground::default();
        let (turn, foreground) = if let Some(turn) = open(TurnStage::Synthetic) {
            (turn, Foreground { has_cancel: true, synthetic: true, ..idle })
        } else if let Some(turn) = open(TurnStage::Streaming) {
            (turn, Foreground { has_cancel: true, ..idle })
        } else if let Some(turn) = open(TurnStage::Delivered) {
            (turn, Foreground { busy: true, ..idle })
        } else {
            (open(TurnStage::Preparing)?, idle)
        };
        // A turn that launched its pane is worked on by a coding CLI.
        let in_pane = pane_used.is_some_and(|used| used.position > turn.start.position);
        let can_steer = foreground.busy || (foreground.has_cancel && in_pane);
        Some(Fact::new(Foreground { can_steer, ..foreground }, source(&turn.start)))
    }
}

fn turn_row(session: &str, turn: &LoggedTurn, of: &LoggedSession) -> Execution {
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
    if of.is_orchestrator_run(turn)
        && let Some(tracked) = &mut row.tracked
    {
        tracked.written_by = Some(Fact::new(TrackedSource::WorkflowRun, source(&turn.start)));
    }
    row
}

fn row_of(session: &str, id: &str, logged: &LoggedRow, of: &LoggedSession, swept: bool) -> Execution {
    let mut row = Execution::new(session, id);
    row.in_tracked = Membership::Present;
    let is_dropped =
        of.agents_dropped.as_ref().is_some_and(|dropped| dropped.position > logged.recorded.position);
    row.in_background = if is_dropped { Membership::Absent } else { Membership::Present };
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
    fill(&mut row, &logged.recorded, started_at, logged.end.as_ref(), swept);
    row
}

fn fill(
    row: &mut Execution,
    begun: &SharedEvent,
    started_at: Option<Timestamp>,
    end: Option<&(SharedEvent, Option<Status>)>,
    swept: bool,
) {
    let finished_at = end.filter(|(_, status)| status.is_some()).and_then(|(event, _)| moment(event));
    let status = match end {
        Some((_, status)) => status.clone(),
        None if swept => Some(Status::Canceled),
        None => Some(Status::Running),
    };
    let tells = end.map_or(begun, |(event, _)| event);
    row.status = status.clone().map(|status| Fact::new(status, source(tells)));
    row.started_at = started_at.map(|moment| Fact::new(moment, source(begun)));
    row.finished_at = finished_at.map(|moment| Fact::new(moment, source(tells)));
    let writer =
        if row.kind.is_turn() { TrackedSource::ConversationTurn } else { TrackedSource::WorkshopBackground };
    row.tracked = Some(Box::new(TrackedRow {
        written_by: Some(Fact::new(writer, source(begun))),
        kind: None,
        status: status.clone(),
        started_at,
        finished_at,
    }));
    if row.in_background == Membership::Present {
        row.background = Some(Box::new(BackgroundRow { kind: None, status, started_at, finished_at }));
    }
}

fn line(event: &SharedEvent) -> (usize, u64) {
    (event.position.input, event.position.line)
}

fn source(event: &SharedEvent) -> Source {
    Source::Log {
        input: u16::try_from(event.position.input).unwrap_or(u16::MAX),
        line: event.position.line_in_file,
    }
}

fn moment(event: &SharedEvent) -> Option<Timestamp> {
    Timestamp::from_second(event.utc()).ok()
}
