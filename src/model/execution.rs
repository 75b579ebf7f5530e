//! An execution: one row of the tracked registry, of the background-agent registry, or of both.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fact::{Fact, Label, Source};
use super::id::IdKind;
use super::words::server_words;

server_words! {
    /// A row's status.
    pub enum Status {
        /// At work, or believed to be.
        Running = "running",
        /// Ended well.
        Completed = "completed",
        /// Ended badly.
        Failed = "failed",
        /// Ended by a stop, or only marked so.
        Canceled = "canceled" | "cancelled",
        /// Ended, and a log does not tell how: no server says so.
        Ended = "ended",
    }
}

server_words! {
    /// Who writes a tracked row.
    pub enum TrackedSource {
        /// A turn.
        ConversationTurn = "conversation_turn",
        /// Work of a workshop, also in the background-agent registry.
        WorkshopBackground = "workshop_background",
        /// A run in orchestrator mode; its query id carries a real cancel.
        WorkflowRun = "workflow_run",
    }
}

/// Whether a row is in a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(into = "Option<bool>", from = "Option<bool>")]
pub enum Membership {
    /// It is in it.
    Present,
    /// It is not in it.
    Absent,
    /// The registry could not be seen, or only as it was before a stop.
    #[default]
    Unknown,
}

/// Saved as `true`, `false` and `null`.
impl From<Membership> for Option<bool> {
    fn from(membership: Membership) -> Self {
        match membership {
            Membership::Present => Some(true),
            Membership::Absent => Some(false),
            Membership::Unknown => None,
        }
    }
}

impl From<Option<bool>> for Membership {
    fn from(present: Option<bool>) -> Self {
        match present {
            Some(true) => Self::Present,
            Some(false) => Self::Absent,
            None => Self::Unknown,
        }
    }
}

/// The parent of a row, as it is shown (server-behaviour.md#parents-and-steps).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parent {
    /// Nothing shows a parent.
    #[default]
    #[serde(skip)]
    Unknown,
    /// The session itself, rightly: a turn.
    Session,
    /// This id. It need not be the id of a row.
    Execution(String),
    /// The server rewrote it to the session because it knew no such row: never "child of the session".
    Lost,
}

/// What a row's metadata tells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// `execution_type`, such as `message-sequence-item`.
    pub execution_type: Option<String>,
    /// Folder of the run below the workflow's `runs/`, such as `iteration-0/group-1`.
    pub run_folder: Option<String>,
    /// Group that the run works on.
    pub group_name: Option<String>,
    /// Step of the plan.
    pub step_id: Option<String>,
    /// Iteration; an item's repeats the run folder.
    pub iteration: Option<String>,
    /// Item of a message sequence.
    pub item_id: Option<String>,
    /// Workflow folder.
    pub workflow_path: Option<String>,
    /// How a background agent reports its end.
    pub completion_mode: Option<String>,
}

/// The row in the tracked registry, which holds no cancel.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct TrackedRow {
    /// Who writes it.
    pub written_by: Option<Fact<TrackedSource>>,
    /// Kind as stored (`workflow_builder_task`, `step`, `full_evaluation`, …).
    pub kind: Option<String>,
    /// Status; `None` where the registry could only be seen as it was before a stop.
    pub status: Option<Status>,
    /// When it was registered.
    #[schemars(with = "Option<String>")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schemars(with = "Option<String>")]
    pub finished_at: Option<Timestamp>,
}

/// The row in the background-agent registry, which may hold a cancel; that is never shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundRow {
    /// Kind as declared (`full_run`, `message_sequence_item`, …).
    pub kind: Option<String>,
    /// Status; `None` where the registry could only be seen as it was before a stop.
    pub status: Option<Status>,
    /// When it was registered.
    #[schemars(with = "Option<String>")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schemars(with = "Option<String>")]
    pub finished_at: Option<Timestamp>,
}

/// One execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// Its id.
    pub id: String,
    /// The session whose id it carries. That says who may cancel it, not who owns it.
    pub session: String,
    /// What its id stands for. It is not saved, since the id tells it.
    #[serde(skip)]
    pub kind: IdKind,
    /// Whether it is in the tracked registry; null where that is not known.
    #[schemars(with = "Option<bool>")]
    pub in_tracked: Membership,
    /// Whether it is in the background-agent registry; null where that is not known.
    #[schemars(with = "Option<bool>")]
    pub in_background: Membership,
    /// The tracked row, where one was seen.
    pub tracked: Option<Box<TrackedRow>>,
    /// The background-agent row, where one was seen.
    pub background: Option<Box<BackgroundRow>>,
    /// Status as the server's tree shows it; an event may have flipped it
    /// (server-behaviour.md#what-a-client-can-read, traps).
    pub tree_status: Option<Status>,
    /// Whether `/workflow/running` lists it; `None` where that was not read.
    pub listed_running: Option<bool>,
    /// The status to go by; `None` is unknown.
    pub status: Option<Fact<Status>>,
    /// Its name.
    pub name: Option<Fact<Label>>,
    /// Its parent as shown; null where nothing shows one.
    #[serde(default = "no_parent", serialize_with = "shown_parent", deserialize_with = "saved_parent")]
    #[schemars(with = "Option<Fact<Parent>>")]
    pub parent: Fact<Parent>,
    /// When it started.
    #[schemars(with = "Option<Fact<String>>")]
    pub started_at: Option<Fact<Timestamp>>,
    /// When it ended.
    #[schemars(with = "Option<Fact<String>>")]
    pub finished_at: Option<Fact<Timestamp>>,
    /// Why it failed, in the server's words.
    pub error: Option<Label>,
    /// What its metadata tells; `None` where metadata could not be read.
    pub metadata: Option<Box<Metadata>>,
}

