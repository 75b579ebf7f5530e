//! Stops: episodes, their openers, sweeps and later lines.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::case::{Case, MinorStop};
use super::engine::Replay;
use super::episode::{Cause, Episode, EvidenceEnd, KEPT_MARKED, Order, PaneHistory, Row, Sweep, Turn};
use super::session::shows_work;
use crate::events::{EventKind, SharedEvent};
use crate::model::thresholds::SAME_EPISODE;

/// Smaller stops watched at once per session; the oldest is judged as it stands then.
const KEPT_MINORS: usize = 64;

impl Replay {
    /// Opens an episode, or adds an opener or counters to the open one.
    pub(super) fn open_or_extend(&mut self, session: &Arc<str>, event: &SharedEvent) {
        match &event.kind {
            EventKind::BeginRuntimeCancel { reason, phase, .. } => {
                self.open(session, Cause::from_reason(reason, phase), reason, event);
                self.last_sweep = Some((session.clone(), event.utc()));
                self.with_sweep(session, |sweep| {
                    sweep.begin.get_or_insert_with(|| event.clone());
                });
            }
            EventKind::MainTerminalFailing { reason, .. } => {
                self.open(session, Cause::from_reason(reason, "failed"), reason, event);
            }
            EventKind::StopRequested { schedule, .. } | EventKind::JobStopping { schedule, .. } => {
                self.open(session, Cause::ScheduleStop, "", event);
                if let Some(episode) = self.sessions.get_mut(session).and_then(|state| state.episode.as_mut())
                {
                    episode.schedule = Some(schedule.clone());
                }
            }
            EventKind::TurnCanceledByStop { .. } => self.open(session, Cause::UserStop, "", event),
            EventKind::StatusUpdated { status, .. } if &**status == "stopped" => {
                let conflict = self
                    .sessions
                    .get(session)
                    .and_then(|state| state.conflict.as_ref())
                    .is_some_and(|conflict| event.utc() - conflict.utc() <= 5);
                let cause = if conflict { Cause::Other } else { Cause::UserStop };
                self.open(session, cause, "", event);
            }
            EventKind::AgentsCanceledByStop { .. } | EventKind::RegistryCleared { .. } => {
                let watched = self.sessions.get(session).is_some_and(|state| {
                    state.episode.as_ref().is_some_and(|episode| {
                        event.utc() - episode.last_second() <= 2 * self.thresholds.cancel_lag
                    })
                });
                if !watched {
                    self.open(session, Cause::UserStop, "", event);
                }
            }
            EventKind::TurnContextCanceled { canceled, .. } => {
                self.with_sweep(session, |sweep| sweep.turn = Some((*canceled, event.clone())));
            }
            EventKind::OrchestratorContexts { queries, canceled, .. } => {
                self.with_sweep(session, |sweep| {
                    sweep.orchestrator = Some((*queries, *canceled, event.clone()));
                });
            }
            EventKind::BackgroundAgents { canceled, no_cancel_func, already_done, .. } => {
                self.count_agents(session, (*canceled, *no_cancel_func, *already_done), event);
            }
            EventKind::NoCancelFunctionWarning { .. } => {
                self.with_sweep(session, |sweep| sweep.warning = Some(event.clone()));
            }
            EventKind::TrackedMarked { id, .. } => {
                self.with_sweep(session, |sweep| sweep.mark(event));
                self.note_marked_unknown(session, id, event);
            }
            EventKind::TrackedTotal { count, .. } => {
                self.with_sweep(session, |sweep| sweep.total = Some((*count, event.clone())));
            }
            EventKind::TurnCanceledByPerson { .. } | EventKind::NoTurnToCancel { .. } => {
                self.minor_stop(session, Cause::CancelTurn, "", event);
            }
            EventKind::ChildTerminalFailed { reason, .. } => {
                self.minor_stop(session, Cause::ChildTerminalDeath, reason, event);
                if let EventKind::ChildTerminalFailed { terminal, .. } = &event.kind
                    && let Some(state) = self.sessions.get_mut(session)
                    && let Some(minor) = state.minors.last_mut()
                {
                    // `<session>:<owner>`; an agent owns its pane (server-behaviour.md#a-lost-step-pane).
                    minor.target = terminal.rsplit(':').next().map(Into::into);
                }
            }
            EventKind::ToolStarted { tool, .. } => self.tool_asks(session, tool, event),
            EventKind::StepStoppedByTool { id, .. } => self.tool_stopped(session, Some(id), event),
            _ => {}
        }
    }

    pub(super) fn minor_stop(&mut self, session: &Arc<str>, cause: Cause, reason: &str, event: &SharedEvent) {
        let minor = MinorStop::new(session, cause, reason, event);
        self.watch(minor);
    }

