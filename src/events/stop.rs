//! Lines of a stop or a cancel, and the brackets in `schedule.log`.

use std::sync::Arc;

use super::cursor::Cursor;
use super::event::EventKind;
use super::template::{Message, Template, template};

/// The templates of this family. More literal rows come before less literal ones.
pub(super) const TEMPLATES: &[Template] = &[
    template("[STOP] ===== stop ", &[], bracket),
    template("[STOP] session=", &[], sweep),
    template("[STOP] message_sequence step ", &["refusing to start item"], item_refused),
    template("[STOP] refusing to start step ", &[], step_refused),
    template("[SESSION DEBUG] Cancel", &["agent execution context for session "], canceled),
    template("[SESSION DEBUG] Cancel", &["current LLM turn for session "], canceled),
    template("[SESSION DEBUG] Cancel", &["all background agents for session "], canceled),
    template("[SESSION DEBUG] No active LLM turn to cancel", &[], no_turn),
    template("[SESSION DEBUG] Cleared synthetic-turn state", &[], registry_cleared),
    template("[SESSION DEBUG] Closed workshop session ", &[], workshop_closed),
    template("[SESSION DEBUG] Closed any tmux-backed", &[], main_pane_closed),
    template("[SESSION DEBUG] Tore down workflow sub-agent terminal", &[], step_pane_closed),
    template("[SESSION DEBUG] kill-session ", &["may already be gone"], already_gone),
    template("[SESSION CANCEL] failed to close tmux ", &[], close_failed),
    template("[TMUX_REAPER] kill-session ", &["failed"], reaper_kill_failed),
    template("[CODING_WATCHDOG] dead pane cleanup failed", &[], cleanup_failed),
    template("[TERMINAL_LEASE] startup orphan kill failed", &[], orphan_kill_failed),
    template("Workshop: step ", &["cancelled"], step_stopped_by_tool),
    template("Workshop: cancelled all ", &[], all_stopped_by_tool),
];

fn bracket(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[STOP] ===== stop ")?;
    if cursor.literal("requested: schedule=").is_some() {
        let schedule = cursor.until(" run=")?.into();
        let run = cursor.until(" session=")?.into();
        return Some(EventKind::StopRequested { schedule, run, session: cursor.word()?.into() });
    }
    cursor.literal("teardown complete: schedule=")?;
    let schedule = cursor.until(" session=")?.into();
    Some(EventKind::StopTeardownComplete { schedule, session: cursor.word()?.into() })
}

fn sweep(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[STOP] session=")?;
    let session: Arc<str> = cursor.word()?.into();
    let after_session = cursor;
    if cursor.literal(" begin runtime cancel (reason=").is_some() {
        let reason = cursor.quoted()?.into();
        cursor.literal(" phase=")?;
        return Some(EventKind::BeginRuntimeCancel {
            session,
            reason,
            phase: cursor.word_before(b')')?.into(),
        });
    }
    if cursor.literal(" active turn context canceled=").is_some() {
        return Some(EventKind::TurnContextCanceled { session, canceled: cursor.word()? == "true" });
    }
    if cursor.literal(" orchestrator contexts: queries=").is_some() {
        let queries = cursor.number()?;
        cursor.literal(" canceled=")?;
        return Some(EventKind::OrchestratorContexts { session, queries, canceled: cursor.number()? });
    }
    if cursor.literal(" background agents: canceled=").is_some() {
        let canceled = cursor.number()?;
        cursor.literal(" no_cancel_func=")?;
        let no_cancel_func = cursor.number()?;
        cursor.literal(" already_done=")?;
        let already_done = cursor.number()?;
        return Some(EventKind::BackgroundAgents { session, canceled, no_cancel_func, already_done });
    }
    if cursor.literal(" WARNING ").is_some() {
        return Some(EventKind::NoCancelFunctionWarning { session, count: cursor.number()? });
    }
    if cursor.literal(" tracked execution marked canceled: id=").is_some() {
        let id = cursor.until(" kind=")?.into();
        let kind = cursor.until(" name=")?.into();
        // The name may be cut by the length bound of a line; the id is what counts.
        let name = cursor.quoted().unwrap_or_default().into();
        return Some(EventKind::TrackedMarked { session, id, kind, name });
    }
    if cursor.literal(" tracked executions marked canceled=").is_some() {
        return Some(EventKind::TrackedTotal { session, count: cursor.number()? });
    }
    after_session.rest().starts_with(' ').then_some(EventKind::UnknownStop { session })
}