fn no_parent() -> Fact<Parent> {
    Fact::new(Parent::Unknown, Source::Given)
}

fn shown_parent<S: Serializer>(parent: &Fact<Parent>, output: S) -> Result<S::Ok, S::Error> {
    (parent.value != Parent::Unknown).then_some(parent).serialize(output)
}

fn saved_parent<'de, D: Deserializer<'de>>(input: D) -> Result<Fact<Parent>, D::Error> {
    Option::deserialize(input).map(|parent| parent.unwrap_or_else(no_parent))
}

impl Execution {
    /// An execution of which only id and session are known.
    pub fn new(session: impl Into<String>, id: impl Into<String>) -> Self {
        let id = id.into();
        Self {
            kind: IdKind::of(&id),
            id,
            session: session.into(),
            in_tracked: Membership::Unknown,
            in_background: Membership::Unknown,
            tracked: None,
            background: None,
            tree_status: None,
            listed_running: None,
            status: None,
            name: None,
            parent: no_parent(),
            started_at: None,
            finished_at: None,
            error: None,
            metadata: None,
        }
    }

    /// A running row in the registries in which rows of its kind are kept (server-behaviour.md#ids): turns
    /// are tracked only, sub-agents in the background registry only, all others in both.
    pub fn running(session: impl Into<String>, id: impl Into<String>, started_at: Timestamp) -> Self {
        let mut execution = Self::new(session, id);
        execution.started_at = Some(Fact::new(started_at, Source::Given));
        execution.register();
        execution.with_status(Status::Running)
    }

    fn register(&mut self) {
        let started_at = self.started_at.map(|fact| fact.value);
        let is_turn = self.kind.is_turn();
        self.in_tracked =
            if self.kind == IdKind::SubAgent { Membership::Absent } else { Membership::Present };
        self.in_background = if is_turn { Membership::Absent } else { Membership::Present };
        if self.in_tracked == Membership::Present {
            let writer =
                if is_turn { TrackedSource::ConversationTurn } else { TrackedSource::WorkshopBackground };
            self.tracked = Some(Box::new(TrackedRow {
                written_by: Some(Fact::new(writer, Source::Given)),
                kind: Some("workflow_builder_task".to_owned()),
                started_at,
                ..TrackedRow::default()
            }));
        }
        if self.in_background == Membership::Present {
            self.background = Some(Box::new(BackgroundRow { started_at, ..BackgroundRow::default() }));
        }
    }

    /// Sets the status, in the registries that hold the row too.
    #[must_use]
    pub fn with_status(mut self, status: Status) -> Self {
        if let Some(row) = &mut self.tracked {
            row.status = Some(status.clone());
        }
        if let Some(row) = &mut self.background {
            row.status = Some(status.clone());
        }
        self.status = Some(Fact::new(status, Source::Given));
        self
    }

    /// Sets when it ended, and the status that it ended with.
    #[must_use]
    pub fn ended(mut self, status: Status, at: Timestamp) -> Self {
        self.finished_at = Some(Fact::new(at, Source::Given));
        self.with_status(status)
    }

    /// Sets the parent.
    #[must_use]
    pub fn under(mut self, parent: impl Into<String>) -> Self {
        self.parent = Fact::new(Parent::Execution(parent.into()), Source::Given);
        self
    }

    /// Sets a name that the server gives.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(Fact::new(Label::Plain(name.into()), Source::Given));
        self
    }

    /// Whether it runs; `None` where that is not known, as with a word that this version does not know.
    #[must_use]
    pub fn is_running(&self) -> Option<bool> {
        match self.status.as_ref()?.value {
            Status::Running => Some(true),
            Status::Completed | Status::Failed | Status::Canceled | Status::Ended => Some(false),
            Status::Other(_) => None,
        }
    }

    /// Who writes its tracked row, where known.
    #[must_use]
    pub fn tracked_source(&self) -> Option<&TrackedSource> {
        self.tracked.as_ref()?.written_by.as_ref().map(|fact| &fact.value)
    }

    /// The kind of its tracked row, where known.
    #[must_use]
    pub fn tracked_kind(&self) -> Option<&str> {
        self.tracked.as_ref()?.kind.as_deref()
    }

    /// The kind that the background-agent row declares, where known (only with the debug gate open).
    #[must_use]
    pub fn declared_kind(&self) -> Option<&str> {
        self.background.as_ref()?.kind.as_deref()
    }
}
