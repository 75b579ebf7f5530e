//! What the replay keeps of one session: open rows, turns, panes, and the stop that is being watched.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::{CompletionLoss, MinorStop, PaneLoss, PaneSign};
use super::episode::{Container, EndKind, Episode, PaneHistory, PaneUse, Row, RowEnd, Shell, Turn};
use super::sub_session::{item_is_of_step, read_sub_session, step_name};
use crate::events::{EventKind, SharedEvent};
use crate::model::id::IdKind;

/// How many lines of a kind are kept per session.
const KEPT: usize = 16;
/// How many open rows are kept per session; the oldest go first.
const KEPT_ROWS: usize = 1024;
/// How many names are kept for `--match`.
const KEPT_LABELS: usize = 64;

/// A full run's folder, and the steps that ran in it.
#[derive(Debug, Clone)]
pub(super) struct RunFolder {
    pub(super) run: Arc<str>,
    pub(super) folder: Arc<str>,
}

/// The state of one session.
#[derive(Debug, Default)]
pub(super) struct SessionState {
    pub(super) rows: Vec<Row>,
    pub(super) rows_dropped: u64,
    /// It may have been known and forgotten before, with its open rows.
    pub(super) may_be_forgotten: bool,
    pub(super) finished: u64,
    pub(super) turns: Vec<Turn>,
    pub(super) pending_request: Option<SharedEvent>,
    pub(super) status: Option<Arc<str>>,
    pub(super) panes: PaneHistory,
    pub(super) live_inputs: Vec<SharedEvent>,
    pub(super) run_folders: Vec<RunFolder>,
    /// Items whose sub-agent session is known: (item, sub-agent session).
    pub(super) item_sessions: Vec<(Arc<str>, Arc<str>)>,
    pub(super) labels: BTreeSet<Arc<str>>,
    pub(super) stopped_by_user: Option<(SharedEvent, Option<i64>)>,
    pub(super) loose_sweep: Option<super::case::MinorStop>,
    pub(super) conflict: Option<SharedEvent>,
    pub(super) episode: Option<Box<Episode>>,
    /// A reported stop that nobody has resumed from.
    pub(super) armed: Option<Box<Episode>>,
    /// Stops that a later one of the session took over, of whose rows some have not ended.
    pub(super) superseded: Vec<Episode>,
    /// Smaller stops, while their rows may still end.
    pub(super) minors: Vec<MinorStop>,
    /// Whether one of these may have nothing to wait for since they were looked at: looking at all of them for each
    /// line would cost the square of a long log.
    pub(super) may_settle: bool,
    /// Messages at work in a live pane, of which no line has told the end.
    pub(super) delivered: Vec<SharedEvent>,
    /// Rows that ended in the last seconds: a tool's sweep may print its line after they did
    /// (server-behaviour.md#what-ends-a-row).
    pub(super) just_ended: Vec<Row>,
    pub(super) pane_losses: Vec<PaneLoss>,
    /// Shell commands whose request was cut, while a stop that did it may still follow.
    pub(super) shells: Vec<Shell>,
    /// Completions that wait for the session to be idle.
    pub(super) queued: Vec<(Arc<str>, SharedEvent)>,
    pub(super) pane_sign: Option<PaneSign>,
    pub(super) completion_loss: Option<CompletionLoss>,
    pub(super) last_used: u64,
}

/// Pushes and drops the oldest where there are too many.
pub(super) fn push_bounded<T>(list: &mut Vec<T>, item: T) {
    if list.len() == KEPT {
        list.remove(0);
    }
    list.push(item);
}

impl SessionState {
    pub(super) fn label(&mut self, name: &str) {
        // Nearly always the name is known, so the look-up comes before the copy.
        if self.labels.len() < KEPT_LABELS && !name.is_empty() && !self.labels.contains(name) {
            self.labels.insert(name.into());
        }
    }

    /// The rows that have not ended, as they are now.
    pub(super) fn open_rows(&self) -> Vec<Row> {
        self.rows.iter().filter(|row| row.end.is_none()).cloned().collect()
    }

