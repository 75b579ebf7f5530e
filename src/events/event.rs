//! The typed events: one enum, every field named, each variant with the template it was read from.
//!
//! Places are platform files at the snapshot of 2026-08-22 (`cmd/server/` unless said).

use std::sync::Arc;

use crate::model::unjudged::Unjudged;

/// Which of a server's two files a line stands in. Order between them is known only by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// `server_debug.log`.
    Main,
    /// `schedule.log`.
    Schedule,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Index of the input.
    pub input: usize,
    /// Line number in the order of reading, from 1: what comes later is larger.
    pub line: u64,
    /// Line number in the file, from 1: another one where the newest line comes first.
    pub line_in_file: u64,
    /// Bytes of decompressed content before the line.
    pub byte_offset: u64,
    /// The line's length in bytes, without its end.
    pub byte_length: u64,
}

/// The request context that some lines carry before their tag (`log_context.go`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// `session=`.
    pub session: Option<Arc<str>>,
    /// `workflow=`.
    pub workflow: Option<Arc<str>>,
    /// `group=`; may hold blanks.
    pub group: Option<Arc<str>>,
    /// Whether `user=` or `user_id=` is there: a person's request carries it, a cron turn does not.
    pub user: bool,
}

/// A line that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What it says.
    pub kind: EventKind,
    /// Where it stands.
    pub position: Position,
    /// Which file of the server.
    pub stream: Stream,
    /// Local wall-clock second, counted as if it were UTC.
    pub wall: i64,
    /// Seconds east of UTC of that wall clock, as far as known when the line was read.
    pub zone_offset: i32,
    /// The request context before the tag.
    pub context: Arc<Context>,
    /// The line's first 4 KiB at most, as it stands in the log.
    pub text: Box<[u8]>,
}

/// Events are kept in several lists at once.
pub type SharedEvent = Arc<Event>;

impl Event {
    /// The second in UTC.
    #[must_use]
    pub fn utc(&self) -> i64 {
        self.wall - i64::from(self.zone_offset)
    }
}

/// How an execution ended, as its container logged it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinalOutcome {
    /// `already cancelled by stop_step`.
    StoppedByTool,
    /// `context cancelled`.
    Cancelled,
    /// `timeout detected`.
    TimedOut,
    /// `failed`.
    Failed,
    /// `done`.
    Done,
}

