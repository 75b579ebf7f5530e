//! Lines of executions: background and tracked ones, runs, message sequences and their folders.

use std::sync::Arc;

use super::cursor::Cursor;
use super::event::{EventKind, FinalOutcome};
use super::template::{Message, Template, template};
use super::turn::{lost_pane, says_dead_pane};

/// The templates of this family.
pub(super) const TEMPLATES: &[Template] = &[
    template("[BG AGENT] Recorded UI-only background start for agent ", &[], recorded),
    template("[BG AGENT] OnExecutionStart ignored for stopped session ", &[], start_ignored),
    template("[BG AGENT] OnExecutionComplete ignored for stopped session ", &[], complete_ignored),
    template("[BG AGENT] OnExecutionComplete skipped ", &[], complete_skipped),
    template(
        "[BG AGENT] OnExecutionComplete emitting terminated for context-canceled agent ",
        &[],
        context_canceled,
    ),
    template("[BG AGENT] OnExecutionComplete treating context-canceled agent ", &[], context_canceled),
    template("[BG AGENT] Background execution ", &["ended from context loss"], context_loss),
    template("[BG AGENT] Suppressed child success notification for ", &[], child_suppressed),
    template("[BG AGENT] Settled ", &["orphaned progress child"], children_settled),
    template("[BG AGENT] SetResult skipped for canceled agent ", &[], result_skipped),
    template("[BG AGENT] SetError skipped for canceled agent ", &[], error_skipped),
    template("[BG AGENT] Steered completion for agent ", &[], steered),
    template("[BG AGENT] Live steer delivery failed for session ", &[], steer_failed),
    template("[BG AGENT] Session ", &[" busy, queued completion for agent "], completion),
    template("[BG AGENT] Session ", &[" busy, queued start notification for agent "], start_queued),
    template("[BG AGENT] Session ", &[" dropping completion for agent "], completion),
    template("[BG AGENT] Session ", &[" is stopped/inactive, skipping completion for agent "], completion),
    template("[BG AGENT] Session ", &[" is stopped/inactive, skipping ", " batched completion"], completion),
    template("[BG AGENT] WARNING: session ", &["discarding"], discarded),
    template("[BG AGENT] No stored agent for session ", &[], no_stored_agent),
    template("[FINALIZE_EXEC] exec=", &[], finalized),
    template("Generated unique MCP session ID for group ", &[], group_session),
    template("[FOLDER_GUARD] Copied folder guard from session ", &[], folder_guard),
    template("[SHELL] Set default working dir for session msgseq-", &[], working_directory),
    template("[WORKFLOW_PROGRESS] Step ", &[], step_progressed),
    template("[BG AGENT] completion channel full for session ", &[], channel_full),
    template("[BG AGENT] Synthetic turn for session ", &["did not dispatch "], not_dispatched),
    template("[TOOL_ERROR] ", &[], tool_failed),
    template("[EXEC_TRACKER] Reaping stale running execution ", &[], stale_reaped),
];

fn recorded(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Recorded UI-only background start for agent ")?;
    let id = cursor.until(" in session ")?.into();
    Some(EventKind::ExecutionRecorded { session: cursor.word()?.into(), id })
}

fn session_and_execution(text: &str) -> Option<(Arc<str>, Arc<str>)> {
    let mut cursor = Cursor::new(text);
    cursor.until(" for stopped session ")?;
    let session = cursor.word()?.into();
    cursor.literal(" (exec=")?;
    let rest = cursor.rest();
    Some((session, rest.strip_suffix(')').unwrap_or(rest).into()))
}

fn start_ignored(message: &Message<'_>) -> Option<EventKind> {
    let (session, id) = session_and_execution(message.text)?;
    Some(EventKind::StartIgnored { session, id })
}

/// What a bot's session prints in place of `Recorded UI-only background start`, while it is busy.
fn start_queued(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Session ")?;
    let session = cursor.word()?.into();
    cursor.until(" for agent ")?;
    Some(EventKind::ExecutionRecorded { session, id: cursor.word()?.into() })
}

