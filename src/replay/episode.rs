//! What a stop was: the episode with its openers, sweeps, rows, turns and all later lines of its session.
//!
//! Pure data and questions about it. Rules read it; only the replay writes it.

use std::collections::BTreeSet;
use std::mem::{self, Discriminant};
use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use super::cause::Cause;
pub(super) use super::record::KEPT_MARKED;
pub use super::record::{
    Container, EndKind, MarkedRow, PaneHistory, PaneUse, Row, RowEnd, Shell, Sweep, Turn,
};
use crate::events::{EventKind, SharedEvent, Stream};
use crate::model::id::IdKind;

/// What came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The line stands before the stop.
    Before,
    /// The line stands after the stop.
    After,
    /// Two files, one second: nothing proves either (server-behaviour.md#reading-a-stop-from-a-log).
    Undecided,
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

/// Lines of one kind that a stop keeps.
const KEPT_OF_A_KIND: usize = 512;
/// Lines that ask for a stop.
const KEPT_OPENERS: usize = 64;
/// Sweeps of one stop.
const KEPT_SWEEPS: usize = 64;

/// One stop with all its lines.
#[derive(Debug, Clone)]
pub struct Episode {
    /// The session.
    pub session: Arc<str>,
    /// Why.
    pub cause: Cause,
    /// The reason as logged, or empty.
    pub reason: Arc<str>,
    /// The lines that opened it, in order; never empty.
    pub openers: Vec<SharedEvent>,
    /// The schedule's id, where `schedule.log` named it.
    pub schedule: Option<Arc<str>>,
    /// The stop's time by id arithmetic: UTC nanoseconds (server-behaviour.md#reading-a-stop-from-a-log).
    pub stop_nanoseconds: Option<i64>,
    /// The server's sweeps, in order.
    pub sweeps: Vec<Sweep>,
    /// Rows open at the stop, and rows begun since.
    pub rows: Vec<Row>,
    /// Turns open at the stop, and turns begun since.
    pub turns: Vec<Turn>,
    /// Lines of the session after the first opener, in order.
    pub lines: Vec<SharedEvent>,
    /// How many further lines were not kept: they may prove something.
    pub lines_dropped: u64,
    /// How many lines of each kind were kept.
    pub(super) kept_by_kind: FxHashMap<Discriminant<EventKind>, usize>,
    /// Whether rows of the session, or the session itself, had been given up to bound memory before it came.
    pub gave_up: bool,
    /// The line with which a person resumed the session.
    pub resumed: Option<SharedEvent>,
    /// Panes of the session.
    pub panes: PaneHistory,
    /// Messages delivered into a live pane before the stop; the newest are kept.
    pub live_inputs: Vec<SharedEvent>,
    /// Those of them that were still at work when the stop came.
    pub delivered: Vec<SharedEvent>,
    /// Shell commands that the stop abandoned.
    pub shells: Vec<Shell>,
    /// Completions that waited for the session to be idle when the stop came.
    pub queued: Vec<(Arc<str>, SharedEvent)>,
    /// UTC second of the first line that tells of this process.
    pub known_since: i64,
    /// Whether the process was seen to start: then every row of the session is known.
    pub is_whole: bool,
    /// Whether a request had come in that no turn had begun to work on.
    pub preparing: bool,
    /// Rows that the log showed open where the server counted them.
    pub open_when_counted: Option<u64>,
    /// UTC second up to which the log was read for this episode.
    pub evidence_end: i64,
    /// Why the lines end there.
    pub evidence_end_reason: EvidenceEnd,
    /// Whether lines were lost inside the grace time.
    pub hole: bool,
    /// Whether the registry as replayed disagrees with the server's counters: what differs.
    pub counter_mismatch: Option<String>,
    /// Whether this is the later part of an episode that was already reported.
    pub continued: bool,
    /// Host sleeps: (UTC second of waking, seconds slept).
    pub sleeps: Vec<(i64, i64)>,
    /// Names that `--match` looks at: runs, groups, workflow, schedule, title.
    pub labels: BTreeSet<Arc<str>>,
}

impl Episode {
    /// The first line.
    #[must_use]
    pub fn opener(&self) -> &SharedEvent {
        &self.openers[0]
    }

    /// When it began, UTC second.
    #[must_use]
    pub fn first_second(&self) -> i64 {
        self.openers.iter().map(|event| event.utc()).min().unwrap_or_default()
    }

    /// When it was last asked for, UTC second.
    #[must_use]
    pub fn last_second(&self) -> i64 {
        self.openers.iter().map(|event| event.utc()).max().unwrap_or_default()
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
        match event.utc().cmp(&self.first_second()) {
            std::cmp::Ordering::Less => Order::Before,
            std::cmp::Ordering::Greater => Order::After,
            std::cmp::Ordering::Equal if self.guard_line_up_to(event) => Order::After,
            std::cmp::Ordering::Equal => Order::Undecided,
        }
    }

