//! How far a session is, in the words of the server: its status and its phase.

use super::words::server_words;

server_words! {
    /// A session's status in the list and in `raw_session_status`.
    pub enum SessionStatus {
        /// At work, or believed to be.
        Running = "running",
        /// Its last turn ended.
        Completed = "completed",
        /// It failed.
        Error = "error",
        /// Stopped by a person.
        Stopped = "stopped" | "canceled" | "cancelled",
        /// Idle for more than ten minutes.
        Inactive = "inactive",
        /// Hidden by a person; its panes may be closed by the reaper.
        Dismissed = "dismissed",
        /// Paused.
        Paused = "paused",
    }
}

server_words! {
    /// The runtime snapshot's phase.
    pub enum Phase {
        /// Started, nothing registered yet.
        Starting = "starting",
        /// Something works.
        Running = "running",
        /// A person is asked for input.
        Waiting = "waiting",
        /// Nothing works.
        Idle = "idle",
        /// Ended.
        Completed = "completed",
        /// Ended in failure.
        Failed = "failed",
        /// Stopped.
        Canceled = "canceled" | "cancelled",
    }
}
