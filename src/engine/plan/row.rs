//! The results of the dry run for one row and one pane. Data only.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::resolve::Class;
use crate::model::confidence::Confidence;
use crate::model::id::RowKind;
use crate::model::words::words;

words! {
    /// What happens to a row's worker.
    pub enum Outcome {
        /// Its own cancel is called.
        Cancelled = "cancelled",
        /// It ends with what it runs in.
        CancelledByAncestor = "cancelled_by_ancestor" as "cancelled with what it runs in",
        /// It ends with the pane that it works in.
        EndsWithPane = "ends_with_pane" as "ends with its pane",
        /// The row says canceled, but nothing tells the worker to stop.
        MarkedOnly = "marked_only" as "only marked as canceled",
        /// It works on.
        Survives = "survives" as "lives on",
        /// It had ended before.
        AlreadyDone = "already_done" as "had ended",
        /// It cannot be told.
        Unknown = "unknown",
    }
}

impl Outcome {
    /// Whether the worker ends by it.
    #[must_use]
    pub fn ends(self) -> bool {
        matches!(self, Self::Cancelled | Self::CancelledByAncestor | Self::EndsWithPane)
    }

    /// Whether the trigger does something to the row.
    #[must_use]
    pub fn is_hit(self) -> bool {
        self.ends() || self == Self::MarkedOnly
    }
}

words! {
    /// What a person should know about a row's outcome.
    pub enum Flag {
        /// Not the session's own, and hit by what was not meant for it.
        Collateral = "collateral",
        /// Not the session's own, and ended because that was asked for.
        IntendedKill = "intended_kill" as "not the session's own, ended on request",
        /// Called stopped, but its worker is not told.
        Ineffective = "ineffective" as "not told to stop",
        /// Counted as "no cancel func", but ends with what it runs in.
        NominalNoCancel = "nominal_no_cancel" as "counted as \"no cancel func\", ends all the same",
        /// A turn being prepared that may begin to work afterwards.
        RelaunchRisk = "relaunch_risk" as "may begin to work afterwards",
        /// Says running for up to 12 h with no worker behind it.
        OrphanTracked = "orphan_tracked" as "its row goes on saying running for up to 12 h",
        /// What it starts later is killed or runs unseen.
        DarkExecution = "dark_execution" as "what it starts later is killed or runs unseen",
        /// Its completion will not be told to the session.
        SwallowedNotification = "swallowed_notification" as "its completion is not told to the session",
        /// Looks stopped, but goes on.
        HalfStopped = "half_stopped" as "looks stopped, goes on",
        /// Lives on without its tool connections and browsers.
        McpCollateral = "mcp_collateral" as "loses its tool connections and browsers",
        /// Its command line tool works on for up to 30 s.
        WorksOn = "works_on" as "its command line tool works on for up to 30 s after the stop",
        /// Its pane is lost, and it is reported as completed.
        FalseCompletion = "false_completion" as "is reported as completed with whatever was on its screen",
        /// Spared by the policy, but its pane is closed.
        BlockedByPaneSweep = "blocked_by:pane_sweep" as "spared, but its pane is closed",
        /// Spared by the policy, but the reaper closes its pane.
        BlockedByReaper = "blocked_by:reaper" as "spared, but the reaper closes its pane",
        /// Spared by the policy, but what it starts is cancelled.
        BlockedByGuard = "blocked_by:guard_kills_children" as "spared, but what it starts is cancelled at once",
        /// Spared by the policy, but its completion is dropped.
        BlockedByNotification = "blocked_by:notification_swallowed" as "spared, but its completion is dropped",
        /// Spared by the policy, but its workshop is closed.
        BlockedByWorkshopClose = "blocked_by:workshop_close" as "spared, but its workshop is closed",
        /// Spared by the policy, but its tools are disconnected.
        BlockedByHttpSessionClose = "blocked_by:http_session_close" as "spared, but its tool connections are closed",
    }
}

impl Flag {
    /// Whether a plan with it may still be safe (`safe`).
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::NominalNoCancel | Self::IntendedKill)
    }
}

words! {
    /// What happens to a pane.
    pub enum PaneOutcome {
        /// It is closed by the trigger, or its death is the trigger.
        ClosedNow = "closed_now",
        /// It ends by itself up to 30 s later.
        ClosedAfterGrace = "closed_after_grace",
        /// The reaper closes it within two minutes.
        ClosedByReaper = "closed_by_reaper",
        /// It stays.
        Stays = "stays",
        /// It cannot be told.
        Unknown = "unknown",
    }
}

/// The other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Otherwise<Value> {
    /// What happens then.
    pub outcome: Value,
    /// In which case, in words.
    #[serde(rename = "if")]
    pub condition: Cow<'static, str>,
}

/// What would happen to one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRow {
    /// Its id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// What it is, as the graph names it: `turn`, `run`, `item`, …
    pub kind: RowKind,
    /// Its name, where it is known and no person wrote it.
    pub name: Option<crate::model::fact::Label>,
    /// What it is to its session.
    pub class: Class,
    /// Its status as the server says; `None` is unknown.
    pub status: Option<String>,
    /// What would happen to it.
    pub outcome: Outcome,
    /// What it ends with: one id, or several where it cannot be told which.
    pub via: Vec<String>,
    /// Whether it is removed from the agents' registry.
    pub dropped: bool,
    /// Whether it goes on saying "running" without a worker.
    pub stays_listed: bool,
    /// What a person should know; sorted.
    pub flags: Vec<Flag>,
    /// Why, as a sentence fragment.
    pub reason: String,
    /// The record that it rests on, as `source: id`.
    pub evidence: String,
    /// The heading of `docs/server-behaviour.md` that says so.
    pub rule: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// The other side of a race.
    pub otherwise: Option<Otherwise<Outcome>>,
}

impl PlannedRow {
    /// Whether it has this flag.
    #[must_use]
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}

/// What would happen to one pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPane {
    /// Id of the terminal.
    pub terminal: String,
    /// Its session.
    pub session: String,
    /// Its owner, as the record names it.
    pub owner: Option<String>,
    /// Name of the tmux session; `None` where it is not readable.
    pub tmux: Option<String>,
    /// What it is to its session.
    pub class: Class,
    /// What would happen to it.
    pub outcome: PaneOutcome,
    /// Whether work that the session does not own loses its pane.
    pub is_collateral: bool,
    /// Why.
    pub reason: &'static str,
    /// The other side of a race.
    pub otherwise: Option<Otherwise<PaneOutcome>>,
}
