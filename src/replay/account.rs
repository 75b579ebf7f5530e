//! What became of each thing that was open when a stop came: the account from which a verdict follows.
//!
//! Owns the fate of every row, turn, pane and shell command of a stop, with the line that proves it. The classes and
//! what ends them were measured (server-behaviour.md#what-ends-a-row). Fails closed: what no line tells is
//! unknown.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Cause;
use super::case::MinorStop;
use super::episode::{Container, EndKind, Episode, EvidenceEnd, Order, Row, RowEnd, Shell, Turn};
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::confidence::Confidence;
use crate::model::id::{self, IdKind, RowKind};
use crate::model::thresholds::Thresholds;
use crate::model::words::{wider_words, words};

wider_words! {
    /// What an entry of an account is.
    pub enum EntryKind {
        /// A command that the file service runs.
        Shell = "shell",
        /// A tmux pane that the stop wanted closed.
        Pane = "pane",
        /// A completion that waited for the session to be idle.
        Completion = "completion",
        ..
        /// An execution or turn, of the kind that its id tells.
        Row(IdKind) by RowKind::of,
    }
}

words! {
    /// Whether the session owned it or only watched it.
    pub enum Right {
        /// It is the session's own: a turn, its shell command, its pane, an agent of the open turn.
        Owned = "owned",
        /// A run or what runs in it, or work of an ended turn: the session only watches it.
        Watched = "watched",
        /// A step that was started on its own.
        Detached = "detached",
        /// The log does not tell.
        Unknown = "unknown",
    }
}

words! {
    /// How the stop reached it.
    pub enum Reached {
        /// Its own cancel was called.
        Told = "told",
        /// Its container, or the pane that it works in, was told.
        WithContainer = "with_container",
        /// It was marked canceled without being told.
        MarkedOnly = "marked_only",
        /// The server dropped it from its registry.
        Dropped = "dropped",
        /// The stop did not concern it.
        NotReached = "not_reached",
        /// The log does not tell.
        Unknown = "unknown",
    }
}

words! {
    /// What became of it.
    pub enum Fate {
        /// It ended within the time that a stop may take.
        Ended = "ended",
        /// It ended with the pane that it worked in.
        EndedWithPane = "ended_with_pane",
        /// It ended, but only later.
        EndedLate = "ended_late",
        /// It ended as a success after the time that a stop may take: nothing stopped it.
        EndedAsSuccess = "ended_as_success",
        /// The log reaches far enough and shows no end.
        NoEndSeen = "no_end_seen",
        /// It worked on.
        WorkedOn = "worked_on",
        /// It lives on, and rightly: the stop was not meant to end it.
        LivesOn = "lives_on",
        /// The process ended first.
        Cut = "cut",
        /// The log does not tell.
        Unknown = "unknown",
    }
}

impl Fate {
    /// Whether it is over, whenever that was.
    #[must_use]
    pub fn is_end(self) -> bool {
        matches!(self, Self::Ended | Self::EndedWithPane | Self::EndedLate | Self::EndedAsSuccess)
    }
}

/// One thing that was open when a stop came.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its id; of a turn that the log never names a made-up one.
    pub id: Arc<str>,
    /// Its name as the stop's own line gives it: what people wrote; empty where none does.
    pub name: Arc<str>,
    /// Whose it was.
    pub right: Right,
    /// Whether the stop was meant to end it.
    pub meant: bool,
    /// How the stop reached it.
    pub reached: Reached,
    /// What became of it.
    pub fate: Fate,
    /// How sure that is.
    pub confidence: Confidence,
    /// Whether its row goes on saying "running" although it has ended.
    pub stays_listed: bool,
    /// Seconds of UTC between the stop and its end, less the time that the host slept.
    pub after: Option<i64>,
    /// The lines that prove it, each with what it shows.
    pub evidence: Vec<(SharedEvent, &'static str)>,
}