    /// Whether the line, or one before it in the same file, says that the session is stopped: that proves that the
    /// stop came first (server-behaviour.md#reading-a-stop-from-a-log).
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
    /// (server-behaviour.md#reading-a-stop-from-a-log).
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
        resumed.utc() <= event.utc()
    }

    /// Whether the stop is armed at this line: after it, and nobody resumed.
    #[must_use]
    pub fn armed_at(&self, event: &SharedEvent) -> bool {
        self.order(event) == Order::After && !self.resumed_before(event)
    }

    /// Keeps a line. Each kind has room of its own, so that many lines of one kind hide no other.
    pub(super) fn keep(&mut self, event: &SharedEvent) {
        let of_kind = self.kept_by_kind.entry(mem::discriminant(&event.kind)).or_default();
        if *of_kind < KEPT_OF_A_KIND {
            *of_kind += 1;
            self.lines.push(event.clone());
        } else {
            self.lines_dropped += 1;
        }
    }

    /// Adds a line that asks for the stop. Of very many the first ones and the newest are kept.
    pub(super) fn ask_again(&mut self, event: &SharedEvent) {
        if self.openers.len() < KEPT_OPENERS {
            self.openers.push(event.clone());
        } else if let Some(newest) = self.openers.last_mut() {
            *newest = event.clone();
            self.lines_dropped += 1;
        }
    }

    /// Room for a further sweep, if there is some.
    pub(super) fn add_sweep(&mut self) -> bool {
        let has_room = self.sweeps.len() < KEPT_SWEEPS;
        if has_room {
            self.sweeps.push(Sweep::default());
        } else {
            self.lines_dropped += 1;
        }
        has_room
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

    /// Seconds between two UTC seconds, less the time the host slept in between (server-behaviour.md#clocks).
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
        ends?.into_iter().max_by_key(|end| end.event.utc())
    }

    /// Whether the log reaches so far that a lack of lines means something.
    #[must_use]
    pub fn covers(&self, seconds: i64) -> bool {
        !self.hole
            && (self.evidence_end_reason == EvidenceEnd::Settled
                || self.resumed.is_some()
                || self.evidence_end - self.last_second() >= seconds)
    }

    /// Whether a row or turn that was open when the stop came has not ended.
    pub(super) fn waits(&self) -> bool {
        self.open_at_stop().any(|row| self.end_of(row).is_none())
            || self.turns.iter().any(|turn| turn.end.is_none() && self.turn_order(turn) != Order::After)
    }

    /// What differs between the server's own counters and the rows that the log showed open, where that is told. Rows
    /// that only the stop's own lines name may be among those counted, and a todo step's sub-agent, which has no line
    /// at all (server-behaviour.md#what-ends-a-row).
    pub(super) fn counters_differ(&self) -> Option<String> {
        let open = self.open_when_counted?;
        let (own, none, ..) = self.sweeps.iter().find_map(|sweep| sweep.agents.as_ref())?;
        let known: BTreeSet<&str> = self.rows.iter().map(|row| &*row.id).collect();
        let named = self.marked().filter(|row| !known.contains(&*row.id)).count() as u64;
        let todo = u64::from(self.rows.iter().any(|row| row.kind == IdKind::Mirror));
        // The log may say anything; a count that does not fit is more than any log shows.
        let counted = own.saturating_add(*none);
        (counted < open || counted > open + named + todo).then(|| {
            format!(
                "the server counted {own} with and {none} without a cancel function, the log shows {open}"
            )
        })
    }

    /// Whether everything that was open when the stop came is known: the process was seen to start, or the server's
    /// own counters name as many rows as the log does.
    #[must_use]
    pub fn knows_its_rows(&self) -> bool {
        let counted = self.sweeps.iter().any(|sweep| sweep.agents.is_some());
        self.counter_mismatch.is_none()
            && !self.gave_up
            && self.lines_dropped == 0
            && (self.is_whole || counted)
    }

    /// What is kept of a judged stop, so that a later violation is noticed: how it began, and no lines.
    pub(super) fn remembered(&self) -> Self {
        Self {
            session: self.session.clone(),
            cause: self.cause,
            reason: self.reason.clone(),
            openers: self.openers.clone(),
            schedule: self.schedule.clone(),
            stop_nanoseconds: self.stop_nanoseconds,
            sweeps: Vec::new(),
            rows: Vec::new(),
            turns: Vec::new(),
            lines: Vec::new(),
            lines_dropped: self.lines_dropped,
            kept_by_kind: FxHashMap::default(),
            gave_up: self.gave_up,
            resumed: None,
            panes: PaneHistory::default(),
            live_inputs: Vec::new(),
            delivered: Vec::new(),
            shells: Vec::new(),
            queued: Vec::new(),
            known_since: self.known_since,
            is_whole: self.is_whole,
            preparing: self.preparing,
            open_when_counted: self.open_when_counted,
            evidence_end: self.evidence_end,
            evidence_end_reason: self.evidence_end_reason,
            hole: self.hole,
            counter_mismatch: self.counter_mismatch.clone(),
            continued: true,
            sleeps: Vec::new(),
            labels: BTreeSet::new(),
        }
    }

    /// A key that is the same in every cut of the log: session and the stop's UTC second.
    #[must_use]
    pub fn key(&self) -> (Arc<str>, i64) {
        (self.session.clone(), self.main_opener().unwrap_or_else(|| self.opener()).utc())
    }
}
