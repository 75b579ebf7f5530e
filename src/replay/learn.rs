//! What a line teaches about its session whatever else happens: names, folders, who stopped it.

use std::sync::Arc;

use super::engine::Replay;
use super::episode::Cause;
use crate::events::{EventKind, SharedEvent};
use crate::model::id::{self, IdKind};

impl Replay {
    /// Names and facts that hold whatever happens.
    pub(super) fn learn(&mut self, session: &Arc<str>, event: &SharedEvent) {
        for name in [&event.context.workflow, &event.context.group].into_iter().flatten() {
            self.label(session, name);
        }
        match &event.kind {
            EventKind::JobSession { schedule, .. } => {
                if let Some(job) = self.jobs.get_mut(schedule) {
                    job.session = Some(session.clone());
                    let title = job.title.clone();
                    self.label(session, &title);
                }
                self.label(session, schedule);
            }
            EventKind::StopRequested { schedule, .. } | EventKind::JobStopping { schedule, .. } => {
                self.label(session, schedule);
            }
            EventKind::JobStoppedByUser { schedule, after_milliseconds } => {
                let stop_nanoseconds = self.stop_nanoseconds(session, schedule, *after_milliseconds);
                let Some(state) = self.sessions.get_mut(session) else { return };
                state.label(schedule);
                state.stopped_by_user = Some((event.clone(), stop_nanoseconds));
                if let Some(episode) = state.episode.as_mut() {
                    episode.stop_nanoseconds = episode.stop_nanoseconds.or(stop_nanoseconds);
                }
            }
            EventKind::FolderGuardCopied { group_session, .. } => {
                let known = self.group_folders.iter().rev().find(|(name, _)| name == group_session);
                let Some(folder) = known.map(|(_, folder)| folder.clone()) else { return };
                let Some(state) = self.sessions.get_mut(session) else { return };
                state.label(folder.rsplit('/').next().unwrap_or(&folder));
                state.learn_folder(&folder);
            }
            EventKind::TrackedMarked { id, .. } if IdKind::of(id).is_run() => self.label(session, id),
            EventKind::PaneClosedByConflict { .. } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    state.conflict = Some(event.clone());
                    // The server prints `status to: stopped` before its own line
                    // (server-behaviour.md#what-the-log-prints).
                    if let Some(episode) = state.episode.as_mut()
                        && episode.cause == Cause::UserStop
                        && event.utc() - episode.last_second() <= 5
                        && episode
                            .openers
                            .iter()
                            .all(|line| matches!(line.kind, EventKind::StatusUpdated { .. }))
                    {
                        episode.cause = Cause::Other;
                        episode.reason = "another session's start closed its conflicting pane".into();
                    }
                }
            }
            _ => {}
        }
    }

    /// The stop's time by id arithmetic; only where the id's second is that of the job's start
    /// (server-behaviour.md#reading-a-stop-from-a-log: a reused session id carries an older time).
    fn stop_nanoseconds(&self, session: &str, schedule: &str, after_milliseconds: i64) -> Option<i64> {
        let started = id::nanoseconds(session)?;
        let job = self.jobs.get(schedule)?;
        let same_second = (started / 1_000_000_000 - job.starting.utc()).abs() <= 1;
        let same_session = job.session.as_deref().is_none_or(|of| of == session);
        // A time that is no time is none.
        after_milliseconds
            .checked_mul(1_000_000)
            .and_then(|after| started.checked_add(after))
            .filter(|_| same_second && same_session)
    }
}
