//! Applies events in order and hands over cases when nothing more is to be expected of them.
//!
//! Bounded: at most [`Limits::sessions`] sessions, least recently used first out, each eviction counted.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::case::{Case, KillFailure, MinorStop};
use super::episode::EvidenceEnd;
use super::rebuilt::RegistryNow;
use super::registry::{Registry, Sessions};
use super::session::{SessionState, push_bounded};
use crate::events::event::Position;
use crate::events::{Event, EventKind, SharedEvent, Stream};
use crate::model::thresholds::Thresholds;

/// How much the replay keeps.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Sessions in memory at once.
    pub sessions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sessions: 100_000 }
    }
}

/// What the replay could not keep or did not believe; every number is shown to the user.
#[derive(Debug, Clone, Default)]
pub struct Losses {
    /// Sessions evicted from memory.
    pub sessions_evicted: u64,
    /// Rows dropped because a session had too many open ones.
    pub rows_dropped: u64,
    /// Counter lines of the server that the replayed registry does not explain.
    pub counter_mismatches: u64,
    /// Counter lines that were compared.
    pub counters_compared: u64,
    /// Lines of stops, jobs and panes that were too many to be kept and may prove something.
    pub lines_dropped: u64,
    /// Shutdown banners after which the server worked on.
    pub false_shutdowns: u64,
}

/// Jobs of schedules that are remembered.
const KEPT_JOBS: usize = 10_000;

/// A progress row that has not ended, as far as it was looked at.
#[derive(Debug)]
pub(super) struct OpenMirror {
    pub(super) session: Arc<str>,
    pub(super) id: Arc<str>,
    /// The numbers of steps that its id names.
    pub(super) steps: Vec<u64>,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) session: Option<Arc<str>>,
    pub(super) title: Arc<str>,
    pub(super) starting: SharedEvent,
}

/// A pane that began to execute.
#[derive(Debug)]
pub(super) struct Executed {
    pub(super) tmux: Arc<str>,
    pub(super) event: SharedEvent,
    pub(super) session: Option<Arc<str>>,
}

#[derive(Debug)]
pub(super) struct Shutdown {
    pub(super) began: i64,
    pub(super) sweeps: BTreeMap<Arc<str>, MinorStop>,
}

/// The state of one server, rebuilt from its log.
#[derive(Debug, Default)]
pub struct Replay {
    pub(super) limits: Limits,
    pub(super) thresholds: Thresholds,
    pub(super) sessions: Sessions,
    pub(super) executions: FxHashMap<Arc<str>, Arc<str>>,
    pub(super) pane_owners: FxHashMap<Arc<str>, Arc<str>>,
    /// Panes that began to execute lately, newest last, and whose each was taken to be.
    pub(super) executing: VecDeque<Executed>,
    /// Open turns that may wait for a pane, by where they start, with their sessions.
    pub(super) turns_waiting: BTreeMap<Position, Arc<str>>,
    /// Items whose working directory has not been seen, newest last.
    pub(super) items_waiting: VecDeque<(Arc<str>, SharedEvent)>,
    /// Open progress rows: session and id.
    pub(super) mirrors: Vec<OpenMirror>,
    /// How many more may come before it is looked again which of them have ended.
    pub(super) mirrors_unseen: usize,
    /// The session of the last sweep without an opener.
    pub(super) last_loose: Option<Arc<str>>,
    pub(super) group_folders: VecDeque<(Arc<str>, Arc<str>)>,
    pub(super) agents_without_pane: Vec<(Arc<str>, Arc<str>)>,
    pub(super) jobs: FxHashMap<Arc<str>, Job>,
    pub(super) answers: VecDeque<SharedEvent>,
    pub(super) due: BTreeSet<(i64, Arc<str>)>,
    pub(super) shutdown: Option<Shutdown>,
    pub(super) kill_failures: BTreeMap<Arc<str>, KillFailure>,
    pub(super) last_sweep: Option<(Arc<str>, i64)>,
    pub(super) sleeps: Vec<(i64, i64)>,
    pub(super) cases: Vec<Case>,
    pub(super) losses: Losses,
    pub(super) sessions_seen: u64,
    pub(super) clock: u64,
    pub(super) now: i64,
    pub(super) holes: Vec<i64>,
    /// UTC second of the first line of the process.
    pub(super) known_since: Option<i64>,
    /// Whether the process was seen to start, so that every row of it is known.
    pub(super) is_whole: bool,
    /// Whether sessions of this process were forgotten.
    pub(super) evicted_since_start: bool,
    /// What was registered, ended or not; kept only where somebody asks for it.
    pub(super) registry: Option<Registry>,
}

