//! Process starts and shutdowns.

use std::collections::BTreeMap;

use super::case::{Case, MinorStop};
use super::engine::Replay;
use super::engine::Shutdown;
use super::episode::{Cause, EndKind, EvidenceEnd, RowEnd};
use super::session::SessionState;
use crate::events::{EventKind, SharedEvent, Stream};

/// A shutdown lasts seconds; work this long after the banner shows that the banner was no shutdown.
const SHUTDOWN_BOUND: i64 = 60;

impl Replay {
    /// A new process: all registries are empty.
    pub(super) fn restart(&mut self) {
        self.close_all(EvidenceEnd::ProcessEnded, self.now);
        self.close_shutdown();
        for state in self.sessions.values_mut() {
            self.losses.rows_dropped += state.rows_dropped;
            let labels = std::mem::take(&mut state.labels);
            let last_used = state.last_used;
            **state = SessionState { labels, last_used, ..SessionState::default() };
        }
        self.known_since = None;
        self.is_whole = true;
        self.evicted_since_start = false;
        self.executions.clear();
        self.pane_owners.clear();
        self.executing.clear();
        self.agents_without_pane.clear();
        self.turns_waiting.clear();
        self.items_waiting.clear();
        self.mirrors.clear();
        self.last_loose = None;
        self.answers.clear();
        self.jobs.clear();
    }

    pub(super) fn begin_shutdown(&mut self, event: &SharedEvent) {
        if self.shutdown.is_none() {
            self.close_all(EvidenceEnd::ProcessEnded, self.now);
            self.shutdown = Some(Shutdown { began: event.utc().max(self.now), sweeps: BTreeMap::new() });
        }
    }

    /// Whether the server evidently works on long after the banner, so that it was none.
    pub(super) fn leaves_shutdown(&mut self, event: &SharedEvent) -> bool {
        let Some(shutdown) = &self.shutdown else { return true };
        let works = matches!(
            event.kind,
            EventKind::QueryReceived { .. }
                | EventKind::ExecutionRecorded { .. }
                | EventKind::StreamStarting { .. }
        );
        if event.stream == Stream::Main && works && event.utc() - shutdown.began > SHUTDOWN_BOUND {
            self.losses.false_shutdowns += 1;
            self.close_shutdown();
            return true;
        }
        false
    }

    /// A sweep between the banner and the end belongs to the shutdown and is never a finding
    /// (server-behaviour.md#shutdown).
    pub(super) fn note_shutdown_sweep(&mut self, event: &SharedEvent) {
        if let (Some(id), Some(shutdown)) = (event.kind.execution(), self.shutdown.as_mut())
            && let EventKind::Finalized { outcome, .. } = &event.kind
        {
            let rows = shutdown.sweeps.values_mut().flat_map(|minor| minor.rows.iter_mut());
            for row in rows.filter(|row| *row.id == *id && row.end.is_none()) {
                row.end = Some(RowEnd { event: event.clone(), kind: EndKind::Finalized(*outcome) });
            }
        }
        let Some(session) = event.kind.session() else { return };
        let relevant = matches!(
            event.kind,
            EventKind::BackgroundAgents { .. }
                | EventKind::NoCancelFunctionWarning { .. }
                | EventKind::TrackedMarked { .. }
                | EventKind::TrackedTotal { .. }
        );
        if !relevant {
            return;
        }
        let state = self.sessions.get(session);
        let labels = state.map(|state| state.labels.clone()).unwrap_or_default();
        let rows = state.map(|state| state.open_rows());
        let turns = state.map(|state| state.open_turns());
        let Some(shutdown) = self.shutdown.as_mut() else { return };
        let minor = shutdown.sweeps.entry(session.clone()).or_insert_with(|| MinorStop {
            labels,
            is_whole: self.is_whole,
            gave_up: state.is_some_and(|state| state.gave_up()),
            rows: rows.unwrap_or_default(),
            turns: turns.unwrap_or_default(),
            evidence_end: event.utc() + self.thresholds.stop_grace,
            evidence_end_reason: EvidenceEnd::ProcessEnded,
            ..MinorStop::new(session, Cause::Shutdown, "", event)
        });
        match &event.kind {
            EventKind::BackgroundAgents { canceled, no_cancel_func, already_done, .. } => {
                minor.sweep.agents = Some((*canceled, *no_cancel_func, *already_done, event.clone()));
            }
            EventKind::NoCancelFunctionWarning { .. } => minor.sweep.warning = Some(event.clone()),
            EventKind::TrackedMarked { .. } => minor.sweep.mark(event),
            EventKind::TrackedTotal { count, .. } => minor.sweep.total = Some((*count, event.clone())),
            _ => {}
        }
    }

    /// Hands over the sessions in which the shutdown cut something off.
    pub(super) fn close_shutdown(&mut self) {
        let Some(shutdown) = self.shutdown.take() else { return };
        for minor in shutdown.sweeps.into_values() {
            let agents = minor.sweep.agents.as_ref().is_some_and(|(own, none, _, _)| own + none > 0);
            let marked = minor.sweep.marked_count().unwrap_or_default() > 0;
            if agents || marked {
                self.cases.push(Case::Minor(Box::new(minor)));
            }
        }
    }
}