    /// Watches a smaller stop until what it was meant to end has ended.
    fn watch(&mut self, mut minor: MinorStop) {
        let settled = minor.opener.utc() + self.thresholds.settle();
        minor.is_whole = self.is_whole;
        minor.shells = self.shells_of_stop(&minor.session.clone(), minor.cause, &minor.opener.clone());
        let Some(state) = self.sessions.get_mut(&minor.session) else { return };
        minor.gave_up = state.gave_up();
        minor.rows = state.open_rows();
        minor.turns = state.open_turns();
        minor.delivered.clone_from(&state.delivered);
        if state.minors.len() == KEPT_MINORS {
            let mut oldest = state.minors.remove(0);
            oldest.evidence_end_reason = EvidenceEnd::Evicted;
            oldest.evidence_end = self.now;
            self.cases.push(Case::Minor(Box::new(oldest)));
        }
        self.due.insert((settled, minor.session.clone()));
        state.minors.push(minor);
        state.may_settle = true;
    }

    /// The agent calls a tool that stops executions: what is open now is what it means
    /// (server-behaviour.md#what-ends-a-row).
    fn tool_asks(&mut self, session: &Arc<str>, tool: &str, event: &SharedEvent) {
        if !matches!(tool, "stop_step" | "stop_all_executions") {
            return;
        }
        self.watch(MinorStop {
            confirmed: false,
            ..MinorStop::new(session, Cause::AgentStopTool, tool, event)
        });
    }

    /// The line by which a tool says that it stopped something: it belongs to the call that waits for it. A server
    /// that logs no call gives only this line, and the rows may have ended just before it.
    fn tool_stopped(&mut self, session: &Arc<str>, target: Option<&Arc<str>>, event: &SharedEvent) {
        let tool = if target.is_some() { "stop_step" } else { "stop_all_executions" };
        let lag = self.thresholds.cancel_lag;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let asked = state.minors.iter_mut().rev().find(|minor| {
            // The counters of a sweep may have confirmed it already.
            (!minor.confirmed || (target.is_none() && minor.sweep.agents.is_some()))
                && &*minor.reason == tool
                && event.utc() - minor.opener.utc() <= lag
        });
        if let Some(minor) = asked {
            minor.confirmed = true;
            minor.target = target.cloned();
            return;
        }
        let mut ended: Vec<Row> =
            state.just_ended.iter().filter(|row| ended_within(row, event, 1)).cloned().collect();
        if let Some(target) = target {
            ended.retain(|row| row.id == *target || row.belongs_to(target));
        }
        let target = target.cloned();
        self.watch(MinorStop { target, ..MinorStop::new(session, Cause::AgentStopTool, "", event) });
        if let Some(minor) = self.sessions.get_mut(session).and_then(|state| state.minors.last_mut()) {
            ended.retain(|row| !minor.rows.iter().any(|known| known.id == row.id));
            minor.rows.extend(ended);
        }
    }

