//! Main panes: whose they are, when they are lost, and who notices.

use std::collections::BTreeSet;

use super::case::{Case, KillFailure, LatentDeath, PaneSign};
use super::engine::Replay;
use super::episode::{EvidenceEnd, PaneUse};
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};
use crate::model::id;

/// Seconds between the first sign of a dead pane and its discovery (signatures: `dead_pane_gap`).
pub(super) const DEAD_PANE_GAP: i64 = 60;
/// Seconds in which two sweeps of the pane reaper fit.
pub(super) const KILL_FAILURE_WINDOW: i64 = 270;

impl Replay {
    /// A pane begins to execute: whose is it? One that is known; else the one turn that waits for a pane.
    pub(super) fn pane_executing(&mut self, tmux: &str, step: bool, event: &SharedEvent) {
        if self.executing.len() == 256 {
            self.executing.pop_front();
        }
        self.executing.push_back((tmux.into(), event.clone()));
        if step {
            return;
        }
        if let Some(owner) = self.pane_owners.get(tmux).cloned() {
            if let Some(state) = self.sessions.get_mut(&owner) {
                state.use_pane(tmux, event, false);
            }
            return;
        }
        let mut waiting: Vec<(SharedEvent, Box<str>)> = self
            .sessions
            .iter()
            .filter_map(|(session, state)| {
                let turn = state.turns.iter().rev().find(|turn| turn.end.is_none() && turn.expects_pane)?;
                Some((turn.start.clone(), session.clone()))
            })
            .collect();
        waiting.sort_by_key(|(start, _)| start.position);
        let agent = self.agents_without_pane.pop();
        let (session, ambiguous) = match (waiting.as_slice(), agent) {
            ([], Some((session, _))) => {
                self.pane_owners.insert(tmux.into(), session);
                return;
            }
            ([], None) => return,
            ([(_, only)], None) => (only.clone(), false),
            ([.., (_, newest)], _) => (newest.clone(), true),
        };
        if !ambiguous {
            self.pane_owners.insert(tmux.into(), session.clone());
        }
        if let Some(state) = self.sessions.get_mut(&session) {
            state.use_pane(tmux, event, ambiguous);
        }
    }

    /// A line that names both: from now on the pane is this session's.
    pub(super) fn tie_pane(&mut self, session: &str, tmux: &str, event: &SharedEvent) {
        self.pane_owners.insert(tmux.into(), session.into());
        for (other, state) in &mut self.sessions {
            if &**other != session {
                state.panes.used.retain(|used| &*used.tmux != tmux);
            }
        }
        let executing = self.executing.iter().find(|(name, _)| &**name == tmux).map(|(_, line)| line.clone());
        let Some(state) = self.sessions.get_mut(session) else { return };
        push_bounded(&mut state.panes.tied, (tmux.into(), event.clone()));
        if let Some(used) = state.panes.used.iter_mut().find(|used| &*used.tmux == tmux) {
            used.ambiguous = false;
        } else if let Some(line) = executing {
            let used = PaneUse { tmux: tmux.into(), event: line, ambiguous: false };
            push_bounded(&mut state.panes.used, used);
            state.panes.used.sort_by_key(|used| used.event.position);
        }
    }

    pub(super) fn follow_panes(&mut self, session: &str, event: &SharedEvent) {
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
                if let Some(state) = self.sessions.get_mut(session) {
                    state.lose_pane(tmux, event);
                }
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
                    self.pane_owners.insert(tmux.clone(), session.into());
                    self.lose_step_pane(session, terminal, event);
                }
            }
            EventKind::StepPaneClosedByStop { tmux, .. } => {
                self.pane_owners.insert(tmux.clone(), session.into());
            }
            EventKind::LiveInputFailed { lost_pane: Some(tmux), .. } => {
                self.tie_pane(session, tmux, event);
                if let Some(state) = self.sessions.get_mut(session) {
                    state.lose_pane(tmux, event);
                }
            }
            EventKind::SteerFailed { lost_pane: Some(tmux), .. } => {
                self.tie_pane(session, tmux, event);
                if let Some(state) = self.sessions.get_mut(session) {
                    state.lose_pane(tmux, event);
                }
                self.note_sign(session, event);
            }
            EventKind::PaneLost { tmux } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    state.lose_pane(tmux, event);
                }
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

    pub(super) fn note_sign(&mut self, session: &str, event: &SharedEvent) {
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
            session: session.into(),
            signs: vec![event.clone()],
            discovery: None,
            evidence_end: event.wall,
            evidence_end_reason: EvidenceEnd::LogEnded,
            labels: BTreeSet::new(),
        });
        // The gap itself is part of the finding, so a late discovery must still be seen.
        self.due.insert((event.wall + 30 * DEAD_PANE_GAP, session.into()));
    }

    pub(super) fn discover_pane(&mut self, session: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(sign) = state.pane_sign.as_mut() {
            sign.discovery.get_or_insert_with(|| event.clone());
        }
    }

    pub(super) fn note_latent(&mut self, session: &str, old: &str, event: &SharedEvent) {
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
            session: session.into(),
            old: old.into(),
            new: new.tmux.clone(),
            executing: new.event.clone(),
            capture: event.clone(),
            labels: state.labels.clone(),
        }));
    }

    pub(super) fn kill_failed(&mut self, tmux: &str, by_reaper: bool, event: &SharedEvent) {
        let sweeping =
            self.last_sweep.clone().filter(|(_, wall)| event.wall - wall <= 30).map(|(session, _)| session);
        let owner = self.pane_owners.get(tmux).cloned();
        let session = if by_reaper { owner } else { owner.or(sweeping) };
        let near_stop = session
            .as_ref()
            .and_then(|session| self.sessions.get(session))
            .is_some_and(|state| state.episode.is_some() || state.armed.is_some());
        let failure = self.kill_failures.entry(tmux.into()).or_insert_with(|| KillFailure {
            tmux: tmux.into(),
            session,
            failures: Vec::new(),
            near_stop: false,
            closed: None,
            labels: BTreeSet::new(),
        });
        failure.near_stop |= near_stop || !by_reaper;
        push_bounded(&mut failure.failures, event.clone());
        self.due.insert((event.wall + KILL_FAILURE_WINDOW, "".into()));
    }
}