impl Entry {
    /// Whether nothing is wrong with it and that is proved: what was meant to end ended in time, and what was not
    /// lives on.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        if self.meant {
            matches!(self.fate, Fate::Ended | Fate::EndedWithPane)
        } else {
            self.fate == Fate::LivesOn
        }
    }

    /// Whether it was taken although the stop was not meant to end it.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        !self.meant && (self.fate.is_end() || self.fate == Fate::Cut)
    }
}

/// The stop of which an account is made, whatever its size.
struct Stop<'a> {
    cause: Cause,
    /// The last line that asked for it.
    asked: &'a SharedEvent,
    rows: Vec<&'a Row>,
    turns: Vec<&'a Turn>,
    /// All rows of the session, in which a container's end may stand.
    all: &'a [Row],
    /// The same by their ids.
    by_id: FxHashMap<&'a str, &'a Row>,
    delivered: &'a [SharedEvent],
    sleeps: &'a [(i64, i64)],
    evidence_end: i64,
    evidence_end_reason: EvidenceEnd,
    /// Lines were lost inside of the time that matters.
    hole: bool,
    /// Whether it hits everything under the session, meant or not.
    sweeps: bool,
    thresholds: &'a Thresholds,
}

/// The account of a stop that was watched.
#[must_use]
pub fn of_episode(episode: &Episode, thresholds: &Thresholds) -> Vec<Entry> {
    let before = |turn: &&Turn| {
        episode.turn_order(turn) != Order::After
            && turn.end.as_ref().is_none_or(|end| episode.order(end) != Order::Before)
    };
    let asked = episode.openers.iter().max_by_key(|line| line.utc()).unwrap_or_else(|| episode.opener());
    let stop = Stop {
        cause: episode.cause,
        asked,
        rows: episode.open_at_stop().filter(|row| !row.kind.is_turn()).collect(),
        turns: episode.turns.iter().filter(before).collect(),
        all: &episode.rows,
        by_id: by_id(&episode.rows),
        delivered: &episode.delivered,
        sleeps: &episode.sleeps,
        evidence_end: episode.evidence_end,
        evidence_end_reason: episode.evidence_end_reason,
        hole: episode.hole,
        sweeps: true,
        thresholds,
    };
    let open_turn = stop
        .turns
        .iter()
        .map(|turn| &turn.start)
        .chain(episode.delivered.iter())
        .min_by_key(|line| line.position);
    let person = is_meant_for_all(episode.cause);
    let own = |row: &Row| match row.kind {
        IdKind::Run | IdKind::Evaluation | IdKind::Mirror | IdKind::Item => Right::Watched,
        IdKind::SubAgent => Right::Watched,
        IdKind::Turn | IdKind::SyntheticTurn => Right::Owned,
        IdKind::Step | IdKind::Agent | IdKind::Unknown => match (&row.recorded, open_turn) {
            (Some(recorded), Some(turn)) if recorded.position > turn.position => Right::Owned,
            (Some(_), _) if row.kind == IdKind::Step => Right::Detached,
            (Some(_), _) => Right::Watched,
            (None, _) => Right::Unknown,
        },
    };
    let mut entries: Vec<Entry> = stop
        .rows
        .iter()
        .map(|row| {
            let right = own(row);
            stop.row(row, right, person || right == Right::Owned)
        })
        .collect();
    entries.extend(stop.turns.iter().filter_map(|turn| stop.turn(turn, true)));
    entries.extend(delivered(&stop, episode));
    entries.extend(named_only_by_the_stop(&stop, episode, &entries));
    entries.extend(panes(episode));
    entries.extend(episode.shells.iter().map(shell));
    entries.extend(episode.queued.iter().map(|(id, line)| Entry {
        kind: EntryKind::Completion,
        id: id.clone(),
        name: "".into(),
        right: Right::Owned,
        meant: person,
        reached: Reached::Dropped,
        fate: Fate::Ended,
        confidence: Confidence::Medium,
        stays_listed: false,
        after: None,
        evidence: vec![(
            line.clone(),
            "it waited for the session to be idle, and the stop empties the queue",
        )],
    }));
    // A turn that begins to work after the stop, with nobody having resumed, has worked on.
    entries.extend(begun_after(episode));
    note_names(&mut entries, episode);
    sorted(entries)
}