/// What a line says. Ids are exactly as logged; `session` is always the chat, bot or schedule session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "a variant's fields are named after the placeholders of its template")]
pub enum EventKind {
    // --- stop and cancel -----------------------------------------------------------------------
    /// `[STOP] ===== stop requested: schedule=%s run=%s session=%s =====` (scheduler.go stopRunningJob)
    StopRequested { schedule: Arc<str>, run: Arc<str>, session: Arc<str> },
    /// `[STOP] ===== stop teardown complete: schedule=%s session=%s =====` (scheduler.go stopRunningJob)
    StopTeardownComplete { schedule: Arc<str>, session: Arc<str> },
    /// `[STOP] session=%s begin runtime cancel (reason=%q phase=%s)` (session_lifecycle.go cancelSessionRuntimeWork)
    BeginRuntimeCancel { session: Arc<str>, reason: Arc<str>, phase: Arc<str> },
    /// `[STOP] session=%s active turn context canceled=%v` (same)
    TurnContextCanceled { session: Arc<str>, canceled: bool },
    /// `[STOP] session=%s orchestrator contexts: queries=%d canceled=%d` (same)
    OrchestratorContexts { session: Arc<str>, queries: u64, canceled: u64 },
    /// `[STOP] session=%s background agents: canceled=%d no_cancel_func=%d already_done=%d` (cancelBackgroundAgents)
    BackgroundAgents { session: Arc<str>, canceled: u64, no_cancel_func: u64, already_done: u64 },
    /// `[STOP] session=%s WARNING %d background agent(s) had no cancel func — …` (same)
    NoCancelFunctionWarning { session: Arc<str>, count: u64 },
    /// `[STOP] session=%s tracked execution marked canceled: id=%s kind=%s name=%q` (workflow_execution_tracker.go)
    TrackedMarked { session: Arc<str>, id: Arc<str>, kind: Arc<str>, name: Arc<str> },
    /// `[STOP] session=%s tracked executions marked canceled=%d (…)` (same)
    TrackedTotal { session: Arc<str>, count: u64 },
    /// Any other `[STOP] session=%s …`: the tag is reused by later versions
    /// (server-behaviour.md#what-the-log-prints).
    UnknownStop { session: Arc<str> },
    /// `[STOP] message_sequence step %q: refusing to start item %q (%d of %d) — …` (controller_message_sequence.go)
    ItemRefused { step: Arc<str>, item: Arc<str> },
    /// `[STOP] refusing to start step %d of %d (%q) — …` (controller_execution.go)
    StepRefused { title: Arc<str> },
    /// `[SESSION DEBUG] Canceled agent execution context for session %s` (session_lifecycle.go handleStopSession)
    TurnCanceledByStop { session: Arc<str> },
    /// `[SESSION DEBUG] Canceled current LLM turn for session %s` (handleCancelCurrentTurn)
    TurnCanceledByPerson { session: Arc<str> },
    /// `[SESSION DEBUG] No active LLM turn to cancel for session %s` (same)
    NoTurnToCancel { session: Arc<str> },
    /// `[SESSION DEBUG] Canceled all background agents for session %s` (handleStopSession)
    AgentsCanceledByStop { session: Arc<str> },
    /// `[SESSION DEBUG] Cleared synthetic-turn state for stopped session %s` (same; the agent registry is now empty)
    RegistryCleared { session: Arc<str> },
    /// `[SESSION DEBUG] Closed workshop session %q …` (same; `eval-` stripped from the key)
    WorkshopClosed { session: Arc<str> },
    /// `[SESSION DEBUG] Closed any tmux-backed coding-CLI session for stopped session %s` (same)
    MainPaneClosedByStop { session: Arc<str> },
    /// `[SESSION DEBUG] Tore down workflow sub-agent terminal owner=%s tmux=%s active=%v for stopped session %s` (same)
    StepPaneClosedByStop { session: Arc<str>, owner: Arc<str>, tmux: Arc<str> },
    /// `[SESSION DEBUG] kill-session %q (owner %s) failed (may already be gone): %v` (same)
    PaneAlreadyGone { tmux: Arc<str> },
    /// `[SESSION CANCEL] failed to close tmux %q (owner %s)`, `[TMUX_REAPER] kill-session %q failed: %v`,
    /// `[CODING_WATCHDOG] dead pane cleanup failed session=%s tmux=%s`, `[TERMINAL_LEASE] startup orphan kill failed tmux=%q`
    PaneKillFailed { tmux: Arc<str>, owner: Arc<str>, by_reaper: bool },
    /// `🛑 Workshop: step %q (execution_id=%q) cancelled` (interactive_workshop_manager.go)
    StepStoppedByTool { id: Arc<str> },
    /// `🛑 Workshop: cancelled all %d running executions` (same)
    AllStoppedByTool { count: u64 },

