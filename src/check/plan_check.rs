//! A saved plan against what a log says then happened: row by row, and counter by counter.

use super::saved_plan::{PlanCheckError, SavedPlan, SavedRow, ends, is_hit};
use crate::audit::finding::{Fate, Report, StopRecord};
use crate::model::counters::Counters;

/// Seconds by which a stop may stand before the moment of the plan: log lines have whole seconds.
const EARLIER: i64 = 2;

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
    pub predicted: Counters,
    /// What the log printed; `None` where it printed none.
    pub observed: Option<Counters>,
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
            let predicted = Counters::from(prediction.counters);
            let observed = stop.and_then(|stop| stop.counters);
            let agrees = observed.is_none_or(|observed| {
                predicted.allows(&observed)
                    || prediction
                        .otherwise
                        .as_ref()
                        .is_some_and(|other| Counters::from(other.counters).allows(&observed))
            });
            let session = prediction.session.clone();
            CheckedCounters { session, predicted, observed, agrees }
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
