//! What a statement about a server is about.

use super::words::words;

words! {
    /// What a subject is.
    pub enum SubjectKind {
        /// One message being worked on.
        Turn = "turn",
        /// A full workflow run or evaluation.
        Run = "run",
        /// A detached step.
        Step = "step",
        /// A message-sequence item.
        Item = "item",
        /// Background work with its own cancel.
        Agent = "agent",
        /// Any other execution.
        Execution = "execution",
        /// A terminal or tmux pane.
        Terminal = "terminal",
        /// A schedule.
        Schedule = "schedule",
        /// A session.
        Session = "session",
    }
}

impl SubjectKind {
    /// The kind of an execution, by its id.
    #[must_use]
    pub fn of_execution(id: &str) -> Self {
        use super::id::IdKind;
        match IdKind::of(id) {
            IdKind::Turn | IdKind::SyntheticTurn => Self::Turn,
            IdKind::Run | IdKind::Evaluation => Self::Run,
            IdKind::Step => Self::Step,
            IdKind::Item => Self::Item,
            IdKind::Agent | IdKind::SubAgent => Self::Agent,
            IdKind::Mirror | IdKind::Unknown => Self::Execution,
        }
    }
}

/// Something that a statement is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// What it is.
    pub kind: SubjectKind,
    /// Its id, exactly as the log or the server gives it.
    pub id: String,
}

impl Subject {
    /// A subject of this kind.
    #[must_use]
    pub fn new(kind: SubjectKind, id: impl Into<String>) -> Self {
        Self { kind, id: id.into() }
    }

    /// An execution, its kind read from the id.
    #[must_use]
    pub fn execution(id: impl Into<String>) -> Self {
        let id = id.into();
        Self { kind: SubjectKind::of_execution(&id), id }
    }
}
