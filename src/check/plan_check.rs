//! A saved plan against what a log says then happened: row by row, and counter by counter.

use jiff::Timestamp;

use super::saved_plan::{PlanCheckError, causes, must_show};
use crate::audit::finding::{Fate, LogKind, Report, StopRecord};
use crate::engine::plan::document::{Document, Row};
use crate::engine::plan::{Outcome, PlannedRow};
use crate::model::counters::Counters;

/// Seconds by which a stop may stand before the moment of the plan: log lines have whole seconds.
const EARLIER: i64 = 2;

/// The result for one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRow {
    /// Its id.
    pub id: String,
    /// What was foreseen; `None` for a row that the plan does not know.
    pub predicted: Option<Outcome>,
    /// What the log tells; `None` where it tells nothing.
    pub observed: Option<&'static str>,
    /// Whether both agree.
    pub agrees: bool,
    /// Whether the log tells anything of it that could disagree.
    pub told: bool,
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
    /// Whether everything that is told agrees.
    pub agrees: bool,
}

impl PlanCheck {
    /// Whether the log tells anything of the plan at all; if not, nothing was checked.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.rows.iter().any(|row| row.told) || self.counters.iter().any(|of| of.observed.is_some())
    }
}

/// Holds a plan against the audit of a log.
///
/// # Errors
/// When the log does not reach to the plan's moment, or shows no such stop although it would have to.
pub fn check(plan: &Document<'_>, report: &Report) -> Result<PlanCheck, PlanCheckError> {
    let last = report
        .inputs
        .iter()
        .filter(|input| input.kind != LogKind::Schedule)
        .filter_map(|input| input.last_time);
    let Some(last) = last.map(|last| last.utc).max() else { return Err(PlanCheckError::NoServerLog) };
    let moment = plan.as_of.map(Timestamp::as_second);
    if moment.is_some_and(|moment| moment > last) {
        return Err(PlanCheckError::EndsBefore);
    }
    let causes = causes(plan);
    let since = moment.map(|moment| moment - EARLIER);
    let is_such = |stop: &&StopRecord, session: &str| {
        stop.session == session
            && causes.contains(&stop.cause)
            && since.is_none_or(|since| stop.time.utc >= since)
    };
    let sessions: Vec<&str> = plan.predicted.iter().map(|of| &*of.session).collect();
    let stops: Vec<Option<&StopRecord>> =
        sessions.iter().map(|session| report.stops.iter().find(|stop| is_such(stop, session))).collect();
    if stops.iter().all(Option::is_none) && must_show(plan) {
        return Err(PlanCheckError::NoSuchStop {
            kind: plan.trigger.kind,
            session: plan.trigger.session.as_deref().unwrap_or("the server").to_owned(),
        });
    }
    let stop_of = |session: &str| {
        let at = sessions.iter().position(|known| *known == session)?;
        stops.get(at).copied().flatten()
    };
    let mut rows: Vec<CheckedRow> =
        plan.rows.iter().map(|row| checked(Foreseen::from(row), stop_of(&row.session))).collect();
    for stop in stops.iter().flatten() {
        let known = |id: &str| plan.rows.iter().any(|row| row.id == id && row.session == stop.session);
        let strangers = stop.marked.iter().filter(|marked| !known(&marked.id));
        rows.extend(strangers.map(|marked| CheckedRow {
            id: marked.id.clone(),
            predicted: None,
            observed: Some("marked"),
            agrees: false,
            told: true,
            reason: "the stop hit it, but it began after the plan was made",
        }));
    }
    let counters: Vec<CheckedCounters> = plan
        .predicted
        .iter()
        .zip(&stops)
        .map(|(prediction, stop)| {
            let predicted = prediction.counters;
            let observed = stop.and_then(|stop| stop.counters);
            let agrees = observed.is_none_or(|observed| {
                predicted.allows(&observed)
                    || prediction.otherwise.as_ref().is_some_and(|other| other.counters.allows(&observed))
            });
            let session = prediction.session.clone().into_owned();
            CheckedCounters { session, predicted, observed, agrees }
        })
        .collect();
    let agrees = rows.iter().all(|row| row.agrees) && counters.iter().all(|counters| counters.agrees);
    Ok(PlanCheck { rows, counters, agrees })
}

/// What was foreseen of one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foreseen<'a> {
    id: &'a str,
    outcome: Outcome,
    /// The other side of a race.
    otherwise: Option<Outcome>,
}