    pub(super) fn open(&mut self, session: &Arc<str>, cause: Cause, reason: &str, event: &SharedEvent) {
        let joins =
            self.sessions.get(session).and_then(|state| state.episode.as_ref()).is_some_and(|episode| {
                let compatible = episode.cause == cause
                    || (episode.cause.is_incidental() && cause == Cause::Other)
                    || (episode.cause == Cause::Other && cause.is_incidental())
                    // A later version's sweep gives a reason of its own, and the status follows.
                    || (episode.cause == Cause::Other
                        && cause == Cause::UserStop
                        && matches!(episode.opener().kind, EventKind::BeginRuntimeCancel { .. }));
                compatible
                    && episode.resumed.is_none()
                    && event.utc() - episode.last_second() <= SAME_EPISODE
                    && episode.last_second() - event.utc() <= SAME_EPISODE
            });
        if !joins {
            self.close_episode(session, EvidenceEnd::NextStop, self.now);
        }
        let sleeps = self.sleeps.clone();
        let hole = self
            .holes
            .iter()
            .any(|wall| *wall >= event.utc() && *wall <= event.utc() + self.thresholds.cancel_lag);
        let shells = self.shells_of_stop(session, cause, event);
        let known_since = self.known_since.unwrap_or_else(|| event.utc());
        let Some(state) = self.sessions.get_mut(session) else { return };
        state.cancel_open_rows(event);
        state.armed = None;
        if let Some(sign) = state.pane_sign.as_mut() {
            sign.discovery.get_or_insert_with(|| event.clone());
        }
        for loss in &mut state.pane_losses {
            loss.stopped |= loss.continued.is_none();
        }
        if let Some(episode) = state.episode.as_mut() {
            episode.shells.extend(shells);
            episode.ask_again(event);
            if episode.reason.is_empty() {
                episode.reason = reason.into();
            }
            if episode.cause == Cause::Other {
                episode.cause = cause;
            }
        } else {
            let stop_nanoseconds = state
                .stopped_by_user
                .take()
                .filter(|(line, _)| event.utc() - line.utc() <= SAME_EPISODE)
                .and_then(|(_, nanoseconds)| nanoseconds);
            state.episode = Some(Box::new(Episode {
                session: session.clone(),
                cause,
                reason: reason.into(),
                openers: vec![event.clone()],
                schedule: None,
                stop_nanoseconds,
                sweeps: Vec::new(),
                rows: Vec::new(),
                turns: Vec::new(),
                lines: Vec::new(),
                lines_dropped: 0,
                kept_by_kind: FxHashMap::default(),
                gave_up: state.gave_up(),
                resumed: None,
                panes: PaneHistory::default(),
                live_inputs: state.live_inputs.clone(),
                delivered: state.delivered.clone(),
                shells,
                queued: std::mem::take(&mut state.queued),
                known_since,
                is_whole: self.is_whole,
                preparing: state.pending_request.is_some(),
                open_when_counted: None,
                evidence_end: event.utc(),
                evidence_end_reason: EvidenceEnd::LogEnded,
                hole,
                counter_mismatch: None,
                continued: false,
                sleeps,
                labels: BTreeSet::new(),
            }));
            if let Some(sweep) = state.loose_sweep.take()
                && let Some(episode) = state.episode.as_mut()
                && event.utc() - sweep.opener.utc() <= SAME_EPISODE
            {
                episode.openers.insert(0, sweep.opener.clone());
                episode.sweeps.push(sweep.sweep);
            }
        }
        self.due.insert((event.utc() + self.thresholds.settle(), session.clone()));
    }

