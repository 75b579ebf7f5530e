//! What the replay hands to the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::episode::{Cause, Container, Episode, EvidenceEnd, Row, Shell, Sweep, Turn};
use crate::events::SharedEvent;
use crate::model::id::IdKind;

/// Something to be judged.
#[derive(Debug, Clone)]
pub enum Case {
    /// A stop of a session, or a death that swept it.
    Stop(Box<Episode>),
    /// A smaller stop: a turn, a child, a tool's sweep, one session of a shutdown.
    Minor(Box<MinorStop>),
    /// A step's pane was lost while an item of the step was open.
    PaneLoss(PaneLoss),
    /// A first sign of a dead pane, with what followed.
    PaneSign(PaneSign),
    /// A pane could not be killed.
    KillFailure(KillFailure),
    /// A completion reached nobody outside of any stop.
    CompletionLoss(CompletionLoss),
    /// A turn ran in a pane that the terminal record does not name.
    LatentDeath(LatentDeath),
    /// A shell command was abandoned outside of any stop that the log shows.
    ShellLoss(ShellLoss),
}

/// A stop that is no sweep of a whole session by a person or a death.
#[derive(Debug, Clone)]
pub struct MinorStop {
    /// The session.
    pub session: Arc<str>,
    /// Why.
    pub cause: Cause,
    /// The reason as logged, or empty.
    pub reason: Arc<str>,
    /// The line that shows it.
    pub opener: SharedEvent,
    /// What the server counted, where it did.
    pub sweep: Sweep,
    /// The step that it names, where it names one.
    pub target: Option<Arc<str>>,
    /// Whether a line says that the server did it, not only that it was asked to.
    pub confirmed: bool,
    /// The rows that were open when it came, with their ends as far as the log shows them.
    pub rows: Vec<Row>,
    /// The turns that were open when it came.
    pub turns: Vec<Turn>,
    /// Messages that were at work in a live pane when it came.
    pub delivered: Vec<SharedEvent>,
    /// Shell commands that it abandoned.
    pub shells: Vec<Shell>,
    /// Whether the process was seen to start: then every row of the session is known.
    pub is_whole: bool,
    /// Whether rows of the session, or the session itself, had been given up to bound memory before it came.
    pub gave_up: bool,
    /// Host sleeps: (UTC second of waking, seconds slept).
    pub sleeps: Vec<(i64, i64)>,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
    /// UTC second up to which the log was read.
    pub evidence_end: i64,
    /// Why the lines end there.
    pub evidence_end_reason: EvidenceEnd,
}

impl MinorStop {
    /// A stop that this line shows, of which nothing else is known.
    pub(super) fn new(session: &Arc<str>, cause: Cause, reason: &str, opener: &SharedEvent) -> Self {
        Self {
            session: session.clone(),
            cause,
            reason: reason.into(),
            opener: opener.clone(),
            sweep: Sweep::default(),
            target: None,
            confirmed: true,
            rows: Vec::new(),
            turns: Vec::new(),
            delivered: Vec::new(),
            shells: Vec::new(),
            is_whole: false,
            gave_up: false,
            sleeps: Vec::new(),
            labels: BTreeSet::new(),
            evidence_end: opener.utc(),
            evidence_end_reason: EvidenceEnd::LogEnded,
        }
    }

    /// Whether it was meant to end this row. A sweep by the agent's tool takes all executions, `stop_step` one of
    /// them with what runs in it; a child's death its own agent; a shutdown everything
    /// (server-behaviour.md#a-lost-step-pane and server-behaviour.md#structured-steps).
    #[must_use]
    pub fn means(&self, row: &Row) -> bool {
        if row.kind.is_turn() {
            return self.cause == Cause::Shutdown;
        }
        match (self.cause, &self.target) {
            (Cause::CancelTurn, _) => false,
            (Cause::AgentStopTool | Cause::ChildTerminalDeath, Some(target)) => {
                row.id == *target
                    || matches!(&row.container, Container::Run(of) | Container::Step(of) if of == target)
            }
            (Cause::ChildTerminalDeath, None) => false,
            _ => true,
        }
    }

    /// Whether it was meant to end the turns that were open.
    #[must_use]
    pub fn means_turns(&self) -> bool {
        matches!(self.cause, Cause::CancelTurn | Cause::Shutdown)
    }

