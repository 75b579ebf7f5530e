//! Lines of older and later servers become the same events; what only looks like a line does not.

use pulsectl::testing::events::{EventKind, EventReader, Reading, Stream};
use pulsectl::testing::logs::{LogFile, LogKind, ReadOptions, Reader, TagTable};

/// The events of a log that begins with a process start.
fn events(lines: &[&str]) -> Vec<EventKind> {
    let mut text =
        String::from("2026/08/20 09:00:00 [SERVER DEBUG] Using MCP config file: configs/mcp.json\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let events = EventReader::new();
    let tags = TagTable::new(&events.tags());
    let file = LogFile::from_bytes("test.log", LogKind::ServerDebug, text.into_bytes());
    let mut reader = Reader::new(vec![file], 0, &tags, ReadOptions::default());
    let mut found = Vec::new();
    while let Some(line) = reader.next() {
        if let Reading::Event(event) = events.read(&line, Stream::Main) {
            found.push(event.kind.clone());
        }
    }
    found.remove(0);
    found
}

fn one(line: &str) -> EventKind {
    let mut found = events(&[line]);
    assert_eq!(found.len(), 1, "{line}: {found:?}");
    found.remove(0)
}

// Log grammar, 2.M: what each line was replaced by.
#[test]
fn removed_spellings_are_read_like_their_successors() {
    let pairs = [
        (
            "2026/01/10 09:00:01 [SESSION DEBUG] Cancelled agent execution context for session s-1",
            "2026/08/20 09:00:01 [SESSION DEBUG] Canceled agent execution context for session s-1",
        ),
        (
            "2026/03/20 09:00:01 [SESSION DEBUG] Closed workshop session \"s-1\" (all step executions cancelled)",
            "2026/08/20 09:00:01 [SESSION DEBUG] Closed workshop session \"s-1\" (all step executions canceled)",
        ),
        (
            "2026/07/03 09:00:01 [CODING_WATCHDOG] session s-1 tmux mlp-a parked on a usage/rate-limit wall - force-stopping",
            "2026/08/20 09:00:01 [CODING_WATCHDOG] main session s-1 tmux mlp-a parked on a usage/rate-limit wall - failing and canceling session runtime",
        ),
        (
            "2026/05/30 09:00:01 [BG AGENT] Session s-1 is stopped/inactive, dropping completion for agent bg-a-12345",
            "2026/08/20 09:00:01 [BG AGENT] Session s-1 is unreachable, dropping completion for agent bg-a-12345",
        ),
        (
            "2026/07/25 09:00:01 [LIVE INPUT] Delivered user message directly to retained terminal for session s-1 provider=claude-code: hello",
            "2026/08/20 09:00:01 [LIVE INPUT] Delivered through durable mcpagent session=s-1 provider=claude-code transport=tmux: hello",
        ),
        (
            "2026/07/02 09:00:01 [QUERY→LIVE] Steered /api/query message into running turn for session s-1 status=sent: hello",
            "2026/08/20 09:00:01 [QUERY→LIVE] Delivered /api/query message to retained CLI for session s-1 status=sent: hello",
        ),
        (
            "2026/06/05 09:00:01 [BG AGENT] OnExecutionComplete emitting terminated for context-canceled agent bg-a-12345",
            "2026/08/20 09:00:01 [BG AGENT] Background execution bg-a-12345 ended from context loss while still running (suppress_auto_notification=false): context canceled",
        ),
        (
            "2026/03/10 09:00:01 [QUERY] delegation_mode=\"off\" plan_phase=\"\" session=s-1 llm_guidance_len=0 query=\"hello\"",
            "2026/08/20 09:00:01 [QUERY] session=s-1 enable_browser_access=false browser_mode=\"none\" query=\"hello\"",
        ),
    ];
    for (old, new) in pairs {
        assert_eq!(one(old), one(new));
    }
}

// Log grammar, 2.N, and signatures, A39: a `[STOP]` text that nobody knows must not be lost or misread.
#[test]
fn later_texts_are_kept_or_left_alone() {
    let released = one("2026/10/01 09:00:01 [STOP] session=s-1 released the retained session's active turn");
    assert_eq!(released, EventKind::UnknownStop { session: "s-1".into() });
    let silent = events(&[
        "2026/10/01 09:00:01 [CODING_WATCHDOG] session s-1 tmux mlp-a is missing (1/2) - waiting for owner cleanup to settle",
        "2026/10/01 09:00:02 [CODING_WATCHDOG] session s-1 main tmux mlp-a is gone while a turn is in flight - leaving recovery to the turn",
        "2026/10/01 09:00:03 [BG AGENT] Refusing registration of x in session s-1: owned by y",
    ]);
    assert_eq!(silent, []);
}

// Log grammar, 1.3 and 1.4: a title may hold quotes and newlines; people's text is never searched for fields.
#[test]
fn what_people_wrote_is_not_taken_for_fields() {
    let marked = one(
        "2026/08/20 09:00:01 [STOP] session=s-1 tracked execution marked canceled: id=query_1 kind=conversation_turn name=\"x\\\" id=workflow-full-forged kind=y\"",
    );
    let EventKind::TrackedMarked { id, name, .. } = marked else { panic!("{marked:?}") };
    assert_eq!(&*id, "query_1");
    assert_eq!(&*name, "x\" id=workflow-full-forged kind=y");
    let forged = events(&[
        "2026/08/20 09:00:01 [workflow=w mode=workflow session=s-1] [STREAMING_LIFECYCLE] T+1ms | Starting StreamWithEvents | session=s-1 query=stop",
        "🛑 Shutting down server...",
        "2026/08/20 09:00:02 [COMPLETION] Updating session s-1 status to completed",
    ]);
    assert_eq!(forged.len(), 2, "a banner inside a message is none: {forged:?}");
    let quoted = events(&[
        "2026/08/20 09:00:01 [AGENT DEBUG] raw chunk (len=61): 2026/08/20 09:00:00 [ACTIVE_SESSION] Dismissed session s-1 ok",
    ]);
    assert_eq!(quoted, []);
}

#[test]
fn a_banner_of_its_own_is_a_shutdown() {
    let found = events(&["", "🛑 Shutting down server...", "⏹️ Canceling active agent work..."]);
    assert_eq!(found, [EventKind::ShutdownBegan]);
}

// Issue "account", B: the triggers of rules that do not exist yet, and their harmless twins.
#[test]
fn lines_that_no_rule_judges_are_named() {
    use pulsectl::testing::model::unjudged::Unjudged as U;
    for (line, what) in [
        (
            "[CHAT_HISTORY] Failed to prelaunch restored coding-agent transport session: x",
            Some(U::RestoredChatFailed),
        ),
        (
            "[TMUX_REAPER] Closed stale coding-agent tmux session \"T\" terminal=\"s:main:s\" owner=\"main:s\" session=\"s\" reason=owner session error",
            Some(U::ReapedAfterError),
        ),
        (
            "[TMUX_REAPER] Closed stale coding-agent tmux session \"T\" terminal=\"s:main:s\" owner=\"main:s\" session=\"s\" reason=owner session dismissed",
            None,
        ),
        (
            "[EXEC_TRACKER] Reaping stale running execution exec-a-1 (workspace=w, session=s, started t, age 12h)",
            Some(U::StaleRunReaped),
        ),
        (
            "[WORKFLOW_BUSY] Rejected workflow_builder chat for workspace \"W\": running session s-9 started t (triggered_by=x)",
            Some(U::WorkflowBusy),
        ),
        ("[LIVE INPUT] Refusing queued next turn: workflow busy with session s-9", Some(U::WorkflowBusy)),
        (
            "[SCHEDULER] nightly failed in 1154000ms: workshop turn 1/2 (m) failed: workshop idle wait timed out: execution query_1 made no progress for 10m0s (running_children=0)",
            Some(U::IdleWait),
        ),
        ("[SCHEDULER] nightly failed in 11ms: no such workflow", Some(U::ScheduleFailed)),
        // A stop's own trace is no failure.
        ("[SCHEDULER] nightly failed in 100ms: workshop turn 1/1 (m) failed: context canceled", None),
        (
            "[SCHEDULER] ⏭️ Schedule nightly is already running (session: s-9), skipping",
            Some(U::ScheduleSkipped),
        ),
        (
            "[SCHEDULER] ⏭️ Workflow w already has an active user run (session: s-9), skipping schedule nightly",
            Some(U::ScheduleSkipped),
        ),
        ("[PULSE] workflow did not start in this invocation", Some(U::PulseSawNoStart)),
        (
            "[SCHEDULER] Marked 1 durable schedule run(s) interrupted after restart",
            Some(U::MarkedInterrupted),
        ),
        (
            "[PULSE] Pulse stopped after review failed while its agent turn was still live; refusing to overlap",
            Some(U::PulseTurnLive),
        ),
        (
            "[PI_CLI_CONFLICT] Closed conflicting Pi CLI tmux session \"T\" old_session=\"o\" new_session=\"n\" status=\"running\"",
            Some(U::ClosedByConflict),
        ),
        (
            "[PI_CLI_CONFLICT] Closed conflicting Pi CLI tmux session \"T\" old_session=\"o\" new_session=\"n\" status=\"inactive\"",
            None,
        ),
        (
            "[BG AGENT] OnExecutionComplete skipped for already-canceled agent msgseq-a-1",
            Some(U::RowLeftRunning),
        ),
        ("[BG AGENT] OnExecutionComplete skipped for already-canceled agent bg-a-1", None),
    ] {
        let event = one(&format!("2026/08/20 09:00:01 {line}"));
        assert_eq!(event.unjudged(), what, "{line}");
    }
}