    /// The sweep that this counter line belongs to: the current one, or a new one where the line stands twice.
    pub(super) fn with_sweep(&mut self, session: &str, change: impl FnOnce(&mut Sweep)) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(episode) = state.episode.as_mut() {
            let finished = episode.sweeps.last().is_none_or(|sweep| sweep.total.is_some());
            if finished && !episode.add_sweep() {
                return;
            }
            if let Some(sweep) = episode.sweeps.last_mut() {
                change(sweep);
            }
        } else if let Some(loose) = state.loose_sweep.as_mut() {
            change(&mut loose.sweep);
        }
    }

    pub(super) fn count_agents(&mut self, session: &Arc<str>, counts: (u64, u64, u64), event: &SharedEvent) {
        let (now, lag) = (self.now, self.thresholds.cancel_lag);
        let Some(state) = self.sessions.get_mut(session) else { return };
        let entry = (counts.0, counts.1, counts.2, event.clone());
        let near = state
            .episode
            .as_ref()
            .is_some_and(|episode| event.utc() - episode.last_second() <= lag && episode.resumed.is_none());
        if !near {
            // A sweep without an opener: the agent's own tool, or a stop whose first lines are missing.
            let sweep = Sweep { agents: Some(entry), ..Sweep::default() };
            // The call of the tool that sweeps may stand above; then the counters are its own.
            if let Some(minor) = state.minors.iter_mut().rev().find(|minor| {
                minor.cause == Cause::AgentStopTool
                    && minor.sweep.agents.is_none()
                    && event.utc() - minor.opener.utc() <= lag
                    && &*minor.reason == "stop_all_executions"
            }) {
                minor.sweep = sweep;
                minor.confirmed = true;
                self.last_loose = Some(session.clone());
                return;
            }
            state.loose_sweep = Some(MinorStop {
                sweep,
                is_whole: self.is_whole,
                gave_up: state.gave_up(),
                rows: state.open_rows(),
                turns: state.open_turns(),
                evidence_end: now,
                ..MinorStop::new(session, Cause::Other, "", event)
            });
            self.due.insert((event.utc() + SAME_EPISODE, session.clone()));
            self.last_loose = Some(session.clone());
            return;
        }
        let open = state.rows.iter().filter(|row| row.end.is_none()).count() as u64;
        if let Some(episode) = state.episode.as_mut() {
            episode.open_when_counted.get_or_insert(open);
        }
        let new_sweep = state
            .episode
            .as_ref()
            .is_some_and(|episode| episode.sweeps.last().is_some_and(|sweep| sweep.agents.is_some()));
        if let Some(episode) = state.episode.as_mut()
            && new_sweep
            && !episode.add_sweep()
        {
            return;
        }
        self.with_sweep(session, |sweep| sweep.agents = Some(entry));
    }

    pub(super) fn tool_stopped_all(&mut self, event: &SharedEvent) {
        // The line names no session: it is that of the sweep just before it, else of the call that waits.
        let swept = self.last_loose.take();
        let waiting = || {
            let asks = |minor: &MinorStop| {
                !minor.confirmed
                    && &*minor.reason == "stop_all_executions"
                    && event.utc() - minor.opener.utc() <= self.thresholds.cancel_lag
            };
            let mut sessions: Vec<&Arc<str>> = self
                .sessions
                .iter()
                .filter(|(_, state)| state.minors.iter().any(asks))
                .map(|(session, _)| session)
                .collect();
            sessions.sort_unstable();
            sessions.first().map(|session| (*session).clone())
        };
        let Some(session) = swept.or_else(waiting) else { return };
        let Some(state) = self.sessions.get_mut(&session) else { return };
        let loose = state.loose_sweep.take_if(|sweep| event.utc() - sweep.opener.utc() <= 5);
        if let Some(mut sweep) = loose {
            sweep.cause = Cause::AgentStopTool;
            self.due.insert((event.utc() + self.thresholds.settle(), session.clone()));
            // The rows unwind before the sweep (server-behaviour.md#what-ends-a-row).
            let ended: Vec<Row> = state
                .just_ended
                .iter()
                .filter(|row| {
                    ended_within(row, event, 1) && !sweep.rows.iter().any(|known| known.id == row.id)
                })
                .cloned()
                .collect();
            sweep.rows.extend(ended);
            state.minors.push(sweep);
            state.may_settle = true;
        } else {
            self.tool_stopped(&session, None, event);
        }
    }

    /// A sweep without its first lines names a row whose start stands before the first line: it is a row of it.
    fn note_marked_unknown(&mut self, session: &str, id: &Arc<str>, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session).filter(|state| state.episode.is_none()) else {
            return;
        };
        if let Some(loose) = state.loose_sweep.as_mut()
            && loose.rows.len() < KEPT_MARKED
            && !loose.rows.iter().any(|row| row.id == *id)
        {
            loose.rows.push(Row { canceled_by: Some(event.clone()), ..Row::new(id.clone()) });
        }
    }

    /// Adds the line to the episode of its session, and notices when a person resumes it.
    pub(super) fn append_line(&mut self, session: &Arc<str>, event: &SharedEvent) {
        let revives = shows_work(&event.kind);
        let Some(state) = self.sessions.get_mut(session) else { return };
        if state.episode.is_none() {
            if revives && let Some(armed) = state.armed.take() {
                state.episode = Some(armed);
            } else if resumes(event, None) && state.armed.is_some() {
                state.armed = None;
                return;
            } else {
                return;
            }
        }
        let Some(episode) = state.episode.as_mut() else { return };
        if !episode
            .openers
            .iter()
            .any(|opener| opener.position == event.position && opener.stream == event.stream)
        {
            // What a person started again is no part of the stop; the ends of its rows are noted with the rows.
            let is_over =
                episode.resumed.is_some() && event.utc() - episode.last_second() > self.thresholds.settle();
            if is_over {
                return;
            }
            episode.keep(event);
            if episode.resumed.is_none()
                && episode.order(event) == Order::After
                && resumes(event, Some((episode, &state.turns)))
            {
                episode.resumed = Some(event.clone());
            }
        }
        self.due.insert((event.utc() + self.thresholds.settle(), session.clone()));
    }
}

/// Whether a row ended at most this many seconds before a line.
fn ended_within(row: &Row, event: &SharedEvent, seconds: i64) -> bool {
    row.end.as_ref().is_some_and(|end| (0..=seconds).contains(&(event.utc() - end.event.utc())))
}

/// Whether a person resumes the session with this line (server-behaviour.md#reading-a-stop-from-a-log).
fn resumes(event: &SharedEvent, watched: Option<(&Episode, &[Turn])>) -> bool {
    match &event.kind {
        EventKind::QueryReceived { .. } => event.context.user,
        EventKind::LiveInputDelivered { .. } => true,
        EventKind::StreamStarting { .. } => {
            let Some((episode, turns)) = watched else { return false };
            let Some(turn) = turns.iter().rev().find(|turn| turn.start.position == event.position) else {
                return false;
            };
            event.context.user
                && turn.request.is_none()
                && turn.entry_milliseconds().div_euclid(1000) > episode.last_second()
        }
        // The schedule's next run in the same session is a deliberate new start.
        EventKind::JobSession { .. } => true,
        _ => false,
    }
}
