//! A session: chat, bot or schedule run, as the list and the runtime snapshot describe it.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fact::{Fact, Judgement, Label, Source};
use super::status::{Phase, SessionStatus};
use super::{frozen, id};

/// The foreground turn, as the runtime snapshot shows it (server-behaviour.md#turns-in-a-live-pane).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
pub struct Foreground {
    /// The busy flag.
    pub busy: bool,
    /// A turn cancel is registered: cancel-turn and stop will end a real turn.
    pub has_cancel: bool,
    /// A live agent takes input.
    pub can_steer: bool,
    /// The turn was started by the server itself.
    pub synthetic: bool,
}

/// A person is asked for something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// The kind of question, as the server names it.
    pub event_type: Option<String>,
    /// The question.
    pub message: Option<Label>,
    /// Since when.
    #[schemars(with = "Option<String>")]
    pub since: Option<Timestamp>,
}

/// A session's runtime snapshot, without its rows (those are executions and terminals).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Runtime {
    /// Counts real restarts by a message.
    pub generation: u64,
    /// Grows with every change; two answers with the same revision describe the same moment.
    pub revision: u64,
    /// The phase.
    pub phase: Phase,
    /// Why that phase, in the server's words.
    pub reason: Option<String>,
    /// Status of the session's own row; absent when the server holds no row.
    pub raw_status: Option<SessionStatus>,
    /// The foreground turn.
    #[serde(flatten)]
    pub foreground: Foreground,
    /// Whether an agent runs or ended less than eight seconds ago.
    pub background_live: Option<bool>,
    /// Whether a live pane looks busy, dismissed ones included.
    pub terminal_busy: Option<bool>,
    /// Whether a row was still running in it, as it was read.
    pub row_running: bool,
    /// When it last changed (not when it was read).
    #[schemars(with = "Option<String>")]
    pub changed_at: Option<Timestamp>,
    /// Where it comes from.
    #[serde(rename = "from")]
    pub source: Source,
}

impl Default for Runtime {
    fn default() -> Self {
        Self {
            generation: 1,
            revision: 1,
            phase: Phase::Running,
            reason: None,
            raw_status: Some(SessionStatus::Running),
            foreground: Foreground::default(),
            background_live: None,
            terminal_busy: None,
            row_running: false,
            changed_at: None,
            source: Source::Given,
        }
    }
}

/// A schedule's run, as its session id tells it (`schedule-<trigger>--<job>_<ns>`; server-behaviour.md#ids).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScheduleRun {
    /// `cron`, `manual` or `queued`.
    pub trigger: String,
    /// The first eight characters of the schedule's id.
    pub job: String,
    /// When the run was started.
    pub started_at: Option<Timestamp>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Where the facts below that are not the runtime snapshot's come from.
    #[serde(rename = "from")]
    pub source: Source,
    /// Its title.
    pub title: Option<Label>,
    /// The last message that a person sent.
    pub query: Option<Label>,
    /// Name of its workflow.
    pub workflow: Option<String>,
    /// Folder of its workflow, such as `Workflow/invoice-sync`.
    pub workflow_path: Option<String>,
    /// Status in the list; the server may override it by a running execution.
    pub status: Option<SessionStatus>,
    /// `busy`, `idle` or `stopped`, as the server shows it to people.
    pub display_status: Option<String>,
    /// When it was created; moved only by a turn that the server starts itself from a message
    /// (server-behaviour.md#turns-in-a-live-pane).
    #[schemars(with = "Option<String>")]
    pub created_at: Option<Timestamp>,
    /// When it last did something.
    #[schemars(with = "Option<String>")]
    pub last_activity: Option<Timestamp>,
    /// `multi-agent`, `workflow_phase`, `workflow`, `restored`, …
    pub agent_mode: Option<String>,
    /// `cron`, `manual`, `workflow_builder`, …
    pub triggered_by: Option<String>,
    /// The chat that it belongs to. Stopping that one does not stop this one.
    pub parent_session: Option<String>,
    /// Account that owns it, from a tracked row or its chats folder.
    pub user: Option<Fact<String>>,
    /// How many agents the list says are running, without the grace time.
    pub running_agents_listed: Option<u64>,
    /// Whether the list says that a coding CLI's pane is kept alive.
    pub retained_pane_listed: Option<bool>,
    /// Who is asked for input; `None` where nobody is.
    pub waiting: Option<Waiting>,
    /// Whether the waiting state was read at all.
    pub waiting_known: bool,
    /// The runtime snapshot, where one was read.
    pub runtime: Option<Runtime>,
    /// The foreground turn as a log's replay has concluded it; the runtime snapshot goes before it.
    pub logged_foreground: Option<Fact<Foreground>>,
    /// Whether a stop has been recognised otherwise than by the runtime snapshot (a log's replay sets it).
    pub stopped_guard: Option<Fact<bool>>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            id: String::new(),
            source: Source::Given,
            title: None,
            query: None,
            workflow: None,
            workflow_path: None,
            status: None,
            display_status: None,
            created_at: None,
            last_activity: None,
            agent_mode: None,
            triggered_by: None,
            parent_session: None,
            user: None,
            running_agents_listed: None,
            retained_pane_listed: None,
            waiting: None,
            waiting_known: false,
            runtime: None,
            logged_foreground: None,
            stopped_guard: None,
        }
    }
}

