//! What the replay hands to the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::episode::{Cause, Episode, EvidenceEnd, Row, Sweep};
use crate::events::SharedEvent;

/// Something to be judged.
#[derive(Debug, Clone)]
pub enum Case {
    /// A stop of a session, or a death that swept it.
    Stop(Box<Episode>),
    /// A smaller stop: a turn, a child, a tool's sweep, one session of a shutdown.
    Minor(MinorStop),
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
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
    /// Local wall second up to which the log was read.
    pub evidence_end: i64,
}

/// A lost pane of a step, and how the step's items went on (measured, section 7).
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
    /// Local wall second up to which the log was read.
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
    /// Whether the session had a stop close by.
    pub near_stop: bool,
    /// A later successful close.
    pub closed: Option<SharedEvent>,
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
    /// Names that `--match` looks at.
    pub labels: BTreeSet<Arc<str>>,
}

/// A terminal record that names a pane which no longer exists while a healthy one works (measured, section 6).
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
