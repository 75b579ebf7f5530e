//! What happens to each pane (server-behaviour.md#panes-after-a-stop and
//! server-behaviour.md#what-a-stop-does-to-a-row).

use std::collections::BTreeSet;

use super::action::{Action, Cause};
use super::course::Course;
use super::policy::Policy;
use super::row::{Otherwise, PaneOutcome, PlannedPane};
use super::verdict::Verdict;
use super::workers::may_have_pane;
use crate::engine::resolve::{Class, Pane};
use crate::model::terminal::{Terminal, TerminalState};

/// Whether work goes on in a pane; `None` where the record says neither.
fn is_busy(terminal: &Terminal) -> Option<bool> {
    if terminal.active == Some(false) {
        return Some(false);
    }
    match &terminal.state {
        Some(TerminalState::Running | TerminalState::Closing) => Some(true),
        Some(TerminalState::Completed | TerminalState::Failed | TerminalState::Stale) => Some(false),
        Some(TerminalState::Other(_)) | None => terminal.active,
    }
}

impl<'a> Course<'a, '_> {
    /// What happens to this pane, and why.
    fn pane(&self, pane: &Pane<'a>, lost: Option<&Terminal>) -> (PaneOutcome, &'static str) {
        let terminal = pane.terminal;
        if lost.is_some_and(|lost| lost.id == terminal.id) {
            return (PaneOutcome::ClosedNow, "assumed dead");
        }
        if terminal.has_pane().is_none() {
            return (PaneOutcome::Unknown, "whether there is a tmux pane behind it is not known");
        }
        if let Some(spared) = self.spares(pane) {
            return spared;
        }
        match self.question.action {
            Action::RuntimeCancel { .. } => {
                (PaneOutcome::ClosedNow, "every pane of the session is closed within 1 to 6 s")
            }
            Action::StopSession { .. } if terminal.is_main() => {
                (PaneOutcome::ClosedNow, "the stop ends its tool: about 1 s where idle, up to 6 s where busy")
            }
            Action::StopSession { .. } => self.after_grace(terminal),
            Action::Shutdown => (PaneOutcome::ClosedNow, "the server closes its panes as it ends"),
            Action::Clear => (PaneOutcome::ClosedNow, "clearing closes every pane of the session"),
            Action::Dismiss => {
                (PaneOutcome::ClosedByReaper, "the reaper closes the panes of hidden sessions within 2 min")
            }
            Action::StopStep { .. } | Action::StopAll | Action::FailChild { .. } => {
                let workers = self.question.known.workers_in(terminal);
                if !workers.is_empty() && workers.iter().all(|at| self.ends(*at)) {
                    return self.after_grace(terminal);
                }
                (PaneOutcome::Stays, "the trigger does not touch it")
            }
            Action::CancelTurn | Action::FirstTurnDeath | Action::Nothing => {
                (PaneOutcome::Stays, "the trigger does not touch it")
            }
        }
    }

    /// What becomes of a pane whose work the policy spares; `None` where it spares none.
    fn spares(&self, pane: &Pane<'a>) -> Option<(PaneOutcome, &'static str)> {
        let by_class =
            matches!(
                self.question.action,
                Action::RuntimeCancel { .. } | Action::StopSession { agents: false }
            ) && !matches!(self.question.action, Action::RuntimeCancel { cause: Cause::ScheduleStop });
        if self.question.policy != Policy::Owner || !by_class {
            return None;
        }
        match pane.class.value {
            Class::Owned => None,
            Class::Watched | Class::Detached => {
                Some((PaneOutcome::Stays, "its work is not the session's own, and the policy spares it"))
            }
            Class::Unknown => {
                Some((PaneOutcome::Unknown, "whether its work is the session's own cannot be told"))
            }
        }
    }

    /// How a step's pane ends whose context has ended (server-behaviour.md#panes-after-a-stop).
    fn after_grace(&self, terminal: &Terminal) -> (PaneOutcome, &'static str) {
        // An earlier stop marked the record inactive at once, while the tool worked on.
        if self.question.facts().frozen.is_yes() {
            let words =
                "the session was stopped before: its tool may still work, for up to 30 s after that stop";
            return (PaneOutcome::ClosedAfterGrace, words);
        }
        match is_busy(terminal) {
            Some(false) => (PaneOutcome::ClosedNow, "its tool is idle and ends at once"),
            Some(true) => {
                (PaneOutcome::ClosedAfterGrace, "its tool works on for up to 30 s and is ended then")
            }
            None => (PaneOutcome::ClosedAfterGrace, "if its tool is busy it works on for up to 30 s"),
        }
    }

    /// Every pane of the session.
    pub(super) fn planned_panes(
        &self,
        verdict: &Verdict<'a>,
        other: Option<(&Self, &'static str)>,
    ) -> Vec<PlannedPane> {
        self.question
            .facts()
            .panes
            .iter()
            .filter(|pane| may_have_pane(pane))
            .map(|pane| {
                let (outcome, reason) = self.pane(pane, verdict.lost);
                let mut otherwise = other.and_then(|(course, condition)| {
                    let (other, _) = course.pane(pane, verdict.lost);
                    (other != outcome).then(|| Otherwise { outcome: other, condition: condition.into() })
                });
                if outcome == PaneOutcome::ClosedByReaper {
                    otherwise = Some(Otherwise {
                        outcome: PaneOutcome::Stays,
                        condition: "a notification revives the session before the reaper comes".into(),
                    });
                }
                let is_collateral = self.question.action.is_incidental()
                    && outcome != PaneOutcome::Stays
                    && verdict.lost.is_none_or(|lost| lost.id != pane.terminal.id)
                    && matches!(pane.class.value, Class::Watched | Class::Detached);
                PlannedPane {
                    terminal: pane.terminal.id.clone(),
                    session: self.question.facts().id.to_owned(),
                    owner: pane.terminal.owner.clone(),
                    tmux: pane.terminal.tmux.clone().filter(|name| !name.is_empty()),
                    class: pane.class.value,
                    outcome,
                    is_collateral,
                    reason,
                    otherwise,
                }
            })
            .collect()
    }

    /// The running rows whose tool works on in a pane after the trigger has ended their context.
    pub(super) fn working_on(&self) -> BTreeSet<usize> {
        let mut found = self.rows_in_panes(PaneOutcome::ClosedAfterGrace);
        found.retain(|at| self.ends(*at));
        found
    }

    /// The rows that work in panes with this outcome, the main pane aside.
    pub(super) fn rows_in_panes(&self, outcome: PaneOutcome) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let is_lost = |terminal: &Terminal| matches!(self.question.action, Action::FailChild { terminal: lost, .. } if lost.id == terminal.id);
        let others = self
            .question
            .facts()
            .panes
            .iter()
            .filter(|pane| !pane.terminal.is_main() && !is_lost(pane.terminal));
        for pane in others {
            let working = self.question.known.workers_in(pane.terminal);
            if !working.is_empty() && self.pane(pane, None).0 == outcome {
                found.extend(working);
            }
        }
        found
    }
}
