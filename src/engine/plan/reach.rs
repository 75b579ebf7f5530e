//! Which workers an action really ends: those whose own cancel it calls, and what runs inside them
//! (server-behaviour.md#what-a-cancel-reaches and server-behaviour.md#what-a-stop-does-to-a-row). Marks,
//! panes and flags are other files' matter.

use super::action::Action;
use super::known::{KnownRow, Worker};
use super::nature::{Nature, Turn};
use super::policy::Policy;
use super::question::Question;
use crate::engine::resolve::{Cancel, Container, Row};
use crate::model::confidence::Confidence;
use crate::model::id::IdKind;

/// How an action reaches a running row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hit<'a> {
    /// Its own cancel is called.
    Own,
    /// What it runs in ends: one row, or several where it cannot be told which.
    Below(Vec<&'a str>),
    /// The workshop that it runs in is closed.
    Workshop,
    /// Nothing ends it, for this reason.
    Missed(&'static str),
    /// It cannot be told, for this reason.
    Unclear(&'static str),
}

/// How an action reaches a row, and whether it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached<'a> {
    pub(super) hit: Hit<'a>,
    /// Whether the policy lets the action cancel it; `None` where its class is not known and would decide.
    pub(super) allowed: Option<bool>,
}

impl Hit<'_> {
    fn ends(&self) -> bool {
        matches!(self, Self::Own | Self::Below(_) | Self::Workshop)
    }
}

