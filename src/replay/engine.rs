//! Applies events in order and hands over cases when nothing more is to be expected of them.
//!
//! Bounded: at most [`Limits::sessions`] sessions, least recently used first out, each eviction counted.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::case::{Case, CompletionLoss, KillFailure, LatentDeath, MinorStop, PaneLoss, PaneSign};
use super::episode::{
    CANCEL_LAG, Cause, EndKind, Episode, EvidenceEnd, MarkedRow, PaneHistory, SAME_EPISODE, STOP_GRACE,
    Sweep, Turn,
};
use super::session::{SessionState, item_is_of_step, push_bounded, shows_work};
use crate::events::{Event, EventKind, SharedEvent, Stream};
use crate::model::id::{self, IdKind};

/// Seconds of quiet after which an episode is judged.
const SETTLE: i64 = 120;
/// Seconds after which an episode with rows that never ended is judged all the same.
const SETTLE_OPEN: i64 = 900;
/// Seconds within which a lost step pane must show its consequence (measured, section 9, PLS039).
const PANE_LOSS_WINDOW: i64 = 90;
/// Seconds between the first sign of a dead pane and its discovery (signatures: `dead_pane_gap`).
const DEAD_PANE_GAP: i64 = 60;
/// Seconds in which two sweeps of the pane reaper fit.
const KILL_FAILURE_WINDOW: i64 = 270;
/// Seconds in which a dropped completion may still find its way.
const COMPLETION_WINDOW: i64 = 120;
/// A shutdown lasts seconds; work this long after the banner shows that the banner was no shutdown.
const SHUTDOWN_BOUND: i64 = 60;
/// Lines kept per episode.
const KEPT_LINES: usize = 2048;

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
    /// Shutdown banners after which the server worked on.
    pub false_shutdowns: u64,
}

#[derive(Debug)]
struct Job {
    session: Option<Box<str>>,
    title: Box<str>,
    starting: SharedEvent,
}

#[derive(Debug)]
struct Shutdown {
    wall: i64,
    sweeps: BTreeMap<Box<str>, MinorStop>,
}

/// The state of one server, rebuilt from its log.
#[derive(Debug, Default)]
pub struct Replay {
    limits: Limits,
    sessions: FxHashMap<Box<str>, SessionState>,
    executions: FxHashMap<Box<str>, Box<str>>,
    pane_owners: FxHashMap<Box<str>, Box<str>>,
    executing: VecDeque<(Box<str>, SharedEvent)>,
    group_folders: VecDeque<(Box<str>, Box<str>)>,
    agents_without_pane: Vec<(Box<str>, Box<str>)>,
    jobs: FxHashMap<Box<str>, Job>,
    answers: VecDeque<SharedEvent>,
    due: BTreeSet<(i64, Box<str>)>,
    shutdown: Option<Shutdown>,
    kill_failures: BTreeMap<Box<str>, KillFailure>,
    last_sweep: Option<(Box<str>, i64)>,
    sleeps: Vec<(i64, i64)>,
    cases: Vec<Case>,
    losses: Losses,
    sessions_seen: u64,
    clock: u64,
    now: i64,
    holes: Vec<i64>,
}

impl Replay {
    /// An empty replay.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
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

    /// Lines were lost around this local wall second; what is absent there proves nothing.
    pub fn note_hole(&mut self, wall: i64) {
        push_bounded(&mut self.holes, wall);
        for state in self.sessions.values_mut() {
            if let Some(episode) = state.episode.as_mut()
                && wall >= episode.first_wall()
                && wall <= episode.last_wall() + CANCEL_LAG
            {
                episode.hole = true;
            }
        }
    }

