//! What a person should know about a row's outcome (server-behaviour.md#what-a-stop-does-to-a-row).

use std::collections::BTreeSet;

use super::action::{Action, Cause};
use super::course::{Course, CourseRow};
use super::known::Worker;
use super::nature::Nature;
use super::policy::Policy;
use super::row::{Flag, Outcome, PaneOutcome};
use super::workers::owns_pane;
use crate::engine::resolve::{Class, Row};
use crate::model::execution::Membership;

impl Course<'_, '_> {
    /// The flags of every row, in the order of the rows.
    pub(super) fn flags(&self) -> Vec<Vec<Flag>> {
        let works_on = self.working_on();
        let falsely_completed = self.falsely_completed();
        let flags_of = |(at, row): (usize, &CourseRow<'_, '_>)| {
            let mut flags = BTreeSet::new();
            if row.known.row.execution.is_running() != Some(false) {
                flags.extend(self.of_outcome(row));
                flags.extend(self.of_guard(row));
                flags.extend(self.blocked_by(row));
                if works_on.contains(&at) {
                    flags.insert(Flag::WorksOn);
                }
                if falsely_completed.contains(&at) && !row.decision.outcome.ends() {
                    flags.insert(Flag::FalseCompletion);
                }
            }
            flags.into_iter().collect()
        };
        self.rows.iter().enumerate().map(flags_of).collect()
    }

    fn of_outcome(&self, course_row: &CourseRow<'_, '_>) -> Vec<Flag> {
        let mut flags = Vec::new();
        let CourseRow { known, decision, .. } = course_row;
        let (row, worker) = (known.row, known.worker);
        let outcome = decision.outcome;
        let is_hit = outcome.ends() || outcome == Outcome::MarkedOnly;
        let is_other = matches!(row.class.value, Class::Watched | Class::Detached);
        // What cannot be classed is warned about like what the session does not own
        // (server-behaviour.md#whose-work-it-is).
        if is_hit
            && self.question.action.is_incidental()
            && row.class.value != Class::Owned
            && !self.is_own_death(row)
        {
            flags.push(Flag::Collateral);
        }
        if outcome.ends() && is_other && *self.question.action == (Action::StopSession { agents: true }) {
            flags.push(Flag::IntendedKill);
        }
        if outcome == Outcome::CancelledByAncestor
            && matches!(worker, Worker::Item | Worker::Mirror)
            && row.execution.in_background == Membership::Present
            && self.counts_agents()
        {
            flags.push(Flag::NominalNoCancel);
        }
        if self.is_ineffective(course_row) {
            flags.push(Flag::Ineffective);
        }
        if decision.stays_listed {
            flags.push(Flag::OrphanTracked);
        }
        if *self.question.action == Action::CancelTurn
            && self.question.facts().scheduled
            && worker == Worker::Root
        {
            flags.push(Flag::HalfStopped);
        }
        if matches!(self.question.action, Action::StopSession { .. })
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
        let Action::FailChild { terminal, targets, .. } = self.question.action else { return false };
        let works_in_it =
            |id: &&str| self.question.facts().row(id).is_some_and(|target| owns_pane(target, terminal));
        owns_pane(row, terminal) || targets.iter().all(works_in_it)
    }

    /// Whether the sweep of agents, and with it the counters of the log, takes place.
    pub(super) fn counts_agents(&self) -> bool {
        matches!(
            self.question.action,
            Action::StopSession { agents: true } | Action::RuntimeCancel { .. } | Action::Shutdown
        )
    }

    /// Whether the server says "stopped" while the worker is not told.
    fn is_ineffective(&self, course_row: &CourseRow<'_, '_>) -> bool {
        let outcome = course_row.decision.outcome;
        match course_row.known.worker {
            Worker::Mirror => false,
            // With the process every worker ends.
            _ if *self.question.action == Action::Shutdown => false,
            _ if outcome == Outcome::MarkedOnly => true,
            Worker::OrchestratorRun => false,
            _ => {
                outcome == Outcome::Survives
                    && matches!(self.question.action, Action::StopSession { .. })
                    && course_row.allowed == Some(true)
            }
        }
    }

    /// What the mark "stopped" on the session does to what goes on (server-behaviour.md#the-mark-stopped).
    fn of_guard(&self, course_row: &CourseRow<'_, '_>) -> Vec<Flag> {
        let CourseRow { known, decision, .. } = course_row;
        let mut flags = Vec::new();
        if !self.question.action.sets_guard() {
            return flags;
        }
        let goes_on = matches!(decision.outcome, Outcome::Survives | Outcome::MarkedOnly);
        let spared_fully = self.question.policy == Policy::Owner && course_row.allowed == Some(false);
        if let Some(turn) = known.turn() {
            if goes_on && matches!(turn.nature, Nature::Preparing | Nature::Overtaken) {
                flags.push(Flag::RelaunchRisk);
            }
            return flags;
        }
        if !goes_on || spared_fully || matches!(known.worker, Worker::OrchestratorRun | Worker::Mirror) {
            return flags;
        }
        flags.push(Flag::DarkExecution);
        if decision.outcome == Outcome::Survives
            && known.worker == Worker::Root
            && matches!(known.row.class.value, Class::Watched | Class::Detached)
        {
            flags.push(Flag::SwallowedNotification);
        }
        flags
    }

    /// What else of the server's doings still hits a row that only the sweep spares
    /// (server-behaviour.md#if-only-the-owner-cancelled and 5.5).
    fn blocked_by(&self, course_row: &CourseRow<'_, '_>) -> Vec<Flag> {
        let CourseRow { known, decision, .. } = course_row;
        let (worker, has_pane) = (known.worker, known.has_pane);
        let spared = self.question.policy == Policy::SweepsOnly
            && decision.outcome == Outcome::Survives
            && course_row.allowed == Some(false);
        if !spared || worker == Worker::Mirror {
            return Vec::new();
        }
        let mut flags = Vec::new();
        let stops = matches!(self.question.action, Action::StopSession { .. });
        let sweeps_panes = matches!(self.question.action, Action::RuntimeCancel { .. });
        if has_pane && sweeps_panes {
            flags.push(Flag::BlockedByPaneSweep);
        }
        // Only a status of `stopped` or `error` lets the reaper come; a schedule's stop sets neither.
        let sets_status = stops
            || *self.question.action != (Action::RuntimeCancel { cause: Cause::ScheduleStop })
                && sweeps_panes;
        if has_pane && sets_status {
            flags.push(Flag::BlockedByReaper);
        }
        if self.question.action.sets_guard() {
            if matches!(worker, Worker::Root | Worker::SubAgent) {
                flags.push(Flag::BlockedByGuard);
            }
            if worker == Worker::Root {
                flags.push(Flag::BlockedByNotification);
            }
        }
        if stops {
            if !known.is_delegation {
                flags.push(Flag::BlockedByWorkshopClose);
            }
            flags.push(Flag::BlockedByHttpSessionClose);
        }
        flags
    }

    /// The rows that are reported as completed although their pane is lost
    /// (server-behaviour.md#panes-after-a-stop and server-behaviour.md#a-lost-step-pane).
    fn falsely_completed(&self) -> BTreeSet<usize> {
        match self.question.action {
            Action::FailChild { terminal, .. } => {
                self.question.known.workers_in(terminal).iter().copied().collect()
            }
            Action::Dismiss => self.rows_in_panes(PaneOutcome::ClosedByReaper),
            _ => BTreeSet::new(),
        }
    }
}
