//! Who may be cancelled by whom: what the server does, and what PLAT-171 asks for (stop-model, section 5.5).

use super::preflight::{Action, Cause};
use crate::engine::resolve::{Class, Row};
use crate::model::id::IdKind;

/// A policy of cancelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Policy {
    /// What this server version does: everything that carries the session's id.
    #[default]
    Server,
    /// The rule that PLAT-171 asks for (design a): what the session only watches is left alone, in every respect.
    Owner,
    /// The same, but only in the two sweeps: what else the server does to the session still hits the spared rows.
    SweepsOnly,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Server, Self::Owner, Self::SweepsOnly];

    /// The name on the command line and in the machine formats.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Owner => "owner",
            Self::SweepsOnly => "sweeps_only",
        }
    }

    /// Whether an action may cancel this row; `None` where its class is not known and would decide.
    ///
    /// The knobs of stop-model, section 5.1, stand at their defaults: a closed tab keeps runs, a schedule's
    /// session owns its run, and detached work counts as watched.
    pub(super) fn allows(self, action: &Action<'_>, row: &Row<'_>) -> Option<bool> {
        if self == Self::Server {
            return Some(true);
        }
        match action {
            Action::RuntimeCancel { cause: Cause::ScheduleStop }
            | Action::StopSession { agents: true }
            | Action::CancelTurn
            | Action::FirstTurnDeath
            | Action::FailChild { .. }
            | Action::StopStep { .. }
            | Action::Shutdown
            | Action::Dismiss
            | Action::Clear
            | Action::Nothing => Some(true),
            Action::RuntimeCancel { .. } | Action::StopSession { agents: false } => owns(row),
            Action::StopAll => Some(owns(row) == Some(true) || !is_of_other_workshop(row)),
        }
    }
}

fn owns(row: &Row<'_>) -> Option<bool> {
    match row.class.value {
        Class::Owned => Some(true),
        Class::Watched | Class::Detached => Some(false),
        Class::Unknown => None,
    }
}

/// Evaluations run in a workshop of their own, delegations in none (stop-model, sections 1.1 and 4.2).
pub(super) fn is_of_other_workshop(row: &Row<'_>) -> bool {
    let id = row.execution.id.as_str();
    row.execution.kind == IdKind::Evaluation || id.starts_with("eval-full-") || is_delegation(row)
}

/// A delegation runs outside every workshop, so that closing one does not reach it (stop-model, section 4.2).
pub(super) fn is_delegation(row: &Row<'_>) -> bool {
    row.execution.id.starts_with("delegation-")
        || [row.execution.declared_kind(), row.execution.tracked_kind()].contains(&Some("delegation"))
}
