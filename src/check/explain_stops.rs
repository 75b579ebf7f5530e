//! The model on trial: each stop of a log is foreseen from the registries as the log shows them just before it,
//! and the counters foreseen are held against those that the server then printed.
//!
//! Reads no files: the audit shows it each event before it is applied, and it keeps the state where a stop may begin.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::plan_check::{CheckedRow, Foreseen, checked};
use crate::audit::BeforeStop;
use crate::audit::finding::StopRecord;
use crate::engine::plan::{PaneState, Plan, Policy, Trigger, plan};
use crate::model::counters::Counters;
use crate::model::gap::GapCode;
use crate::model::snapshot::{Origin, Snapshot};
use crate::model::thresholds::SAME_EPISODE;
use crate::replay::Cause;

/// What the model foresaw of one stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Whether the counters came out as foreseen; `None` where that cannot be told.
    pub agrees: Option<bool>,
    /// The counters foreseen; `None` where the stop was not replayed.
    pub predicted: Option<Counters>,
    /// Those of the other side of a race.
    pub otherwise: Option<Counters>,
    /// The rows of which the log tells something else than was foreseen.
    pub rows: Vec<CheckedRow>,
    /// Why, as a sentence fragment.
    pub reason: String,
}

/// Of a stop for which [`trigger`] gives nothing.
const NOT_FORESEEN: &str = "the model foresees no counters of such a stop";

impl Explanation {
    fn untold(reason: &str) -> Self {
        Self { agrees: None, predicted: None, otherwise: None, rows: Vec::new(), reason: reason.to_owned() }
    }
}

/// Rows and sessions that are kept for stops to come.
const KEPT: usize = 100_000;

/// Keeps the states before the stops of a log while it is audited, and foresees the stops from them.
#[derive(Debug, Default)]
pub struct Explainer {
    /// The state of its session before a line, by input and line.
    before: BTreeMap<(usize, u64), Snapshot>,
    /// The stop that `schedule.log` told last of a session, with its second. A stop is known by its first line in
    /// the other file, and what that one's sweep meets is the state without the stop itself.
    scheduled: BTreeMap<Arc<str>, (i64, (usize, u64))>,
    kept: usize,
    /// Whether some could not be kept.
    is_full: bool,
}

impl Explainer {
    /// This line is about to be applied.
    pub fn before(&mut self, at: BeforeStop<'_>) {
        self.kept += 1 + at.registry.size_of(&at.session);
        if self.kept > KEPT {
            self.is_full = true;
            return;
        }
        let asked = self.scheduled.get(&at.session).filter(|(second, _)| at.second - second <= SAME_EPISODE);
        let snapshot = match asked {
            Some((_, stop)) => at.registry.snapshot_before(&at.session, *stop),
            None => at.registry.snapshot_of(&at.session, Origin::default(), None),
        };
        if !at.is_of_schedule {
            self.scheduled.remove(&at.session);
        } else if asked.is_none() {
            self.scheduled.insert(at.session, (at.second, at.line));
        }
        self.before.insert(at.line, snapshot);
    }

    /// One explanation per stop, in their order.
    #[must_use]
    pub fn finish(self, stops: &[StopRecord]) -> Vec<Explanation> {
        let explained = |stop: &StopRecord| match self.before.get(&(stop.input, stop.line)) {
            Some(snapshot) => explain(stop, snapshot),
            None if trigger(stop).is_none() => Explanation::untold(NOT_FORESEEN),
            None if self.is_full => {
                Explanation::untold("there are too many stops to keep the state before each")
            }
            None => Explanation::untold("the log does not tell the state before it"),
        };
        stops.iter().map(explained).collect()
    }
}

/// What the request or the server's own discovery was; `None` where the model foresees no counters of such a stop.
fn trigger(stop: &StopRecord) -> Option<Trigger> {
    let session = stop.session.clone();
    let counted = stop.counters.as_ref().is_some_and(|counters| counters.canceled.is_some());
    let death = |pane| Trigger::TerminalDeath { session: stop.session.clone(), terminal: None, pane };
    Some(match stop.cause {
        // Only a stop with its agents sweeps their registry, and so prints counters
        // (server-behaviour.md#what-a-stop-does-to-a-row).
        Cause::UserStop => Trigger::Stop { session, agents: counted },
        Cause::ScheduleStop => Trigger::ScheduleStop { session },
        Cause::TerminalDeath if stop.reason.contains("exited") => death(PaneState::Dead),
        Cause::TerminalDeath => death(PaneState::Missing),
        Cause::UsageWall => death(PaneState::Wall),
        Cause::OperatorKill => Trigger::KillTerminal { terminal: format!("{session}:main:{session}") },
        Cause::Shutdown => Trigger::Shutdown,
        _ => return None,
    })
}

fn explain(stop: &StopRecord, snapshot: &Snapshot) -> Explanation {
    let Some(trigger) = trigger(stop) else { return Explanation::untold(NOT_FORESEEN) };
    let plan = plan(snapshot, &trigger, Policy::Server);
    let prediction = plan.predicted.iter().find(|of| of.session == stop.session);
    let predicted = prediction.map(|of| of.counters).unwrap_or_default();
    let other = prediction.and_then(|of| of.otherwise.as_ref());
    let observed = stop.counters;
    let (mut agrees, mut reason) =
        compare(&plan, predicted, other.map(|other| (other.outcome, &*other.condition)), observed);
    if agrees == Some(false) && snapshot.gaps.iter().any(|gap| gap.code == GapCode::LogBegins) {
        // Rows from before the first line are counted by the server and not known here.
        agrees = None;
        reason = format!("the log begins in mid-process and hides rows; {reason}");
    }
    let rows = plan
        .rows
        .iter()
        .filter(|row| row.session == stop.session)
        .map(|row| checked(Foreseen::from(row), Some(stop)))
        .filter(|row| !row.agrees)
        .collect();
    let otherwise = other.map(|other| other.outcome);
    Explanation { agrees, predicted: Some(predicted), otherwise, rows, reason }
}

fn compare(
    plan: &Plan,
    predicted: Counters,
    other: Option<(Counters, &str)>,
    observed: Option<Counters>,
) -> (Option<bool>, String) {
    let nothing = Counters::default();
    let Some(observed) = observed.filter(|observed| *observed != nothing) else {
        // A stop is taken for one without its agents just because it logs none, so that proves nothing.
        return if predicted == nothing {
            (None, "no counters were foreseen, and none are logged".into())
        } else {
            (None, "the log prints no counters of it".into())
        };
    };
    let is_open = |counters: Counters| counters.canceled.is_none() && counters.tracked_marked.is_none();
    if is_open(predicted) && !is_open(observed) && plan.refused.is_none() {
        return (None, "the log hides rows, so their counters cannot be foreseen".into());
    }
    if predicted != nothing && predicted.allows(&observed) {
        return (Some(true), "the counters came out as foreseen".into());
    }
    if let Some((other, condition)) = other
        && other != nothing
        && other.allows(&observed)
    {
        return (Some(true), format!("the counters are those of the other case: {condition}"));
    }
    match &plan.refused {
        Some(refused) => (Some(false), format!("nothing was foreseen: {}", refused.reason)),
        None => (Some(false), "the counters differ from those foreseen".into()),
    }
}