    /// The turns that have not ended, as they are now.
    pub(super) fn open_turns(&self) -> Vec<Turn> {
        self.turns.iter().filter(|turn| turn.end.is_none()).cloned().collect()
    }

    /// Whether something of it may have been given up to bound memory.
    pub(super) fn gave_up(&self) -> bool {
        self.may_be_forgotten || self.rows_dropped > 0
    }

    /// Whether a stop is being watched or remembered.
    pub(super) fn is_stopped(&self) -> bool {
        self.armed.is_some() || self.episode.as_ref().is_some_and(|episode| episode.resumed.is_none())
    }

    /// Registers a row; its container is provisional until the log says more.
    pub(super) fn record(&mut self, id: &Arc<str>, event: &SharedEvent) {
        // A bot's session may print two lines of one start.
        if self.rows.iter().rev().take(KEPT).any(|row| row.id == *id && row.end.is_none()) {
            return;
        }
        let mut row = Row::new(id.clone());
        row.recorded = Some(event.clone());
        if matches!(row.kind, IdKind::Item | IdKind::SubAgent) {
            row.container = self.provisional_container(id);
        }
        if row.kind == IdKind::Item {
            // Without a sub-agent session the log of an older server still says this much: items of one
            // container run one after the other (server-behaviour.md#what-the-log-prints).
            let container = row.container.clone();
            if container != Container::Unknown {
                let unnamed: Vec<Arc<str>> = self
                    .rows
                    .iter()
                    .filter(|other| {
                        other.kind == IdKind::Item
                            && other.container == container
                            && !self.item_sessions.iter().any(|(item, _)| *item == other.id)
                    })
                    .map(|other| other.id.clone())
                    .collect();
                for item in unnamed {
                    self.end_row(&item, event, EndKind::Implied);
                }
            }
        }
        if row.kind.is_run() {
            self.label(id);
        }
        if self.rows.len() >= KEPT_ROWS {
            self.rows.remove(0);
            self.rows_dropped += 1;
        }
        self.rows.push(row);
    }

    /// The container of an item before its working directory is known: the only one, or one of several runs.
    fn provisional_container(&self, id: &str) -> Container {
        let step = self
            .rows
            .iter()
            .rev()
            .filter(|row| row.kind == IdKind::Step && row.end.is_none())
            .find(|row| step_name(&row.id).is_some_and(|step| item_is_of_step(id, step)));
        let runs: Vec<Arc<str>> = self
            .rows
            .iter()
            .filter(|row| row.kind.is_run() && row.end.is_none())
            .map(|row| row.id.clone())
            .collect();
        match (step, runs.as_slice()) {
            (Some(step), []) => Container::Step(step.id.clone()),
            (None, [run]) => Container::Run(run.clone()),
            (None, [_, _, ..]) => Container::OneOf(runs),
            _ => Container::Unknown,
        }
    }

    /// Ties an item to its run or step by the working directory line of its sub-agent session
    /// (server-behaviour.md#what-the-log-prints). Gives the item's id where the line was one of an open item.
    pub(super) fn link_item(
        &mut self,
        sub_session: &str,
        path: &str,
        event: &SharedEvent,
    ) -> Option<Arc<str>> {
        let (step, full_run, folder) = read_sub_session(sub_session, path)?;
        let item = self
            .rows
            .iter()
            .rev()
            .filter(|row| row.kind == IdKind::Item && row.end.is_none())
            .find(|row| {
                item_is_of_step(&row.id, step) && !self.item_sessions.iter().any(|(item, _)| *item == row.id)
            })?
            .id
            .clone();
        let container = if full_run { self.run_of_folder(&folder) } else { self.step_container(step) };
        if let Some(row) = self.rows.iter_mut().find(|row| row.id == item) {
            // An unknown run is no step's: the line proves that the item is one of a full run.
            if container != Container::Unknown || matches!(row.container, Container::Step(_)) == full_run {
                row.container = container.clone();
            }
        }
        // An item ends when the next one of the same sub-agent session begins, or the first of the run's next step.
        let ended: Vec<Arc<str>> = self
            .rows
            .iter()
            .filter(|row| row.kind == IdKind::Item && row.id != item && row.end.is_none())
            .filter(|row| {
                let same_session = self
                    .item_sessions
                    .iter()
                    .any(|(other, session)| *other == row.id && &**session == sub_session);
                let same_run =
                    full_run && container == row.container && matches!(container, Container::Run(_));
                same_session || same_run
            })
            .map(|row| row.id.clone())
            .collect();
        for id in ended {
            self.end_row(&id, event, EndKind::Implied);
        }
        self.item_sessions.push((item.clone(), sub_session.into()));
        Some(item)
    }

