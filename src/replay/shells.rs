//! Shell commands of the file service: no registry holds them, and no stop reaches them (measured, section 12).

use std::sync::Arc;

use super::case::{Case, ShellLoss};
use super::engine::Replay;
use super::episode::{Cause, Order};
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
        let bound = self.sessions.iter().filter_map(|(session, state)| {
            let (item, _) = state.item_sessions.iter().rev().find(|(_, of)| **of == *scope)?;
            let row = state.rows.iter().find(|row| row.id == *item)?;
            Some((row.recorded.as_ref().map(|line| line.position), session))
        });
        bound.max().map(|(_, session)| session.clone())
    }

    pub(super) fn follow_shells(&mut self, session: &Arc<str>, event: &SharedEvent) {
        if !matches!(event.kind, EventKind::ShellAbandoned { .. }) {
            return;
        }
        let lag = self.thresholds.cancel_lag;
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(episode) = state.episode.as_mut().filter(|episode| {
            episode.order(event) == Order::After
                && !episode.resumed_before(event)
                && event.utc() - episode.last_second() <= lag
        }) {
            push_bounded(&mut episode.shells, event.clone());
        } else if let Some(minor) =
            state.minors.iter_mut().rev().find(|minor| event.utc() - minor.opener.utc() <= lag)
        {
            push_bounded(&mut minor.shells, event.clone());
        } else {
            push_bounded(&mut state.shells, event.clone());
            self.due.insert((event.utc() + DEATH_FOLLOWS + 1, session.clone()));
        }
    }

    /// The commands that were cut just before a stop and belong to it.
    pub(super) fn shells_of_stop(
        &mut self,
        session: &str,
        cause: Cause,
        event: &SharedEvent,
    ) -> Vec<SharedEvent> {
        let reach = if cause.is_incidental() { DEATH_FOLLOWS } else { STOP_FOLLOWS };
        let Some(state) = self.sessions.get_mut(session) else { return Vec::new() };
        let (belong, wait): (Vec<SharedEvent>, Vec<SharedEvent>) =
            std::mem::take(&mut state.shells).into_iter().partition(|line| event.utc() - line.utc() <= reach);
        state.shells = wait;
        belong
    }

    /// Hands over the commands that no stop has claimed in time.
    pub(super) fn close_shells(&mut self, session: &Arc<str>, everything: bool) {
        let now = self.now;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let (unclaimed, wait): (Vec<SharedEvent>, Vec<SharedEvent>) = std::mem::take(&mut state.shells)
            .into_iter()
            .partition(|line| everything || now - line.utc() > DEATH_FOLLOWS);
        state.shells = wait;
        let labels = state.labels.clone();
        self.cases.extend(unclaimed.into_iter().map(|event| {
            Case::ShellLoss(ShellLoss { session: session.clone(), event, labels: labels.clone() })
        }));
    }
}
