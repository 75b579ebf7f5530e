//! What an episode is made of: rows, turns, sweeps, panes. Pure data.

use std::sync::Arc;

use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::id::{self, IdKind};

/// How a row of the registry ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndKind {
    /// Its container logged this outcome.
    Finalized(FinalOutcome),
    /// `OnExecutionComplete ignored for stopped session`: ended, well or badly.
    Ignored,
    /// `OnExecutionComplete skipped for already-canceled agent`.
    Skipped,
    /// `SetResult skipped`: it had succeeded although it was canceled.
    ResultSkipped,
    /// `SetError skipped`: it had failed after it was canceled.
    ErrorSkipped,
    /// It lost its context while it was running.
    ContextLoss,
    /// Its completion was delivered, queued or dropped: it ended by itself.
    Completed,
    /// A later item of its sequence began, or its container ended.
    Implied,
    /// Its progress row was settled.
    Settled,
    /// The server dropped the row from its registry.
    Dropped,
}

/// The end of a row.
#[derive(Debug, Clone)]
pub struct RowEnd {
    /// The line.
    pub event: SharedEvent,
    /// What it says.
    pub kind: EndKind,
}

/// What a row runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Container {
    /// Nothing, or not known.
    Unknown,
    /// A full run or evaluation: by the log's own lines.
    Run(Arc<str>),
    /// A detached step `exec-…`.
    Step(Arc<str>),
    /// One of several runs.
    OneOf(Vec<Arc<str>>),
}

/// One row of the server's registries, as far as the log tells it.
#[derive(Debug, Clone)]
pub struct Row {
    /// The execution's id.
    pub id: Arc<str>,
    /// Its kind, by the id.
    pub kind: IdKind,
    /// The registration line.
    pub recorded: Option<SharedEvent>,
    /// What it runs in.
    pub container: Container,
    /// The first sweep in which it was open.
    pub canceled_by: Option<SharedEvent>,
    /// Its end.
    pub end: Option<RowEnd>,
}

impl Row {
    /// A new row.
    #[must_use]
    pub fn new(id: Arc<str>) -> Self {
        let container = match id::container_of_mirror(&id) {
            Some(run) => Container::Run(run.into()),
            None => Container::Unknown,
        };
        Self { kind: IdKind::of(&id), id, recorded: None, container, canceled_by: None, end: None }
    }

    /// Whether the row runs in this run, or may do so.
    #[must_use]
    pub fn belongs_to(&self, run: &str) -> bool {
        match &self.container {
            Container::Run(of) => &**of == run,
            Container::OneOf(runs) => runs.iter().any(|of| &**of == run),
            Container::Step(_) | Container::Unknown => false,
        }
    }
}

/// A turn of a session: one message being worked on.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The `Starting StreamWithEvents` or `Executing synthetic turn` line.
    pub start: SharedEvent,
    /// Milliseconds between the request's entry and the start line.
    pub after_milliseconds: i64,
    /// The request's `[QUERY]` line.
    pub request: Option<SharedEvent>,
    /// The turn's id `query_…`.
    pub query: Option<Arc<str>>,
    /// Whether the server started it itself for a finished child.
    pub synthetic: bool,
    /// The first tool call in it.
    pub tool: Option<SharedEvent>,
    /// The `AskWithHistory returned` line, where it can be told whose it is.
    pub answer: Option<SharedEvent>,
    /// The end of the stream.
    pub end: Option<SharedEvent>,
    /// The panes that it used, by name and line.
    pub panes: Vec<(Arc<str>, SharedEvent)>,
    /// Whether the turn waits for a pane: none used yet, or the last one lost.
    pub expects_pane: bool,
}

impl Turn {
    /// A turn that begins with this line.
    #[must_use]
    pub fn starting(event: &SharedEvent) -> Self {
        Self {
            start: event.clone(),
            after_milliseconds: 0,
            request: None,
            query: None,
            synthetic: false,
            tool: None,
            answer: None,
            end: None,
            panes: Vec::new(),
            expects_pane: true,
        }
    }

    /// When the request entered, in UTC milliseconds, never later than the truth.
    #[must_use]
    pub fn entry_milliseconds(&self) -> i64 {
        self.start.utc() * 1000 - self.after_milliseconds
    }

    /// When the stream started by the ids: UTC milliseconds of `query_<ns>` plus the time since entry.
    #[must_use]
    pub fn start_by_id(&self) -> Option<i64> {
        let entry = id::nanoseconds(self.query.as_deref()?)? / 1_000_000;
        Some(entry + self.after_milliseconds)
    }

    /// Seconds between start and end, or until `until` where the log shows no end.
    #[must_use]
    pub fn seconds(&self, until: i64) -> i64 {
        self.end.as_ref().map_or(until, |end| end.utc()) - self.start.utc()
    }

    /// Whether the turn's answer came without an error.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.answer
            .as_ref()
            .is_some_and(|event| matches!(event.kind, EventKind::AskReturned { succeeded: true, .. }))
    }
}