    // --- sessions and turns --------------------------------------------------------------------
    /// `[ACTIVE_SESSION] Updated session %s status to: %s` (server.go updateSessionStatus)
    StatusUpdated { session: Arc<str>, status: Arc<str> },
    /// `[ACTIVE_SESSION] Tracked active session: %s (mode: %s, user: %s)` (trackActiveSession)
    SessionTracked { session: Arc<str>, mode: Arc<str> },
    /// `[ACTIVE_SESSION] Dismissed session %s` (handleDismissSession)
    SessionDismissed { session: Arc<str> },
    /// `[COMPLETION] Updating session %s status to completed` (handleQuery)
    CompletionUpdating { session: Arc<str> },
    /// `[COMPLETION] Preserving terminal status %q for session %s` (same)
    CompletionPreserved { session: Arc<str>, status: Arc<str> },
    /// `[WORKFLOW COMPLETION] Skipping error status update for zombie execution %s (session %s …` (same): the end of
    /// a turn that was a run in orchestrator mode
    OrchestratorTurnEnded { session: Arc<str>, query: Arc<str> },
    /// `[COMPLETION] Session %s has a cancellation guard; skipping completed status` (same)
    CompletionGuarded { session: Arc<str> },
    /// `[QUERY] session=%s …` and its older spellings (handleQuery)
    QueryReceived { session: Arc<str> },
    /// `[STREAMING_LIFECYCLE] T+%dms | Starting StreamWithEvents | session=%s query=%.80s` (handleQuery)
    StreamStarting { session: Arc<str>, after_milliseconds: i64 },
    /// `[COMPLETION_TRACE] stage=agentworks_stream_wait_started session=%q query=%q` (same)
    StreamWaitStarted { session: Arc<str>, query: Arc<str> },
    /// `[LATENCY_DEBUG] T+%dms | StreamWithEvents channel opened | queryID=%s` (same; session from the context)
    ChannelOpened { query: Arc<str> },
    /// `[COMPLETION_TRACE] stage=agentworks_stream_closed session=%q query=%q chunks=%d elapsed=%s` (same)
    StreamClosed { session: Arc<str>, query: Arc<str> },
    /// `[STREAMING_LIFECYCLE] StreamWithEvents completed | session=%s chunks=%d duration=%dms` (same)
    StreamCompleted { session: Arc<str>, chunks: u64, duration_milliseconds: i64 },
    /// `[TOOL] session=%s START id=%s name=%s …` (event_store.go)
    ToolStarted { session: Arc<str>, tool: Arc<str> },
    /// `[CANCEL_DEBUG] AskWithHistory returned | err=%v …` (llm_agent.go; no session)
    AskReturned { canceled: bool, succeeded: bool },
    /// `[QUERY->LIVE] Delivered …`, `[QUERY→LIVE] Delivered …`, `[LIVE INPUT] Delivered …` (server.go)
    LiveInputDelivered { session: Arc<str> },
    /// `[QUERY->LIVE] Durable session delivery failed for session %s: … can't find pane: %s`
    LiveInputFailed { session: Arc<str>, lost_pane: Option<Arc<str>>, dead: bool },
    /// `[BG AGENT] Executing synthetic turn for session %s via stored agent` (background_agents.go)
    SyntheticTurnStarting { session: Arc<str> },
    /// `[BG AGENT] Synthetic turn completed|aborted …`, `StreamWithEvents error for synthetic turn …` (same)
    SyntheticTurnEnded { session: Arc<str>, completed: bool },

    // --- executions: tables C, D, H, K ---------------------------------------------------------
    /// `[BG AGENT] Recorded UI-only background start for agent %s in session %s` (background_agents.go)
    ExecutionRecorded { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] OnExecutionStart ignored for stopped session %s (exec=%s)` (delegation.go)
    StartIgnored { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] OnExecutionComplete ignored for stopped session %s (exec=%s)` (delegation.go)
    CompleteIgnored { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] OnExecutionComplete skipped for already-canceled agent %s` and its older spellings (delegation.go)
    CompleteSkipped { id: Arc<str> },
    /// `[BG AGENT] Background execution %s ended from context loss while still running …` (delegation.go)
    EndedFromContextLoss { id: Arc<str> },
    /// `[BG AGENT] Suppressed child success notification for %s; enclosing execution %s owns the completion` (delegation.go)
    ChildSuccessSuppressed { id: Arc<str>, parent: Arc<str> },
    /// `[BG AGENT] Settled %d orphaned progress child(ren) of finished execution %s in session %s: %v` (delegation.go)
    ProgressChildrenSettled { session: Arc<str>, parent: Arc<str>, ids: Vec<Arc<str>> },
    /// `[BG AGENT] SetResult skipped for canceled agent %s` (background_agents.go)
    ResultSkipped { id: Arc<str> },
    /// `[BG AGENT] SetError skipped for canceled agent %s` (background_agents.go)
    ErrorSkipped { id: Arc<str> },
    /// `[BG AGENT] Steered completion for agent %s into busy session %s …` (background_agents.go)
    CompletionSteered { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] Session %s busy, queued completion for agent %s` (background_agents.go)
    CompletionQueued { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] Live steer delivery failed for session %s agent %s: %v — falling back to queue` (background_agents.go)
    SteerFailed { session: Arc<str>, id: Arc<str>, lost_pane: Option<Arc<str>>, dead: bool },
    /// `[BG AGENT] Session %s is unreachable, dropping completion for agent %s` and its older spellings,
    /// `… is stopped/inactive, skipping completion for agent %s` (background_agents.go)
    CompletionDropped { session: Arc<str>, id: Arc<str> },
    /// `[BG AGENT] WARNING: session %s unreachable with %d pending completion(s) — discarding`,
    /// `… is stopped/inactive, skipping %d batched completion(s)` (background_agents.go)
    CompletionsDiscarded { session: Arc<str>, count: u64 },
    /// `[BG AGENT] No stored agent for session %s, cannot trigger synthetic turn` (background_agents.go)
    NoStoredAgent { session: Arc<str> },
    /// `[BG AGENT] Synthetic turn for session %s did not dispatch agent %s — queued for retry`, `… %d agent(s) …`
    /// (background_agents.go)
    TurnNotDispatched { session: Arc<str>, id: Option<Arc<str>> },
    /// `[TOOL_ERROR] …` with `/api/execute": context canceled` in its `error` or `result` (logrus fields). `scope`: the
    /// line's `session_id`, a chat or the sub-agent session of a step
    ShellAbandoned { scope: Arc<str>, duration_seconds: Option<i64> },
    /// `[FINALIZE_EXEC] exec=%s step=%s — …` (interactive_workshop_manager.go)
    Finalized { id: Arc<str>, outcome: FinalOutcome },
    /// `🔗 Generated unique MCP session ID for group %s: %s (run folder: %s)` (controller_batch_execution.go)
    GroupSessionGenerated { group_session: Arc<str>, folder: Arc<str> },
    /// `[FOLDER_GUARD] Copied folder guard from session %s to %s: …` (pkg/common/types.go)
    FolderGuardCopied { session: Arc<str>, group_session: Arc<str> },
    /// `[SHELL] Set default working dir for session %s: %s`, for `msgseq-…` sub-agent sessions
    /// (server-behaviour.md#what-the-log-prints)
    SubAgentWorkingDirectory { sub_session: Arc<str>, path: Arc<str> },
    /// `📊 [WORKFLOW_PROGRESS] Step %d '%s' %s` (planning_exports.go HandleEvent): a progress row ended; the session
    /// is not named, only group and workflow
    StepProgressed { number: u64 },
    /// `[EXEC_TRACKER] Reaping stale running execution %s …` (workflow_execution_tracker.go)
    StaleExecutionReaped { id: Arc<str> },