    /// Applies one event. Events of one stream come in file order; the two streams are merged by second.
    pub fn apply(&mut self, event: Event) {
        let event: SharedEvent = Arc::new(event);
        if event.stream == Stream::Main && event.wall > self.now {
            self.now = event.wall;
            self.settle_due();
        }
        match &event.kind {
            EventKind::ProcessStarted => return self.restart(),
            EventKind::ShutdownBegan => return self.begin_shutdown(&event),
            EventKind::HostWoke { gap_seconds } => {
                push_bounded(&mut self.sleeps, (event.wall, *gap_seconds));
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
        self.touch(&session);
        self.apply_to_session(&session, &event);
    }

    /// The log has ended at this local wall second of `server_debug.log`.
    pub fn finish(&mut self, end_wall: i64) {
        self.now = self.now.max(end_wall);
        self.settle_due();
        let reason = if self.shutdown.is_some() { EvidenceEnd::ProcessEnded } else { EvidenceEnd::LogEnded };
        self.close_all(reason, self.now);
        self.close_shutdown();
    }

    // --- which session --------------------------------------------------------------------------

    fn session_of(&self, event: &SharedEvent) -> Option<Box<str>> {
        if let Some(session) = event.kind.session() {
            let foreign = session.starts_with("session-group-")
                || session.starts_with("msgseq-")
                || session.starts_with("sub-")
                || session.is_empty();
            return (!foreign).then(|| session.into());
        }
        if let Some(id) = event.kind.execution() {
            return self.executions.get(id).cloned();
        }
        match &event.kind {
            EventKind::ChannelOpened { .. }
            | EventKind::ScheduledTurnSent { .. }
            | EventKind::JobStoppedByUser { .. } => event.context.session.clone(),
            EventKind::PaneLost { tmux }
            | EventKind::PaneTagFailed { tmux }
            | EventKind::PaneClosedByAdapter { tmux, .. } => self.pane_owners.get(tmux).cloned(),
            _ => None,
        }
    }

    fn touch(&mut self, session: &str) {
        self.clock += 1;
        if !self.sessions.contains_key(session) {
            if self.sessions.len() >= self.limits.sessions {
                self.evict();
            }
            self.sessions.insert(session.into(), SessionState::default());
            self.sessions_seen += 1;
        }
        if let Some(state) = self.sessions.get_mut(session) {
            state.last_used = self.clock;
            state.last_wall = self.now;
        }
    }

    /// Drops the least recently used tenth, judging their open cases first.
    fn evict(&mut self) {
        let mut ages: Vec<(u64, Box<str>)> =
            self.sessions.iter().map(|(id, state)| (state.last_used, id.clone())).collect();
        ages.sort_unstable();
        let count = (ages.len() / 10).max(1);
        for (_, session) in ages.into_iter().take(count) {
            self.close_session(&session, EvidenceEnd::Evicted, self.now);
            self.forget_session(&session);
            self.losses.sessions_evicted += 1;
        }
    }

    fn forget_session(&mut self, session: &str) {
        if let Some(state) = self.sessions.remove(session) {
            self.losses.rows_dropped += state.rows_dropped;
        }
        self.executions.retain(|_, of| &**of != session);
        self.pane_owners.retain(|_, of| &**of != session);
    }

    // --- lines that name no session -------------------------------------------------------------

    fn apply_without_session(&mut self, event: &SharedEvent) {
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
            EventKind::JobStarting { schedule, title } => {
                let job = Job { session: None, title: title.clone(), starting: event.clone() };
                self.jobs.insert(schedule.clone(), job);
            }
            EventKind::AllStoppedByTool { .. } => self.tool_stopped_all(event),
            EventKind::PaneKillFailed { tmux, by_reaper } => self.kill_failed(tmux, *by_reaper, event),
            EventKind::PaneAlreadyGone { tmux } | EventKind::PaneReaped { tmux, .. } => {
                if let Some(failure) = self.kill_failures.get_mut(tmux) {
                    failure.closed = Some(event.clone());
                }
            }
            _ => {}
        }
    }

    /// A pane begins to execute: whose is it? One that is known; else the one turn that waits for a pane.
    fn pane_executing(&mut self, tmux: &str, step: bool, event: &SharedEvent) {
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
    fn tie_pane(&mut self, session: &str, tmux: &str, event: &SharedEvent) {
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
            let used = super::episode::PaneUse { tmux: tmux.into(), event: line, ambiguous: false };
            push_bounded(&mut state.panes.used, used);
            state.panes.used.sort_by_key(|used| used.event.position);
        }
    }

    fn link_item(&mut self, sub_session: &str, path: &str, event: &SharedEvent) {
        // The line names no session: the newest open item of that step is meant (measured, section 8: match by
        // step and time, not by distance).
        let mut candidates: Vec<(SharedEvent, Box<str>)> = Vec::new();
        for (session, state) in &self.sessions {
            let newest = state
                .rows
                .iter()
                .filter(|row| row.kind == IdKind::Item && row.end.is_none())
                .filter(|row| !state.item_sessions.iter().any(|(item, _)| *item == row.id))
                .filter_map(|row| row.recorded.clone())
                .filter(|recorded| event.wall - recorded.wall <= CANCEL_LAG)
                .max_by_key(|recorded| recorded.position);
            if let Some(recorded) = newest {
                candidates.push((recorded, session.clone()));
            }
        }
        candidates.sort_by_key(|(recorded, _)| std::cmp::Reverse(recorded.position));
        for (_, session) in candidates {
            let Some(state) = self.sessions.get_mut(&session) else { continue };
            if let Some(item) = state.link_item(sub_session, path, event) {
                self.note_item_began(&session, &item, sub_session);
                return;
            }
        }
    }

    fn tool_stopped_all(&mut self, event: &SharedEvent) {
        let found = self
            .sessions
            .iter()
            .filter(|(_, state)| {
                state.loose_sweep.as_ref().is_some_and(|sweep| event.wall - sweep.opener.wall <= 5)
            })
            .max_by_key(|(_, state)| state.loose_sweep.as_ref().map(|sweep| sweep.opener.position))
            .map(|(session, _)| session.clone());
        let Some(session) = found else { return };
        let Some(state) = self.sessions.get_mut(&session) else { return };
        if let Some(mut sweep) = state.loose_sweep.take() {
            sweep.cause = Cause::AgentStopTool;
            sweep.labels.clone_from(&state.labels);
            self.cases.push(Case::Minor(sweep));
        }
    }

    fn kill_failed(&mut self, tmux: &str, by_reaper: bool, event: &SharedEvent) {
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

    // --- lines of a session ---------------------------------------------------------------------

    fn apply_to_session(&mut self, session: &str, event: &SharedEvent) {
        self.learn(session, event);
        self.open_or_extend(session, event);
        self.follow_turns(session, event);
        self.follow_rows(session, event);
        self.follow_panes(session, event);
        self.follow_completions(session, event);
        self.append_line(session, event);
    }

    /// Names and facts that hold whatever happens.
    fn learn(&mut self, session: &str, event: &SharedEvent) {
        let title = match &event.kind {
            EventKind::JobSession { schedule, .. } => self.jobs.get_mut(schedule).map(|job| {
                job.session = Some(session.into());
                job.title.clone()
            }),
            _ => None,
        };
        let stop_nanoseconds = match &event.kind {
            EventKind::JobStoppedByUser { schedule, after_milliseconds } => {
                self.stop_nanoseconds(session, schedule, *after_milliseconds)
            }
            _ => None,
        };
        let folder = match &event.kind {
            EventKind::FolderGuardCopied { group_session, .. } => self
                .group_folders
                .iter()
                .rev()
                .find(|(name, _)| name == group_session)
                .map(|(_, folder)| folder.clone()),
            _ => None,
        };
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(workflow) = &event.context.workflow {
            state.label(workflow);
        }
        if let Some(group) = &event.context.group {
            state.label(group);
        }
        if let Some(title) = title {
            state.label(&title);
        }
        if let Some(folder) = folder {
            state.label(folder.rsplit('/').next().unwrap_or(&folder));
            state.learn_folder(&folder);
        }
        match &event.kind {
            EventKind::JobSession { schedule, .. }
            | EventKind::StopRequested { schedule, .. }
            | EventKind::JobStopping { schedule, .. } => state.label(schedule),
            EventKind::JobStoppedByUser { schedule, .. } => {
                state.label(schedule);
                state.stopped_by_user = Some((event.clone(), stop_nanoseconds));
                if let Some(episode) = state.episode.as_mut() {
                    episode.stop_nanoseconds = episode.stop_nanoseconds.or(stop_nanoseconds);
                }
            }
            EventKind::TrackedMarked { id, .. } if IdKind::of(id).is_run() => state.label(id),
            EventKind::PaneClosedByConflict { .. } => state.conflict = Some(event.clone()),
            _ => {}
        }
    }

    /// The stop's time by id arithmetic; only where the id's second is that of the job's start
    /// (measured, section 9: a reused session id carries an older time).
    fn stop_nanoseconds(&self, session: &str, schedule: &str, after_milliseconds: i64) -> Option<i64> {
        let started = id::nanoseconds(session)?;
        let job = self.jobs.get(schedule)?;
        let same_second = (started / 1_000_000_000 - job.starting.utc()).abs() <= 1;
        let same_session = job.session.as_deref().is_none_or(|of| of == session);
        (same_second && same_session).then_some(started + after_milliseconds * 1_000_000)
    }

    /// Opens an episode, or adds an opener or counters to the open one.
    fn open_or_extend(&mut self, session: &str, event: &SharedEvent) {
        match &event.kind {
            EventKind::BeginRuntimeCancel { reason, phase, .. } => {
                self.open(session, Cause::from_reason(reason, phase), reason, event);
                self.last_sweep = Some((session.into(), event.wall));
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
                    state
                        .episode
                        .as_ref()
                        .is_some_and(|episode| event.wall - episode.last_wall() <= 2 * CANCEL_LAG)
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

    fn minor_stop(&mut self, session: &str, cause: Cause, reason: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get(session) else { return };
        self.cases.push(Case::Minor(MinorStop {
            session: session.into(),
            cause,
            reason: reason.into(),
            opener: event.clone(),
            sweep: Sweep::default(),
            labels: state.labels.clone(),
            evidence_end: self.now,
        }));
    }

    fn open(&mut self, session: &str, cause: Cause, reason: &str, event: &SharedEvent) {
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
        let hole = self.holes.iter().any(|wall| *wall >= event.wall && *wall <= event.wall + CANCEL_LAG);
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
                session: session.into(),
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
        self.due.insert((event.wall + SETTLE, session.into()));
    }

    /// The sweep that this counter line belongs to: the current one, or a new one where the line stands twice.
    fn with_sweep(&mut self, session: &str, change: impl FnOnce(&mut Sweep)) {
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

    fn count_agents(&mut self, session: &str, counts: (u64, u64, u64), event: &SharedEvent) {
        let now = self.now;
        let Some(state) = self.sessions.get_mut(session) else { return };
        let entry = (counts.0, counts.1, counts.2, event.clone());
        let near = state.episode.as_ref().is_some_and(|episode| {
            event.wall - episode.last_wall() <= CANCEL_LAG && episode.resumed.is_none()
        });
        if !near {
            // A sweep without an opener: the agent's own tool, or a stop whose first lines are missing.
            state.loose_sweep = Some(MinorStop {
                session: session.into(),
                cause: Cause::Other,
                reason: "".into(),
                opener: event.clone(),
                sweep: Sweep { agents: Some(entry), ..Sweep::default() },
                labels: state.labels.clone(),
                evidence_end: now,
            });
            self.due.insert((event.wall + SAME_EPISODE, session.into()));
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

    fn follow_turns(&mut self, session: &str, event: &SharedEvent) {
        let answer = match &event.kind {
            EventKind::StreamClosed { .. }
            | EventKind::StreamCompleted { .. }
            | EventKind::SyntheticTurnEnded { .. } => self.claim_answer(session, event),
            _ => None,
        };
        let Some(state) = self.sessions.get_mut(session) else { return };
        match &event.kind {
            EventKind::QueryReceived { .. } => state.pending_request = Some(event.clone()),
            EventKind::StreamStarting { after_milliseconds, .. } => {
                let request = state.pending_request.take();
                state.turns.push(Turn {
                    start: event.clone(),
                    after_milliseconds: *after_milliseconds,
                    request,
                    query: None,
                    synthetic: false,
                    person: event.context.user,
                    tool: None,
                    answer: None,
                    end: None,
                    panes: Vec::new(),
                    expects_pane: true,
                });
            }
            EventKind::SyntheticTurnStarting { .. } => state.turns.push(Turn {
                start: event.clone(),
                after_milliseconds: 0,
                request: None,
                query: None,
                synthetic: true,
                person: false,
                tool: None,
                answer: None,
                end: None,
                panes: Vec::new(),
                expects_pane: true,
            }),
            EventKind::StreamWaitStarted { query, .. } | EventKind::ChannelOpened { query } => {
                let turn = state.turns.iter_mut().rev().find(|turn| !turn.synthetic && turn.query.is_none());
                if let Some(turn) = turn {
                    turn.query = Some(query.clone());
                }
            }
            EventKind::ToolStarted { .. } => {
                if let Some(turn) = state.open_turn() {
                    turn.tool.get_or_insert_with(|| event.clone());
                }
            }
            EventKind::StreamClosed { .. } => {
                if let Some(turn) = state.turns.iter_mut().find(|turn| !turn.synthetic && turn.end.is_none())
                {
                    turn.answer = turn.answer.take().or(answer);
                }
            }
            EventKind::StreamCompleted { .. } => {
                if let Some(turn) = state.turns.iter_mut().find(|turn| !turn.synthetic && turn.end.is_none())
                {
                    turn.answer = turn.answer.take().or(answer);
                    turn.end = Some(event.clone());
                }
                if state.episode.is_none() {
                    state.forget_ended();
                }
            }
            EventKind::SyntheticTurnEnded { .. } => {
                if let Some(turn) = state.turns.iter_mut().find(|turn| turn.synthetic && turn.end.is_none()) {
                    turn.answer = turn.answer.take().or(answer);
                    turn.end = Some(event.clone());
                }
                if state.episode.is_none() {
                    state.forget_ended();
                }
            }
            EventKind::LiveInputDelivered { .. } => push_bounded(&mut state.live_inputs, event.clone()),
            EventKind::StatusUpdated { status, .. } => state.status = Some(status.clone()),
            _ => {}
        }
    }

    /// The `AskWithHistory returned` line of the turn that ends now: the newest one, where no other turn
    /// could have printed it.
    fn claim_answer(&mut self, session: &str, event: &SharedEvent) -> Option<SharedEvent> {
        while self.answers.front().is_some_and(|answer| event.wall - answer.wall > SAME_EPISODE) {
            self.answers.pop_front();
        }
        let start = self
            .sessions
            .get(session)?
            .turns
            .iter()
            .find(|turn| turn.end.is_none())
            .map(|turn| turn.start.position)?;
        let mut candidates = self.answers.iter().filter(|answer| answer.position > start);
        let first = candidates.next()?.clone();
        if candidates.next().is_some() {
            return None;
        }
        self.answers.retain(|answer| answer.position != first.position);
        Some(first)
    }

    fn follow_rows(&mut self, session: &str, event: &SharedEvent) {
        let end = match &event.kind {
            EventKind::ExecutionRecorded { id, .. } => {
                self.executions.insert(id.clone(), session.into());
                if matches!(IdKind::of(id), IdKind::Agent) {
                    self.agents_without_pane.push((session.into(), id.clone()));
                    if self.agents_without_pane.len() > 64 {
                        self.agents_without_pane.remove(0);
                    }
                }
                if let Some(state) = self.sessions.get_mut(session) {
                    state.record(id, event);
                }
                return;
            }
            EventKind::Finalized { id, outcome } => (id, EndKind::Finalized(*outcome)),
            EventKind::CompleteIgnored { id, .. } => (id, EndKind::Ignored),
            EventKind::CompleteSkipped { id } => (id, EndKind::Skipped),
            EventKind::ResultSkipped { id } => (id, EndKind::ResultSkipped),
            EventKind::ErrorSkipped { id } => (id, EndKind::ErrorSkipped),
            EventKind::EndedFromContextLoss { id } => (id, EndKind::ContextLoss),
            EventKind::ChildSuccessSuppressed { id, .. }
            | EventKind::CompletionSteered { id, .. }
            | EventKind::CompletionQueued { id, .. }
            | EventKind::SteerFailed { id, .. }
            | EventKind::CompletionDropped { id, .. } => (id, EndKind::Completed),
            EventKind::StaleExecutionReaped { id } => (id, EndKind::Dropped),
            EventKind::ProgressChildrenSettled { ids, .. } => {
                if let Some(state) = self.sessions.get_mut(session) {
                    for id in ids {
                        state.end_row(id, event, EndKind::Settled);
                    }
                }
                return;
            }
            _ => return,
        };
        self.note_item_done(session, event);
        if let Some(state) = self.sessions.get_mut(session) {
            state.end_row(end.0, event, end.1);
            if state.episode.is_none() {
                self.executions.remove(end.0);
            }
        }
        self.agents_without_pane.retain(|(_, id)| id != end.0);
    }

    fn follow_panes(&mut self, session: &str, event: &SharedEvent) {
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
            EventKind::SteerFailed { lost_pane, .. } => {
                if let Some(tmux) = lost_pane {
                    self.tie_pane(session, tmux, event);
                    if let Some(state) = self.sessions.get_mut(session) {
                        state.lose_pane(tmux, event);
                    }
                    self.note_sign(session, event);
                }
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

    fn note_sign(&mut self, session: &str, event: &SharedEvent) {
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

    fn discover_pane(&mut self, session: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(sign) = state.pane_sign.as_mut() {
            sign.discovery.get_or_insert_with(|| event.clone());
        }
    }

    fn note_latent(&mut self, session: &str, old: &str, event: &SharedEvent) {
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

    fn lose_step_pane(&mut self, session: &str, terminal: &str, event: &SharedEvent) {
        let Some(exec) = id::step_of_terminal(terminal) else { return };
        let Some((_, step)) = terminal.rsplit_once(':') else { return };
        let Some(state) = self.sessions.get_mut(session) else { return };
        if let Some(known) = state.pane_losses.iter_mut().find(|loss| &*loss.terminal == terminal) {
            push_bounded(&mut known.losses, event.clone());
            return;
        }
        if state.is_stopped() {
            return;
        }
        let started = id::nanoseconds(exec);
        let items: Vec<_> = state
            .rows
            .iter()
            .filter(|row| row.kind == IdKind::Item && row.end.is_none() && item_is_of_step(&row.id, step))
            .filter(|row| id::nanoseconds(&row.id) >= started)
            .cloned()
            .collect();
        if items.is_empty() {
            return;
        }
        state.pane_losses.push(PaneLoss {
            session: session.into(),
            terminal: terminal.into(),
            losses: vec![event.clone()],
            items,
            continued: None,
            next_item: None,
            stopped: false,
            labels: state.labels.clone(),
        });
        self.due.insert((event.wall + PANE_LOSS_WINDOW + 1, session.into()));
    }

    /// An item has begun in this sub-agent session: what does that say of lost panes?
    fn note_item_began(&mut self, session: &str, item: &str, sub_session: &str) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        let Some(began) = state.rows.iter().find(|row| &*row.id == item).cloned() else { return };
        let Some(recorded) = began.recorded.clone() else { return };
        for loss in state.pane_losses.iter_mut().filter(|loss| loss.continued.is_none() && !loss.stopped) {
            let first = &loss.losses[0];
            if recorded.position <= first.position || recorded.wall - first.wall > PANE_LOSS_WINDOW {
                continue;
            }
            let same_sequence = loss.items.iter().any(|lost| {
                state.item_sessions.iter().any(|(id, of)| *id == lost.id && &**of == sub_session)
            }) || loss.items.iter().any(|lost| {
                // The lost item's own session is gone from the list once it has ended.
                lost.container == began.container
                    && began.container != super::episode::Container::Unknown
                    && matches!(began.container, super::episode::Container::Run(_))
            });
            if same_sequence {
                loss.continued = Some((recorded.clone(), "the next item of the same sequence began"));
                loss.next_item = Some(recorded.clone());
            }
        }
    }

    /// A completion line: does it report an item whose pane was lost, or its container, as done?
    fn note_item_done(&mut self, session: &str, event: &SharedEvent) {
        use crate::events::FinalOutcome;
        let Some(state) = self.sessions.get_mut(session) else { return };
        for loss in state.pane_losses.iter_mut().filter(|loss| loss.continued.is_none() && !loss.stopped) {
            if event.wall - loss.losses[0].wall > PANE_LOSS_WINDOW {
                continue;
            }
            let exec = id::step_of_terminal(&loss.terminal).unwrap_or_default();
            let what = match &event.kind {
                EventKind::ChildSuccessSuppressed { id, .. }
                    if loss.items.iter().any(|item| item.id == *id) =>
                {
                    "the item was reported as a success"
                }
                EventKind::Finalized { id, outcome: FinalOutcome::Done } if &**id == exec => {
                    "its step was reported as done"
                }
                EventKind::Finalized { id, outcome: FinalOutcome::Done }
                    if loss.items.iter().any(|item| item.belongs_to(id)) =>
                {
                    "its run was reported as done"
                }
                _ => continue,
            };
            loss.continued = Some((event.clone(), what));
        }
    }

    fn follow_completions(&mut self, session: &str, event: &SharedEvent) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        match &event.kind {
            EventKind::CompletionDropped { .. }
            | EventKind::CompletionsDiscarded { .. }
            | EventKind::NoStoredAgent { .. } => {
                if state.is_stopped() {
                    return;
                }
                let loss = state.completion_loss.get_or_insert_with(|| CompletionLoss {
                    session: session.into(),
                    losses: Vec::new(),
                    labels: BTreeSet::new(),
                });
                push_bounded(&mut loss.losses, event.clone());
                self.due.insert((event.wall + COMPLETION_WINDOW, session.into()));
            }
            EventKind::SyntheticTurnStarting { .. } | EventKind::CompletionSteered { .. } => {
                // Delivered after all; only a missing agent is made good this way.
                if let Some(loss) = state.completion_loss.as_mut() {
                    loss.losses.retain(|line| !matches!(line.kind, EventKind::NoStoredAgent { .. }));
                    if loss.losses.is_empty() {
                        state.completion_loss = None;
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the line to the episode of its session, and notices when a person resumes it.
    fn append_line(&mut self, session: &str, event: &SharedEvent) {
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
                && episode.order(event) == super::episode::Order::After
                && resumes(event, Some((episode, &state.turns)))
            {
                episode.resumed = Some(event.clone());
            }
        }
        self.due.insert((event.wall + SETTLE, session.into()));
    }

    // --- the end of things ----------------------------------------------------------------------

    fn settle_due(&mut self) {
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

    fn settle_session(&mut self, session: &str) {
        let now = self.now;
        let mut again = None;
        let mut settle = false;
        if let Some(state) = self.sessions.get_mut(session) {
            if let Some(episode) = &state.episode {
                let last_line = episode.lines.last().map_or(episode.last_wall(), |line| line.wall);
                let last = last_line.max(episode.last_wall());
                let open = state.rows.iter().any(|row| row.canceled_by.is_some() && row.end.is_none())
                    || state.turns.iter().any(|turn| turn.end.is_none());
                if now - last < SETTLE {
                    again = Some(last + SETTLE);
                } else if open && now - last < SETTLE_OPEN {
                    again = Some(last + SETTLE_OPEN);
                } else {
                    settle = true;
                }
            }
        }
        if let Some(wall) = again {
            self.due.insert((wall, session.into()));
        }
        if settle {
            self.close_episode(session, EvidenceEnd::Settled, now);
        }
        self.close_windows(session, EvidenceEnd::Settled, now, false);
    }

    /// Hands over what waits for its window to pass; all of it where `everything` is set.
    fn close_windows(&mut self, session: &str, reason: EvidenceEnd, now: i64, everything: bool) {
        let Some(state) = self.sessions.get_mut(session) else { return };
        let (closed, open): (Vec<PaneLoss>, Vec<PaneLoss>) = std::mem::take(&mut state.pane_losses)
            .into_iter()
            .partition(|loss| everything || now - loss.losses[0].wall > PANE_LOSS_WINDOW);
        state.pane_losses = open;
        self.cases.extend(closed.into_iter().map(Case::PaneLoss));
        let sign_done = state.pane_sign.as_ref().is_some_and(|sign| {
            everything || sign.discovery.is_some() || now - sign.signs[0].wall >= 30 * DEAD_PANE_GAP
        });
        if sign_done && let Some(mut sign) = state.pane_sign.take() {
            sign.evidence_end = now;
            sign.evidence_end_reason = reason;
            sign.labels.clone_from(&state.labels);
            self.cases.push(Case::PaneSign(sign));
        }
        let loss_done = state.completion_loss.as_ref().is_some_and(|loss| {
            everything || loss.losses.last().is_some_and(|line| now - line.wall >= COMPLETION_WINDOW)
        });
        if loss_done && let Some(mut loss) = state.completion_loss.take() {
            loss.labels.clone_from(&state.labels);
            self.cases.push(Case::CompletionLoss(loss));
        }
        let sweep_done = state
            .loose_sweep
            .as_ref()
            .is_some_and(|sweep| everything || now - sweep.opener.wall >= SAME_EPISODE);
        if sweep_done && let Some(mut sweep) = state.loose_sweep.take() {
            sweep.labels.clone_from(&state.labels);
            sweep.evidence_end = now;
            self.cases.push(Case::Minor(sweep));
        }
    }

    fn close_kill_failures(&mut self, everything: bool) {
        let now = self.now;
        let done: Vec<Box<str>> = self
            .kill_failures
            .iter()
            .filter(|(_, failure)| {
                everything
                    || failure.failures.last().is_some_and(|line| now - line.wall >= KILL_FAILURE_WINDOW)
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
    fn close_episode(&mut self, session: &str, reason: EvidenceEnd, evidence_end: i64) {
        let sleeps = self.sleeps.clone();
        let Some(state) = self.sessions.get_mut(session) else { return };
        let Some(mut episode) = state.episode.take() else { return };
        episode.rows.clone_from(&state.rows);
        episode.turns.clone_from(&state.turns);
        episode.panes = state.panes.clone();
        episode.labels.clone_from(&state.labels);
        episode.evidence_end = evidence_end;
        episode.evidence_end_reason = reason;
        episode.sleeps = sleeps;
        if episode.resumed.is_none() && reason == EvidenceEnd::Settled {
            let mut armed = episode.clone();
            armed.lines.clear();
            armed.sweeps.clear();
            armed.live_inputs.clear();
            armed.panes = PaneHistory::default();
            armed.rows.clear();
            armed.turns.clear();
            armed.continued = true;
            state.armed = Some(armed);
        }
        let ended: Vec<Box<str>> =
            state.rows.iter().filter(|row| row.end.is_some()).map(|row| row.id.clone()).collect();
        state.forget_ended();
        for id in ended {
            self.executions.remove(&id);
        }
        self.cases.push(Case::Stop(episode));
    }

    fn close_session(&mut self, session: &str, reason: EvidenceEnd, evidence_end: i64) {
        self.close_episode(session, reason, evidence_end);
        self.close_windows(session, reason, evidence_end, true);
    }

    fn close_all(&mut self, reason: EvidenceEnd, evidence_end: i64) {
        let mut sessions: Vec<Box<str>> = self.sessions.keys().cloned().collect();
        sessions.sort_unstable();
        for session in sessions {
            self.close_session(&session, reason, evidence_end);
        }
        self.close_kill_failures(true);
        self.due.clear();
    }

    // --- the process ----------------------------------------------------------------------------

    /// A new process: all registries are empty.
    fn restart(&mut self) {
        self.close_all(EvidenceEnd::ProcessEnded, self.now);
        self.close_shutdown();
        for state in self.sessions.values_mut() {
            self.losses.rows_dropped += state.rows_dropped;
            let labels = std::mem::take(&mut state.labels);
            let last_used = state.last_used;
            *state = SessionState { labels, last_used, ..SessionState::default() };
        }
        self.executions.clear();
        self.pane_owners.clear();
        self.executing.clear();
        self.agents_without_pane.clear();
        self.answers.clear();
        self.jobs.clear();
    }

    fn begin_shutdown(&mut self, event: &SharedEvent) {
        if self.shutdown.is_none() {
            self.close_all(EvidenceEnd::ProcessEnded, self.now);
            self.shutdown = Some(Shutdown { wall: event.wall.max(self.now), sweeps: BTreeMap::new() });
        }
    }

    /// Whether the server evidently works on long after the banner, so that it was none.
    fn leaves_shutdown(&mut self, event: &SharedEvent) -> bool {
        let Some(shutdown) = &self.shutdown else { return true };
        let works = matches!(
            event.kind,
            EventKind::QueryReceived { .. }
                | EventKind::ExecutionRecorded { .. }
                | EventKind::StreamStarting { .. }
        );
        if event.stream == Stream::Main && works && event.wall - shutdown.wall > SHUTDOWN_BOUND {
            self.losses.false_shutdowns += 1;
            self.close_shutdown();
            return true;
        }
        false
    }

    /// A sweep between the banner and the end belongs to the shutdown and is never a finding (measured, section 1).
    fn note_shutdown_sweep(&mut self, event: &SharedEvent) {
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
        let labels = self.sessions.get(session).map(|state| state.labels.clone()).unwrap_or_default();
        let Some(shutdown) = self.shutdown.as_mut() else { return };
        let minor = shutdown.sweeps.entry(session.into()).or_insert_with(|| MinorStop {
            session: session.into(),
            cause: Cause::Shutdown,
            reason: "".into(),
            opener: event.clone(),
            sweep: Sweep::default(),
            labels,
            evidence_end: event.wall + STOP_GRACE,
        });
        match &event.kind {
            EventKind::BackgroundAgents { canceled, no_cancel_func, already_done, .. } => {
                minor.sweep.agents = Some((*canceled, *no_cancel_func, *already_done, event.clone()));
            }
            EventKind::NoCancelFunctionWarning { .. } => minor.sweep.warning = Some(event.clone()),
            EventKind::TrackedMarked { id, kind, name, .. } => {
                minor.sweep.marked.push(MarkedRow {
                    event: event.clone(),
                    id: id.clone(),
                    kind: kind.clone(),
                    name: name.clone(),
                });
            }
            EventKind::TrackedTotal { count, .. } => minor.sweep.total = Some((*count, event.clone())),
            _ => {}
        }
    }

    /// Hands over the sessions in which the shutdown cut something off.
    fn close_shutdown(&mut self) {
        let Some(shutdown) = self.shutdown.take() else { return };
        for minor in shutdown.sweeps.into_values() {
            let agents = minor.sweep.agents.as_ref().is_some_and(|(own, none, _, _)| own + none > 0);
            let marked = minor.sweep.marked_count().unwrap_or_default() > 0;
            if agents || marked {
                self.cases.push(Case::Minor(minor));
            }
        }
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