/// A row that a sweep marked canceled by name.
#[derive(Debug, Clone)]
pub struct MarkedRow {
    /// The line.
    pub event: SharedEvent,
    /// The id.
    pub id: Arc<str>,
    /// The kind as logged.
    pub kind: Arc<str>,
    /// The name as logged: what people wrote.
    pub name: Arc<str>,
}

/// One pass of the server over everything under a session id.
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    /// `begin runtime cancel`.
    pub begin: Option<SharedEvent>,
    /// `active turn context canceled=`.
    pub turn: Option<(bool, SharedEvent)>,
    /// `orchestrator contexts: queries= canceled=`.
    pub orchestrator: Option<(u64, u64, SharedEvent)>,
    /// `background agents: canceled= no_cancel_func= already_done=`.
    pub agents: Option<(u64, u64, u64, SharedEvent)>,
    /// The WARNING line.
    pub warning: Option<SharedEvent>,
    /// The rows named.
    pub marked: Vec<MarkedRow>,
    /// How many further rows were named and not kept.
    pub marked_dropped: u64,
    /// `tracked executions marked canceled=`.
    pub total: Option<(u64, SharedEvent)>,
}

/// Rows that one sweep names.
pub(super) const KEPT_MARKED: usize = 4096;

impl Sweep {
    /// Takes over a row that this line marks canceled; beyond the bound it is counted.
    pub(super) fn mark(&mut self, event: &SharedEvent) {
        let EventKind::TrackedMarked { id, kind, name, .. } = &event.kind else { return };
        if self.marked.len() < KEPT_MARKED {
            let (id, kind, name) = (id.clone(), kind.clone(), name.clone());
            self.marked.push(MarkedRow { event: event.clone(), id, kind, name });
        } else {
            self.marked_dropped += 1;
        }
    }

    /// Whether the sweep logged anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.begin.is_none()
            && self.turn.is_none()
            && self.orchestrator.is_none()
            && self.agents.is_none()
            && self.marked.is_empty()
            && self.total.is_none()
    }

    /// Rows marked canceled: the server's own total, else the lines counted.
    #[must_use]
    pub fn marked_count(&self) -> Option<u64> {
        match &self.total {
            Some((count, _)) => Some(*count),
            None if self.marked.is_empty() => None,
            None => Some(self.marked.len() as u64),
        }
    }
}

/// A main pane of a session, by the log.
#[derive(Debug, Clone)]
pub struct PaneUse {
    /// The tmux name.
    pub tmux: Arc<str>,
    /// The `Executing …` line.
    pub event: SharedEvent,
    /// Whether another session could have been meant.
    pub ambiguous: bool,
}

/// What the log showed of a session's panes before and after a stop. Bounded: the newest are kept.
#[derive(Debug, Clone, Default)]
pub struct PaneHistory {
    /// Uses of main panes, oldest first.
    pub used: Vec<PaneUse>,
    /// Panes shown lost: name and line.
    pub lost: Vec<(Arc<str>, SharedEvent)>,
    /// `Registered relaunched …`.
    pub registered: Vec<(Arc<str>, SharedEvent)>,
    /// Lines that tie a pane to the session: `Could not register`, `Failed to capture`, reaper, watchdog.
    pub tied: Vec<(Arc<str>, SharedEvent)>,
    /// Closed by the platform itself.
    pub own_closes: Vec<SharedEvent>,
    /// First signs of a dead pane.
    pub first_signs: Vec<SharedEvent>,
}

impl PaneHistory {
    /// What makes the session's terminal record stale: the newest pane in use, and an older one shown lost before
    /// that was launched, with the line of the loss. The record goes on naming the older one, unless a line
    /// registers the new one (server-behaviour.md#latent-death and server-behaviour.md#reading-a-stop-from-a-log).
    /// Only lines that `before` accepts count.
    #[must_use]
    pub fn stale_record(
        &self,
        before: impl Fn(&SharedEvent) -> bool,
    ) -> Option<(&PaneUse, &str, &SharedEvent)> {
        let new = self.used.iter().rev().find(|used| before(&used.event))?;
        let made = id::nanoseconds(&new.tmux)?;
        let registered = self.registered.iter().any(|(tmux, line)| *tmux == new.tmux && before(line));
        let lost = self.lost.iter().any(|(tmux, line)| *tmux == new.tmux && before(line));
        if registered || lost {
            return None;
        }
        let (old, loss) = self.lost.iter().rev().find(|(tmux, line)| {
            line.position < new.event.position && id::nanoseconds(tmux).is_some_and(|older| older < made)
        })?;
        Some((new, old, loss))
    }
}

/// A shell command whose request was cut.
#[derive(Debug, Clone)]
pub struct Shell {
    /// The line.
    pub event: SharedEvent,
    /// The item that ran it and what that ran in, where it was a step's.
    pub runs_for: Vec<Arc<str>>,
    /// Other sessions that the line may be of: a step's sub-agent session is not unique.
    pub or_of: Vec<Arc<str>>,
}