fn item_refused(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[STOP] message_sequence step ")?;
    let step = cursor.quoted()?.into();
    cursor.literal(": refusing to start item ")?;
    Some(EventKind::ItemRefused { step, item: cursor.quoted()?.into() })
}

fn step_refused(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until("(")?;
    Some(EventKind::StepRefused { title: cursor.quoted()?.into() })
}

/// `Canceled …`, before 2026-01-18 `Cancelled …`.
fn canceled(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SESSION DEBUG] Cancel")?;
    cursor.until("ed ")?;
    let what = cursor.until(" for session ")?;
    let session = cursor.word()?.into();
    match what {
        "agent execution context" => Some(EventKind::TurnCanceledByStop { session }),
        "current LLM turn" => Some(EventKind::TurnCanceledByPerson { session }),
        "all background agents" => Some(EventKind::AgentsCanceledByStop { session }),
        _ => None,
    }
}

fn no_turn(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for session ")?;
    Some(EventKind::NoTurnToCancel { session: cursor.word()?.into() })
}

fn registry_cleared(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for stopped session ")?;
    Some(EventKind::RegistryCleared { session: cursor.word()?.into() })
}

fn workshop_closed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SESSION DEBUG] Closed workshop session ")?;
    let key = cursor.quoted()?;
    let session = match cursor.until(" for session ") {
        Some(_) => cursor.word()?.into(),
        None => key.strip_prefix("eval-").unwrap_or(&key).into(),
    };
    Some(EventKind::WorkshopClosed { session })
}

fn main_pane_closed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for stopped session ")?;
    Some(EventKind::MainPaneClosedByStop { session: cursor.word()?.into() })
}

fn step_pane_closed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" owner=")?;
    let owner = cursor.until(" tmux=")?.into();
    let tmux = cursor.word()?.into();
    cursor.until(" for stopped session ")?;
    Some(EventKind::StepPaneClosedByStop { session: cursor.word()?.into(), owner, tmux })
}

fn already_gone(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SESSION DEBUG] kill-session ")?;
    Some(EventKind::PaneAlreadyGone { tmux: cursor.quoted()?.into() })
}

fn close_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SESSION CANCEL] failed to close tmux ")?;
    let tmux = cursor.quoted()?.into();
    let owner = cursor.literal(" (owner ").and_then(|()| cursor.word_before(b')')).unwrap_or_default().into();
    Some(EventKind::PaneKillFailed { tmux, owner, by_reaper: false })
}

fn reaper_kill_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TMUX_REAPER] kill-session ")?;
    let tmux = cursor.quoted()?.into();
    cursor.literal(" failed")?;
    Some(EventKind::PaneKillFailed { tmux, owner: "".into(), by_reaper: true })
}

fn cleanup_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" tmux=")?;
    Some(EventKind::PaneKillFailed {
        tmux: cursor.word_before(b':')?.into(),
        owner: "".into(),
        by_reaper: false,
    })
}

fn orphan_kill_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" tmux=")?;
    Some(EventKind::PaneKillFailed { tmux: cursor.quoted()?.into(), owner: "".into(), by_reaper: false })
}

fn step_stopped_by_tool(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("Workshop: step ")?;
    cursor.quoted()?;
    cursor.literal(" (execution_id=")?;
    let id = cursor.quoted()?.into();
    cursor.literal(") cancelled")?;
    Some(EventKind::StepStoppedByTool { id })
}

fn all_stopped_by_tool(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("Workshop: cancelled all ")?;
    Some(EventKind::AllStoppedByTool { count: cursor.number()? })
}
