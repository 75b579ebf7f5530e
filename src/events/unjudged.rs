//! Lines that only a rule judges that does not exist yet: they are counted and named, so that no answer is called
//! clean because of a rule that is missing. A rule that is built takes its words out of here.
//!
//! Left out are those triggers that every good log has too (a scheduled turn that completed, progress children that
//! were settled, a guard that held, a stream's start): alone they tell nothing.

use super::cursor::Cursor;
use super::event::EventKind;
use super::template::{Message, Template, template};
use crate::model::unjudged::Unjudged;

/// The templates of lines that nothing else reads.
pub(super) const TEMPLATES: &[Template] = &[
    template("[CHAT_HISTORY] Failed to prelaunch restored coding-agent transport session", &[], |_| {
        told(Unjudged::RestoredChatFailed)
    }),
    template("[WORKFLOW_BUSY] Rejected ", &["running session "], |_| told(Unjudged::WorkflowBusy)),
    template("[LIVE INPUT] Refusing queued next turn", &["busy with session "], |_| {
        told(Unjudged::WorkflowBusy)
    }),
    template("[SCHEDULER] ", &[" failed in "], schedule_failed),
    template("[SCHEDULER] ", &[" is already running (session: "], schedule_skipped),
    template("[SCHEDULER] ", &[" already has ", "(session: "], schedule_skipped),
    template("[SCHEDULER] Marked ", &[" durable schedule run(s) interrupted"], |_| {
        told(Unjudged::MarkedInterrupted)
    }),
    template("[PULSE] workflow did not start in this invocation", &[], |_| told(Unjudged::PulseSawNoStart)),
    template("[PULSE] Pulse stopped after ", &["while its agent turn was still live"], |_| {
        told(Unjudged::PulseTurnLive)
    }),
];

impl EventKind {
    /// What it tells that no rule judges yet.
    #[must_use]
    pub fn unjudged(&self) -> Option<Unjudged> {
        match self {
            Self::Unjudged { what, .. } => *what,
            Self::PaneReaped { reason, .. } if &**reason == "owner session error" => {
                Some(Unjudged::ReapedAfterError)
            }
            Self::StaleExecutionReaped { .. } => Some(Unjudged::StaleRunReaped),
            Self::PaneClosedByConflict { status, .. } if &**status == "running" => {
                Some(Unjudged::ClosedByConflict)
            }
            Self::CompleteSkipped { id } if id.starts_with("msgseq-") => Some(Unjudged::RowLeftRunning),
            _ => None,
        }
    }
}

/// The session is that of the context.
fn told(what: Unjudged) -> Option<EventKind> {
    Some(EventKind::Unjudged { what: Some(what), session: None })
}

/// The line only looks like one that a rule would judge.
fn nothing() -> Option<EventKind> {
    Some(EventKind::Unjudged { what: None, session: None })
}

fn schedule_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    let error = cursor.until(" failed in ").and_then(|_| {
        cursor.number()?;
        cursor.literal("ms: ")?;
        Some(cursor.rest())
    });
    match error {
        // A stop makes the schedule's turn fail: that is the stop's own affair.
        Some(error) if error.ends_with("context canceled") => nothing(),
        Some(error) if error.contains("workshop idle wait timed out") => told(Unjudged::IdleWait),
        Some(_) => told(Unjudged::ScheduleFailed),
        None => nothing(),
    }
}

fn schedule_skipped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until("(session: ")?;
    let session = cursor.word_before(b')')?.into();
    Some(EventKind::Unjudged { what: Some(Unjudged::ScheduleSkipped), session: Some(session) })
}
