//! Judging: what is handed over when nothing more is to be expected of it.

use std::sync::Arc;

use super::case::{Case, MinorStop, PaneLoss};
use super::completions::COMPLETION_WINDOW;
use super::engine::Replay;
use super::episode::{Episode, EvidenceEnd, Order};
use super::pane_losses::PANE_LOSS_WINDOW;
use super::panes::KILL_FAILURE_WINDOW;
use crate::model::thresholds::SAME_EPISODE;

/// Stops of one session that wait beside the newest for their rows' ends.
const KEPT_SUPERSEDED: usize = 64;

impl Replay {
    pub(super) fn settle_due(&mut self) {
        while let Some((wall, session)) = self.due.first().cloned() {
            if wall > self.now {
                break;
            }
            self.due.pop_first();
            if session.is_empty() {
                self.close_kill_failures(false);
            } else {
                self.settle_session(&session);
            }
        }
    }

    pub(super) fn settle_session(&mut self, session: &Arc<str>) {
        let now = self.now;
        let mut again = None;
        let mut settle = false;
        if let Some(state) = self.sessions.get(session)
            && let Some(episode) = &state.episode
        {
            let last_line = episode.lines.last().map_or(episode.last_second(), |line| line.utc());
            let last = last_line.max(episode.last_second());
            // A row is open until a line ends it or the process ends: however late it ends, its stop hears of it.
            // What a person started since is no part of the stop.
            let open = state.rows.iter().any(|row| row.canceled_by.is_some() && row.end.is_none())
                || state.turns.iter().any(|turn| {
                    turn.end.is_none()
                        && (episode.resumed.is_none() || episode.turn_order(turn) != Order::After)
                });
            let wait = self.thresholds.settle();
            if now - last < wait {
                again = Some(last + wait);
            } else if !open {
                settle = true;
            }
        }
        if let Some(wall) = again {
            self.due.insert((wall, session.clone()));
        }
        if settle {
            self.close_episode(session, EvidenceEnd::Settled, now);
        }
        self.close_shells(session, false);
        self.close_windows(session, EvidenceEnd::Settled, now, false);
    }

    /// Hands over what waits for its window to pass; all of it where `everything` is set.
    pub(super) fn close_windows(&mut self, session: &str, reason: EvidenceEnd, now: i64, everything: bool) {
        let gap = self.thresholds.dead_pane_gap;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let (closed, open): (Vec<PaneLoss>, Vec<PaneLoss>) = std::mem::take(&mut state.pane_losses)
            .into_iter()
            .partition(|loss| everything || now - loss.losses[0].utc() > PANE_LOSS_WINDOW);
        state.pane_losses = open;
        self.cases.extend(closed.into_iter().map(Case::PaneLoss));
        let sign_done = state.pane_sign.as_ref().is_some_and(|sign| {
            everything || sign.discovery.is_some() || now - sign.signs[0].utc() >= 30 * gap
        });
        if sign_done && let Some(mut sign) = state.pane_sign.take() {
            sign.evidence_end = now;
            sign.evidence_end_reason = reason;
            sign.labels.clone_from(&state.labels);
            self.cases.push(Case::PaneSign(sign));
        }
        let loss_done = state.completion_loss.as_ref().is_some_and(|loss| {
            everything || loss.losses.last().is_some_and(|line| now - line.utc() >= COMPLETION_WINDOW)
        });
        if loss_done && let Some(mut loss) = state.completion_loss.take() {
            loss.labels.clone_from(&state.labels);
            loss.watched = loss.losses.first().is_some_and(|line| now - line.utc() >= COMPLETION_WINDOW);
            self.cases.push(Case::CompletionLoss(loss));
        }
        self.close_waiting(session, reason, now, everything);
        let Some(state) = self.sessions.get_mut(session) else { return };
        let sweep_done = state
            .loose_sweep
            .as_ref()
            .is_some_and(|sweep| everything || now - sweep.opener.utc() >= SAME_EPISODE);
        if sweep_done && let Some(mut sweep) = state.loose_sweep.take() {
            sweep.labels.clone_from(&state.labels);
            sweep.evidence_end = now;
            self.cases.push(Case::Minor(Box::new(sweep)));
        }
    }