/// The account of a smaller stop.
#[must_use]
pub fn of_minor(minor: &MinorStop, thresholds: &Thresholds) -> Vec<Entry> {
    let stop = Stop {
        cause: minor.cause,
        asked: &minor.opener,
        rows: minor.rows.iter().filter(|row| !row.kind.is_turn()).collect(),
        turns: minor.turns.iter().collect(),
        all: &minor.rows,
        by_id: by_id(&minor.rows),
        delivered: &minor.delivered,
        sleeps: &minor.sleeps,
        evidence_end: minor.evidence_end,
        evidence_end_reason: minor.evidence_end_reason,
        hole: false,
        sweeps: false,
        thresholds,
    };
    let right = |row: &Row| match row.kind {
        IdKind::Step => Right::Detached,
        IdKind::Agent | IdKind::Unknown => Right::Unknown,
        _ => Right::Watched,
    };
    let mut entries: Vec<Entry> =
        stop.rows.iter().map(|row| stop.row(row, right(row), minor.means(row))).collect();
    if minor.cause != Cause::AgentStopTool {
        // The turn that calls the tool is no part of its stop.
        entries.extend(stop.turns.iter().filter_map(|turn| stop.turn(turn, minor.means_turns())));
    }
    entries.extend(minor.shells.iter().map(shell));
    // Rows that only the stop's own lines name: the log begins later than they did.
    let known: BTreeSet<Arc<str>> = entries.iter().map(|entry| entry.id.clone()).collect();
    for marked in minor.sweep.marked.iter().filter(|marked| !known.contains(&marked.id)) {
        let row = Row::new(marked.id.clone());
        let mut entry = stop.row(&row, right_of_marked(row.kind), minor.means(&row));
        entry.evidence.push((marked.event.clone(), "the stop marked it canceled"));
        entry.name = marked.name.clone();
        entries.push(entry);
    }
    sorted(entries)
}

/// Whether a stop of this cause is meant to end everything under the session; the death of a terminal is meant to end
/// only what the session owns.
fn is_meant_for_all(cause: Cause) -> bool {
    cause.is_person_stop()
}

fn by_id(rows: &[Row]) -> FxHashMap<&str, &Row> {
    rows.iter().map(|row| (&*row.id, row)).collect()
}

/// One entry per id, in a fixed order, rows first; of two about one thing the worse.
fn sorted(mut entries: Vec<Entry>) -> Vec<Entry> {
    let is_no_row = |entry: &Entry| !matches!(entry.kind, EntryKind::Row(_));
    entries.sort_by(|left, right| {
        let left_place = (is_no_row(left), left.kind, &left.id, left.is_proved());
        left_place.cmp(&(is_no_row(right), right.kind, &right.id, right.is_proved()))
    });
    entries.dedup_by(|left, right| left.kind == right.kind && left.id == right.id);
    entries
}