fn complete_ignored(message: &Message<'_>) -> Option<EventKind> {
    let (session, id) = session_and_execution(message.text)?;
    Some(EventKind::CompleteIgnored { session, id })
}

fn complete_skipped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" agent ")?;
    Some(EventKind::CompleteSkipped { id: cursor.word()?.into() })
}

fn context_canceled(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" agent ")?;
    Some(EventKind::EndedFromContextLoss { id: cursor.word()?.into() })
}

fn context_loss(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Background execution ")?;
    let id = cursor.until(" ended from context loss")?.into();
    Some(EventKind::EndedFromContextLoss { id })
}

fn child_suppressed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Suppressed child success notification for ")?;
    let id = cursor.until("; enclosing execution ")?.into();
    Some(EventKind::ChildSuccessSuppressed { id, parent: cursor.word()?.into() })
}

fn children_settled(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" of finished execution ")?;
    let parent = cursor.until(" in session ")?.into();
    let session = cursor.word_before(b':')?.into();
    cursor.literal(": [")?;
    let ids = cursor.until("]").unwrap_or_default().split_whitespace().map(Into::into).collect();
    Some(EventKind::ProgressChildrenSettled { session, parent, ids })
}

fn result_skipped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" canceled agent ")?;
    Some(EventKind::ResultSkipped { id: cursor.word()?.into() })
}

fn error_skipped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" canceled agent ")?;
    Some(EventKind::ErrorSkipped { id: cursor.word()?.into() })
}

fn steered(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Steered completion for agent ")?;
    let id = cursor.until(" into busy session ")?.into();
    Some(EventKind::CompletionSteered { session: cursor.word()?.into(), id })
}

fn steer_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Live steer delivery failed for session ")?;
    let session = cursor.word()?.into();
    cursor.literal(" agent ")?;
    let id = cursor.word_before(b':')?.trim_end_matches(':').into();
    let error = cursor.rest();
    Some(EventKind::SteerFailed { session, id, lost_pane: lost_pane(error), dead: says_dead_pane(error) })
}

fn channel_full(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] completion channel full for session ")?;
    let session = cursor.word_before(b';')?.into();
    // An older server says that its own retry recovers it.
    if cursor.rest().contains("retry backstop") {
        cursor.until(" for agent ")?;
        return Some(EventKind::CompletionQueued { session, id: cursor.word()?.into() });
    }
    cursor.until(" for agent ")?;
    Some(EventKind::CompletionDropped { session, id: cursor.word()?.into() })
}

fn not_dispatched(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Synthetic turn for session ")?;
    let session = cursor.word()?.into();
    cursor.literal(" did not dispatch ")?;
    // Batched lines give only a number of agents.
    let id = cursor.literal("agent ").and_then(|()| cursor.word()).map(Into::into);
    Some(EventKind::TurnNotDispatched { session, id })
}

/// A tool call whose request to the file service was cut: the command there works on
/// (server-behaviour.md#structured-steps). Everything but the message stands in the fields of the line.
fn tool_failed(message: &Message<'_>) -> Option<EventKind> {
    let field = |key| message.field(key);
    let abandoned =
        ["error", "result"].iter().filter_map(|key| field(key)).any(|text| text.contains(ABANDONED));
    let scope = field("session_id")?;
    abandoned.then(|| EventKind::ShellAbandoned {
        scope: scope.into(),
        duration_seconds: field("duration").and_then(|text| seconds(&text)),
    })
}

/// How the error of an abandoned shell command ends: the request's context was cancelled, not the command.
const ABANDONED: &str = "/api/execute\": context canceled";

