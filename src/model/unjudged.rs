//! What lines tell that only a rule judges that does not exist yet. They are counted and named, so that no answer is
//! called clean because of a rule that is missing. A rule that is built takes its word out of here.

use super::words::words;

words! {
    /// What a line tells that no rule judges yet.
    pub enum Unjudged {
        /// The CLI of a restored chat could not be started; what is sent to it may reach nobody (PLS016).
        RestoredChatFailed = "restored_chat_failed" as "the CLI of a restored chat did not start",
        /// The reaper closed the pane of a session in error; a turn may have been at work in it (PLS019).
        ReapedAfterError = "reaped_after_error" as "reaper closed a pane after an error",
        /// An execution was dropped from the registry that never logged its end (PLS021).
        StaleRunReaped = "stale_run_reaped" as "a stale execution was dropped",
        /// A chat was refused because its workflow is busy; what keeps it busy may be long over (PLS022).
        WorkflowBusy = "workflow_busy" as "a chat was refused because its workflow is busy",
        /// A schedule gave up waiting for a turn that made no progress; it may have been done (PLS023).
        IdleWait = "idle_wait" as "a schedule gave up waiting for a turn",
        /// A schedule failed, and no stop did it (PLS023).
        ScheduleFailed = "schedule_failed" as "schedule failed",
        /// A schedule was skipped because a run of it is active; that one may hang (PLS027).
        ScheduleSkipped = "schedule_skipped" as "a schedule was skipped because a run is active",
        /// The pulse says that no workflow started; one may have (PLS028).
        PulseSawNoStart = "pulse_saw_no_start" as "the pulse saw no workflow start",
        /// Schedule runs were marked interrupted after a restart; they may have been done (PLS029).
        MarkedInterrupted = "marked_interrupted" as "schedule runs were marked interrupted after a restart",
        /// The pulse stopped although a turn of it was still live (PLS031).
        PulseTurnLive = "pulse_turn_live" as "the pulse stopped beside a live turn",
        /// The start of another session closed a pane in which something worked (PLS032).
        ClosedByConflict = "closed_by_conflict" as "another session's start closed a working pane",
        /// The completion of an item came after it was cancelled; its row may go on saying "running" (PLS040).
        RowLeftRunning = "row_left_running" as "an item may stay listed as running",
    }
}