impl<'a> Question<'a, '_> {
    /// Whether a run in orchestrator mode can be reached: its query id is forgotten once the session was stopped
    /// (server-behaviour.md#what-a-stop-does-to-a-row).
    pub(super) fn has_query_id(&self, row: &Row<'_>) -> bool {
        let stopped = self.facts().frozen.is_yes()
            || self
                .facts()
                .session
                .and_then(|session| session.stopped_guard)
                .is_some_and(|guard| guard.value);
        row.cancel.value == Cancel::Own && !stopped
    }

    /// How each row of the session is reached, in the order of the rows.
    pub(super) fn reach(&self) -> Vec<Reached<'a>> {
        let rows = &self.known.rows;
        let allowed: Vec<_> = rows.iter().map(|row| self.policy.allows(self.action, row)).collect();
        let mut hits: Vec<Option<Hit<'a>>> = vec![None; rows.len()];
        for start in 0..rows.len() {
            // A path up the containers with a stack of its own: its depth is the server's to choose.
            let mut path = vec![start];
            while let Some(at) = path.last().copied() {
                let Some((known, allowed)) = rows.get(at).zip(allowed.get(at)) else { break };
                if hits.get(at).is_none_or(Option::is_some) {
                    path.pop();
                    continue;
                }
                let waits_for = self
                    .waits_for(known.row)
                    .filter(|above| hits.get(*above).is_some_and(Option::is_none) && !path.contains(above));
                if let Some(above) = waits_for {
                    path.push(above);
                    continue;
                }
                let hit = self.hit(known, *allowed, &hits);
                if let Some(slot) = hits.get_mut(at) {
                    *slot = Some(hit);
                }
                path.pop();
            }
        }
        let hits = hits.into_iter().map(|hit| hit.unwrap_or(Hit::Unclear("its parents lead back to itself")));
        hits.zip(allowed).map(|(hit, allowed)| Reached { hit, allowed }).collect()
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.facts().rows.binary_search_by(|row| row.execution.id.as_str().cmp(id)).ok()
    }

    /// The row whose hit has to be known first. Of several candidates each is a root, which waits for none.
    fn waits_for(&self, row: &Row<'a>) -> Option<usize> {
        match &row.container.value {
            Container::Row(id) => self.position(id),
            _ => self.owning_agent(row).and_then(|id| self.position(id)),
        }
    }

    /// The background agent that started the step, where the server lets it own what it starts.
    fn owning_agent(&self, row: &Row<'a>) -> Option<&'a str> {
        let follows = self.behaviour.agents_own_their_steps
            && matches!(self.action, Action::FailChild { .. } | Action::StopStep { .. });
        let launchers = row.launched_by.as_ref().filter(|_| follows)?;
        match launchers.value.as_slice() {
            [one] if one.starts_with("bg-") => Some(one),
            _ => None,
        }
    }

    fn hit(&self, known: &KnownRow<'a, '_>, allowed: Option<bool>, hits: &[Option<Hit<'a>>]) -> Hit<'a> {
        let row = known.row;
        if row.in_cycle {
            return Hit::Unclear("its parents lead back to itself");
        }
        match allowed {
            Some(true) => {}
            Some(false) => {
                return Hit::Missed("it is not the session's own, and the policy spares what is not");
            }
            None => {
                return Hit::Unclear(
                    "whether it is the session's own cannot be told, and the policy turns on it",
                );
            }
        }
        if let Some(hit) = self.own(known) {
            return hit;
        }
        let of = |id: &str| hits.get(self.position(id)?)?.as_ref();
        let above = self.above(row, of);
        if above.ends() || !self.closes_workshop(known) { above } else { Hit::Workshop }
    }

    /// Whether the action calls the row's own cancel; `None` where it does not.
    fn own(&self, known: &KnownRow<'a, '_>) -> Option<Hit<'a>> {
        let row = known.row;
        let id = row.execution.id.as_str();
        if known.worker == Worker::OrchestratorRun {
            let called = matches!(
                self.action,
                Action::StopSession { .. } | Action::RuntimeCancel { .. } | Action::Shutdown
            );
            return Some(match called && (self.has_query_id(row) || *self.action == Action::Shutdown) {
                true => Hit::Own,
                false if called => Hit::Missed(
                    "its query id was forgotten in an earlier stop, so nothing leads to its cancel",
                ),
                false => Hit::Missed("the trigger does not touch runs in orchestrator mode"),
            });
        }
        if let Some(turn) = known.turn() {
            return Some(self.turn(turn));
        }
        let named = match self.action {
            Action::FailChild { targets, unsure, .. } => {
                if unsure.contains(&id) {
                    return Some(Hit::Unclear("whether it still runs is not known"));
                }
                targets.contains(&id)
            }
            Action::StopStep { target } => *target == id,
            Action::StopSession { agents: true }
            | Action::RuntimeCancel { .. }
            | Action::StopAll
            | Action::Shutdown => true,
            // A tab that only ends the session's own work would call its own cancels
            // (server-behaviour.md#what-a-stop-does-to-a-row).
            Action::StopSession { agents: false } => self.policy == Policy::Owner && !known.is_delegation,
            _ => false,
        };
        if !named {
            return None;
        }
        match row.cancel.value {
            Cancel::Own => Some(Hit::Own),
            Cancel::Unknown if !row.execution.kind.has_own_cancel() => None,
            Cancel::Unknown => Some(Hit::Unclear("whether it holds a cancel of its own is not known")),
            Cancel::Inherited | Cancel::None => None,
        }
    }

    fn turn(&self, turn: Turn) -> Hit<'a> {
        let calls = matches!(
            self.action,
            Action::CancelTurn | Action::StopSession { .. } | Action::RuntimeCancel { .. } | Action::Shutdown
        );
        match turn.nature {
            Nature::WithCancel if calls => Hit::Own,
            Nature::Unknown if calls || *self.action == Action::FirstTurnDeath => Hit::Unclear(turn.why),
            _ => Hit::Missed(turn.why),
        }
    }

    /// Whether what the row runs in ends, and it with that.
    fn above<'h>(&self, row: &Row<'a>, of: impl Fn(&str) -> Option<&'h Hit<'a>>) -> Hit<'a>
    where
        'a: 'h,
    {
        if !self.action.touches_executions() {
            return Hit::Missed(match row.container.value {
                Container::Session => "the trigger does not call its cancel",
                _ => "the trigger ends nothing that it could run in",
            });
        }
        match &row.container.value {
            Container::Session => match self.owning_agent(row) {
                Some(agent) if of(agent).is_some_and(Hit::ends) => Hit::Below(vec![agent]),
                _ => Hit::Missed("the trigger does not call its cancel"),
            },
            Container::Missing(_) => {
                Hit::Missed("what it runs in is no row any more, so no cancel reaches it")
            }
            Container::Unknown => Hit::Unclear("what it runs in cannot be told"),
            Container::Row(id) => match self.fate(id, &of) {
                Some(true) => Hit::Below(vec![id]),
                Some(false) => Hit::Missed(self.why_missed(id)),
                None => Hit::Unclear("whether what it runs in ends cannot be told"),
            },
            Container::OneOf(ids) => {
                let fates: Vec<Option<bool>> = ids.iter().map(|id| self.fate(id, &of)).collect();
                if fates.iter().all(|fate| *fate == Some(true)) {
                    Hit::Below(ids.clone())
                } else if fates.iter().all(|fate| *fate == Some(false)) {
                    Hit::Missed("nothing that it may run in ends")
                } else {
                    Hit::Unclear("of those that it may run in, some end and some go on")
                }
            }
        }
    }

    /// Whether a container is running and ends; `None` where that is not known.
    fn fate<'h>(&self, id: &str, of: impl Fn(&str) -> Option<&'h Hit<'a>>) -> Option<bool>
    where
        'a: 'h,
    {
        let row = self.facts().row(id)?;
        match (row.execution.is_running()?, of(id)?) {
            (false, _) | (true, Hit::Missed(_)) => Some(false),
            (true, Hit::Own | Hit::Below(_) | Hit::Workshop) => Some(true),
            (true, Hit::Unclear(_)) => None,
        }
    }

    fn why_missed(&self, container: &str) -> &'static str {
        match self.facts().row(container).and_then(|row| row.execution.is_running()) {
            Some(false) => {
                "what it runs in has ended already, so no cancel reaches it: a possible leaked worker"
            }
            _ => "what it runs in goes on",
        }
    }

    /// Whether the action closes the workshop that the row works in (server-behaviour.md#stops-by-a-person
    /// and server-behaviour.md#shutdown). That ends its worker, whatever the registries say.
    fn closes_workshop(&self, known: &KnownRow<'_, '_>) -> bool {
        let row = known.row;
        let closes = match self.action {
            Action::StopSession { agents } => *agents || self.policy != Policy::Owner,
            Action::Shutdown => true,
            _ => false,
        };
        let works_in_one = !matches!(known.worker, Worker::Turn(_) | Worker::OrchestratorRun)
            && !known.is_delegation
            && (row.execution.kind != IdKind::Unknown || row.container.value != Container::Unknown);
        closes && works_in_one
    }

    /// How sure the way is by which the row is reached.
    pub(super) fn certainty(&self, known: &KnownRow<'_, '_>, hit: &Hit<'_>) -> Confidence {
        let row = known.row;
        if let Some(turn) = known.turn() {
            return turn.confidence;
        }
        match hit {
            Hit::Own => row.cancel.reason.confidence,
            Hit::Below(_) if self.closes_workshop(known) => Confidence::High,
            Hit::Below(_) => row.container.reason.confidence,
            Hit::Workshop if row.execution.kind == IdKind::Unknown => Confidence::Medium,
            Hit::Workshop => Confidence::High,
            Hit::Missed(_) => match row.container.value {
                Container::Session => Confidence::High,
                _ if !self.action.touches_executions() => Confidence::High,
                _ => row.container.reason.confidence,
            },
            Hit::Unclear(_) => Confidence::Low,
        }
    }
}
