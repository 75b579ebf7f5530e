//! What happens to one row (server-behaviour.md#what-a-stop-does-to-a-row).

use std::borrow::Cow;

use super::action::Action;
use super::known::{KnownRow, Worker};
use super::nature::{Nature, Turn};
use super::policy::Policy;
use super::question::Question;
use super::reach::{Hit, Reached};
use super::row::{Otherwise, Outcome};
use crate::engine::resolve::Row;
use crate::model::confidence::Confidence;
use crate::model::execution::Membership;
use crate::model::id::IdKind;
use crate::model::session::Session;

const TABLE: &str = "server-behaviour.md#what-a-stop-does-to-a-row";
const OWNERS: &str = "server-behaviour.md#if-only-the-owner-cancelled";
const TURNS: &str = "server-behaviour.md#turns-in-a-live-pane";
const AFTER: &str = "server-behaviour.md#what-a-stop-does-to-a-row";

/// What is decided about a row, before flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision<'a> {
    pub(super) outcome: Outcome,
    pub(super) via: Vec<&'a str>,
    pub(super) dropped: bool,
    pub(super) stays_listed: bool,
    pub(super) words: Cow<'static, str>,
    pub(super) rule: &'static str,
    pub(super) confidence: Confidence,
}

impl<'a> Decision<'a> {
    fn new(
        outcome: Outcome,
        rule: &'static str,
        confidence: Confidence,
        words: impl Into<Cow<'static, str>>,
    ) -> Self {
        let words = words.into();
        Self { outcome, via: Vec::new(), dropped: false, stays_listed: false, words, rule, confidence }
    }
}

