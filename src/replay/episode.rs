//! What a stop was: the episode with its openers, sweeps, rows, turns and all later lines of its session.
//!
//! Pure data and questions about it. Rules read it; only the replay writes it.

use std::collections::BTreeSet;

use crate::events::{EventKind, FinalOutcome, SharedEvent, Stream};
use crate::model::id::{self, IdKind};

/// Seconds in which work is given time to end after a stop before its absence counts (signatures, section 2).
pub const STOP_GRACE: i64 = 15;
/// Seconds after which an execution that still has not ended counts as not stopped (signatures, section 2).
pub const CANCEL_LAG: i64 = 30;
/// Openers at most this many seconds apart are one episode: people click twice (signatures, section 2).
pub const SAME_EPISODE: i64 = 10;

/// Why a stop happened; the names are those of formats.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// HTTP stop of a session.
    UserStop,
    /// Stop of a running schedule.
    ScheduleStop,
    /// The main pane disappeared or exited.
    TerminalDeath,
    /// The main pane sat on a usage limit.
    UsageWall,
    /// An operator killed or failed the main terminal.
    OperatorKill,
    /// A child's pane died.
    ChildTerminalDeath,
    /// The agent's own `stop_step` or `stop_all_executions`.
    AgentStopTool,
    /// A person cancelled the turn only.
    CancelTurn,
    /// The server shut down.
    Shutdown,
    /// Any other.
    Other,
}

impl Cause {
    /// The name in every format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserStop => "user_stop",
            Self::ScheduleStop => "schedule_stop",
            Self::TerminalDeath => "terminal_death",
            Self::UsageWall => "usage_wall",
            Self::OperatorKill => "operator_kill",
            Self::ChildTerminalDeath => "child_terminal_death",
            Self::AgentStopTool => "agent_stop_tool",
            Self::CancelTurn => "cancel_turn",
            Self::Shutdown => "shutdown",
            Self::Other => "other",
        }
    }

    /// The name for a person.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::UserStop => "user stop",
            Self::ScheduleStop => "schedule stop",
            Self::TerminalDeath => "terminal death",
            Self::UsageWall => "usage wall",
            Self::OperatorKill => "operator kill",
            Self::ChildTerminalDeath => "child terminal death",
            Self::AgentStopTool => "agent's stop tool",
            Self::CancelTurn => "cancel turn",
            Self::Shutdown => "shutdown",
            Self::Other => "other cancel",
        }
    }

    /// The cause that a `begin runtime cancel` or a reconcile line gives (measured, section 9).
    #[must_use]
    pub fn from_reason(reason: &str, phase: &str) -> Self {
        if phase == "canceled" {
            return if reason.starts_with("scheduled job stopped") {
                Self::ScheduleStop
            } else {
                Self::Other
            };
        }
        if reason.starts_with("tmux pane ") || reason.starts_with("retained ") {
            Self::TerminalDeath
        } else if reason.contains("has reached its usage limit") {
            Self::UsageWall
        } else if reason.starts_with("killed by operator") || reason.starts_with("failed by operator") {
            Self::OperatorKill
        } else {
            Self::Other
        }
    }

    /// Whether a person wanted the session's work to end: a stop that must hold.
    #[must_use]
    pub fn is_person_stop(self) -> bool {
        matches!(self, Self::UserStop | Self::ScheduleStop)
    }

    /// Whether the sweep took everything under the session although only its main terminal was concerned.
    #[must_use]
    pub fn is_incidental(self) -> bool {
        matches!(self, Self::TerminalDeath | Self::UsageWall | Self::OperatorKill)
    }
}

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
    Run(Box<str>),
    /// A detached step `exec-…`.
    Step(Box<str>),
    /// One of several runs.
    OneOf(Vec<Box<str>>),
}

