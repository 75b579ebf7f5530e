//! Main panes: whose they are, when they are lost, and who notices.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::{Case, KillFailure, LatentDeath, PaneSign};
use super::engine::{Executed, Replay};
use super::episode::{EvidenceEnd, PaneUse};
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};
use crate::model::id;

/// Seconds in which two sweeps of the pane reaper fit.
pub(super) const KILL_FAILURE_WINDOW: i64 = 270;

/// Panes that began to execute and are remembered until a line tells whose they are.
const KEPT_EXECUTING: usize = 256;

/// Panes that could not be killed and are watched at once.
const KEPT_KILL_FAILURES: usize = 4096;

/// The reason of a close that follows a cancel, so that it is no death that the server made itself
/// (server-behaviour.md#what-ends-a-row).
const FOLLOWS_A_CANCEL: &str = "workflow context canceled";

impl Replay {
    /// The session whose main pane the server closes with this line: by the pane's name, else by the owner that the
    /// line names, `<session>` or `main:<session>`. A step's or an agent's pane is none.
    pub(super) fn owner_of_pane(&self, tmux: &str, owner: &str) -> Option<Arc<str>> {
        if let Some(session) = self.pane_owners.get(tmux) {
            return Some(session.clone());
        }
        let session = owner.strip_prefix("main:").unwrap_or(owner);
        let is_child = session.contains(':') || session.is_empty() || self.executions.contains_key(session);
        (!is_child).then(|| session.into())
    }

    /// A pane begins to execute: whose is it? One that is known; else the one turn that waits for a pane.
    pub(super) fn pane_executing(&mut self, tmux: &str, step: bool, event: &SharedEvent) {
        let session = if step { None } else { self.attribute_pane(tmux, event) };
        if self.executing.len() == KEPT_EXECUTING {
            self.executing.pop_front();
        }
        self.executing.push_back(Executed { tmux: tmux.into(), event: event.clone(), session });
    }

    /// Gives a main pane to its session, where one can be told.
    fn attribute_pane(&mut self, tmux: &str, event: &SharedEvent) -> Option<Arc<str>> {
        if let Some(owner) = self.pane_owners.get(tmux).cloned() {
            self.sessions.get_mut(&owner)?.use_pane(tmux, event, false);
            return Some(owner);
        }
        let waiting = self.newest_waiting();
        let agent = self.agents_without_pane.pop();
        let (session, ambiguous) = match (waiting.as_slice(), agent) {
            ([], Some((session, _))) => {
                self.pane_owners.insert(tmux.into(), session);
                return None;
            }
            ([], None) => return None,
            ([only], None) => (only.clone(), false),
            ([newest, ..], _) => (newest.clone(), true),
        };
        if !ambiguous {
            self.pane_owners.insert(tmux.into(), session.clone());
        }
        self.sessions.get_mut(&session)?.use_pane(tmux, event, ambiguous);
        Some(session)
    }

    /// The sessions of the newest turns that wait for a pane, at most two: whether there are more is all the same.
    fn newest_waiting(&mut self) -> Vec<Arc<str>> {
        loop {
            let mut found = Vec::new();
            let mut stale = Vec::new();
            for (position, session) in self.turns_waiting.iter().rev() {
                match self.sessions.get(session).and_then(|state| state.waiting_turn()) {
                    Some(start) if start.position == *position => found.push(session.clone()),
                    Some(start) => stale.push((*position, Some((start.position, session.clone())))),
                    None => stale.push((*position, None)),
                }
                if found.len() == 2 {
                    break;
                }
            }
            let mut moved = false;
            for (position, now) in stale {
                self.turns_waiting.remove(&position);
                if let Some((position, session)) = now {
                    moved |= self.turns_waiting.insert(position, session).is_none();
                }
            }
            if !moved {
                return found;
            }
        }
    }

    /// A turn of the session may wait for a pane.
    pub(super) fn note_waiting(&mut self, session: &Arc<str>) {
        if let Some(start) = self.sessions.get(session).and_then(|state| state.waiting_turn()) {
            self.turns_waiting.insert(start.position, session.clone());
        }
    }