    // --- terminals and tmux --------------------------------------------------------------------
    /// `[TERMINAL RECONCILE] failing main session=%s terminal=%s reason=%q` (terminal_owner_reconciliation.go)
    MainTerminalFailing { session: Arc<str>, terminal: Arc<str>, reason: Arc<str> },
    /// `[TERMINAL RECONCILE] skipped main|stale main terminal=%s session=%s …` (same)
    MainTerminalSkipped { session: Arc<str> },
    /// `[TERMINAL RECONCILE] failed child session=%s terminal=%s execution_candidates=%v reason=%q` (same)
    ChildTerminalFailed { session: Arc<str>, terminal: Arc<str>, reason: Arc<str> },
    /// `[TERMINAL RECONCILE] no current child owner matched session=%s terminal=%s …` (same)
    ChildOwnerNotMatched { session: Arc<str>, terminal: Arc<str> },
    /// `[CODING_WATCHDOG] main session %s tmux %s parked on a usage/rate-limit wall …` and the older spelling
    MainPaneParked { session: Arc<str>, tmux: Arc<str> },
    /// `[CODING_WATCHDOG] child terminal %s session %s tmux %s parked on a usage/rate-limit wall …`
    ChildPaneParked { session: Arc<str>, terminal: Arc<str> },
    /// `[TMUX_REAPER] Closed stale coding-agent tmux session %q terminal=%q owner=%q session=%q reason=%s`
    PaneReaped { tmux: Arc<str>, terminal: Arc<str>, session: Arc<str>, reason: Arc<str> },
    /// `[TERMINAL_LEASE] failed to tag tmux=%q after %d attempts: %v`
    PaneTagFailed { tmux: Arc<str> },
    /// `[RETAINED_TURN] Tmux stream capture failed …` and other `[RETAINED_TURN] … session=%s terminal=%s tmux=%s`
    RetainedTurnLost { session: Arc<str> },
    /// `Executing <provider> tmux session: %s` (adapters). `step`: the line carries `group=`, so it is a step's pane
    PaneExecuting { tmux: Arc<str>, step: bool },
    /// `❌ LLM generation failed … "%s" tmux session lost …` (adapters; a reliable mark of a lost pane)
    PaneLost { tmux: Arc<str> },
    /// `Closing|Discarding persistent <provider> tmux session %s for owner %s: %s` and the Codex/Cursor spellings
    PaneClosedByAdapter { tmux: Arc<str>, owner: Arc<str>, reason: Arc<str> },
    /// `[PI_CLI_CONFLICT] Closed conflicting Pi CLI tmux session %q … old_session=%q … status=%q …`; `status` is that
    /// of the session that lost its pane, before it did
    PaneClosedByConflict { tmux: Arc<str>, session: Arc<str>, status: Arc<str> },

