//! A saved plan, read back: what it says about the stop that a log is searched for.

use serde::Deserialize;

use crate::audit::finding::Cause;
use crate::engine::plan::document::{Document, SCHEMA};
use crate::engine::plan::{Outcome, PaneState, Policy, TriggerKind};

/// Why a plan cannot be held against this log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanCheckError {
    /// The file is no plan.
    #[error("it is no plan of pulsectl")]
    NotAPlan(String),
    /// It is a plan of another format.
    #[error("it is a document of the format `{0}`, not `{SCHEMA}`")]
    OtherFormat(String),
    /// Plans by another policy foretell what no server does.
    #[error("it follows the policy `{0}`, which no server follows")]
    OtherPolicy(Policy),
    /// No log of the server was read, only that of its schedules.
    #[error("no server_debug.log was read")]
    NoServerLog,
    /// The log ends too early.
    #[error("the log ends before the plan's moment")]
    EndsBefore,
    /// The log shows no such stop.
    #[error("the log shows no {kind} of {session} at or after the plan's moment")]
    NoSuchStop {
        /// The trigger's kind.
        kind: TriggerKind,
        /// The session.
        session: String,
    },
}

/// Reads a saved plan.
///
/// # Errors
/// When it is none, or one that cannot be held against a log.
pub fn read(text: &str) -> Result<Document<'static>, PlanCheckError> {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }
    let not_a_plan = |error: serde_json::Error| PlanCheckError::NotAPlan(error.to_string());
    let head: Head = serde_json::from_str(text).map_err(not_a_plan)?;
    if head.schema != SCHEMA {
        return Err(PlanCheckError::OtherFormat(head.schema));
    }
    let plan: Document<'static> = serde_json::from_str(text).map_err(not_a_plan)?;
    if plan.policy != Policy::Server {
        return Err(PlanCheckError::OtherPolicy(plan.policy));
    }
    Ok(plan)
}

/// The session that the trigger names, or that of the plan's rows; `None` for a shutdown.
#[must_use]
pub fn session<'a>(plan: &'a Document<'_>) -> Option<&'a str> {
    if plan.trigger.kind == TriggerKind::Shutdown {
        return None;
    }
    plan.trigger.session.as_deref().or_else(|| plan.rows.first().map(|row| &*row.session))
}

/// The causes under which a log shows the plan's trigger.
pub(super) fn causes(plan: &Document<'_>) -> &'static [Cause] {
    match plan.trigger.kind {
        TriggerKind::Stop => &[Cause::UserStop],
        TriggerKind::CancelTurn => &[Cause::CancelTurn],
        TriggerKind::ScheduleStop => &[Cause::ScheduleStop],
        TriggerKind::TerminalDeath if plan.trigger.pane == Some(PaneState::Wall) => &[Cause::UsageWall],
        TriggerKind::TerminalDeath => &[Cause::TerminalDeath, Cause::ChildTerminalDeath, Cause::Other],
        TriggerKind::KillTerminal => &[Cause::OperatorKill, Cause::ChildTerminalDeath],
        TriggerKind::StopStep | TriggerKind::StopAll => &[Cause::AgentStopTool],
        TriggerKind::Shutdown => &[Cause::Shutdown],
        TriggerKind::Dismiss | TriggerKind::Clear => &[],
    }
}

/// Whether the log has to show such a stop: requests that are not refused always leave lines. A lost pane
/// leaves them only where something is cancelled: a turn that ends with its pane needs none
/// (server-behaviour.md#turns-in-a-live-pane).
pub(super) fn must_show(plan: &Document<'_>) -> bool {
    match plan.trigger.kind {
        TriggerKind::Stop | TriggerKind::CancelTurn | TriggerKind::ScheduleStop => plan.refused.is_none(),
        _ => {
            let takes_stop = |outcome: Outcome| outcome.is_hit() && outcome != Outcome::EndsWithPane;
            !causes(plan).is_empty() && plan.rows.iter().any(|row| takes_stop(row.outcome))
        }
    }
}
