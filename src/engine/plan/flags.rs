//! What a person should know about a row's outcome (server-behaviour.md#what-a-stop-does-to-a-row).

use std::collections::BTreeSet;

use super::action::{Action, Cause};
use super::decide::Decision;
use super::nature::{Nature, nature};
use super::policy::{Policy, is_delegation};
use super::question::Question;
use super::row::{Flag, Outcome, PaneOutcome};
use super::workers::{owns_pane, with_panes, workers_of};
use crate::engine::resolve::{Class, Row};
use crate::model::execution::Membership;
use crate::model::id::IdKind;

/// What a row stands for, as far as flags ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worker {
    Turn,
    OrchestratorRun,
    /// A run, evaluation, detached step or agent: what notifies the session.
    Root,
    /// A sub-agent of a todo step.
    SubAgent,
    /// A sequence item.
    Item,
    /// Only shows progress.
    Mirror,
}

fn worker(row: &Row<'_>) -> Worker {
    if row.is_orchestrator_run() {
        return Worker::OrchestratorRun;
    }
    match row.execution.kind {
        IdKind::Turn | IdKind::SyntheticTurn => Worker::Turn,
        IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent | IdKind::Unknown => Worker::Root,
        IdKind::SubAgent => Worker::SubAgent,
        IdKind::Item => Worker::Item,
        IdKind::Mirror => Worker::Mirror,
    }
}