    /// Hands over the smaller and the superseded stops that wait for nothing more; all of them where `everything` is
    /// set.
    fn close_waiting(&mut self, session: &str, reason: EvidenceEnd, now: i64, everything: bool) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if !(everything || state.may_settle) || !state.is_awaited() {
            return;
        }
        let quiet = self.thresholds.settle();
        let settled = |last: i64, waits: bool| everything || (now - last >= quiet && !waits);
        let (closed, open): (Vec<MinorStop>, Vec<MinorStop>) = std::mem::take(&mut state.minors)
            .into_iter()
            .partition(|minor| settled(minor.opener.utc(), minor.waits()));
        state.minors = open;
        // A call that nothing answered was refused, unless the log ends before the answer could come.
        let cut = reason == EvidenceEnd::LogEnded;
        let lag = self.thresholds.cancel_lag;
        let told = |minor: &MinorStop| minor.confirmed || (cut && now - minor.opener.utc() <= lag);
        for mut minor in closed.into_iter().filter(told) {
            minor.evidence_end = now;
            minor.evidence_end_reason = reason;
            minor.sleeps.clone_from(&self.sleeps);
            minor.labels.clone_from(&state.labels);
            self.cases.push(Case::Minor(Box::new(minor)));
        }
        let (closed, open): (Vec<Episode>, Vec<Episode>) = std::mem::take(&mut state.superseded)
            .into_iter()
            .partition(|episode| settled(episode.last_second(), episode.waits()));
        state.superseded = open;
        for mut episode in closed {
            episode.evidence_end = now;
            episode.sleeps.clone_from(&self.sleeps);
            self.cases.push(Case::Stop(Box::new(episode)));
        }
        // What waits for nothing but quiet is looked at again.
        state.may_settle = state.minors.iter().any(|minor| !minor.waits())
            || state.superseded.iter().any(|episode| !episode.waits());
    }

    pub(super) fn close_kill_failures(&mut self, everything: bool) {
        let now = self.now;
        let done: Vec<Arc<str>> = self
            .kill_failures
            .iter()
            .filter(|(_, failure)| {
                everything
                    || failure.failures.last().is_some_and(|line| now - line.utc() >= KILL_FAILURE_WINDOW)
            })
            .map(|(tmux, _)| tmux.clone())
            .collect();
        for tmux in done {
            if let Some(mut failure) = self.kill_failures.remove(&tmux) {
                if let Some(state) = failure.session.as_ref().and_then(|session| self.sessions.get(session)) {
                    failure.labels.clone_from(&state.labels);
                }
                self.cases.push(Case::KillFailure(failure));
            }
        }
    }

    /// Hands the episode of a session over, and keeps what is needed to notice later violations.
    pub(super) fn close_episode(&mut self, session: &str, reason: EvidenceEnd, evidence_end: i64) {
        let sleeps = self.sleeps.clone();
        let Some(state) = self.sessions.get_mut(session) else { return };
        let Some(mut episode) = state.episode.take() else { return };
        episode.evidence_end = evidence_end;
        episode.evidence_end_reason = reason;
        if episode.resumed.is_none() && reason == EvidenceEnd::Settled {
            state.armed = Some(Box::new(episode.remembered()));
        }
        episode.rows.clone_from(&state.rows);
        episode.turns.clone_from(&state.turns);
        if episode.open_when_counted.is_some() {
            self.losses.counters_compared += 1;
            episode.counter_mismatch = episode.counters_differ();
            self.losses.counter_mismatches += u64::from(episode.counter_mismatch.is_some());
        }
        episode.panes = state.panes.clone();
        episode.labels.clone_from(&state.labels);
        episode.sleeps = sleeps;
        let ended: Vec<Arc<str>> =
            state.rows.iter().filter(|row| row.end.is_some()).map(|row| row.id.clone()).collect();
        state.forget_ended();
        for id in ended {
            self.executions.remove(&id);
        }
        // A row belongs to the last stop before its end, so the earlier one waits for it too.
        if reason == EvidenceEnd::NextStop && episode.waits() && state.superseded.len() < KEPT_SUPERSEDED {
            state.superseded.push(*episode);
            state.may_settle = true;
        } else {
            self.cases.push(Case::Stop(episode));
        }
    }

    pub(super) fn close_session(&mut self, session: &str, reason: EvidenceEnd, evidence_end: i64) {
        self.close_episode(session, reason, evidence_end);
        self.close_shells(&session.into(), true);
        self.close_windows(session, reason, evidence_end, true);
    }

    pub(super) fn close_all(&mut self, reason: EvidenceEnd, evidence_end: i64) {
        let mut sessions: Vec<Arc<str>> = self.sessions.keys().cloned().collect();
        sessions.sort_unstable();
        for session in sessions {
            self.close_session(&session, reason, evidence_end);
        }
        self.close_kill_failures(true);
        self.due.clear();
    }
}