    /// Whether the session has a run of that folder, or a detached step of that name, that the line could be of.
    pub(super) fn explains(&self, sub_session: &str, path: &str) -> bool {
        let Some((step, full_run, folder)) = read_sub_session(sub_session, path) else { return false };
        if full_run {
            self.run_folders.iter().any(|known| *known.folder == *folder)
        } else {
            self.step_container(step) != Container::Unknown
        }
    }

    fn run_of_folder(&self, folder: &str) -> Container {
        let open: Vec<&Row> = self.rows.iter().filter(|row| row.kind.is_run() && row.end.is_none()).collect();
        let exact: Vec<Arc<str>> = open
            .iter()
            .filter(|row| {
                self.run_folders.iter().any(|known| known.run == row.id && &*known.folder == folder)
            })
            .map(|row| row.id.clone())
            .collect();
        let candidates = if exact.is_empty() {
            // A run whose folder the log does not name may be the one.
            open.iter()
                .filter(|row| !self.run_folders.iter().any(|known| known.run == row.id))
                .map(|row| row.id.clone())
                .collect()
        } else {
            exact
        };
        match candidates.as_slice() {
            [] => Container::Unknown,
            [run] => Container::Run(run.clone()),
            _ => Container::OneOf(candidates),
        }
    }

    fn step_container(&self, step: &str) -> Container {
        self.rows
            .iter()
            .rev()
            .find(|row| row.kind == IdKind::Step && row.end.is_none() && step_name(&row.id) == Some(step))
            .map_or(Container::Unknown, |row| Container::Step(row.id.clone()))
    }

    /// The run's folder, from the first group session generated after its registration.
    pub(super) fn learn_folder(&mut self, folder: &str) {
        let run = self
            .rows
            .iter()
            .find(|row| {
                row.kind.is_run()
                    && row.end.is_none()
                    && !self.run_folders.iter().any(|known| known.run == row.id)
            })
            .map(|row| row.id.clone());
        // A run over several groups generates one session per group; later ones belong to the newest run.
        let run = run.or_else(|| {
            self.rows
                .iter()
                .rev()
                .find(|row| row.kind.is_run() && row.end.is_none())
                .map(|row| row.id.clone())
        });
        if let Some(run) = run {
            push_bounded(&mut self.run_folders, RunFolder { run, folder: folder.into() });
        }
    }

    /// Ends a row, and with a container everything that runs in it.
    pub(super) fn end_row(&mut self, id: &str, event: &SharedEvent, kind: EndKind) {
        let keep = self.episode.is_some();
        let mut ended: Vec<Row> = Vec::new();
        for row in &mut self.rows {
            let inside = matches!(&row.container, Container::Run(of) | Container::Step(of) if &**of == id);
            if row.end.is_some() || !(&*row.id == id || inside) {
                continue;
            }
            let kind = if &*row.id == id { kind } else { EndKind::Implied };
            row.end = Some(RowEnd { event: event.clone(), kind });
            ended.push(row.clone());
        }
        if let Some(loose) = self.loose_sweep.as_mut() {
            for row in loose.rows.iter_mut().filter(|row| &*row.id == id && row.end.is_none()) {
                row.end = Some(RowEnd { event: event.clone(), kind });
            }
        }
        self.finished += ended.len() as u64;
        for row in ended {
            self.note_end(row);
        }
        if !keep {
            self.forget_ended();
        }
    }

    /// Tells the smaller and the superseded stops how a row of theirs ended.
    fn note_end(&mut self, row: Row) {
        let lists = self.minors.iter_mut().map(|minor| &mut minor.rows);
        let lists = lists.chain(self.superseded.iter_mut().map(|episode| &mut episode.rows));
        for known in lists.flatten().filter(|known| known.id == row.id && known.end.is_none()) {
            known.end.clone_from(&row.end);
            known.container = row.container.clone();
        }
        self.may_settle = true;
        push_bounded(&mut self.just_ended, row);
    }