    /// A line that names both: from now on the pane is this session's.
    pub(super) fn tie_pane(&mut self, session: &Arc<str>, tmux: &str, event: &SharedEvent) {
        let before = self.pane_owners.insert(tmux.into(), session.clone());
        let executed = self.executing.iter_mut().find(|executed| &*executed.tmux == tmux);
        let taken_for = executed.as_ref().and_then(|executed| executed.session.clone());
        for other in before.into_iter().chain(taken_for).filter(|other| other != session) {
            if let Some(state) = self.sessions.get_mut(&other) {
                state.panes.used.retain(|used| &*used.tmux != tmux);
            }
        }
        let executing = executed.map(|executed| {
            executed.session = Some(session.clone());
            executed.event.clone()
        });
        let Some(state) = self.sessions.get_mut(session) else { return };
        push_bounded(&mut state.panes.tied, (tmux.into(), event.clone()));
        if let Some(used) = state.panes.used.iter_mut().find(|used| &*used.tmux == tmux) {
            used.ambiguous = false;
        } else if let Some(line) = executing {
            push_bounded(&mut state.panes.used, PaneUse { tmux: tmux.into(), event: line, ambiguous: false });
            state.panes.used.sort_by_key(|used| used.event.position);
        }
    }

    /// A main pane of the session is shown lost; its open turn may get another one.
    fn lose_main_pane(&mut self, session: &Arc<str>, tmux: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        state.lose_pane(tmux, event);
        self.note_waiting(session);
    }

