//! Shell commands of the file service: no registry holds them, and no stop reaches them
//! (server-behaviour.md#structured-steps).

use std::sync::Arc;

use super::case::{Case, ShellLoss};
use super::engine::Replay;
use super::episode::{Cause, Container, Order, Shell};
use super::session::push_bounded;
use crate::events::{EventKind, SharedEvent};

/// Seconds in which the death of a terminal may follow the cut of its turn's command: the turn is cut before the
/// watchdog speaks.
const DEATH_FOLLOWS: i64 = 60;
/// Seconds in which the opener of any other stop may follow.
const STOP_FOLLOWS: i64 = 2;

impl Replay {
    /// The session that a failed tool call belongs to: it names a chat, or the sub-agent session of an item, which
    /// several chats may have used; then the newest item counts.
    pub(super) fn session_of_scope(&self, scope: &str) -> Option<Arc<str>> {
        if let Some((session, _)) = self.sessions.get_key_value(scope) {
            return Some(session.clone());
        }
        self.sessions_bound_to(scope).pop()
    }

    /// The sessions with an open item of this sub-agent session, that of the newest item last.
    fn sessions_bound_to(&self, scope: &str) -> Vec<Arc<str>> {
        let bound = self.sessions.iter().filter_map(|(session, state)| {
            let row = state.item_of_scope(scope)?;
            Some((row.recorded.as_ref().map(|line| line.position), session.clone()))
        });
        let mut bound: Vec<_> = bound.collect();
        bound.sort_unstable();
        bound.into_iter().map(|(_, session)| session).collect()
    }

    pub(super) fn follow_shells(&mut self, session: &Arc<str>, event: &SharedEvent) {
        let EventKind::ShellAbandoned { scope, .. } = &event.kind else { return };
        let mut or_of = self.sessions_bound_to(scope);
        or_of.retain(|other| other != session);
        let lag = self.thresholds.cancel_lag;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let runs_for = state.item_of_scope(scope).map_or_else(Vec::new, |row| {
            let container = match &row.container {
                Container::Run(of) | Container::Step(of) => vec![of.clone()],
                Container::OneOf(runs) => runs.clone(),
                Container::Unknown => Vec::new(),
            };
            std::iter::once(row.id.clone()).chain(container).collect()
        });
        let shell = Shell { event: event.clone(), runs_for, or_of };
        if let Some(episode) = state.episode.as_mut().filter(|episode| {
            episode.order(event) == Order::After
                && !episode.resumed_before(event)
                && event.utc() - episode.last_second() <= lag
        }) {
            push_bounded(&mut episode.shells, shell);
        } else if let Some(minor) =
            state.minors.iter_mut().rev().find(|minor| event.utc() - minor.opener.utc() <= lag)
        {
            push_bounded(&mut minor.shells, shell);
        } else {
            push_bounded(&mut state.shells, shell);
            self.due.insert((event.utc() + DEATH_FOLLOWS + 1, session.clone()));
        }
    }

    /// The commands that were cut just before a stop and belong to it.
    pub(super) fn shells_of_stop(&mut self, session: &str, cause: Cause, event: &SharedEvent) -> Vec<Shell> {
        let reach = if cause.is_incidental() { DEATH_FOLLOWS } else { STOP_FOLLOWS };
        let Some(state) = self.sessions.get_mut(session) else { return Vec::new() };
        let (belong, wait): (Vec<Shell>, Vec<Shell>) = std::mem::take(&mut state.shells)
            .into_iter()
            .partition(|shell| event.utc() - shell.event.utc() <= reach);
        state.shells = wait;
        belong
    }

    /// Hands over the commands that no stop has claimed in time.
    pub(super) fn close_shells(&mut self, session: &Arc<str>, everything: bool) {
        let now = self.now;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let (unclaimed, wait): (Vec<Shell>, Vec<Shell>) = std::mem::take(&mut state.shells)
            .into_iter()
            .partition(|shell| everything || now - shell.event.utc() > DEATH_FOLLOWS);
        state.shells = wait;
        let labels = state.labels.clone();
        self.cases.extend(unclaimed.into_iter().map(|shell| {
            Case::ShellLoss(ShellLoss { session: session.clone(), shell, labels: labels.clone() })
        }));
    }
}
