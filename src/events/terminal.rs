//! Lines of terminals, panes and relaunches.

use std::sync::Arc;

use super::cursor::Cursor;
use super::event::EventKind;
use super::template::{Message, Template, template};

/// The templates of this family.
pub(super) const TEMPLATES: &[Template] = &[
    template("[TERMINAL RECONCILE] failing main session=", &[], main_failing),
    template("[TERMINAL RECONCILE] skipped ", &[" session="], main_skipped),
    template("[TERMINAL RECONCILE] failed child session=", &[], child_failed),
    template("[TERMINAL RECONCILE] no current child owner matched session=", &[], child_unmatched),
    template("[CODING_WATCHDOG] main session ", &["parked"], main_parked),
    template("[CODING_WATCHDOG] session ", &["parked", "force-stopping"], main_parked_before_july),
    template("[CODING_WATCHDOG] child terminal ", &["parked"], child_parked),
    template("[TMUX_REAPER] Closed stale coding-agent tmux session ", &[], reaped),
    template("[TERMINAL_LEASE] failed to tag tmux=", &[], tag_failed),
    template("[RETAINED_TURN] ", &["capture failed", " session=", " tmux="], retained_lost),
    template("[RETAINED_TURN] ", &["exited", " session=", " tmux="], retained_lost),
    template("[RETAINED_TURN] ", &["lost", " session=", " tmux="], retained_lost),
    template("Executing ", &[" tmux session: mlp-"], executing),
    template("Executing ", &[" tmux session: "], executing),
    template("LLM generation failed", &["tmux session lost"], pane_lost),
    template("Closing ", &[" session ", " for owner "], closed_by_adapter),
    template("Discarding ", &[" session ", " for owner "], closed_by_adapter),
    template("[TERMINAL_LEASE] recovered orphan tmux=", &[], orphan_recovered),
    template("[PI_CLI_CONFLICT] Closed conflicting Pi CLI tmux session ", &[], closed_by_conflict),
    template("[CHAT_HISTORY] Active-tab auto-resume: session ", &["tmux is gone"], auto_resume),
    template("[CHAT_HISTORY] Active-tab auto-resume: session ", &["refusing to relaunch"], relaunch_refused),
    template("[CHAT_HISTORY] Materialize guard: session ", &["tmux is gone"], materialize),
    template("[CHAT_HISTORY] Registered relaunched restored ", &[], relaunch_registered),
    template("[CHAT_HISTORY] Could not register relaunched restored tmux ", &[], relaunch_not_registered),
    template("[CHAT_HISTORY] Failed to capture runtime tmux snapshot ", &[], capture_failed),
    template("[WORKFLOW_PHASE] Session ", &["was stopped", "aborting workshop creation"], workshop_refused),
];

fn main_failing(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TERMINAL RECONCILE] failing main session=")?;
    let session = cursor.until(" terminal=")?.into();
    let terminal = cursor.until(" reason=")?.into();
    Some(EventKind::MainTerminalFailing { session, terminal, reason: cursor.quoted()?.into() })
}

fn main_skipped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" session=")?;
    Some(EventKind::MainTerminalSkipped { session: cursor.word_before(b':')?.into() })
}

fn child_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TERMINAL RECONCILE] failed child session=")?;
    let session = cursor.until(" terminal=")?.into();
    let terminal = cursor.until(" execution_candidates=")?.into();
    cursor.until(" reason=")?;
    Some(EventKind::ChildTerminalFailed { session, terminal, reason: cursor.quoted()?.into() })
}

fn child_unmatched(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TERMINAL RECONCILE] no current child owner matched session=")?;
    let session = cursor.until(" terminal=")?.into();
    Some(EventKind::ChildOwnerNotMatched {
        session,
        terminal: cursor.until(" execution_candidates=")?.into(),
    })
}

fn main_parked(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[CODING_WATCHDOG] main session ")?;
    let session = cursor.until(" tmux ")?.into();
    Some(EventKind::MainPaneParked { session, tmux: cursor.word()?.into() })
}

/// Before 2026-07-14: `[CODING_WATCHDOG] session %s tmux %s parked on a … wall - force-stopping`.
fn main_parked_before_july(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[CODING_WATCHDOG] session ")?;
    let session = cursor.until(" tmux ")?.into();
    Some(EventKind::MainPaneParked { session, tmux: cursor.word()?.into() })
}

fn child_parked(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[CODING_WATCHDOG] child terminal ")?;
    let terminal = cursor.until(" session ")?.into();
    Some(EventKind::ChildPaneParked { session: cursor.word()?.into(), terminal })
}