/// One row of the server's registries, as far as the log tells it.
#[derive(Debug, Clone)]
pub struct Row {
    /// The execution's id.
    pub id: Box<str>,
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
    pub fn new(id: &str) -> Self {
        let container = match id::container_of_mirror(id) {
            Some(run) => Container::Run(run.into()),
            None => Container::Unknown,
        };
        Self { id: id.into(), kind: IdKind::of(id), recorded: None, container, canceled_by: None, end: None }
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
    pub query: Option<Box<str>>,
    /// Whether the server started it itself for a finished child.
    pub synthetic: bool,
    /// Whether the start line's context names a person.
    pub person: bool,
    /// The first tool call in it.
    pub tool: Option<SharedEvent>,
    /// The `AskWithHistory returned` line, where it can be told whose it is.
    pub answer: Option<SharedEvent>,
    /// The end of the stream.
    pub end: Option<SharedEvent>,
    /// The panes that it used, by name and line.
    pub panes: Vec<(Box<str>, SharedEvent)>,
    /// Whether the turn waits for a pane: none used yet, or the last one lost.
    pub expects_pane: bool,
}

impl Turn {
    /// When the request entered, in local wall-clock milliseconds, never later than the truth.
    #[must_use]
    pub fn entry_milliseconds(&self) -> i64 {
        self.start.wall * 1000 - self.after_milliseconds
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
        self.end.as_ref().map_or(until, |end| end.wall) - self.start.wall
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
    pub id: Box<str>,
    /// The kind as logged.
    pub kind: Box<str>,
    /// The name as logged: what people wrote.
    pub name: Box<str>,
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
    /// `tracked executions marked canceled=`.
    pub total: Option<(u64, SharedEvent)>,
}

impl Sweep {
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

/// What came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The line stands before the stop.
    Before,
    /// The line stands after the stop.
    After,
    /// Two files, one second: nothing proves either (measured, section 9).
    Undecided,
}

/// A main pane of a session, by the log.
#[derive(Debug, Clone)]
pub struct PaneUse {
    /// The tmux name.
    pub tmux: Box<str>,
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
    pub lost: Vec<(Box<str>, SharedEvent)>,
    /// `Registered relaunched …`.
    pub registered: Vec<(Box<str>, SharedEvent)>,
    /// Lines that tie a pane to the session: `Could not register`, `Failed to capture`, reaper, watchdog.
    pub tied: Vec<(Box<str>, SharedEvent)>,
    /// Closed by the platform itself.
    pub own_closes: Vec<SharedEvent>,
    /// First signs of a dead pane.
    pub first_signs: Vec<SharedEvent>,
}

/// How the lines about an episode came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceEnd {
    /// Quiet for long enough.
    Settled,
    /// The log ended.
    LogEnded,
    /// The server shut down or a new process began.
    ProcessEnded,
    /// A later stop of the same session took over.
    NextStop,
    /// The session was evicted from memory.
    Evicted,
}

/// One stop with all its lines.
#[derive(Debug, Clone)]
pub struct Episode {
    /// The session.
    pub session: Box<str>,
    /// Why.
    pub cause: Cause,
    /// The reason as logged, or empty.
    pub reason: Box<str>,
    /// The lines that opened it, in order; never empty.
    pub openers: Vec<SharedEvent>,
    /// The schedule's id, where `schedule.log` named it.
    pub schedule: Option<Box<str>>,
    /// The stop's time by id arithmetic: UTC nanoseconds (measured, section 9).
    pub stop_nanoseconds: Option<i64>,
    /// The server's sweeps, in order.
    pub sweeps: Vec<Sweep>,
    /// Rows open at the stop, and rows begun since.
    pub rows: Vec<Row>,
    /// Turns open at the stop, and turns begun since.
    pub turns: Vec<Turn>,
    /// Lines of the session after the first opener, in order.
    pub lines: Vec<SharedEvent>,
    /// How many further lines were not kept.
    pub lines_dropped: u64,
    /// The line with which a person resumed the session.
    pub resumed: Option<SharedEvent>,
    /// Panes of the session.
    pub panes: PaneHistory,
    /// Messages delivered into a live pane before the stop; the newest are kept.
    pub live_inputs: Vec<SharedEvent>,
    /// Local wall second up to which the log was read for this episode.
    pub evidence_end: i64,
    /// Why the lines end there.
    pub evidence_end_reason: EvidenceEnd,
    /// Whether lines were lost inside the grace time.
    pub hole: bool,
    /// Whether the registry as replayed disagrees with the server's counters: what differs.
    pub counter_mismatch: Option<String>,
    /// Whether this is the later part of an episode that was already reported.
    pub continued: bool,
    /// Host sleeps: (wall second of waking, seconds slept).
    pub sleeps: Vec<(i64, i64)>,
    /// Names that `--match` looks at: runs, groups, workflow, schedule, title.
    pub labels: BTreeSet<Box<str>>,
}

impl Episode {
    /// The first line.
    #[must_use]
    pub fn opener(&self) -> &SharedEvent {
        &self.openers[0]
    }

    /// When it began, local wall second.
    #[must_use]
    pub fn first_wall(&self) -> i64 {
        self.openers.iter().map(|event| event.wall).min().unwrap_or_default()
    }

    /// When it was last asked for, local wall second.
    #[must_use]
    pub fn last_wall(&self) -> i64 {
        self.openers.iter().map(|event| event.wall).max().unwrap_or_default()
    }

    /// The first opener in `server_debug.log`.
    #[must_use]
    pub fn main_opener(&self) -> Option<&SharedEvent> {
        self.openers.iter().find(|event| event.stream == Stream::Main)
    }