    // --- what no rule judges yet ---------------------------------------------------------------
    /// A line that only a rule would judge that does not exist yet. `what`: nothing where it only looks like one.
    /// `session`: nothing where its context names it
    Unjudged { what: Option<Unjudged>, session: Option<Arc<str>> },

    // --- relaunch and guards -------------------------------------------------------------------
    /// `[CHAT_HISTORY] Active-tab auto-resume: session %s tmux is gone; routing through --resume …` (server.go)
    AutoResume { session: Arc<str> },
    /// `[CHAT_HISTORY] Materialize guard: session %s tmux is gone …` (server.go)
    MaterializeRelaunch { session: Arc<str> },
    /// `[CHAT_HISTORY] Active-tab auto-resume: session %s is stopped; refusing to relaunch …` (server.go)
    RelaunchRefused { session: Arc<str> },
    /// `[CHAT_HISTORY] Registered relaunched restored coding-agent tmux as live session=%s tmux=%s` (server.go)
    RelaunchRegistered { session: Arc<str>, tmux: Arc<str> },
    /// `[CHAT_HISTORY] Could not register relaunched restored tmux session=%s tmux=%s reason=%s` (server.go)
    RelaunchNotRegistered { session: Arc<str>, tmux: Arc<str> },
    /// `[CHAT_HISTORY] Failed to capture runtime tmux snapshot session=%s tmux_session=%s: …`
    SnapshotCaptureFailed { session: Arc<str>, tmux: Arc<str> },
    /// `[WORKFLOW_PHASE] Session %s was stopped — aborting workshop creation …` (workflow_phase_tools.go)
    WorkshopRefused { session: Arc<str> },

    // --- scheduler (schedule.log) --------------------------------------------------------------
    /// `[SCHEDULER] runJob starting for %s (%s) at %s, groups=%v` (scheduler.go runJob)
    JobStarting { schedule: Arc<str>, title: Arc<str> },
    /// `[SCHEDULER] Workshop mode: executing %d messages for %s (session=%s …)` (executeWorkshopJob)
    JobSession { schedule: Arc<str>, session: Arc<str> },
    /// `[SCHEDULER] Workshop turn %d/%d (%s): %q` (executeWorkshopJob; session from the context)
    ScheduledTurnSent { number: u64 },
    /// `[BOT_SESSION] Internal session started: sessionID=%s queryID=%s` (bot_session_starter.go)
    InternalSessionStarted { session: Arc<str>, query: Arc<str> },
    /// `[SCHEDULER] Stopping running job %s (session: %s)` (stopRunningJob)
    JobStopping { schedule: Arc<str>, session: Arc<str> },
    /// `[SCHEDULER] Stopped job %s (session: %s)` (stopRunningJob)
    JobStopped { schedule: Arc<str>, session: Arc<str> },
    /// `[SCHEDULER] %s stopped by user after %dms` (runJob; session from the context)
    JobStoppedByUser { schedule: Arc<str>, after_milliseconds: i64 },
    /// `[SCHEDULER] 💤 WAKE_DETECTED gap=%s …`: the host slept
    HostWoke { gap_seconds: i64 },

    // --- process -------------------------------------------------------------------------------
    /// `[SERVER DEBUG] Using MCP config file: %s`: the first stamped line of a process
    ProcessStarted,
    /// `🛑 Shutting down server...`
    ShutdownBegan,
}