fn reaped(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[TMUX_REAPER] Closed stale coding-agent tmux session ")?;
    let tmux = cursor.quoted()?.into();
    cursor.literal(" terminal=")?;
    let terminal = cursor.quoted()?.into();
    cursor.literal(" owner=")?;
    cursor.quoted()?;
    cursor.literal(" session=")?;
    let session = cursor.quoted()?.into();
    cursor.literal(" reason=")?;
    Some(EventKind::PaneReaped { tmux, terminal, session, reason: cursor.rest().into() })
}

fn tag_failed(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" tmux=")?;
    Some(EventKind::PaneTagFailed { tmux: cursor.quoted()?.into() })
}

/// `[RETAINED_TURN] <reason> session=%s terminal=%s tmux=%s`: a retained turn lost its pane.
fn retained_lost(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" session=")?;
    Some(EventKind::RetainedTurnLost { session: cursor.word()?.into() })
}

fn executing(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" tmux session: ")?;
    Some(EventKind::PaneExecuting { tmux: cursor.word()?.into(), step: message.group_field })
}

fn pane_lost(message: &Message<'_>) -> Option<EventKind> {
    let (before, _) = message.text.split_once("\" tmux session lost")?;
    let (_, tmux) = before.rsplit_once('"')?;
    Some(EventKind::PaneLost { tmux: tmux.into() })
}

fn closed_by_adapter(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" session ")?;
    let tmux = cursor.word()?.into();
    cursor.literal(" for owner ")?;
    let (owner, reason) = cursor.rest().split_once(": ")?;
    Some(EventKind::PaneClosedByAdapter { tmux, owner: owner.into(), reason: reason.into() })
}

/// `[TERMINAL_LEASE] recovered orphan tmux=%q …`: a start-up sweep closed a pane that it took for nobody's.
fn orphan_recovered(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.until(" tmux=")?;
    let tmux = cursor.quoted()?.into();
    Some(EventKind::PaneClosedByAdapter { tmux, owner: "".into(), reason: "recovered as an orphan".into() })
}

fn closed_by_conflict(message: &Message<'_>) -> Option<EventKind> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal("[PI_CLI_CONFLICT] Closed conflicting Pi CLI tmux session ")?;
    let tmux = cursor.quoted()?.into();
    cursor.until(" old_session=")?;
    let session = cursor.quoted()?.into();
    let status = cursor.until(" status=").and_then(|_| cursor.quoted()).unwrap_or_default().into();
    Some(EventKind::PaneClosedByConflict { tmux, session, status })
}

fn session_after<'a>(message: &Message<'a>, before: &str) -> Option<&'a str> {
    let mut cursor = Cursor::new(message.text);
    cursor.literal(before)?;
    cursor.word()
}

fn auto_resume(message: &Message<'_>) -> Option<EventKind> {
    let session = session_after(message, "[CHAT_HISTORY] Active-tab auto-resume: session ")?.into();
    Some(EventKind::AutoResume { session })
}

fn relaunch_refused(message: &Message<'_>) -> Option<EventKind> {
    let session = session_after(message, "[CHAT_HISTORY] Active-tab auto-resume: session ")?.into();
    Some(EventKind::RelaunchRefused { session })
}

fn materialize(message: &Message<'_>) -> Option<EventKind> {
    let session = session_after(message, "[CHAT_HISTORY] Materialize guard: session ")?.into();
    Some(EventKind::MaterializeRelaunch { session })
}

fn session_and_tmux(text: &str, key: &str) -> Option<(Arc<str>, Arc<str>)> {
    let mut cursor = Cursor::new(text);
    cursor.until(" session=")?;
    let session = cursor.word()?.into();
    cursor.literal(key)?;
    Some((session, cursor.word_before(b':')?.into()))
}

fn relaunch_registered(message: &Message<'_>) -> Option<EventKind> {
    let (session, tmux) = session_and_tmux(message.text, " tmux=")?;
    Some(EventKind::RelaunchRegistered { session, tmux })
}

fn relaunch_not_registered(message: &Message<'_>) -> Option<EventKind> {
    let (session, tmux) = session_and_tmux(message.text, " tmux=")?;
    Some(EventKind::RelaunchNotRegistered { session, tmux })
}

fn capture_failed(message: &Message<'_>) -> Option<EventKind> {
    let (session, tmux) = session_and_tmux(message.text, " tmux_session=")?;
    Some(EventKind::SnapshotCaptureFailed { session, tmux })
}

fn workshop_refused(message: &Message<'_>) -> Option<EventKind> {
    let session = session_after(message, "[WORKFLOW_PHASE] Session ")?.into();
    Some(EventKind::WorkshopRefused { session })
}