    /// Whether the line stands before or after the stop.
    ///
    /// One file: the line order decides. Two files: the seconds, else undecided.
    #[must_use]
    pub fn order(&self, event: &SharedEvent) -> Order {
        if let Some(opener) = self.openers.iter().find(|opener| opener.stream == event.stream) {
            return if event.position > opener.position { Order::After } else { Order::Before };
        }
        match event.wall.cmp(&self.first_wall()) {
            std::cmp::Ordering::Less => Order::Before,
            std::cmp::Ordering::Greater => Order::After,
            std::cmp::Ordering::Equal if self.guard_line_up_to(event) => Order::After,
            std::cmp::Ordering::Equal => Order::Undecided,
        }
    }

    /// Whether the line, or one before it in the same file, says that the session is stopped: that proves that the
    /// stop came first (measured, section 9).
    fn guard_line_up_to(&self, event: &SharedEvent) -> bool {
        self.lines.iter().any(|line| {
            line.stream == event.stream
                && line.position <= event.position
                && matches!(
                    line.kind,
                    EventKind::WorkshopRefused { .. }
                        | EventKind::StartIgnored { .. }
                        | EventKind::CompleteIgnored { .. }
                )
        })
    }

    /// Whether a turn's stream started before or after the stop, by all that the log offers
    /// (measured, section 9, "Order").
    #[must_use]
    pub fn turn_order(&self, turn: &Turn) -> Order {
        let by_line = self.order(&turn.start);
        if by_line != Order::Undecided {
            return by_line;
        }
        match (self.stop_nanoseconds, turn.start_by_id()) {
            (Some(stop), Some(start)) if start > stop / 1_000_000 => Order::After,
            (Some(_), Some(_)) => Order::Before,
            _ => Order::Undecided,
        }
    }

    /// Whether a person had resumed the session before this line.
    #[must_use]
    pub fn resumed_before(&self, event: &SharedEvent) -> bool {
        let Some(resumed) = &self.resumed else { return false };
        if resumed.stream == event.stream {
            return resumed.position <= event.position;
        }
        resumed.wall <= event.wall
    }

    /// Whether the stop is armed at this line: after it, and nobody resumed.
    #[must_use]
    pub fn armed_at(&self, event: &SharedEvent) -> bool {
        self.order(event) == Order::After && !self.resumed_before(event)
    }

    /// Lines after the stop with nobody having resumed, in order.
    pub fn armed_lines(&self) -> impl Iterator<Item = &SharedEvent> {
        self.lines.iter().filter(|line| self.armed_at(line))
    }

    /// The first sweep that logged counters or rows.
    #[must_use]
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweeps.iter().find(|sweep| !sweep.is_empty())
    }

    /// All rows that the sweeps named.
    pub fn marked(&self) -> impl Iterator<Item = &MarkedRow> {
        self.sweeps.iter().flat_map(|sweep| sweep.marked.iter())
    }

    /// The row with this id.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| &*row.id == id)
    }

    /// Rows that were open when the stop came.
    pub fn open_at_stop(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.canceled_by.is_some())
    }

    /// Seconds between two local wall seconds, less the time the host slept in between (signatures, A35).
    #[must_use]
    pub fn awake_seconds(&self, from: i64, to: i64) -> i64 {
        let slept: i64 =
            self.sleeps.iter().map(|&(woke, gap)| (woke.min(to) - (woke - gap).max(from)).max(0)).sum();
        (to - from - slept).max(0)
    }

    /// When a row ended: its own line, else that of the container it runs in (items and mirrors end with it).
    #[must_use]
    pub fn end_of<'a>(&'a self, row: &'a Row) -> Option<&'a RowEnd> {
        if row.end.is_some() {
            return row.end.as_ref();
        }
        let runs: Vec<&str> = match &row.container {
            Container::Run(of) | Container::Step(of) => vec![of],
            Container::OneOf(runs) => runs.iter().map(AsRef::as_ref).collect(),
            // The run that an item belongs to may be unknown; where all containers ended, so did the item.
            Container::Unknown if matches!(row.kind, IdKind::Item | IdKind::Mirror) => self
                .rows
                .iter()
                .filter(|other| other.kind.is_run() || other.kind == IdKind::Step)
                .map(|other| &*other.id)
                .collect(),
            Container::Unknown => return None,
        };
        let ends: Option<Vec<&RowEnd>> = runs.iter().map(|id| self.row(id)?.end.as_ref()).collect();
        ends?.into_iter().max_by_key(|end| end.event.wall)
    }

    /// Whether the log reaches so far that a lack of lines means something.
    #[must_use]
    pub fn covers(&self, seconds: i64) -> bool {
        !self.hole
            && (self.evidence_end_reason == EvidenceEnd::Settled
                || self.resumed.is_some()
                || self.evidence_end - self.last_wall() >= seconds)
    }

    /// A key that is the same in every cut of the log: session and the stop's UTC second.
    #[must_use]
    pub fn key(&self) -> (Box<str>, i64) {
        (self.session.clone(), self.main_opener().unwrap_or_else(|| self.opener()).utc())
    }
}