impl Stop<'_> {
    /// Seconds between the stop and a line, less the time the host slept.
    fn after(&self, line: &SharedEvent) -> i64 {
        awake(self.sleeps, self.asked.utc(), line.utc())
    }

    /// How far the log was read after the stop.
    fn read(&self) -> i64 {
        awake(self.sleeps, self.asked.utc(), self.evidence_end)
    }

    /// What the absence of an end says.
    fn without_end(&self, meant: bool) -> (Fate, Confidence) {
        let reached = self.read();
        if !meant && !self.sweeps {
            return (Fate::LivesOn, Confidence::Medium);
        }
        if self.cause == Cause::Shutdown {
            return (Fate::Cut, Confidence::High);
        }
        if self.hole || reached < self.thresholds.cancel_lag {
            let cut = self.evidence_end_reason == EvidenceEnd::ProcessEnded && !self.hole;
            return if cut { (Fate::Cut, Confidence::Medium) } else { (Fate::Unknown, Confidence::Low) };
        }
        (Fate::NoEndSeen, Confidence::High)
    }

    /// What an end says that came so many seconds after the stop.
    fn with_end(&self, after: i64, success: bool, meant: bool) -> Fate {
        let in_time = after < self.thresholds.stop_grace.max(1) && after <= self.thresholds.cancel_lag;
        match (meant || self.sweeps, success, in_time) {
            (false, true, _) | (false, false, false) => Fate::LivesOn,
            (false, false, true) | (true, _, true) => Fate::Ended,
            (true, true, false) => Fate::EndedAsSuccess,
            (true, false, false) => Fate::EndedLate,
        }
    }

    fn row(&self, row: &Row, right: Right, meant: bool) -> Entry {
        let own = row.end.as_ref();
        let end = own.filter(|end| is_told(end)).or_else(|| self.container_end(row)).or(own);
        let mut evidence: Vec<(SharedEvent, &'static str)> = Vec::new();
        evidence.extend(row.recorded.iter().map(|line| (line.clone(), "it had been registered before")));
        let (fate, confidence, after) = match end {
            Some(end) => {
                let of_row = own.is_some_and(|own| own.event.position == end.event.position);
                evidence.push((
                    end.event.clone(),
                    if of_row && is_told(end) { "its own end" } else { "what it ran in ended" },
                ));
                let after = self.after(&end.event);
                let fate = self.with_end(after, is_success(end), meant);
                (
                    fate,
                    if of_row && is_told(end) { Confidence::High } else { Confidence::Medium },
                    Some(after),
                )
            }
            None => {
                let (fate, confidence) = self.without_end(meant);
                match row.kind {
                    // Its class never logs an end, and what it runs in is not known to have ended either.
                    IdKind::SubAgent | IdKind::Item | IdKind::Mirror if fate == Fate::NoEndSeen => {
                        let alone = matches!(row.container, Container::Unknown);
                        (if alone { Fate::Unknown } else { fate }, Confidence::Medium, None)
                    }
                    IdKind::Evaluation | IdKind::Unknown => (fate, confidence.min(Confidence::Medium), None),
                    _ => (fate, confidence, None),
                }
            }
        };
        let reached = match (meant || fate == Fate::Ended, row.kind.has_own_cancel()) {
            (false, _) => Reached::NotReached,
            (true, true) => Reached::Told,
            (true, false) if row.kind == IdKind::Unknown => Reached::Unknown,
            (true, false) => Reached::WithContainer,
        };
        Entry {
            kind: EntryKind::Row(row.kind),
            id: row.id.clone(),
            name: "".into(),
            right,
            meant,
            reached,
            fate,
            confidence,
            stays_listed: false,
            after,
            evidence,
        }
    }

    /// The end of what a row runs in; of several that are possible the last one, once all have ended.
    fn container_end(&self, row: &Row) -> Option<&RowEnd> {
        let containers: Vec<&str> = match &row.container {
            Container::Run(of) | Container::Step(of) => vec![of],
            Container::OneOf(runs) => runs.iter().map(AsRef::as_ref).collect(),
            Container::Unknown if matches!(row.kind, IdKind::Item | IdKind::Mirror | IdKind::SubAgent) => {
                self.all
                    .iter()
                    .filter(|other| other.kind.is_run() || other.kind == IdKind::Step)
                    .map(|other| &*other.id)
                    .collect()
            }
            Container::Unknown => return None,
        };
        let end_of = |id: &&str| self.by_id.get(*id)?.end.as_ref();
        let ends: Option<Vec<&RowEnd>> = containers.iter().map(end_of).collect();
        ends?.into_iter().max_by_key(|end| end.event.utc())
    }

    fn turn(&self, turn: &Turn, meant: bool) -> Option<Entry> {
        let id = turn_id(turn, self.asked.kind.session().map_or("", AsRef::as_ref));
        let mut evidence = vec![(turn.start.clone(), "it had begun before")];
        let (fate, confidence, after) = match &turn.end {
            Some(end) => {
                let after = self.after(end);
                if after < 0 {
                    return None;
                }
                evidence.push((end.clone(), "its own end"));
                // The text of an answer that was cut may come with any end; late is what tells.
                (self.with_end(after, false, meant), Confidence::High, Some(after))
            }
            None => {
                let (fate, confidence) = self.without_end(meant);
                (fate, confidence, None)
            }
        };
        Some(Entry {
            kind: EntryKind::Row(if turn.synthetic { IdKind::SyntheticTurn } else { IdKind::Turn }),
            id,
            name: "".into(),
            right: Right::Owned,
            meant,
            reached: if meant { Reached::Told } else { Reached::NotReached },
            fate,
            confidence,
            stays_listed: false,
            after,
            evidence,
        })
    }
}