impl Replay {
    /// An empty replay, with the limits by which its cases will be judged.
    #[must_use]
    pub fn new(limits: Limits, thresholds: Thresholds) -> Self {
        Self { limits, thresholds, ..Self::default() }
    }

    /// The same, and it remembers what was registered, so that it can be asked for the registries.
    #[must_use]
    pub fn with_registry(limits: Limits, thresholds: Thresholds) -> Self {
        Self { registry: Some(Registry::default()), ..Self::new(limits, thresholds) }
    }

    /// The registries as they are now, where it remembers them.
    #[must_use]
    pub fn registry(&self) -> Option<RegistryNow<'_>> {
        self.registry.as_ref().map(|registry| RegistryNow {
            sessions: &self.sessions,
            registry,
            is_whole: self.is_whole,
            sessions_evicted: self.losses.sessions_evicted,
            rows_dropped: self.losses.rows_dropped,
        })
    }

    /// Cases that are ready to be judged.
    pub fn take_cases(&mut self) -> Vec<Case> {
        std::mem::take(&mut self.cases)
    }

    /// How many sessions the log has named.
    #[must_use]
    pub fn sessions_seen(&self) -> u64 {
        self.sessions_seen
    }

    /// What could not be kept.
    #[must_use]
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Lines were lost around this UTC second; what is absent there proves nothing.
    pub fn note_hole(&mut self, wall: i64) {
        push_bounded(&mut self.holes, wall);
        let lag = self.thresholds.cancel_lag;
        for state in self.sessions.values_mut() {
            if let Some(episode) = state.episode.as_mut()
                && wall >= episode.first_second()
                && wall <= episode.last_second() + lag
            {
                episode.hole = true;
            }
        }
    }

    /// Applies one event. Events of one stream come in file order; the two streams are merged by second.
    pub fn apply(&mut self, event: SharedEvent) {
        let Some(mut registry) = self.registry.take() else { return self.apply_event(event) };
        let session = self.session_of(&event);
        self.apply_event(event.clone());
        registry.follow(&self.sessions, session.as_ref(), &event);
        self.registry = Some(registry);
    }

    fn apply_event(&mut self, mut event: SharedEvent) {
        if event.stream == Stream::Main {
            self.known_since.get_or_insert(event.utc());
        }
        // The old process was last seen at its own last line, however long ago that was.
        if matches!(event.kind, EventKind::ProcessStarted) {
            self.restart();
            self.now = self.now.max(event.utc());
            return;
        }
        if event.stream == Stream::Main && event.utc() > self.now {
            self.now = event.utc();
            self.settle_due();
        }
        match &event.kind {
            EventKind::ShutdownBegan => return self.begin_shutdown(&event),
            EventKind::HostWoke { gap_seconds } => {
                push_bounded(&mut self.sleeps, (event.utc(), *gap_seconds));
                return;
            }
            _ => {}
        }
        if self.shutdown.is_some() && !self.leaves_shutdown(&event) {
            self.note_shutdown_sweep(&event);
            return;
        }
        self.apply_without_session(&event);
        let Some(session) = self.session_of(&event) else { return };
        let session = self.touch(session);
        // An open row keeps its registration line, so the line shares the name that the session has here.
        if let Some(Event { kind: EventKind::ExecutionRecorded { session: name, .. }, .. }) =
            Arc::get_mut(&mut event)
        {
            *name = session.clone();
        }
        self.apply_to_session(&session, &event);
    }

    /// The log has ended at this UTC second of `server_debug.log`.
    pub fn finish(&mut self, end_wall: i64) {
        self.now = self.now.max(end_wall);
        self.settle_due();
        let reason = if self.shutdown.is_some() { EvidenceEnd::ProcessEnded } else { EvidenceEnd::LogEnded };
        self.close_all(reason, self.now);
        self.close_shutdown();
        self.losses.rows_dropped += self.sessions.values().map(|state| state.rows_dropped).sum::<u64>();
    }

    /// The session that an event concerns, as far as the events so far tell it.
    #[must_use]
    pub fn session_of(&self, event: &SharedEvent) -> Option<Arc<str>> {
        if let Some(session) = event.kind.session() {
            let foreign = session.starts_with("session-group-")
                || session.starts_with("msgseq-")
                || session.starts_with("sub-")
                || session.is_empty();
            return (!foreign).then(|| session.clone());
        }
        if let Some(id) = event.kind.execution() {
            return self.executions.get(id).cloned();
        }
        match &event.kind {
            EventKind::ChannelOpened { .. }
            | EventKind::ScheduledTurnSent { .. }
            | EventKind::JobStoppedByUser { .. }
            | EventKind::Unjudged { .. } => event.context.session.clone(),
            EventKind::PaneLost { tmux } | EventKind::PaneTagFailed { tmux } => {
                self.pane_owners.get(tmux).cloned()
            }
            EventKind::PaneClosedByAdapter { tmux, owner, .. } => self.owner_of_pane(tmux, owner),
            EventKind::ShellAbandoned { scope, .. } => self.session_of_scope(scope),
            _ => None,
        }
    }

    /// Notes that a session is in use; gives its name as it is kept, so that nobody keeps a copy.
    pub(super) fn touch(&mut self, session: Arc<str>) -> Arc<str> {
        self.clock += 1;
        if let Entry::Occupied(mut known) = self.sessions.entry(session.clone()) {
            known.get_mut().last_used = self.clock;
            return known.key().clone();
        }
        if self.sessions.len() >= self.limits.sessions {
            self.evict();
        }
        let may_be_forgotten = self.evicted_since_start;
        let state = SessionState { last_used: self.clock, may_be_forgotten, ..SessionState::default() };
        self.sessions.insert(session.clone(), Box::new(state));
        self.sessions_seen += 1;
        session
    }

    /// A name of the session, for `--match`.
    pub(super) fn label(&mut self, session: &str, name: &str) {
        if let Some(state) = self.sessions.get_mut(session) {
            state.label(name);
        }
    }

    /// Drops the least recently used tenth, judging their open cases first.
    pub(super) fn evict(&mut self) {
        let mut ages: Vec<(u64, Arc<str>)> =
            self.sessions.iter().map(|(id, state)| (state.last_used, id.clone())).collect();
        ages.sort_unstable();
        let count = (ages.len() / 10).max(1);
        for (_, session) in ages.into_iter().take(count) {
            self.close_session(&session, EvidenceEnd::Evicted, self.now);
            self.forget_session(&session);
            self.losses.sessions_evicted += 1;
            self.evicted_since_start = true;
        }
    }

    pub(super) fn forget_session(&mut self, session: &str) {
        let Some(state) = self.sessions.remove(session) else { return };
        self.losses.rows_dropped += state.rows_dropped;
        for row in &state.rows {
            self.executions.remove(&row.id);
        }
        let panes = state.panes.used.iter().map(|used| &used.tmux);
        for tmux in panes.chain(state.panes.tied.iter().map(|(tmux, _)| tmux)) {
            self.pane_owners.remove(tmux);
        }
    }

    pub(super) fn apply_without_session(&mut self, event: &SharedEvent) {
        match &event.kind {
            EventKind::PaneExecuting { tmux, step } => self.pane_executing(tmux, *step, event),
            EventKind::AskReturned { .. } if event.context.group.is_none() => {
                if self.answers.len() == 16 {
                    self.answers.pop_front();
                }
                self.answers.push_back(event.clone());
            }
            EventKind::GroupSessionGenerated { group_session, folder } => {
                if self.group_folders.len() == 64 {
                    self.group_folders.pop_front();
                }
                self.group_folders.push_back((group_session.clone(), folder.clone()));
            }
            EventKind::SubAgentWorkingDirectory { sub_session, path } => {
                self.link_item(sub_session, path, event);
            }
            EventKind::StepProgressed { number } => self.end_mirror(*number, event),
            EventKind::JobStarting { schedule, title } => {
                let job = Job { session: None, title: title.clone(), starting: event.clone() };
                if self.jobs.len() < KEPT_JOBS || self.jobs.contains_key(schedule) {
                    self.jobs.insert(schedule.clone(), job);
                } else {
                    self.losses.lines_dropped += 1;
                }
            }
            EventKind::AllStoppedByTool { .. } => self.tool_stopped_all(event),
            EventKind::PaneKillFailed { tmux, owner, by_reaper } => {
                self.kill_failed(tmux, owner, *by_reaper, event);
            }
            EventKind::PaneAlreadyGone { tmux } | EventKind::PaneReaped { tmux, .. } => {
                if let Some(failure) = self.kill_failures.get_mut(tmux) {
                    failure.closed = Some(event.clone());
                }
            }
            _ => {}
        }
    }

    pub(super) fn apply_to_session(&mut self, session: &Arc<str>, event: &SharedEvent) {
        self.learn(session, event);
        self.open_or_extend(session, event);
        self.follow_turns(session, event);
        if matches!(event.kind, EventKind::StreamStarting { .. } | EventKind::SyntheticTurnStarting { .. }) {
            self.note_waiting(session);
        }
        self.follow_rows(session, event);
        self.follow_panes(session, event);
        self.follow_completions(session, event);
        self.follow_shells(session, event);
        self.append_line(session, event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::event::{Context, Position};

    /// A line of a session; only its order and kind matter here.
    fn event(line: u64, kind: EventKind) -> SharedEvent {
        Arc::new(Event {
            kind,
            position: Position {
                input: 0,
                line,
                line_in_file: line,
                byte_offset: line * 100,
                byte_length: 99,
            },
            stream: Stream::Main,
            wall: 1_000 + i64::try_from(line).unwrap_or_default(),
            zone_offset: 0,
            context: Arc::new(Context::default()),
            text: b"x".as_slice().into(),
        })
    }

    fn stopped(session: &str) -> EventKind {
        EventKind::StatusUpdated { session: session.into(), status: "stopped".into() }
    }

    // Issue 3, C: least recently used first out, each eviction counted, and nothing is lost unjudged.
    #[test]
    fn the_least_recently_used_session_goes_first_and_is_judged() {
        let mut replay = Replay::new(Limits { sessions: 2 }, Thresholds::default());
        for (line, session) in [(1, "a"), (2, "b"), (3, "a"), (4, "c")] {
            replay.apply(event(line, stopped(session)));
        }
        assert_eq!(replay.losses().sessions_evicted, 1);
        let judged: Vec<String> = replay
            .take_cases()
            .into_iter()
            .filter_map(|case| match case {
                Case::Stop(episode) => Some(episode.session.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(judged, ["b"]);
        assert_eq!(replay.sessions_seen(), 3);
    }

    // server-behaviour.md#files-of-a-log: the first line of a process empties all registries.
    #[test]
    fn a_new_process_knows_nothing_of_the_old_one() {
        let mut replay = Replay::new(Limits::default(), Thresholds::default());
        let recorded = EventKind::ExecutionRecorded { session: "s".into(), id: "exec-a-1".into() };
        replay.apply(event(1, recorded));
        replay.apply(event(2, EventKind::ProcessStarted));
        replay.apply(event(3, stopped("s")));
        replay.finish(2_000);
        let open: usize = replay
            .take_cases()
            .iter()
            .map(|case| match case {
                Case::Stop(episode) => episode.open_at_stop().count(),
                _ => 0,
            })
            .sum();
        assert_eq!(open, 0);
    }

    // server-behaviour.md#shutdown: what a shutdown sweeps is never a finding, so it is no stop of the session
    // either.
    #[test]
    fn a_sweep_after_the_banner_belongs_to_the_shutdown() {
        let mut replay = Replay::new(Limits::default(), Thresholds::default());
        replay.apply(event(1, EventKind::ShutdownBegan));
        replay.apply(event(
            2,
            EventKind::BackgroundAgents {
                session: "s".into(),
                canceled: 1,
                no_cancel_func: 1,
                already_done: 0,
            },
        ));
        replay.finish(1_010);
        let cases = replay.take_cases();
        assert!(matches!(&cases[..], [Case::Minor(minor)] if minor.cause == crate::replay::Cause::Shutdown));
    }
}
