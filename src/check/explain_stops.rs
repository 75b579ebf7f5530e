//! The model on trial: each stop of a log is foreseen from the registries as the log shows them just before it,
//! and the counters foreseen are held against those that the server then printed.
//!
//! Reads no files: the caller replays the log and tells each line before it is applied.

use std::collections::BTreeMap;

use super::plan_check::{CheckedRow, checked};
use super::saved_plan::SavedRow;
use crate::audit::finding::{Cause, StopRecord};
use crate::engine::plan::{PaneState, Plan, Policy, Trigger, plan};
use crate::model::counters::Counters;
use crate::model::snapshot::Origin;
use crate::replay::RegistryReplay;

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

impl Explanation {
    fn untold(reason: &str) -> Self {
        Self { agrees: None, predicted: None, otherwise: None, rows: Vec::new(), reason: reason.to_owned() }
    }
}

/// Foresees the stops of one report while their log is replayed.
#[derive(Debug)]
pub struct Explainer<'a> {
    stops: &'a [StopRecord],
    /// The stops that open at a line, by input and line.
    openers: BTreeMap<(usize, u64), Vec<usize>>,
    explanations: Vec<Explanation>,
}

impl<'a> Explainer<'a> {
    /// Nothing is explained yet.
    #[must_use]
    pub fn new(stops: &'a [StopRecord]) -> Self {
        let mut openers: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, stop) in stops.iter().enumerate() {
            openers.entry((stop.input, stop.line)).or_default().push(at);
        }
        let explanations =
            vec![Explanation::untold("its lines were not found again in the log"); stops.len()];
        Self { stops, openers, explanations }
    }

    /// This line of this input is about to be applied to the registries: a stop that opens with it is foreseen now.
    pub fn before(&mut self, input: usize, line: u64, registries: &RegistryReplay) {
        for at in self.openers.get(&(input, line)).into_iter().flatten() {
            let (Some(stop), Some(explanation)) = (self.stops.get(*at), self.explanations.get_mut(*at))
            else {
                continue;
            };
            *explanation = explain(stop, registries);
        }
    }

    /// One explanation per stop, in their order. Of stops in `cut` inputs, whose logs begin in mid-process, a
    /// difference proves nothing.
    #[must_use]
    pub fn finish(mut self, cut: impl Fn(usize) -> bool) -> Vec<Explanation> {
        for (explanation, stop) in self.explanations.iter_mut().zip(self.stops) {
            if explanation.agrees == Some(false) && cut(stop.input) {
                explanation.agrees = None;
                explanation.reason =
                    format!("the log begins in mid-process and hides rows; {}", explanation.reason);
            }
        }
        self.explanations
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

fn explain(stop: &StopRecord, registries: &RegistryReplay) -> Explanation {
    let Some(trigger) = trigger(stop) else {
        return Explanation::untold("the model foresees no counters of such a stop");
    };
    let snapshot = registries.snapshot_of(&stop.session, Origin::default(), None);
    let plan = plan(&snapshot, &trigger, Policy::Server);
    let prediction = plan.predicted.iter().find(|of| of.session == stop.session);
    let predicted = prediction.map(|of| of.counters).unwrap_or_default();
    let other = prediction.and_then(|of| of.otherwise.as_ref());
    let observed = stop.counters;
    let (agrees, reason) =
        compare(&plan, predicted, other.map(|other| (other.outcome, &*other.condition)), observed);
    let rows = plan
        .rows
        .iter()
        .filter(|row| row.session == stop.session)
        .map(|row| checked(&SavedRow::from(row), Some(stop)))
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