/// A line of its own says that a row ended, not only one of what it ran in.
fn is_told(end: &RowEnd) -> bool {
    !matches!(end.kind, EndKind::Implied)
}

fn is_success(end: &RowEnd) -> bool {
    matches!(end.kind, EndKind::Finalized(FinalOutcome::Done) | EndKind::Completed | EndKind::ResultSkipped)
}

/// Seconds between two UTC seconds, less the time the host slept in between (server-behaviour.md#clocks).
fn awake(sleeps: &[(i64, i64)], from: i64, to: i64) -> i64 {
    let slept: i64 = sleeps.iter().map(|&(woke, gap)| (woke.min(to) - (woke - gap).max(from)).max(0)).sum();
    to - from - slept.min((to - from).max(0))
}

fn turn_id(turn: &Turn, session: &str) -> Arc<str> {
    turn.query.clone().unwrap_or_else(|| made_up(session, &turn.start))
}

/// The id that stands for a turn of which a log tells only when it began.
fn made_up(session: &str, line: &SharedEvent) -> Arc<str> {
    let began = jiff::Timestamp::from_second(line.utc()).map(|time| time.to_string()).unwrap_or_default();
    id::made_up_turn(session, &began).into()
}

/// Messages that were at work in a live pane: they end with it, and no line of their own says so. At a stop by a
/// person their row stays listed (server-behaviour.md#turns-in-a-live-pane).
fn delivered(stop: &Stop<'_>, episode: &Episode) -> Vec<Entry> {
    // Where the stop names the turn itself, that line is its entry.
    let named = episode.marked().any(|row| IdKind::of(&row.id) == IdKind::Turn);
    if named {
        return Vec::new();
    }
    let closed =
        episode.lines.iter().chain(&episode.openers).find(|line| closes_the_pane(episode.cause, &line.kind));
    stop.delivered
        .iter()
        .map(|line| {
            let mut evidence = vec![(line.clone(), "it was delivered into the session's pane")];
            let (fate, confidence) = match closed {
                Some(closed) => {
                    evidence.push((closed.clone(), "the pane that it worked in is closed"));
                    (Fate::EndedWithPane, Confidence::Medium)
                }
                None => (Fate::Unknown, Confidence::Low),
            };
            Entry {
                kind: EntryKind::Row(IdKind::Turn),
                id: made_up(&episode.session, line),
                name: "".into(),
                right: Right::Owned,
                meant: true,
                reached: Reached::WithContainer,
                fate,
                confidence,
                stays_listed: episode.cause == Cause::UserStop && fate == Fate::EndedWithPane,
                after: None,
                evidence,
            }
        })
        .collect()
}

/// Whether a line says that the session's main pane is gone or being closed.
fn closes_the_pane(cause: Cause, kind: &EventKind) -> bool {
    match kind {
        EventKind::MainPaneClosedByStop { .. } | EventKind::MainTerminalFailing { .. } => true,
        EventKind::BeginRuntimeCancel { .. } => cause.is_incidental() || cause == Cause::ScheduleStop,
        EventKind::StatusUpdated { status, .. } => {
            cause.is_incidental() && matches!(&**status, "error" | "completed")
        }
        _ => false,
    }
}