impl<'a> Question<'a, '_> {
    /// The flags of every row, in the order of the rows.
    pub(super) fn flags(&self, decisions: &[Decision<'a>]) -> Vec<Vec<Flag>> {
        let works_on = self.working_on(decisions);
        let falsely_completed = self.falsely_completed(decisions);
        let with_panes = with_panes(self.facts);
        let rows = self.facts.rows.iter().zip(decisions).enumerate();
        rows.map(|(at, (row, decision))| {
            let mut flags = BTreeSet::new();
            if row.execution.is_running() != Some(false) {
                flags.extend(self.of_outcome(row, decision));
                flags.extend(self.of_guard(row, decision));
                flags.extend(self.blocked_by(row, decision, with_panes.contains(row.execution.id.as_str())));
                if works_on.contains(&at) {
                    flags.insert(Flag::WorksOn);
                }
                if falsely_completed.contains(&at) && !decision.outcome.ends() {
                    flags.insert(Flag::FalseCompletion);
                }
            }
            flags.into_iter().collect()
        })
        .collect()
    }

    fn of_outcome(&self, row: &Row<'a>, decision: &Decision<'a>) -> Vec<Flag> {
        let mut flags = Vec::new();
        let worker = worker(row);
        let outcome = decision.outcome;
        let is_hit = outcome.ends() || outcome == Outcome::MarkedOnly;
        let is_other = matches!(row.class.value, Class::Watched | Class::Detached);
        // What cannot be classed is warned about like what the session does not own
        // (server-behaviour.md#whose-work-it-is).
        if is_hit && self.action.is_incidental() && row.class.value != Class::Owned && !self.is_own_death(row)
        {
            flags.push(Flag::Collateral);
        }
        if outcome.ends() && is_other && *self.action == (Action::StopSession { agents: true }) {
            flags.push(Flag::IntendedKill);
        }
        if outcome == Outcome::CancelledByAncestor
            && matches!(worker, Worker::Item | Worker::Mirror)
            && row.execution.in_background == Membership::Present
            && self.counts_agents()
        {
            flags.push(Flag::NominalNoCancel);
        }
        if self.is_ineffective(row, outcome) {
            flags.push(Flag::Ineffective);
        }
        if decision.stays_listed {
            flags.push(Flag::OrphanTracked);
        }
        if *self.action == Action::CancelTurn && self.facts.scheduled && worker == Worker::Root {
            flags.push(Flag::HalfStopped);
        }
        if matches!(self.action, Action::StopSession { .. })
            && outcome == Outcome::Survives
            && matches!(worker, Worker::Root | Worker::OrchestratorRun)
        {
            flags.push(Flag::McpCollateral);
        }
        flags
    }

    /// Whether the trigger is the death of the very pane that the row, or what it runs in, works in. A record that
    /// names an enclosing run takes that with it, and with the run what is none of the pane's
    /// (server-behaviour.md#what-a-stop-does-to-a-row).
    fn is_own_death(&self, row: &Row<'_>) -> bool {
        let Action::FailChild { terminal, targets, .. } = self.action else { return false };
        let works_in_it = |id: &&str| self.facts.row(id).is_some_and(|target| owns_pane(target, terminal));
        owns_pane(row, terminal) || targets.iter().all(works_in_it)
    }

    /// Whether the sweep of agents, and with it the counters of the log, takes place.
    pub(super) fn counts_agents(&self) -> bool {
        matches!(
            self.action,
            Action::StopSession { agents: true } | Action::RuntimeCancel { .. } | Action::Shutdown
        )
    }

    /// Whether the server says "stopped" while the worker is not told.
    fn is_ineffective(&self, row: &Row<'a>, outcome: Outcome) -> bool {
        match worker(row) {
            Worker::Mirror => false,
            // With the process every worker ends.
            _ if *self.action == Action::Shutdown => false,
            _ if outcome == Outcome::MarkedOnly => true,
            Worker::OrchestratorRun => false,
            _ => {
                outcome == Outcome::Survives
                    && matches!(self.action, Action::StopSession { .. })
                    && self.policy.allows(self.action, row) == Some(true)
            }
        }
    }

    /// What the mark "stopped" on the session does to what goes on (server-behaviour.md#the-mark-stopped).
    fn of_guard(&self, row: &Row<'a>, decision: &Decision<'a>) -> Vec<Flag> {
        let mut flags = Vec::new();
        if !self.action.sets_guard() {
            return flags;
        }
        let goes_on = matches!(decision.outcome, Outcome::Survives | Outcome::MarkedOnly);
        let spared_fully =
            self.policy == Policy::Owner && self.policy.allows(self.action, row) == Some(false);
        let worker = worker(row);
        if worker == Worker::Turn {
            let (nature, ..) = nature(row, self.facts);
            if goes_on && matches!(nature, Nature::Preparing | Nature::Overtaken) {
                flags.push(Flag::RelaunchRisk);
            }
            return flags;
        }
        if !goes_on || spared_fully || matches!(worker, Worker::OrchestratorRun | Worker::Mirror) {
            return flags;
        }
        flags.push(Flag::DarkExecution);
        if decision.outcome == Outcome::Survives
            && worker == Worker::Root
            && matches!(row.class.value, Class::Watched | Class::Detached)
        {
            flags.push(Flag::SwallowedNotification);
        }
        flags
    }

    /// What else of the server's doings still hits a row that only the sweep spares
    /// (server-behaviour.md#if-only-the-owner-cancelled and 5.5).
    fn blocked_by(&self, row: &Row<'a>, decision: &Decision<'a>, has_pane: bool) -> Vec<Flag> {
        let spared = self.policy == Policy::SweepsOnly
            && decision.outcome == Outcome::Survives
            && self.policy.allows(self.action, row) == Some(false);
        let worker = worker(row);
        if !spared || worker == Worker::Mirror {
            return Vec::new();
        }
        let mut flags = Vec::new();
        let stops = matches!(self.action, Action::StopSession { .. });
        let sweeps_panes = matches!(self.action, Action::RuntimeCancel { .. });
        if has_pane && sweeps_panes {
            flags.push(Flag::BlockedByPaneSweep);
        }
        // Only a status of `stopped` or `error` lets the reaper come; a schedule's stop sets neither.
        let sets_status =
            stops || *self.action != (Action::RuntimeCancel { cause: Cause::ScheduleStop }) && sweeps_panes;
        if has_pane && sets_status {
            flags.push(Flag::BlockedByReaper);
        }
        if self.action.sets_guard() {
            if matches!(worker, Worker::Root | Worker::SubAgent) {
                flags.push(Flag::BlockedByGuard);
            }
            if worker == Worker::Root {
                flags.push(Flag::BlockedByNotification);
            }
        }
        if stops {
            if !is_delegation(row) {
                flags.push(Flag::BlockedByWorkshopClose);
            }
            flags.push(Flag::BlockedByHttpSessionClose);
        }
        flags
    }

    /// The rows that are reported as completed although their pane is lost
    /// (server-behaviour.md#panes-after-a-stop and server-behaviour.md#a-lost-step-pane).
    fn falsely_completed(&self, decisions: &[Decision<'a>]) -> BTreeSet<usize> {
        match self.action {
            Action::FailChild { terminal, .. } => workers_of(self.facts, terminal).into_iter().collect(),
            Action::Dismiss => {
                self.rows_in_panes(decisions, |outcome| outcome == PaneOutcome::ClosedByReaper)
            }
            _ => BTreeSet::new(),
        }
    }
}