impl EventKind {
    /// The session that the line itself names, if any.
    #[must_use]
    pub fn session(&self) -> Option<&Arc<str>> {
        use EventKind as K;
        match self {
            K::StopRequested { session, .. }
            | K::StopTeardownComplete { session, .. }
            | K::BeginRuntimeCancel { session, .. }
            | K::TurnContextCanceled { session, .. }
            | K::OrchestratorContexts { session, .. }
            | K::BackgroundAgents { session, .. }
            | K::NoCancelFunctionWarning { session, .. }
            | K::TrackedMarked { session, .. }
            | K::TrackedTotal { session, .. }
            | K::UnknownStop { session }
            | K::TurnCanceledByStop { session }
            | K::TurnCanceledByPerson { session }
            | K::NoTurnToCancel { session }
            | K::AgentsCanceledByStop { session }
            | K::RegistryCleared { session }
            | K::WorkshopClosed { session }
            | K::MainPaneClosedByStop { session }
            | K::StepPaneClosedByStop { session, .. }
            | K::StatusUpdated { session, .. }
            | K::SessionTracked { session, .. }
            | K::SessionDismissed { session }
            | K::CompletionUpdating { session }
            | K::CompletionPreserved { session, .. }
            | K::CompletionGuarded { session }
            | K::OrchestratorTurnEnded { session, .. }
            | K::QueryReceived { session }
            | K::StreamStarting { session, .. }
            | K::StreamWaitStarted { session, .. }
            | K::StreamClosed { session, .. }
            | K::StreamCompleted { session, .. }
            | K::ToolStarted { session, .. }
            | K::LiveInputDelivered { session }
            | K::LiveInputFailed { session, .. }
            | K::SyntheticTurnStarting { session }
            | K::SyntheticTurnEnded { session, .. }
            | K::ExecutionRecorded { session, .. }
            | K::StartIgnored { session, .. }
            | K::CompleteIgnored { session, .. }
            | K::ProgressChildrenSettled { session, .. }
            | K::CompletionSteered { session, .. }
            | K::CompletionQueued { session, .. }
            | K::SteerFailed { session, .. }
            | K::CompletionDropped { session, .. }
            | K::CompletionsDiscarded { session, .. }
            | K::NoStoredAgent { session }
            | K::TurnNotDispatched { session, .. }
            | K::FolderGuardCopied { session, .. }
            | K::MainTerminalFailing { session, .. }
            | K::MainTerminalSkipped { session }
            | K::ChildTerminalFailed { session, .. }
            | K::ChildOwnerNotMatched { session, .. }
            | K::MainPaneParked { session, .. }
            | K::ChildPaneParked { session, .. }
            | K::PaneReaped { session, .. }
            | K::RetainedTurnLost { session }
            | K::PaneClosedByConflict { session, .. }
            | K::AutoResume { session }
            | K::MaterializeRelaunch { session }
            | K::RelaunchRefused { session }
            | K::RelaunchRegistered { session, .. }
            | K::RelaunchNotRegistered { session, .. }
            | K::SnapshotCaptureFailed { session, .. }
            | K::WorkshopRefused { session }
            | K::JobSession { session, .. }
            | K::InternalSessionStarted { session, .. }
            | K::JobStopping { session, .. }
            | K::JobStopped { session, .. } => Some(session),
            K::Unjudged { session, .. } => session.as_ref(),
            _ => None,
        }
    }

    /// Whether a stop of a session, a death or a shutdown may begin with such a line.
    #[must_use]
    pub fn may_open_stop(&self) -> bool {
        match self {
            Self::StatusUpdated { status, .. } => &**status == "stopped",
            Self::BeginRuntimeCancel { .. }
            | Self::MainTerminalFailing { .. }
            | Self::StopRequested { .. }
            | Self::JobStopping { .. }
            | Self::TurnCanceledByStop { .. }
            | Self::AgentsCanceledByStop { .. }
            | Self::RegistryCleared { .. }
            // A sweep whose opener comes later or not at all, and what a shutdown sweeps.
            | Self::BackgroundAgents { .. }
            | Self::NoCancelFunctionWarning { .. }
            | Self::TrackedMarked { .. }
            | Self::TrackedTotal { .. } => true,
            _ => false,
        }
    }

    /// The execution that the line itself names, where it names no session.
    #[must_use]
    pub fn execution(&self) -> Option<&str> {
        use EventKind as K;
        match self {
            K::CompleteSkipped { id }
            | K::EndedFromContextLoss { id }
            | K::ChildSuccessSuppressed { id, .. }
            | K::ResultSkipped { id }
            | K::ErrorSkipped { id }
            | K::StepStoppedByTool { id }
            | K::StaleExecutionReaped { id }
            | K::Finalized { id, .. } => Some(id),
            _ => None,
        }
    }
}