impl<'a> From<&'a Row<'_>> for Foreseen<'a> {
    fn from(row: &'a Row<'_>) -> Self {
        let otherwise = row.otherwise.as_ref().map(|other| other.outcome);
        Self { id: &row.id, outcome: row.outcome, otherwise }
    }
}

impl<'a> From<&'a PlannedRow> for Foreseen<'a> {
    fn from(row: &'a PlannedRow) -> Self {
        let otherwise = row.otherwise.as_ref().map(|other| other.outcome);
        Self { id: &row.id, outcome: row.outcome, otherwise }
    }
}

pub(super) fn checked(row: Foreseen<'_>, stop: Option<&StopRecord>) -> CheckedRow {
    let marked = stop.is_some_and(|stop| stop.marked.iter().any(|marked| marked.id == row.id));
    let fate =
        stop.and_then(|stop| stop.account.iter().find(|known| known.id == row.id)).map(|known| known.fate);
    let observed = match fate {
        Some(Fate::Unknown | Fate::Cut) | None => marked.then_some("marked"),
        Some(fate) => Some(fate.name()),
    };
    let (verdict, reason) = compare(row.outcome, fate, marked, stop.is_some());
    let (verdict, reason) = match row.otherwise {
        Some(other)
            if verdict == Some(false) && compare(other, fate, marked, stop.is_some()).0 != Some(false) =>
        {
            (Some(true), "it came out on the other side of the race")
        }
        _ => (verdict, reason),
    };
    CheckedRow {
        id: row.id.to_owned(),
        predicted: Some(row.outcome),
        observed,
        agrees: verdict != Some(false),
        told: verdict.is_some(),
        reason,
    }
}

/// Whether what the log tells of a row is what was foreseen, and why; `None` where it tells nothing.
fn compare(
    outcome: Outcome,
    fate: Option<Fate>,
    marked: bool,
    stopped: bool,
) -> (Option<bool>, &'static str) {
    const AGREES: Option<bool> = Some(true);
    const DIFFERS: Option<bool> = Some(false);
    if !stopped {
        return match outcome {
            Outcome::EndsWithPane => (None, "it ends with its pane, which takes no stop"),
            outcome if outcome.is_hit() => (DIFFERS, "the log shows no such stop of its session"),
            _ => (None, "the log shows no such stop and so tells nothing of it"),
        };
    }
    match (outcome, fate) {
        (Outcome::Unknown, _) => (None, "nothing was foreseen"),
        (outcome, Some(Fate::Ended | Fate::EndedWithPane)) if outcome.ends() => {
            (AGREES, "the log shows its end")
        }
        (outcome, Some(Fate::EndedLate | Fate::EndedAsSuccess | Fate::NoEndSeen | Fate::WorkedOn))
            if outcome.ends() =>
        {
            (DIFFERS, "it went on after the stop")
        }
        (outcome, Some(Fate::LivesOn)) if outcome.ends() => (DIFFERS, "it lives on"),
        (outcome, Some(Fate::Unknown | Fate::Cut) | None) if outcome.ends() && marked => {
            (AGREES, "the stop marked it; the log does not tell more")
        }
        (outcome, Some(Fate::Unknown | Fate::Cut) | None) if outcome.ends() => {
            (None, "the log does not tell")
        }
        (Outcome::MarkedOnly, Some(Fate::Ended)) => {
            (DIFFERS, "it ended, although nothing was expected to tell it")
        }
        (Outcome::MarkedOnly, None | Some(Fate::Unknown | Fate::Cut)) => {
            (AGREES, "the log shows no end of it")
        }
        (Outcome::MarkedOnly, Some(_)) => (AGREES, "it went on after the stop"),
        (Outcome::Survives, Some(Fate::Ended | Fate::EndedWithPane)) => (DIFFERS, "it ended with the stop"),
        (Outcome::Survives, _) if marked => (DIFFERS, "the stop marked it"),
        (Outcome::Survives, _) => (AGREES, "the log shows no end of it by the stop"),
        (Outcome::AlreadyDone, _) if marked => (DIFFERS, "it was still running and the stop marked it"),
        (Outcome::AlreadyDone, _) => (AGREES, "it had ended before"),
        _ => (DIFFERS, "the plan foresees an outcome that this version does not know"),
    }
}