/// Rows that only the stop's own lines name: the log begins later than they did, or they never print a start.
fn named_only_by_the_stop(stop: &Stop<'_>, episode: &Episode, known: &[Entry]) -> Vec<Entry> {
    let ids: BTreeSet<&str> = known.iter().map(|entry| &*entry.id).collect();
    let ends = ends_in_lines(episode);
    let person = is_meant_for_all(episode.cause);
    episode
        .marked()
        .filter(|row| !ids.contains(&*row.id))
        .map(|marked| {
            let mut row = Row::new(marked.id.clone());
            if let Some(known) = stop.by_id.get(&*marked.id) {
                row.clone_from(known);
            }
            row.end = row.end.or_else(|| ends.get(&*marked.id).cloned());
            let turn = row.kind.is_turn();
            let mut entry =
                stop.row(&row, if turn { Right::Owned } else { right_of_marked(row.kind) }, person || turn);
            entry.evidence.push((marked.event.clone(), "the stop marked it canceled"));
            if turn && row.end.is_none() {
                // A turn that came by a delivered message, or beside one of the server's, ends with the pane.
                let closed = episode
                    .openers
                    .iter()
                    .chain(&episode.lines)
                    .find(|line| closes_the_pane(episode.cause, &line.kind));
                // A turn of the server prints its start; one that never did, in a process that is known from its
                // start and with no request waiting, was a message in a live pane.
                let never_streamed = episode.is_whole && !episode.preparing;
                let in_pane = !stop.delivered.is_empty() || !episode.live_inputs.is_empty() || never_streamed;
                match closed {
                    Some(closed) if in_pane => {
                        entry.evidence.push((closed.clone(), "the pane that it worked in is closed"));
                        (entry.fate, entry.confidence) = (Fate::EndedWithPane, Confidence::Medium);
                        entry.reached = Reached::WithContainer;
                    }
                    _ => {
                        let ended = later_end_of_the_turn(episode, &marked.id);
                        (entry.fate, entry.confidence) = match &ended {
                            Some(line) => (stop.with_end(stop.after(line), false, true), Confidence::Medium),
                            None => (Fate::Unknown, Confidence::Low),
                        };
                        entry.after = ended.as_ref().map(|line| stop.after(line));
                        entry.evidence.extend(ended.map(|line| (line, "a turn of the session ends")));
                        entry.reached = Reached::MarkedOnly;
                    }
                }
            }
            entry
        })
        .collect()
}

/// Whose a row is that only the stop's own line names.
fn right_of_marked(kind: IdKind) -> Right {
    if kind.is_run() || matches!(kind, IdKind::Mirror | IdKind::Item | IdKind::SubAgent) {
        Right::Watched
    } else {
        Right::Unknown
    }
}

/// The ends that the stop's lines tell, by id.
fn ends_in_lines(episode: &Episode) -> FxHashMap<&str, RowEnd> {
    let mut ends = FxHashMap::default();
    for line in &episode.lines {
        let (id, kind) = match &line.kind {
            EventKind::Finalized { id, outcome } => (id, EndKind::Finalized(*outcome)),
            EventKind::CompleteIgnored { id, .. } => (id, EndKind::Ignored),
            _ => continue,
        };
        ends.entry(&**id).or_insert_with(|| RowEnd { event: line.clone(), kind });
    }
    ends
}

