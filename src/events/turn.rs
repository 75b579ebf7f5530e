//! Lines of sessions and turns, of queries and live input.

use std::sync::Arc;

use super::cursor::Cursor;
use super::event::EventKind;
use super::template::{Message, Template, template};

/// The templates of this family.
pub(super) const TEMPLATES: &[Template] = &[
    template("[ACTIVE_SESSION] Updated session ", &["status to: "], status_updated),
    template("[ACTIVE_SESSION] Tracked active session: ", &[], tracked),
    template("[ACTIVE_SESSION] Dismissed session ", &[], dismissed),
    template("[COMPLETION] Updating session ", &["status to completed"], completion_updating),
    template("[COMPLETION] Preserving terminal status ", &[], completion_preserved),
    template("[COMPLETION] Session ", &["has a cancellation guard"], completion_guarded),
    template("[WORKFLOW COMPLETION] Skipping ", &["zombie execution "], orchestrator_ended),
    template("[QUERY] ", &["session="], query_received),
    Template {
        tag: "[STREAMING_LIFECYCLE] T+",
        literals: &["Starting StreamWithEvents"],
        plain: false,
        raw_text: true,
        parse: stream_starting,
    },
    template("[STREAMING_LIFECYCLE] StreamWithEvents completed", &[], stream_completed),
    template("[COMPLETION_TRACE] stage=agentworks_stream_wait_started ", &[], wait_started),
    template("[COMPLETION_TRACE] stage=agentworks_stream_closed ", &[], stream_closed),
    template("[LATENCY_DEBUG] T+", &["StreamWithEvents channel opened"], channel_opened),
    template("[TOOL] session=", &[" START "], tool_started),
    template("[CANCEL_DEBUG] AskWithHistory returned ", &[], ask_returned),
    live("[QUERY->LIVE] Delivered "),
    live("[QUERY→LIVE] Delivered "),
    live("[QUERY→LIVE] Steered "),
    live("[LIVE INPUT] Delivered "),
    template("[QUERY->LIVE] Durable session delivery failed for session ", &[], live_failed),
    template("[QUERY->LIVE] Retained terminal delivery failed for session ", &[], live_failed),
    template("[LIVE INPUT] Retained terminal delivery failed for session ", &[], live_failed),
    template("[BG AGENT] Executing synthetic turn for session ", &[], synthetic_starting),
    template("[BG AGENT] Synthetic turn completed for session ", &[], synthetic_completed),
    template("[BG AGENT] Synthetic turn aborted for session ", &[], synthetic_aborted),
    template("[BG AGENT] Abandoning synthetic turn stream on session ", &[], synthetic_aborted),
    template("[BG AGENT] StreamWithEvents error for synthetic turn on session ", &[], synthetic_aborted),
];

const fn live(tag: &'static str) -> Template {
    Template { tag, literals: &[], plain: false, raw_text: true, parse: live_delivered }
}

fn status_updated(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[ACTIVE_SESSION] Updated session ")?;
    let session = cursor.word()?.into();
    cursor.literal(" status to: ")?;
    Some(EventKind::StatusUpdated { session, status: cursor.word()?.into() })
}

fn tracked(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[ACTIVE_SESSION] Tracked active session: ")?;
    let session = cursor.word()?.into();
    // A line without the mode still tells that the session is active.
    let mode = cursor.literal(" (mode: ").and_then(|()| cursor.word_before(b',')).unwrap_or_default().into();
    Some(EventKind::SessionTracked { session, mode })
}

fn dismissed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[ACTIVE_SESSION] Dismissed session ")?;
    Some(EventKind::SessionDismissed { session: cursor.word()?.into() })
}

fn completion_updating(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[COMPLETION] Updating session ")?;
    Some(EventKind::CompletionUpdating { session: cursor.word()?.into() })
}

fn orchestrator_ended(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" zombie execution ")?;
    let query = cursor.word()?.into();
    cursor.literal(" (session ")?;
    Some(EventKind::OrchestratorTurnEnded { session: cursor.word()?.into(), query })
}

fn completion_preserved(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[COMPLETION] Preserving terminal status ")?;
    let status = cursor.quoted()?.into();
    cursor.literal(" for session ")?;
    Some(EventKind::CompletionPreserved { session: cursor.word()?.into(), status })
}

fn completion_guarded(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[COMPLETION] Session ")?;
    let session = cursor.word()?.into();
    cursor.literal(" has a cancellation guard")?;
    Some(EventKind::CompletionGuarded { session })
}

/// `session=` comes first since 2026-04-12; before, `chat_mode=`, `delegation_mode=` and `plan_phase=` did.
fn query_received(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[QUERY] ")?;
    if cursor.literal("session=").is_none() {
        let before = cursor.until(" session=")?;
        if before.contains(" query=") {
            return None;
        }
    }
    Some(EventKind::QueryReceived { session: cursor.word()?.into() })
}

