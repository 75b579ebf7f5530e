//! Who may be cancelled by whom: what the server does, and what PLAT-171 asks for
//! (server-behaviour.md#if-only-the-owner-cancelled).

use super::action::{Action, Cause};
use super::known::KnownRow;
use crate::engine::resolve::{Class, Row};
use crate::model::id::IdKind;
use crate::model::words::words;

words! {
    /// A policy of cancelling.
    #[derive(Default)]
    pub enum Policy {
        /// What this version of the server does.
        #[default]
        Server = "server",
        /// What PLAT-171 asks for: only what a session owns ends with it.
        Owner = "owner",
        /// The same in the sweeps alone, all else as the server does.
        SweepsOnly = "sweeps_only",
    }
}

impl Policy {
    /// Whether an action may cancel this row; `None` where its class is not known and would decide.
    ///
    /// The knobs of server-behaviour.md#if-only-the-owner-cancelled, stand at their defaults: a closed tab
    /// keeps runs, a schedule's session owns its run, and detached work counts as watched.
    pub(super) fn allows(self, action: &Action<'_>, known: &KnownRow<'_, '_>) -> Option<bool> {
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
            Action::RuntimeCancel { .. } | Action::StopSession { agents: false } => owns(known.row),
            Action::StopAll => Some(owns(known.row) == Some(true) || !is_of_other_workshop(known)),
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

/// Evaluations run in a workshop of their own, delegations in none (server-behaviour.md#registries and
/// server-behaviour.md#versions).
fn is_of_other_workshop(known: &KnownRow<'_, '_>) -> bool {
    let execution = known.row.execution;
    execution.kind == IdKind::Evaluation || execution.id.starts_with("eval-full-") || known.is_delegation
}
