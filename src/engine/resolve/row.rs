//! The results of the resolution: what is concluded about one row, step, pane and session. Data only.

use super::reason::Resolved;
use crate::model::confidence::Confidence;
use crate::model::execution::Execution;
use crate::model::fact::Judgement;
use crate::model::session::Session;
use crate::model::terminal::Terminal;
use crate::model::words::words;

words! {
    /// What a row is to the session whose id it carries.
    pub enum Class {
        /// Part of the session's own work: it ends rightly with it.
        Owned = "owned",
        /// Work of its own that only reports to the session: it must outlive it.
        Watched = "watched",
        /// Left behind by a turn that has ended: nobody's any more.
        Detached = "detached",
        /// It cannot be told.
        Unknown = "unknown",
    }
}

words! {
    /// Whether something can end a row's worker.
    pub enum Cancel {
        /// The row holds a cancel function of its own.
        Own = "own",
        /// It holds none, but runs inside a running container that does.
        Inherited = "inherited",
        /// There is none.
        None = "none",
        /// It cannot be told.
        Unknown = "unknown",
    }
}

/// What an execution runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Container<'a> {
    /// Nothing but its session: a turn, a run, a detached step or agent.
    Session,
    /// This execution, a row of the same session.
    Row(&'a str),
    /// One of these rows; which one cannot be told. Sorted.
    OneOf(Vec<&'a str>),
    /// This id, which is no row of the session (any more).
    Missing(&'a str),
    /// It cannot be told.
    Unknown,
}

impl<'a> Container<'a> {
    /// The rows that it is or may be.
    #[must_use]
    pub fn candidates(&self) -> &[&'a str] {
        match self {
            Self::Row(id) => std::slice::from_ref(id),
            Self::OneOf(ids) => ids,
            Self::Session | Self::Missing(_) | Self::Unknown => &[],
        }
    }

    /// Whether more than one row is possible.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Self::OneOf(_))
    }
}

/// What is concluded about one execution.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// The execution.
    pub execution: &'a Execution,
    /// What it runs in: never a step that no registry holds (that is `step`), but the run around it.
    pub container: Resolved<'a, Container<'a>>,
    /// For an item: id of the step that it belongs to. A row where the step was started on its own, else an
    /// inferred step.
    pub step: Option<Resolved<'a, &'a str>>,
    /// What it is to its session.
    pub class: Resolved<'a, Class>,
    /// Whether something can end its worker.
    pub cancel: Resolved<'a, Cancel>,
    /// The turns that may have launched it, one where it is certain; `None` for what no turn launches (turns,
    /// items, mirrors) and where no turn is known. Sorted.
    pub launched_by: Option<Resolved<'a, Vec<&'a str>>>,
    /// The panes and displays that it works in.
    pub panes: Vec<&'a Terminal>,
    /// Its parents lead back to itself; what is concluded from them is "unknown".
    pub in_cycle: bool,
}

impl Row<'_> {
    /// The least of the confidences of class and container.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.class.reason.confidence.min(self.container.reason.confidence)
    }

    /// Whether the row is a run in orchestrator mode, tracked under its query id
    /// (server-behaviour.md#registries: O).
    #[must_use]
    pub fn is_orchestrator_run(&self) -> bool {
        super::index::is_orchestrator_run(self.execution)
    }
}

/// A step that no registry holds (server-behaviour.md#parents-and-steps). Its id is that of its pane.
#[derive(Debug, Clone)]
pub struct InferredStep<'a> {
    /// Its session.
    pub session: &'a str,
    /// Its id, `exec-<step>-<ns>`.
    pub id: &'a str,
    /// Name of the step in the plan.
    pub step: &'a str,
    /// The run that it belongs to.
    pub container: Resolved<'a, Container<'a>>,
    /// What it is to its session.
    pub class: Resolved<'a, Class>,
    /// Whether something can end it: never anything of its own.
    pub cancel: Resolved<'a, Cancel>,
    /// Its panes and displays.
    pub panes: Vec<&'a Terminal>,
}

/// Whose pane a terminal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaneOwner<'a> {
    /// The session's main pane.
    Session,
    /// This row's.
    Row(&'a str),
    /// The step's with this id, which no registry holds.
    InferredStep(&'a str),
    /// This id's, which is neither row nor step.
    Missing(&'a str),
    /// It cannot be told.
    Unknown,
}

/// A terminal, not the record of an earlier turn.
#[derive(Debug, Clone)]
pub struct Pane<'a> {
    /// The terminal.
    pub terminal: &'a Terminal,
    /// Whose it is.
    pub owner: Resolved<'a, PaneOwner<'a>>,
    /// What it is to its session: what its owner is.
    pub class: Resolved<'a, Class>,
    /// A row other than the owner that the record names as its execution: the death of the pane may then take
    /// that one with it (server-behaviour.md#what-a-stop-does-to-a-row).
    pub shows: Option<&'a str>,
}

words! {
    /// What a session's foreground turn is.
    pub enum TurnNature {
        /// No turn runs.
        None = "none",
        /// A turn runs, and stop or cancel-turn ends it.
        WithCancel = "with_cancel",
        /// A message was delivered into the live pane; there is nothing to cancel, the work ends with the pane.
        InPane = "in_pane",
        /// A turn is being prepared and cannot be cancelled yet.
        Preparing = "preparing",
    }
}

/// What is concluded about one session, and its rows.
#[derive(Debug)]
pub struct SessionFacts<'a> {
    /// Its id.
    pub id: &'a str,
    /// The session; `None` where only rows or terminals name it. Such a one cannot be stopped (404).
    pub session: Option<&'a Session>,
    /// Whether it is a schedule's run, so that everything in it is its own.
    pub scheduled: bool,
    /// The foreground turn's nature; `None` is unknown.
    pub turn: Resolved<'a, Option<TurnNature>>,
    /// The rows of turns that run, oldest first; without runs in orchestrator mode.
    pub running_turns: Vec<&'a str>,
    /// The next watchdog poll may cancel everything under it although its pane is healthy.
    pub latent_death: Judgement,
    /// Its rows are as they were before a stop.
    pub frozen: Judgement,
    /// Rows that go on saying "running" although a stop has ended the session. Sorted by id.
    pub rows_left_running: Vec<&'a Execution>,
    /// Rows may be at work that the source does not show.
    pub rows_hidden: bool,
    /// The main terminal.
    pub main_terminal: Option<&'a Terminal>,
    /// Its executions, by id.
    pub rows: Vec<Row<'a>>,
    /// Its steps that no registry holds, by id.
    pub steps: Vec<InferredStep<'a>>,
    /// Its terminals, by id; without the records of earlier turns.
    pub panes: Vec<Pane<'a>>,
}

impl<'a> SessionFacts<'a> {
    /// The row with this id.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&Row<'a>> {
        let at = self.rows.binary_search_by(|row| row.execution.id.as_str().cmp(id)).ok()?;
        self.rows.get(at)
    }

    /// The step with this id that no registry holds.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&InferredStep<'a>> {
        let at = self.steps.binary_search_by(|step| step.id.cmp(id)).ok()?;
        self.steps.get(at)
    }

    /// The row of the turn whose cancel is registered, where one is.
    #[must_use]
    pub fn cancellable_turn(&self) -> Option<&Row<'a>> {
        self.rows.iter().find(|row| {
            row.execution.kind.is_turn() && row.cancel.value == Cancel::Own && !row.is_orchestrator_run()
        })
    }
}