/// The end of a turn that only the stop names: its own line, else the first end of a turn of the session after the
/// stop, which is that of a turn which was being prepared.
fn later_end_of_the_turn(episode: &Episode, id: &str) -> Option<SharedEvent> {
    let own = episode
        .lines
        .iter()
        .find(|line| matches!(&line.kind, EventKind::OrchestratorTurnEnded { query, .. } if **query == *id));
    if own.is_some() {
        return own.cloned();
    }
    let ended = episode
        .turns
        .iter()
        .filter_map(|turn| turn.end.clone())
        .filter(|end| episode.order(end) == Order::After);
    let status = episode.lines.iter().find(|line| {
        matches!(&line.kind, EventKind::StatusUpdated { status, .. } if &**status != "running" && &**status != "stopped")
            || matches!(line.kind, EventKind::CompletionGuarded { .. } | EventKind::CompletionPreserved { .. })
    });
    ended.min_by_key(|end| end.position).or_else(|| status.cloned())
}

/// Turns that began after the stop although nobody had resumed the session.
fn begun_after(episode: &Episode) -> Vec<Entry> {
    episode
        .turns
        .iter()
        .filter(|turn| episode.turn_order(turn) == Order::After && !episode.resumed_before(&turn.start))
        .filter(|turn| {
            let seconds = turn.seconds(episode.evidence_end);
            turn.tool.is_some() || turn.succeeded() || seconds >= 2
        })
        .map(|turn| {
            let mut evidence = vec![(turn.start.clone(), "it began after the stop")];
            evidence.extend(turn.tool.iter().map(|line| (line.clone(), "it called a tool")));
            evidence.extend(turn.end.iter().map(|line| (line.clone(), "its end")));
            Entry {
                kind: EntryKind::Row(if turn.synthetic { IdKind::SyntheticTurn } else { IdKind::Turn }),
                id: turn_id(turn, &episode.session),
                name: "".into(),
                right: Right::Owned,
                meant: true,
                reached: Reached::NotReached,
                fate: Fate::WorkedOn,
                confidence: Confidence::Medium,
                stays_listed: false,
                after: None,
                evidence,
            }
        })
        .collect()
}

/// A shell command that the stop abandoned: the file service runs it to its own end or limit
/// (server-behaviour.md#structured-steps).
fn shell(shell: &Shell) -> Entry {
    let line = &shell.event;
    let scope = match &line.kind {
        EventKind::ShellAbandoned { scope, .. } => scope.as_ref(),
        _ => "",
    };
    let cut = jiff::Timestamp::from_second(line.utc()).map(|time| time.to_string()).unwrap_or_default();
    Entry {
        kind: EntryKind::Shell,
        id: format!("{scope}@{cut}").into(),
        name: "".into(),
        right: Right::Owned,
        meant: true,
        reached: Reached::NotReached,
        fate: Fate::WorkedOn,
        confidence: Confidence::High,
        stays_listed: false,
        after: None,
        evidence: vec![(line.clone(), "only its request was cut")],
    }
}

/// The panes that the stop closed by name, and those that it could not close.
fn panes(episode: &Episode) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in &episode.lines {
        let (tmux, fate, shows) = match &line.kind {
            EventKind::StepPaneClosedByStop { tmux, .. } if !tmux.is_empty() => {
                (tmux, Fate::Ended, "the stop closed it")
            }
            EventKind::PaneKillFailed { tmux, by_reaper: false, .. } => {
                (tmux, Fate::NoEndSeen, "the stop could not close it")
            }
            _ => continue,
        };
        entries.push(Entry {
            kind: EntryKind::Pane,
            id: tmux.clone(),
            name: "".into(),
            right: Right::Owned,
            meant: true,
            reached: Reached::Told,
            fate,
            confidence: Confidence::Medium,
            stays_listed: false,
            after: None,
            evidence: vec![(line.clone(), shows)],
        });
    }
    entries
}

/// The names that the stop's own lines give.
fn note_names(entries: &mut [Entry], episode: &Episode) {
    let names: FxHashMap<&str, &Arc<str>> =
        episode.marked().map(|marked| (&*marked.id, &marked.name)).collect();
    for entry in entries {
        if let Some(name) = names.get(&*entry.id) {
            entry.name = Arc::clone(name);
        }
    }
}