impl<'a> Question<'a, '_> {
    /// What happens to this row, which is reached so.
    pub(super) fn decide(&self, known: &KnownRow<'a, '_>, reached: &Reached<'a>) -> Decision<'a> {
        let row = known.row;
        let mut decision = match row.execution.is_running() {
            Some(false) => {
                Decision::new(Outcome::AlreadyDone, TABLE, Confidence::High, "it has ended before")
            }
            None => Decision::new(
                Outcome::Unknown,
                "server-behaviour.md#frozen-answers",
                Confidence::Low,
                "whether it still runs is not known",
            ),
            Some(true) => match known.turn() {
                Some(turn) => self.decide_turn(turn, &reached.hit),
                None => self.decide_execution(known, reached),
            },
        };
        decision.dropped = self.drops(row);
        decision
    }

    /// A stop empties the agents' registry of the session, ended rows included; under the owner's policy a closed
    /// tab does not.
    fn drops(&self, row: &Row<'_>) -> bool {
        let empties = match self.action {
            Action::StopSession { agents } => *agents || self.policy != Policy::Owner,
            _ => false,
        };
        empties && row.execution.in_background == Membership::Present
    }

    fn decide_execution(&self, known: &KnownRow<'a, '_>, reached: &Reached<'a>) -> Decision<'a> {
        let (row, hit) = (known.row, &reached.hit);
        let sure = self.certainty(known, hit);
        let is = |outcome, words: &'static str| Decision::new(outcome, TABLE, sure, words);
        let mut decision = match hit {
            Hit::Own => is(Outcome::Cancelled, self.own_words(known)),
            Hit::Below(via) => {
                let words = match via.as_slice() {
                    [_] => "it runs inside an execution that ends, and its context with that one's",
                    _ => "all that it may run in end, and its context with theirs",
                };
                Decision { via: via.clone(), ..is(Outcome::CancelledByAncestor, words) }
            }
            Hit::Workshop => {
                let words = match self.action {
                    Action::Shutdown => "it ends with the server's process",
                    _ => "the stop closes the workshop that it runs in, and its context with it",
                };
                is(Outcome::CancelledByAncestor, words)
            }
            Hit::Unclear(why) => Decision::new(Outcome::Unknown, TABLE, Confidence::Low, *why),
            Hit::Missed(why) if reached.allowed == Some(false) => {
                let mut words = Cow::Borrowed(*why);
                if self.has_lost_container(row) {
                    words = "it is not the session's own; what it runs in has ended already: a possible leaked worker".into();
                }
                Decision::new(Outcome::Survives, OWNERS, sure, words)
            }
            Hit::Missed(why) if self.marks(known) => {
                let words = match row.execution.kind {
                    IdKind::Mirror => Cow::Borrowed("it only shows progress; its row is marked canceled"),
                    _ => format!("its row is marked canceled, but nothing tells its worker to stop: {why}")
                        .into(),
                };
                Decision::new(Outcome::MarkedOnly, TABLE, sure, words)
            }
            Hit::Missed(why) => is(Outcome::Survives, why),
        };
        if self.leaves_listed(row, &decision) {
            decision.stays_listed = true;
            decision.rule = AFTER;
            decision.words = format!(
                "{}; its row goes on saying running, since no worker reports its end",
                decision.words
            )
            .into();
        }
        decision
    }

    /// A race that concerns this row alone (server-behaviour.md#panes-after-a-stop and
    /// server-behaviour.md#work-after-a-stop).
    pub(super) fn race_of(
        &self,
        known: &KnownRow<'a, '_>,
        decision: &Decision<'a>,
    ) -> Option<Otherwise<Outcome>> {
        let turn = known.turn().filter(|_| decision.outcome != Outcome::AlreadyDone)?;
        let is = |outcome, condition: &'static str| {
            (outcome != decision.outcome).then(|| Otherwise { outcome, condition: condition.into() })
        };
        match (self.action, turn.nature) {
            (
                Action::StopSession { .. } | Action::RuntimeCancel { .. } | Action::CancelTurn,
                Nature::Preparing,
            ) => is(Outcome::Cancelled, "its preparation ends before the trigger comes"),
            (Action::Nothing, Nature::WithCancel) if decision.outcome.ends() => {
                is(Outcome::Survives, "it works in another pane than the one that is lost")
            }
            (Action::Dismiss, Nature::InPane | Nature::Queued) => is(
                Outcome::EndsWithPane,
                "the reaper closes its pane before a notification revives the session",
            ),
            _ => None,
        }
    }

    fn own_words(&self, known: &KnownRow<'_, '_>) -> &'static str {
        if known.worker == Worker::OrchestratorRun {
            return "its cancel is found by its query id and called";
        }
        match self.action {
            Action::StopStep { .. } => "the tool calls its own cancel",
            Action::FailChild { .. } => {
                "the record of the lost pane names it: it is failed and its own cancel called"
            }
            _ => "its own cancel is called",
        }
    }

    fn has_lost_container(&self, row: &Row<'_>) -> bool {
        row.container
            .value
            .candidates()
            .iter()
            .any(|id| self.facts().row(id).is_some_and(|above| above.execution.is_running() == Some(false)))
    }

    /// Whether the action marks the row canceled although nothing ends it.
    fn marks(&self, known: &KnownRow<'_, '_>) -> bool {
        let row = known.row;
        match self.action {
            Action::RuntimeCancel { .. } | Action::Shutdown => true,
            Action::StopAll => !matches!(known.worker, Worker::Turn(_) | Worker::OrchestratorRun),
            // A delegation is dropped from the agents' registry without being marked there.
            Action::StopSession { .. } => {
                self.behaviour.sweeps_tracked_at_every_stop
                    && row.execution.in_tracked == Membership::Present
                    && !known.is_delegation
            }
            Action::FailChild { targets, .. } => targets.contains(&row.execution.id.as_str()),
            _ => false,
        }
    }

    /// Whether a row whose worker ends goes on saying "running" (server-behaviour.md#what-the-log-prints and
    /// server-behaviour.md#what-a-stop-does-to-a-row).
    fn leaves_listed(&self, row: &Row<'_>, decision: &Decision<'_>) -> bool {
        if !decision.outcome.ends() || row.execution.in_tracked != Membership::Present {
            return false;
        }
        match self.action {
            Action::StopSession { .. } => {
                !self.behaviour.sweeps_tracked_at_every_stop && is_orchestrator_mirror(row)
            }
            // The tool settles only the rows of its own workshop
            // (server-behaviour.md#stops-by-an-agents-tool; read from source).
            Action::StopAll => is_of_evaluation(row),
            _ => false,
        }
    }

    /// Whether the foreground turn is worked on by a coding CLI in the main pane
    /// (server-behaviour.md#turns-in-a-live-pane).
    fn works_in_pane(&self) -> bool {
        self.facts().session.and_then(Session::foreground).is_some_and(|foreground| foreground.can_steer)
    }

    fn decide_turn(&self, turn: Turn, hit: &Hit<'a>) -> Decision<'a> {
        let sure = turn.confidence;
        let is = |outcome, words: &'static str| Decision::new(outcome, TURNS, sure, words);
        let lost =
            Decision::new(Outcome::EndsWithPane, TURNS, sure, "it works in the main pane and ends with that");
        if let Hit::Unclear(why) = hit {
            return Decision::new(Outcome::Unknown, TURNS, Confidence::Low, *why);
        }
        match (self.action, turn.nature) {
            // The server cancels nothing, but the pane is gone all the same.
            (Action::Nothing, Nature::InPane | Nature::Queued) if self.main_pane_lost => lost,
            (Action::Nothing, Nature::WithCancel)
                if self.main_pane_lost
                    && self.works_in_pane()
                    && !self.behaviour.leaves_lost_pane_to_turn =>
            {
                let words =
                    "its pane is gone: it takes the last screen for its answer and is reported completed";
                Decision { words: words.into(), confidence: Confidence::Low, ..lost }
            }
            (Action::Nothing, Nature::Unknown) if self.main_pane_lost => Decision::new(
                Outcome::Unknown,
                TURNS,
                Confidence::Low,
                "whether it works in the lost pane, and ends with that, cannot be told",
            ),
            (
                Action::CancelTurn
                | Action::StopSession { .. }
                | Action::RuntimeCancel { .. }
                | Action::Shutdown,
                Nature::WithCancel,
            ) => is(Outcome::Cancelled, "its turn cancel is called"),
            (Action::FirstTurnDeath, Nature::WithCancel | Nature::InPane | Nature::Queued) => {
                let words =
                    "its pane is gone: it takes the last screen for its answer and is reported completed";
                Decision { words: words.into(), rule: "server-behaviour.md#turns-in-a-live-pane", ..lost }
            }
            (Action::CancelTurn, Nature::InPane | Nature::Queued) => {
                is(Outcome::Survives, "nothing is sent to the pane: it has no turn cancel and works on there")
            }
            (Action::CancelTurn, Nature::Preparing) => {
                is(Outcome::Survives, "it cannot be cancelled yet: the server answers well and does nothing")
            }
            (Action::StopSession { .. }, Nature::InPane) => {
                let stays_listed = !self.behaviour.sweeps_tracked_at_every_stop;
                let words = if stays_listed {
                    "it ends with the main pane, which the stop closes; its row goes on saying running"
                } else {
                    "it ends with the main pane, which the stop closes"
                };
                Decision { words: words.into(), stays_listed, ..lost }
            }
            (
                Action::StopSession { .. } | Action::RuntimeCancel { .. } | Action::Shutdown,
                Nature::InPane | Nature::Queued,
            ) => lost,
            (Action::RuntimeCancel { .. }, Nature::Preparing | Nature::Overtaken) => is(
                Outcome::MarkedOnly,
                "its row is marked canceled, but there is no cancel to call yet: it may begin to work afterwards",
            ),
            (Action::StopSession { .. }, Nature::Preparing | Nature::Overtaken)
                if self.behaviour.sweeps_tracked_at_every_stop =>
            {
                is(
                    Outcome::MarkedOnly,
                    "its row is marked canceled, but there is no cancel to call: it may work on",
                )
            }
            (Action::StopSession { .. }, Nature::Preparing | Nature::Overtaken) => is(
                Outcome::Survives,
                "there is no cancel to call and the stop sweeps no tracked rows: it may begin to work afterwards",
            ),
            (Action::Shutdown, Nature::Preparing | Nature::Overtaken) => {
                is(Outcome::MarkedOnly, "it has no cancel to call; it ends with the server's process")
            }
            _ => is(Outcome::Survives, "the trigger does not touch turns"),
        }
    }
}

/// Whether the row is an evaluation or runs inside one, and so in another workshop than its session's.
fn is_of_evaluation(row: &Row<'_>) -> bool {
    let is_evaluation = |id: &str| id.starts_with("eval-full-");
    let above = row.container.value.candidates();
    is_evaluation(&row.execution.id) || (!above.is_empty() && above.iter().all(|id| is_evaluation(id)))
}

/// Whether the row is the mirror of a todo step's orchestrator: no worker of its own ever reports its end
/// (server-behaviour.md#what-a-stop-does-to-a-row). Without the debug gate its declared kind is not readable;
/// then the tracked kind tells, which the server infers from the name and which is `step` for the mirror of a
/// sub-agent.
fn is_orchestrator_mirror(row: &Row<'_>) -> bool {
    if row.execution.kind != IdKind::Mirror || row.execution.id.contains("-execution-phase-") {
        return false;
    }
    match row.execution.declared_kind() {
        Some(kind) => kind == "orchestrator",
        None => row.execution.tracked_kind().is_some_and(|kind| kind != "step"),
    }
}
