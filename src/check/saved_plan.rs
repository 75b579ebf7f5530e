//! A saved plan as it is read back: the parts of `pulsectl.plan/1` that can be held against a log.

use serde::Deserialize;

use crate::engine::plan::{Outcome, PlannedRow};
use crate::model::counters::Counters;

/// The parts of a saved plan that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedPlan {
    /// `pulsectl.plan/1`.
    pub schema: String,
    /// The trigger.
    pub trigger: SavedTrigger,
    /// Whose rule it follows.
    pub policy: String,
    /// The moment that it is about (RFC 3339).
    pub as_of: Option<String>,
    /// Why nothing was expected to happen.
    pub refused: Option<SavedRefusal>,
    /// Its rows.
    pub rows: Vec<SavedRow>,
    /// The counters, per session.
    pub predicted: Vec<SavedPrediction>,
}

/// A saved trigger.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedTrigger {
    /// Its name.
    pub kind: String,
    /// The session.
    pub session: Option<String>,
    /// The terminal.
    pub terminal: Option<String>,
    /// What the watchdog finds.
    pub pane: Option<String>,
}

/// A saved refusal.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedRefusal {
    /// Why.
    pub reason: String,
}

/// A saved row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedRow {
    /// Its id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// What was foreseen.
    pub outcome: String,
    /// The other side of a race.
    pub otherwise: Option<SavedOtherwise>,
}

/// The other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedOtherwise {
    /// What was foreseen for that case.
    pub outcome: String,
}

/// Saved counters of one session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedPrediction {
    /// The session.
    pub session: String,
    /// Its counters.
    pub counters: SavedCounters,
    /// Those of the other side of a race.
    pub otherwise: Option<SavedOtherCounters>,
}

/// The other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SavedOtherCounters {
    /// The counters for that case.
    pub counters: SavedCounters,
}

/// Saved counters; `None` is "not logged or not foreseen".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct SavedCounters {
    /// Whether the turn's context is cancelled.
    pub turn_canceled: Option<bool>,
    /// Query ids of orchestrator runs.
    pub orchestrator_queries: Option<u64>,
    /// Those whose context is cancelled.
    pub orchestrator_canceled: Option<u64>,
    /// Agents whose own cancel is called.
    pub canceled: Option<u64>,
    /// Agents without one.
    pub no_cancel_func: Option<u64>,
    /// Agents that had ended before.
    pub already_done: Option<u64>,
    /// Tracked rows that are marked.
    pub tracked_marked: Option<u64>,
}

impl From<SavedCounters> for Counters {
    fn from(counters: SavedCounters) -> Self {
        Self {
            turn_canceled: counters.turn_canceled,
            orchestrator_queries: counters.orchestrator_queries,
            orchestrator_canceled: counters.orchestrator_canceled,
            canceled: counters.canceled,
            no_cancel_func: counters.no_cancel_func,
            already_done: counters.already_done,
            tracked_marked: counters.tracked_marked,
        }
    }
}

impl From<&PlannedRow> for SavedRow {
    fn from(row: &PlannedRow) -> Self {
        let outcome = |outcome: Outcome| outcome.name().to_owned();
        Self {
            id: row.id.clone(),
            session: row.session.clone(),
            outcome: outcome(row.outcome),
            otherwise: row.otherwise.as_ref().map(|other| SavedOtherwise { outcome: outcome(other.outcome) }),
        }
    }
}

/// Why a plan cannot be held against this log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanCheckError {
    /// The file is no plan.
    #[error("it is no plan of pulsectl")]
    NotAPlan(String),
    /// It is a plan of another format.
    #[error("it is a document of the format `{0}`, not `pulsectl.plan/1`")]
    OtherFormat(String),
    /// Plans by another policy foretell what no server does.
    #[error("it follows the policy `{0}`, which no server follows")]
    OtherPolicy(String),
    /// No log of the server was read, only that of its schedules.
    #[error("no server_debug.log was read")]
    NoServerLog,
    /// The log ends too early.
    #[error("the log ends before the plan's moment")]
    EndsBefore,
    /// The log shows no such stop.
    #[error("the log shows no {kind} of {session} at or after the plan's moment")]
    NoSuchStop {
        /// The trigger's kind.
        kind: String,
        /// The session.
        session: String,
    },
}

impl SavedPlan {
    /// Reads a saved plan.
    ///
    /// # Errors
    /// When it is none, or one that cannot be held against a log.
    pub fn parse(text: &str) -> Result<Self, PlanCheckError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let not_a_plan = |error: serde_json::Error| PlanCheckError::NotAPlan(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(not_a_plan)?;
        if head.schema != "pulsectl.plan/1" {
            return Err(PlanCheckError::OtherFormat(head.schema));
        }
        let plan: Self = serde_json::from_str(text).map_err(not_a_plan)?;
        if plan.policy != "server" {
            return Err(PlanCheckError::OtherPolicy(plan.policy));
        }
        Ok(plan)
    }

    /// The session that the trigger names, or that of its rows; `None` for a shutdown.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        if self.trigger.kind == "shutdown" {
            return None;
        }
        self.trigger.session.as_deref().or_else(|| self.rows.first().map(|row| row.session.as_str()))
    }

    /// The causes under which the log shows this trigger.
    pub(super) fn causes(&self) -> &'static [&'static str] {
        match self.trigger.kind.as_str() {
            "stop" => &["user_stop"],
            "cancel_turn" => &["cancel_turn"],
            "schedule_stop" => &["schedule_stop"],
            "terminal_death" if self.trigger.pane.as_deref() == Some("wall") => &["usage_wall"],
            "terminal_death" => &["terminal_death", "child_terminal_death", "other"],
            "kill_terminal" => &["operator_kill", "child_terminal_death"],
            "stop_step" | "stop_all" => &["agent_stop_tool"],
            "shutdown" => &["shutdown"],
            _ => &[],
        }
    }

    /// Whether the log has to show such a stop: requests that are not refused always leave lines. A lost pane
    /// leaves them only where something is cancelled: a turn that ends with its pane needs none
    /// (server-behaviour.md#turns-in-a-live-pane).
    pub(super) fn must_show(&self) -> bool {
        match self.trigger.kind.as_str() {
            "stop" | "cancel_turn" | "schedule_stop" => self.refused.is_none(),
            _ => {
                let takes_stop = |row: &SavedRow| is_hit(&row.outcome) && row.outcome != "ends_with_pane";
                !self.causes().is_empty() && self.rows.iter().any(takes_stop)
            }
        }
    }

    pub(super) fn moment(&self) -> Option<i64> {
        self.as_of.as_deref()?.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
    }
}

/// Whether an outcome means that the worker ends.
pub(super) fn ends(outcome: &str) -> bool {
    matches!(outcome, "cancelled" | "cancelled_by_ancestor" | "ends_with_pane")
}

/// Whether an outcome means that the trigger does something to the row.
pub(super) fn is_hit(outcome: &str) -> bool {
    ends(outcome) || outcome == "marked_only"
}