/// Whole seconds of a Go duration such as `1m5.324682219s`.
fn seconds(duration: &str) -> Option<i64> {
    let mut total = 0.0;
    let mut rest = duration;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = &rest[end..];
        let unit_end = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        total += number
            * match &rest[..unit_end] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 0.001,
                _ => 0.0,
            };
        rest = &rest[unit_end..];
    }
    #[expect(clippy::cast_possible_truncation, reason = "a duration of a tool call fits by far")]
    Some(total.clamp(0.0, 1e12) as i64)
}

fn completion(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] Session ")?;
    let session: Arc<str> = cursor.word()?.into();
    let rest = cursor.rest();
    if rest.starts_with(" busy, queued completion for agent ") {
        cursor.until(" for agent ")?;
        return Some(EventKind::CompletionQueued { session, id: cursor.word()?.into() });
    }
    let dropped = rest.starts_with(" is unreachable, dropping completion for agent ")
        || rest.starts_with(" is stopped, dropping completion for agent ")
        || rest.starts_with(" is stopped/inactive, dropping completion for agent ")
        || rest.starts_with(" is stopped/inactive, skipping completion for agent ");
    if dropped {
        cursor.until(" for agent ")?;
        return Some(EventKind::CompletionDropped { session, id: cursor.word()?.into() });
    }
    cursor.literal(" is stopped/inactive, skipping ")?;
    let count = cursor.number()?;
    cursor.literal(" batched completion")?;
    Some(EventKind::CompletionsDiscarded { session, count })
}

fn discarded(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[BG AGENT] WARNING: session ")?;
    let session = cursor.word()?.into();
    cursor.until("with ").or_else(|| cursor.until("has "))?;
    Some(EventKind::CompletionsDiscarded { session, count: cursor.number()? })
}

fn no_stored_agent(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for session ")?;
    Some(EventKind::NoStoredAgent { session: cursor.word_before(b',')?.into() })
}

fn finalized(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[FINALIZE_EXEC] exec=")?;
    let id = cursor.until(" step=")?.into();
    cursor.until(" — ")?;
    let outcome = cursor.rest();
    // The frame is fixed; the error text after `err=` varies freely (server-behaviour.md#what-the-log-prints).
    let outcome = if outcome.starts_with("already cancelled by stop_step") {
        FinalOutcome::StoppedByTool
    } else if outcome.starts_with("context cancelled") {
        FinalOutcome::Cancelled
    } else if outcome.starts_with("timeout detected") {
        FinalOutcome::TimedOut
    } else if outcome.starts_with("failed") {
        FinalOutcome::Failed
    } else if outcome.starts_with("done") {
        FinalOutcome::Done
    } else {
        return None;
    };
    Some(EventKind::Finalized { id, outcome })
}

fn group_session(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    // The group's name may hold a colon, so the session id is found by its own prefix.
    cursor.until(": session-group-")?;
    let name = cursor.until(" (run folder: ")?;
    let rest = cursor.rest();
    let folder = rest.rfind(')').map_or(rest, |end| &rest[..end]);
    Some(EventKind::GroupSessionGenerated {
        group_session: format!("session-group-{name}").into(),
        folder: folder.into(),
    })
}

fn folder_guard(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[FOLDER_GUARD] Copied folder guard from session ")?;
    let session = cursor.until(" to ")?.into();
    Some(EventKind::FolderGuardCopied { session, group_session: cursor.until(": read=")?.into() })
}

fn working_directory(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[SHELL] Set default working dir for session ")?;
    let sub_session = cursor.until(": ")?.into();
    Some(EventKind::SubAgentWorkingDirectory { sub_session, path: cursor.rest().into() })
}

fn stale_reaped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[EXEC_TRACKER] Reaping stale running execution ")?;
    Some(EventKind::StaleExecutionReaped { id: cursor.word()?.into() })
}

fn step_progressed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[WORKFLOW_PROGRESS] Step ")?;
    let number = cursor.number()?;
    let (_, status) = cursor.rest().rsplit_once("' ")?;
    matches!(status, "completed" | "failed" | "canceled" | "cancelled")
        .then_some(EventKind::StepProgressed { number })
}