fn stream_starting(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[STREAMING_LIFECYCLE] T+")?;
    let after_milliseconds = i64::try_from(cursor.number()?).ok()?;
    cursor.literal("ms | Starting StreamWithEvents | session=")?;
    Some(EventKind::StreamStarting { session: cursor.word()?.into(), after_milliseconds })
}

fn stream_completed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[STREAMING_LIFECYCLE] StreamWithEvents completed | session=")?;
    let session = cursor.word()?.into();
    cursor.literal(" chunks=")?;
    let chunks = cursor.number()?;
    cursor.literal(" duration=")?;
    let duration_milliseconds = i64::try_from(cursor.number()?).ok()?;
    Some(EventKind::StreamCompleted { session, chunks, duration_milliseconds })
}

fn traced(message: &Message<'_>, tag: &str) -> Option<(Arc<str>, Arc<str>)> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal(tag)?;
    cursor.literal("session=")?;
    let session = cursor.quoted()?.into();
    cursor.literal(" query=")?;
    Some((session, cursor.quoted()?.into()))
}

fn wait_started(message: &Message<'_>) -> Option<EventKind> {
    let (session, query) = traced(message, "[COMPLETION_TRACE] stage=agentworks_stream_wait_started ")?;
    Some(EventKind::StreamWaitStarted { session, query })
}

fn stream_closed(message: &Message<'_>) -> Option<EventKind> {
    let (session, query) = traced(message, "[COMPLETION_TRACE] stage=agentworks_stream_closed ")?;
    Some(EventKind::StreamClosed { session, query })
}

fn channel_opened(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[LATENCY_DEBUG] T+")?;
    cursor.number()?;
    cursor.literal("ms | StreamWithEvents channel opened | queryID=")?;
    Some(EventKind::ChannelOpened { query: cursor.word()?.into() })
}

fn tool_started(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TOOL] session=")?;
    let session = cursor.word()?.into();
    cursor.literal(" START id=")?;
    cursor.until(" name=")?;
    Some(EventKind::ToolStarted { session, tool: cursor.word()?.into() })
}

fn ask_returned(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[CANCEL_DEBUG] AskWithHistory returned | err=")?;
    let error = cursor.until(" updated_msgs=").unwrap_or_else(|| cursor.rest());
    Some(EventKind::AskReturned {
        canceled: error.contains("context canceled") || error.contains("conversation cancelled"),
        succeeded: error == "<nil>",
    })
}

/// The session comes as `session=S` or, in older spellings, as `for session S`; before what the person wrote.
fn live_delivered(message: &Message<'_>) -> Option<EventKind> {
    let head = message.text.split_once(": ").map_or(message.text, |(head, _)| head);
    let mut cursor = Cursor::new(head);
    let after = cursor.until(" session=").or_else(|| cursor.until(" for session ")).or_else(|| {
        // `… to provider %s session %s status=%s: …`
        cursor.until(" session ")
    });
    after?;
    Some(EventKind::LiveInputDelivered { session: cursor.word()?.into() })
}

fn live_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for session ")?;
    let session = cursor.word_before(b':')?.into();
    let error = cursor.rest();
    Some(EventKind::LiveInputFailed { session, lost_pane: lost_pane(error), dead: says_dead_pane(error) })
}

/// What tmux and the adapters say of a pane that is gone, without its name (server-behaviour.md#what-ends-a-row).
const DEAD_PANE_WORDS: [&str; 8] = [
    "can't find pane",
    "can't find session",
    "no server running",
    "failed to connect to server",
    "target pane not found",
    "no current target",
    "no such session",
    "tmux session lost",
];

/// Whether an error text says that a pane is gone.
pub(super) fn says_dead_pane(error: &str) -> bool {
    DEAD_PANE_WORDS.iter().any(|words| error.contains(words))
}

/// The pane that an error text calls gone: `can't find pane: <tmux>`.
pub(super) fn lost_pane(error: &str) -> Option<Arc<str>> {
    let mut cursor = Cursor::new(error);
    cursor.until("can't find pane: ")?;
    let name = cursor.word()?;
    Some(name.trim_end_matches([',', ';', ')', '"', ':']).into())
}

fn synthetic_starting(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for session ")?;
    Some(EventKind::SyntheticTurnStarting { session: cursor.word()?.into() })
}

fn synthetic_completed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" for session ")?;
    Some(EventKind::SyntheticTurnEnded { session: cursor.word_before(b',')?.into(), completed: true })
}

fn synthetic_aborted(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" session ")?;
    Some(EventKind::SyntheticTurnEnded { session: cursor.word_before(b':')?.into(), completed: false })
}