    /// Tells the smaller and the superseded stops how a turn of theirs ended.
    pub(super) fn note_turn_end(&mut self, turn: &Turn) {
        let lists = self.minors.iter_mut().map(|minor| &mut minor.turns);
        let lists = lists.chain(self.superseded.iter_mut().map(|episode| &mut episode.turns));
        for known in lists.flatten().filter(|known| known.start.position == turn.start.position) {
            *known = turn.clone();
            self.may_settle = true;
        }
    }

    /// The newest item of this sub-agent session.
    pub(super) fn item_of_scope(&self, scope: &str) -> Option<&Row> {
        let (item, _) = self.item_sessions.iter().rev().find(|(_, of)| **of == *scope)?;
        self.rows.iter().find(|row| row.id == *item)
    }

    /// Whether a stop waits for the end of something.
    pub(super) fn is_awaited(&self) -> bool {
        !self.minors.is_empty() || !self.superseded.is_empty()
    }

    /// Drops what has ended and is not watched any more.
    pub(super) fn forget_ended(&mut self) {
        self.rows.retain(|row| row.end.is_none());
        self.turns.retain(|turn| turn.end.is_none());
        let rows = &self.rows;
        self.item_sessions.retain(|(item, _)| rows.iter().any(|row| row.id == *item));
        self.run_folders.retain(|known| rows.iter().any(|row| row.id == known.run));
    }

    /// The start of the open turn that waits for a pane.
    pub(super) fn waiting_turn(&self) -> Option<SharedEvent> {
        let turn = self.turns.iter().rev().find(|turn| turn.end.is_none() && turn.expects_pane)?;
        Some(turn.start.clone())
    }

    /// The newest turn that has not ended.
    pub(super) fn open_turn(&mut self) -> Option<&mut Turn> {
        self.turns.iter_mut().rev().find(|turn| turn.end.is_none())
    }

    /// Adds a use of a main pane.
    pub(super) fn use_pane(&mut self, tmux: &str, event: &SharedEvent, ambiguous: bool) {
        push_bounded(&mut self.panes.used, PaneUse { tmux: tmux.into(), event: event.clone(), ambiguous });
        if let Some(turn) = self.open_turn() {
            turn.panes.push((tmux.into(), event.clone()));
            turn.expects_pane = false;
        }
    }

    /// Notes that a pane was shown lost.
    pub(super) fn lose_pane(&mut self, tmux: &str, event: &SharedEvent) {
        push_bounded(&mut self.panes.lost, (tmux.into(), event.clone()));
        for turn in self.turns.iter_mut().filter(|turn| turn.end.is_none()) {
            if turn.panes.last().is_some_and(|(last, _)| &**last == tmux) {
                turn.expects_pane = true;
            }
        }
    }

    /// Marks every open row as swept by this line.
    pub(super) fn cancel_open_rows(&mut self, event: &SharedEvent) {
        for row in self.rows.iter_mut().filter(|row| row.end.is_none() && row.canceled_by.is_none()) {
            row.canceled_by = Some(event.clone());
        }
    }
}

/// Whether an event is a sign of life that shows work of a session after a stop.
pub(super) fn shows_work(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::StreamStarting { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::ExecutionRecorded { .. }
            | EventKind::StartIgnored { .. }
            | EventKind::AutoResume { .. }
            | EventKind::MaterializeRelaunch { .. }
            | EventKind::RelaunchRegistered { .. }
            | EventKind::ScheduledTurnSent { .. }
            | EventKind::InternalSessionStarted { .. }
            | EventKind::StatusUpdated { .. }
            | EventKind::CompletionUpdating { .. }
            | EventKind::SessionTracked { .. }
            | EventKind::Finalized { .. }
            | EventKind::CompleteIgnored { .. }
            | EventKind::ResultSkipped { .. }
            | EventKind::ErrorSkipped { .. }
            | EventKind::CompleteSkipped { .. }
    )
}