    /// Whether everything that was open when it came is known; see [`Episode::knows_its_rows`].
    #[must_use]
    pub fn knows_its_rows(&self) -> bool {
        if self.gave_up || self.sweep.marked_dropped > 0 {
            return false;
        }
        let Some((own, none, ..)) = &self.sweep.agents else { return self.is_whole };
        let rows = self.rows.iter().filter(|row| !row.kind.is_turn());
        let ended =
            |row: &&Row| row.end.as_ref().is_some_and(|end| end.event.position < self.opener.position);
        let open = rows.clone().filter(|row| !ended(row)).count() as u64;
        // A todo step's sub-agent has no registration line, so one row more may have been counted.
        let todo = rows.clone().any(|row| row.kind == IdKind::Mirror);
        // By the time of a tool's sweep its rows have unwound already (server-behaviour.md#what-ends-a-row).
        let unwound = self.cause == Cause::AgentStopTool && own + none <= open;
        unwound || own + none == open || (todo && own + none == open + 1)
    }

    /// Whether something that it was meant to end has not ended.
    pub(super) fn waits(&self) -> bool {
        self.rows.iter().any(|row| row.end.is_none() && self.means(row))
            || (self.means_turns() && self.turns.iter().any(|turn| turn.end.is_none()))
    }
}

/// A lost pane of a step, and how the step's items went on (server-behaviour.md#a-lost-step-pane).
#[derive(Debug, Clone)]
pub struct PaneLoss {
    /// The session.
    pub session: Arc<str>,
    /// The terminal's id `<session>:workflow-step:<exec>:<step>`.
    pub terminal: Arc<str>,
    /// The loss lines, in order; a usage wall prints two.
    pub losses: Vec<SharedEvent>,
    /// The items of the step that were open.
    pub items: Vec<Row>,
    /// The line that shows that the step went on as if the item had been done, and what it shows.
    pub continued: Option<(SharedEvent, &'static str)>,
    /// The registration line of the item that began next.
    pub next_item: Option<SharedEvent>,
    /// Whether a stop of the session came first.
    pub stopped: bool,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A first sign of a dead pane.
#[derive(Debug, Clone)]
pub struct PaneSign {
    /// The session.
    pub session: Arc<str>,
    /// The signs, in order.
    pub signs: Vec<SharedEvent>,
    /// What discovered it: a reconcile, the reaper or a stop.
    pub discovery: Option<SharedEvent>,
    /// UTC second up to which the log was read.
    pub evidence_end: i64,
    /// Why the lines end there.
    pub evidence_end_reason: EvidenceEnd,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A pane that could not be killed.
#[derive(Debug, Clone)]
pub struct KillFailure {
    /// The tmux name.
    pub tmux: Arc<str>,
    /// The session whose pane it is, where known.
    pub session: Option<Arc<str>>,
    /// The failures, in order.
    pub failures: Vec<SharedEvent>,
    /// The owner that the line names: `main:<session>`, a step's; empty where it names none.
    pub owner: Arc<str>,
    /// Whether the session had a stop close by.
    pub near_stop: bool,
    /// UTC second of the stop that wanted it closed, as in its key.
    pub stop: Option<i64>,
    /// A later successful close.
    pub closed: Option<SharedEvent>,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A shell command whose request was cut while no stop of its session is seen.
#[derive(Debug, Clone)]
pub struct ShellLoss {
    /// The session.
    pub session: Arc<str>,
    /// The command.
    pub shell: Shell,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A completion that reached nobody, in a session that nobody had stopped.
#[derive(Debug, Clone)]
pub struct CompletionLoss {
    /// The session.
    pub session: Arc<str>,
    /// The lines.
    pub losses: Vec<SharedEvent>,
    /// Whose completions they were, as far as a line tells; each once, however often it was tried.
    pub named: BTreeSet<Arc<str>>,
    /// Whether the log was watched for long enough that it would have been made good.
    pub watched: bool,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A terminal record that names a pane which no longer exists while a healthy one works
/// (server-behaviour.md#latent-death).
#[derive(Debug, Clone)]
pub struct LatentDeath {
    /// The session.
    pub session: Arc<str>,
    /// The pane that the record names.
    pub old: Arc<str>,
    /// The pane that works.
    pub new: Arc<str>,
    /// `Executing … NEW`.
    pub executing: SharedEvent,
    /// `Failed to capture … OLD`.
    pub capture: SharedEvent,
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}