    pub(super) fn follow_panes(&mut self, session: &Arc<str>, event: &SharedEvent) {
        match &event.kind {
            EventKind::RelaunchRegistered { tmux, .. } => {
                self.tie_pane(session, tmux, event);
                if let Some(state) = self.sessions.get_mut(session) {
                    push_bounded(&mut state.panes.registered, (tmux.clone(), event.clone()));
                }
                self.discover_pane(session, event);
            }
            EventKind::AutoResume { .. } | EventKind::MaterializeRelaunch { .. } => {
                self.discover_pane(session, event);
            }
            EventKind::RelaunchNotRegistered { tmux, .. } => {
                self.tie_pane(session, tmux, event);
                self.lose_main_pane(session, tmux, event);
            }
            EventKind::SnapshotCaptureFailed { tmux, .. } => {
                self.note_latent(session, tmux, event);
                self.tie_pane(session, tmux, event);
            }
            EventKind::MainPaneParked { tmux, .. } => self.tie_pane(session, tmux, event),
            EventKind::PaneReaped { tmux, terminal, .. } => {
                if terminal.contains(":main:") {
                    self.tie_pane(session, tmux, event);
                    if let Some(state) = self.sessions.get_mut(session) {
                        push_bounded(&mut state.panes.own_closes, event.clone());
                    }
                    self.discover_pane(session, event);
                } else {
                    self.pane_owners.insert(tmux.clone(), session.clone());
                    self.lose_step_pane(session, terminal, event);
                }
            }
            EventKind::StepPaneClosedByStop { tmux, .. } => {
                self.pane_owners.insert(tmux.clone(), session.clone());
            }
            EventKind::LiveInputFailed { lost_pane: Some(tmux), .. } => {
                self.tie_pane(session, tmux, event);
                self.lose_main_pane(session, tmux, event);
            }
            EventKind::SteerFailed { lost_pane: Some(tmux), .. } => {
                self.tie_pane(session, tmux, event);
                self.lose_main_pane(session, tmux, event);
                self.note_sign(session, event);
            }
            EventKind::SteerFailed { dead: true, .. } | EventKind::LiveInputFailed { dead: true, .. } => {
                self.note_sign(session, event);
            }
            EventKind::PaneLost { tmux } => {
                self.lose_main_pane(session, tmux, event);
            }
            EventKind::PaneTagFailed { tmux } => {
                let current = self
                    .sessions
                    .get(session)
                    .is_some_and(|state| state.panes.used.last().is_some_and(|used| used.tmux == *tmux));
                if current {
                    self.note_sign(session, event);
                }
            }
            EventKind::RetainedTurnLost { .. } => self.note_sign(session, event),
            EventKind::PaneClosedByAdapter { reason, .. } if &**reason == FOLLOWS_A_CANCEL => {}
            EventKind::PaneClosedByAdapter { .. } | EventKind::PaneClosedByConflict { .. } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    push_bounded(&mut state.panes.own_closes, event.clone());
                }
            }
            EventKind::ChildOwnerNotMatched { terminal, .. }
            | EventKind::ChildPaneParked { terminal, .. } => {
                self.lose_step_pane(session, terminal, event);
            }
            _ => {}
        }
    }

    pub(super) fn note_sign(&mut self, session: &Arc<str>, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        push_bounded(&mut state.panes.first_signs, event.clone());
        if let Some(sign) = state.pane_sign.as_mut() {
            push_bounded(&mut sign.signs, event.clone());
            return;
        }
        if state.episode.is_some() {
            return;
        }
        state.pane_sign = Some(PaneSign {
            session: session.clone(),
            signs: vec![event.clone()],
            discovery: None,
            evidence_end: event.utc(),
            evidence_end_reason: EvidenceEnd::LogEnded,
            labels: BTreeSet::new(),
        });
        // The gap itself is part of the finding, so a late discovery must still be seen.
        self.due.insert((event.utc() + 30 * self.thresholds.dead_pane_gap, session.clone()));
    }

    pub(super) fn discover_pane(&mut self, session: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(sign) = state.pane_sign.as_mut() {
            sign.discovery.get_or_insert_with(|| event.clone());
        }
    }

    pub(super) fn note_latent(&mut self, session: &Arc<str>, old: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get(session) else { return };
        if state.episode.is_some() || state.armed.is_some() {
            return;
        }
        let Some(new) = state.panes.used.last() else { return };
        let newer = id::nanoseconds(&new.tmux) > id::nanoseconds(old);
        let registered = state.panes.registered.iter().any(|(tmux, _)| *tmux == new.tmux);
        if &*new.tmux == old || !newer || registered || new.ambiguous {
            return;
        }
        self.cases.push(Case::LatentDeath(LatentDeath {
            session: session.clone(),
            old: old.into(),
            new: new.tmux.clone(),
            executing: new.event.clone(),
            capture: event.clone(),
            labels: state.labels.clone(),
        }));
    }

    pub(super) fn kill_failed(&mut self, tmux: &str, named: &str, by_reaper: bool, event: &SharedEvent) {
        let sweeping =
            self.last_sweep.clone().filter(|(_, wall)| event.utc() - wall <= 30).map(|(session, _)| session);
        let owner_named = named;
        // `main:<session>`; a step's owner names no session, but its pane may be known.
        let named = named.strip_prefix("main:").and_then(|of| self.sessions.get_key_value(of));
        let owner = self.pane_owners.get(tmux).or(named.map(|(session, _)| session)).cloned();
        let session = if by_reaper { owner } else { owner.or(sweeping) };
        let near_stop = session
            .as_ref()
            .and_then(|session| self.sessions.get(session))
            .is_some_and(|state| state.episode.is_some() || state.armed.is_some());
        if self.kill_failures.len() >= KEPT_KILL_FAILURES && !self.kill_failures.contains_key(tmux) {
            self.losses.lines_dropped += 1;
            return;
        }
        let failure = self.kill_failures.entry(tmux.into()).or_insert_with(|| KillFailure {
            tmux: tmux.into(),
            session,
            failures: Vec::new(),
            owner: owner_named.into(),
            near_stop: false,
            stop: None,
            closed: None,
            labels: BTreeSet::new(),
        });
        failure.near_stop |= near_stop || !by_reaper;
        // The pane belongs to the stop that wanted it closed.
        if !by_reaper
            && let Some(session) = failure.session.clone()
            && let Some(state) = self.sessions.get_mut(&session)
            && let Some(episode) = state.episode.as_mut()
        {
            failure.stop.get_or_insert(episode.key().1);
            episode.keep(event);
        }
        push_bounded(&mut failure.failures, event.clone());
        self.due.insert((event.utc() + KILL_FAILURE_WINDOW, "".into()));
    }
}