impl Session {
    /// A session of which only the id is known.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// A running session whose runtime snapshot shows this foreground turn.
    pub fn running(id: impl Into<String>, foreground: Foreground) -> Self {
        Self {
            status: Some(SessionStatus::Running),
            runtime: Some(Runtime { foreground, ..Runtime::default() }),
            ..Self::new(id)
        }
    }

    /// Whether the runtime snapshot is frozen by a stop, so that its rows must not be believed.
    #[must_use]
    pub fn frozen(&self) -> Judgement {
        let runtime = self.runtime.as_ref();
        frozen::judge(frozen::Evidence {
            phase: runtime.map(|runtime| &runtime.phase),
            reason: runtime.and_then(|runtime| runtime.reason.as_deref()),
            listed_status: self.status.as_ref(),
            raw_status: runtime.and_then(|runtime| runtime.raw_status.as_ref()),
            row_running: runtime.is_some_and(|runtime| runtime.row_running),
        })
    }

    /// Its own status, not the one that a running execution overrides in the list; `None` where neither is known.
    #[must_use]
    pub fn own_status(&self) -> Option<&SessionStatus> {
        self.runtime.as_ref().and_then(|runtime| runtime.raw_status.as_ref()).or(self.status.as_ref())
    }

    /// The foreground turn; `None` where neither a runtime snapshot nor a log told it.
    #[must_use]
    pub fn foreground(&self) -> Option<Foreground> {
        self.foreground_fact().map(|foreground| foreground.value)
    }

    /// The foreground turn and where it comes from.
    #[must_use]
    pub fn foreground_fact(&self) -> Option<Fact<Foreground>> {
        let read = self.runtime.as_ref().map(|runtime| Fact::new(runtime.foreground, runtime.source));
        read.or(self.logged_foreground)
    }

    /// Whether it is a schedule's run: by its id, or by what triggered it
    /// (server-behaviour.md#whose-work-it-is).
    #[must_use]
    pub fn is_schedule(&self) -> bool {
        id::is_schedule_session(&self.id)
            || self
                .triggered_by
                .as_deref()
                .is_some_and(|by| by == "cron" || by == "webhook" || by.contains("schedule"))
    }

    /// What the session id tells about the schedule's run.
    #[must_use]
    pub fn schedule_run(&self) -> Option<ScheduleRun> {
        let rest = self.id.strip_prefix("schedule-")?;
        let (trigger, rest) = rest.split_once("--")?;
        let (job, nanoseconds) = rest.rsplit_once('_')?;
        Some(ScheduleRun {
            trigger: trigger.to_owned(),
            job: job.to_owned(),
            started_at: nanoseconds
                .parse::<i64>()
                .ok()
                .and_then(|nanoseconds| Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()),
        })
    }

    /// Whether the server made the row up from a tracked execution, with no session behind it; such a session
    /// cannot be stopped (server-behaviour.md#what-a-client-can-read).
    #[must_use]
    pub fn is_made_up(&self) -> Option<bool> {
        self.runtime.as_ref().map(|runtime| runtime.raw_status.is_none())
    }

    /// Whether a person is asked for input; `None` where that was not read.
    #[must_use]
    pub fn is_waiting(&self) -> Option<bool> {
        if self.waiting.is_some() {
            return Some(true);
        }
        self.waiting_known.then_some(false)
    }
}
