//! Stops: episodes, their openers, sweeps and later lines.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::{Case, MinorStop};
use super::engine::Replay;
use super::episode::{Cause, Episode, EvidenceEnd, MarkedRow, Order, PaneHistory, Sweep, Turn};
use super::session::shows_work;
use crate::events::{EventKind, SharedEvent};
use crate::model::id::IdKind;
use crate::model::thresholds::SAME_EPISODE;

/// Lines kept per episode.
const KEPT_LINES: usize = 2048;

impl Replay {
    /// Opens an episode, or adds an opener or counters to the open one.
    pub(super) fn open_or_extend(&mut self, session: &Arc<str>, event: &SharedEvent) {
        match &event.kind {
            EventKind::BeginRuntimeCancel { reason, phase, .. } => {
                self.open(session, Cause::from_reason(reason, phase), reason, event);
                self.last_sweep = Some((session.clone(), event.wall));
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
                    .is_some_and(|conflict| event.wall - conflict.wall <= 5);
                let cause = if conflict { Cause::Other } else { Cause::UserStop };
                self.open(session, cause, "", event);
            }
            EventKind::AgentsCanceledByStop { .. } | EventKind::RegistryCleared { .. } => {
                let watched = self.sessions.get(session).is_some_and(|state| {
                    state.episode.as_ref().is_some_and(|episode| {
                        event.wall - episode.last_wall() <= 2 * self.thresholds.cancel_lag
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
            EventKind::TrackedMarked { id, kind, name, .. } => {
                let row = MarkedRow {
                    event: event.clone(),
                    id: id.clone(),
                    kind: kind.clone(),
                    name: name.clone(),
                };
                self.with_sweep(session, |sweep| sweep.marked.push(row));
            }
            EventKind::TrackedTotal { count, .. } => {
                self.with_sweep(session, |sweep| sweep.total = Some((*count, event.clone())));
            }
            EventKind::TurnCanceledByPerson { .. } | EventKind::NoTurnToCancel { .. } => {
                self.minor_stop(session, Cause::CancelTurn, "", event);
            }
            EventKind::ChildTerminalFailed { reason, .. } => {
                self.minor_stop(session, Cause::ChildTerminalDeath, reason, event);
            }
            EventKind::StepStoppedByTool { .. } => {
                self.minor_stop(session, Cause::AgentStopTool, "", event);
            }
            _ => {}
        }
    }

    pub(super) fn minor_stop(&mut self, session: &Arc<str>, cause: Cause, reason: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get(session) else { return };
        self.cases.push(Case::Minor(MinorStop {
            session: session.clone(),
            cause,
            reason: reason.into(),
            opener: event.clone(),
            sweep: Sweep::default(),
            labels: state.labels.clone(),
            evidence_end: self.now,
        }));
    }

    pub(super) fn open(&mut self, session: &Arc<str>, cause: Cause, reason: &str, event: &SharedEvent) {
        let joins =
            self.sessions.get(session).and_then(|state| state.episode.as_ref()).is_some_and(|episode| {
                let compatible = episode.cause == cause
                    || (episode.cause.is_incidental() && cause == Cause::Other)
                    || (episode.cause == Cause::Other && cause.is_incidental());
                compatible
                    && episode.resumed.is_none()
                    && event.wall - episode.last_wall() <= SAME_EPISODE
                    && episode.last_wall() - event.wall <= SAME_EPISODE
            });
        if !joins {
            self.close_episode(session, EvidenceEnd::NextStop, self.now);
        }
        let sleeps = self.sleeps.clone();
        let hole = self
            .holes
            .iter()
            .any(|wall| *wall >= event.wall && *wall <= event.wall + self.thresholds.cancel_lag);
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
            episode.openers.push(event.clone());
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
                .filter(|(line, _)| event.wall - line.wall <= SAME_EPISODE)
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
                resumed: None,
                panes: PaneHistory::default(),
                live_inputs: state.live_inputs.clone(),
                evidence_end: event.wall,
                evidence_end_reason: EvidenceEnd::LogEnded,
                hole,
                counter_mismatch: None,
                continued: false,
                sleeps,
                labels: BTreeSet::new(),
            }));
            if let Some(sweep) = state.loose_sweep.take()
                && let Some(episode) = state.episode.as_mut()
                && event.wall - sweep.opener.wall <= SAME_EPISODE
            {
                episode.openers.insert(0, sweep.opener.clone());
                episode.sweeps.push(sweep.sweep);
            }
        }
        self.due.insert((event.wall + self.thresholds.settle(), session.clone()));
    }

    /// The sweep that this counter line belongs to: the current one, or a new one where the line stands twice.
    pub(super) fn with_sweep(&mut self, session: &str, change: impl FnOnce(&mut Sweep)) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(episode) = state.episode.as_mut() {
            let finished = episode.sweeps.last().is_none_or(|sweep| sweep.total.is_some());
            if finished {
                episode.sweeps.push(Sweep::default());
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
            .is_some_and(|episode| event.wall - episode.last_wall() <= lag && episode.resumed.is_none());
        if !near {
            // A sweep without an opener: the agent's own tool, or a stop whose first lines are missing.
            state.loose_sweep = Some(MinorStop {
                session: session.clone(),
                cause: Cause::Other,
                reason: "".into(),
                opener: event.clone(),
                sweep: Sweep { agents: Some(entry), ..Sweep::default() },
                labels: state.labels.clone(),
                evidence_end: now,
            });
            self.due.insert((event.wall + SAME_EPISODE, session.clone()));
            self.last_loose = Some(session.clone());
            return;
        }
        let (own, none) =
            state.rows.iter().filter(|row| row.end.is_none()).fold((0, 0), |(own, none), row| {
                if row.kind.has_own_cancel() { (own + 1, none) } else { (own, none + 1) }
            });
        let second = state
            .episode
            .as_ref()
            .is_some_and(|episode| episode.sweeps.iter().any(|sweep| sweep.agents.is_some()));
        if !second {
            self.losses.counters_compared += 1;
            // A todo step's sub-agent has no registration line, so one row more may have been canceled.
            let todo_open = state.rows.iter().any(|row| row.end.is_none() && row.kind == IdKind::Mirror);
            let explained = own == counts.0 || (todo_open && own + 1 == counts.0);
            if !(explained && none == counts.1) {
                self.losses.counter_mismatches += 1;
                if let Some(episode) = state.episode.as_mut() {
                    episode.counter_mismatch = Some(format!(
                        "the server counted {} with and {} without a cancel function, the log shows {own} and {none}",
                        counts.0, counts.1
                    ));
                }
            }
        }
        let new_sweep = state
            .episode
            .as_ref()
            .is_some_and(|episode| episode.sweeps.last().is_some_and(|sweep| sweep.agents.is_some()));
        if let Some(episode) = state.episode.as_mut()
            && new_sweep
        {
            episode.sweeps.push(Sweep::default());
        }
        self.with_sweep(session, |sweep| sweep.agents = Some(entry));
    }

    pub(super) fn tool_stopped_all(&mut self, event: &SharedEvent) {
        let Some(session) = self.last_loose.take() else { return };
        let Some(state) = self.sessions.get_mut(&session) else { return };
        if state.loose_sweep.as_ref().is_none_or(|sweep| event.wall - sweep.opener.wall > 5) {
            return;
        }
        if let Some(mut sweep) = state.loose_sweep.take() {
            sweep.cause = Cause::AgentStopTool;
            sweep.labels.clone_from(&state.labels);
            self.cases.push(Case::Minor(sweep));
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
            if episode.lines.len() < KEPT_LINES {
                episode.lines.push(event.clone());
            } else {
                episode.lines_dropped += 1;
            }
            if episode.resumed.is_none()
                && episode.order(event) == Order::After
                && resumes(event, Some((episode, &state.turns)))
            {
                episode.resumed = Some(event.clone());
            }
        }
        self.due.insert((event.wall + self.thresholds.settle(), session.clone()));
    }
}

/// Whether a person resumes the session with this line (measured, section 9).
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
                && turn.entry_milliseconds().div_euclid(1000) > episode.last_wall()
        }
        // The schedule's next run in the same session is a deliberate new start.
        EventKind::JobSession { .. } => true,
        _ => false,
    }
}
