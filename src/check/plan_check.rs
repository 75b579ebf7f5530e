//! A saved plan against what a log says then happened: row by row, and counter by counter.

use serde::Deserialize;

use crate::audit::finding::{Counters, Fate, Report, StopRecord};
use crate::engine::plan::{self as engine_plan, Outcome, PlannedRow};

/// Seconds by which a stop may stand before the moment of the plan: log lines have whole seconds.
const EARLIER: i64 = 2;

/// The parts of a saved plan that are compared (formats, section 3).
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

impl From<engine_plan::Counters> for SavedCounters {
    fn from(counters: engine_plan::Counters) -> Self {
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

impl From<&Counters> for SavedCounters {
    fn from(counters: &Counters) -> Self {
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

impl SavedCounters {
    /// Whether what was observed is what was foreseen; what is not logged is no disagreement.
    pub(super) fn allows(&self, observed: &Self) -> bool {
        fn same<T: PartialEq>(foreseen: Option<T>, observed: Option<T>) -> bool {
            observed.is_none() || foreseen.is_none() || foreseen == observed
        }
        same(self.turn_canceled, observed.turn_canceled)
            && same(self.orchestrator_queries, observed.orchestrator_queries)
            && same(self.orchestrator_canceled, observed.orchestrator_canceled)
            && same(self.canceled, observed.canceled)
            && same(self.no_cancel_func, observed.no_cancel_func)
            && same(self.already_done, observed.already_done)
            && same(self.tracked_marked, observed.tracked_marked)
    }
}

/// The result for one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRow {
    /// Its id.
    pub id: String,
    /// What was foreseen; `None` for a row that the plan does not know.
    pub predicted: Option<String>,
    /// What the log tells; `None` where it tells nothing.
    pub observed: Option<&'static str>,
    /// Whether both agree.
    pub agrees: bool,
    /// Why.
    pub reason: &'static str,
}

/// The counters, foreseen and observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedCounters {
    /// The session.
    pub session: String,
    /// What was foreseen.
    pub predicted: SavedCounters,
    /// What the log printed; `None` where it printed none.
    pub observed: Option<SavedCounters>,
    /// Whether both agree.
    pub agrees: bool,
}

/// A plan held against a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanCheck {
    /// The rows, in the plan's order, then those that the plan does not know.
    pub rows: Vec<CheckedRow>,
    /// The counters, per session.
    pub counters: Vec<CheckedCounters>,
    /// Whether everything agrees.
    pub agrees: bool,
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

    /// The causes under which the log shows this trigger.
    fn causes(&self) -> &'static [&'static str] {
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

    /// Whether a stop was expected. A turn that only ends with its pane needs none: a server-managed turn that
    /// loses its pane leaves no such line (measured, section 3).
    fn expects_stop(&self) -> bool {
        self.rows.iter().any(|row| is_hit(&row.outcome) && row.outcome != "ends_with_pane")
    }

    fn moment(&self) -> Option<i64> {
        self.as_of.as_deref()?.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
    }
}

fn ends(outcome: &str) -> bool {
    matches!(outcome, "cancelled" | "cancelled_by_ancestor" | "ends_with_pane")
}

fn is_hit(outcome: &str) -> bool {
    ends(outcome) || outcome == "marked_only"
}

/// Holds a plan against the audit of a log.
///
/// # Errors
/// When the plan expected something and the log shows no such stop.
pub fn check(plan: &SavedPlan, report: &Report) -> Result<PlanCheck, PlanCheckError> {
    let causes = plan.causes();
    let since = plan.moment().map(|moment| moment - EARLIER);
    let is_such = |stop: &&StopRecord, session: &str| {
        stop.session == session
            && causes.contains(&stop.cause)
            && since.is_none_or(|since| stop.time.utc >= since)
    };
    let sessions: Vec<&str> = plan.predicted.iter().map(|of| of.session.as_str()).collect();
    let stops: Vec<Option<&StopRecord>> =
        sessions.iter().map(|session| report.stops.iter().find(|stop| is_such(stop, session))).collect();
    if stops.iter().all(Option::is_none) && plan.expects_stop() && !causes.is_empty() {
        return Err(PlanCheckError::NoSuchStop {
            kind: plan.trigger.kind.clone(),
            session: plan.trigger.session.clone().unwrap_or_else(|| String::from("the server")),
        });
    }
    let stop_of = |session: &str| {
        let at = sessions.iter().position(|known| *known == session)?;
        stops.get(at).copied().flatten()
    };
    let mut rows: Vec<CheckedRow> = plan.rows.iter().map(|row| checked(row, stop_of(&row.session))).collect();
    for stop in stops.iter().flatten() {
        let known = |id: &str| plan.rows.iter().any(|row| row.id == id && row.session == stop.session);
        let strangers = stop.marked.iter().filter(|marked| !known(&marked.id));
        rows.extend(strangers.map(|marked| CheckedRow {
            id: marked.id.clone(),
            predicted: None,
            observed: Some("marked"),
            agrees: false,
            reason: "the stop hit it, but it began after the plan was made",
        }));
    }
    let counters: Vec<CheckedCounters> = plan
        .predicted
        .iter()
        .zip(&stops)
        .map(|(prediction, stop)| {
            let observed = stop.and_then(|stop| stop.counters.as_ref()).map(SavedCounters::from);
            let agrees = observed.is_none_or(|observed| {
                prediction.counters.allows(&observed)
                    || prediction.otherwise.as_ref().is_some_and(|other| other.counters.allows(&observed))
            });
            let session = prediction.session.clone();
            CheckedCounters { session, predicted: prediction.counters, observed, agrees }
        })
        .collect();
    let agrees = rows.iter().all(|row| row.agrees) && counters.iter().all(|counters| counters.agrees);
    Ok(PlanCheck { rows, counters, agrees })
}

pub(super) fn checked(row: &SavedRow, stop: Option<&StopRecord>) -> CheckedRow {
    let marked = stop.is_some_and(|stop| stop.marked.iter().any(|marked| marked.id == row.id));
    let fate =
        stop.and_then(|stop| stop.rows.iter().find(|known| known.id == row.id)).map(|known| known.fate);
    let observed = match fate {
        Some(Fate::Unseen) | None => marked.then_some("marked"),
        Some(fate) => Some(fate.name()),
    };
    let (agrees, reason) = compare(&row.outcome, fate, marked, stop.is_some());
    let (agrees, reason) = match &row.otherwise {
        Some(other) if !agrees && compare(&other.outcome, fate, marked, stop.is_some()).0 => {
            (true, "it came out on the other side of the race")
        }
        _ => (agrees, reason),
    };
    CheckedRow { id: row.id.clone(), predicted: Some(row.outcome.clone()), observed, agrees, reason }
}

/// Whether what the log tells of a row is what was foreseen, and why.
fn compare(outcome: &str, fate: Option<Fate>, marked: bool, stopped: bool) -> (bool, &'static str) {
    if !stopped {
        return match outcome {
            "ends_with_pane" => (true, "it ends with its pane, which takes no stop"),
            outcome if is_hit(outcome) => (false, "the log shows no such stop of its session"),
            _ => (true, "the log shows no such stop, so nothing happened to it"),
        };
    }
    match (outcome, fate) {
        ("unknown", _) => (true, "nothing was foreseen"),
        (outcome, Some(Fate::Ended)) if ends(outcome) => (true, "the log shows its end"),
        (outcome, Some(Fate::EndedLate | Fate::NoEnd | Fate::WorkedOn)) if ends(outcome) => {
            (false, "it went on after the stop")
        }
        (outcome, Some(Fate::Completed)) if ends(outcome) => {
            (true, "it ended by itself before the stop reached it")
        }
        (outcome, Some(Fate::Unseen) | None) if ends(outcome) && marked => {
            (true, "the stop marked it; the log does not tell more")
        }
        (outcome, Some(Fate::Unseen) | None) if ends(outcome) => (true, "the log does not tell"),
        ("marked_only", Some(Fate::Ended)) => (false, "it ended, although nothing was expected to tell it"),
        ("marked_only", None | Some(Fate::Unseen)) => (true, "the log shows no end of it"),
        ("marked_only", Some(_)) => (true, "it went on after the stop"),
        ("survives", Some(Fate::Ended)) => (false, "it ended with the stop"),
        ("survives", _) if marked => (false, "the stop marked it"),
        ("survives", _) => (true, "the log shows no end of it by the stop"),
        ("already_done", _) if marked => (false, "it was still running and the stop marked it"),
        ("already_done", _) => (true, "it had ended before"),
        _ => (false, "the plan foresees an outcome that this version does not know"),
    }
}
