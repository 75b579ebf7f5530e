//! What a row is to its session (server-behaviour.md#whose-work-it-is). What cannot be told is unknown, never
//! owned.

use super::index::{SessionIndex, is_orchestrator_run, row_evidence};
use super::reason::{Evidence, Reason, Resolved};
use super::row::{Class, Container};
use crate::model::confidence::Confidence;
use crate::model::execution::Execution;
use crate::model::id::IdKind;

const CLASS: &str = "server-behaviour.md#whose-work-it-is";

/// What the declared kind of a row tells that its id does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// It runs inside its parent.
    Inline,
    /// It is a run.
    Run,
    /// It is background work with its own cancel.
    Agent,
    /// Nothing.
    Nothing,
}

/// Reads the declared kind of a row whose id is of no known spelling.
pub(super) fn declared(row: &Execution) -> Declared {
    if row.kind != IdKind::Unknown {
        return Declared::Nothing;
    }
    let kinds = [row.declared_kind(), row.tracked_kind()];
    let declares = |names: &[&str]| kinds.iter().flatten().any(|kind| names.contains(kind));
    if declares(&["message_sequence_item", "agent_item", "orchestrator", "sub_agent"]) {
        Declared::Inline
    } else if declares(&["full_run", "full_workflow", "full_evaluation"]) {
        Declared::Run
    } else if declares(&["delegation"]) {
        Declared::Agent
    } else {
        Declared::Nothing
    }
}

/// A row together with what was concluded about it so far.
#[derive(Clone, Copy)]
pub(super) struct Known<'a, 'b> {
    pub(super) index: &'b SessionIndex<'a>,
    pub(super) row: &'a Execution,
    pub(super) container: &'b Resolved<'a, Container<'a>>,
    pub(super) launched_by: Option<&'b Resolved<'a, Vec<&'a str>>>,
}

/// The class of a row; `class_of` gives that of a row that it depends on.
pub(super) fn class<'a, 'b>(
    known: Known<'a, 'b>,
    class_of: impl Fn(&str) -> Option<&'b Resolved<'a, Class>>,
) -> Resolved<'a, Class>
where
    'a: 'b,
{
    let row = known.row;
    let is = |class, confidence, words| resolved(class, confidence, words, row_evidence(row));
    if is_orchestrator_run(row) {
        return is(Class::Owned, Confidence::High, "a run in orchestrator mode is the session's own work");
    }
    match row.kind {
        IdKind::Turn | IdKind::SyntheticTurn => {
            is(Class::Owned, Confidence::High, "a turn is the session's own work")
        }
        IdKind::Run => root(known, Confidence::High, "a full run only reports to this session"),
        IdKind::Evaluation => root(known, Confidence::High, "an evaluation only reports to this session"),
        IdKind::Item | IdKind::Mirror | IdKind::SubAgent => inherited(known, class_of),
        IdKind::Step | IdKind::Agent => agent(known, class_of),
        IdKind::Unknown => match declared(row) {
            Declared::Inline => inherited(known, class_of),
            Declared::Run => root(known, Confidence::Medium, "its declared kind is that of a run"),
            Declared::Agent => agent(known, class_of),
            Declared::Nothing => is(Class::Unknown, Confidence::Low, "its id is of no known spelling"),
        },
    }
}

fn resolved<'a>(
    class: Class,
    confidence: Confidence,
    words: &'static str,
    evidence: Evidence<'a>,
) -> Resolved<'a, Class> {
    Resolved::new(class, Reason::new(confidence, CLASS, words, evidence))
}

/// Work of its own: watched, but a schedule's run is driven by its session and belongs to it.
fn root<'a>(known: Known<'a, '_>, confidence: Confidence, words: &'static str) -> Resolved<'a, Class> {
    let evidence = row_evidence(known.row);
    if known.index.scheduled {
        let words = "this session is a schedule's run and drives it";
        return resolved(Class::Owned, confidence, words, evidence);
    }
    resolved(Class::Watched, confidence, words, evidence)
}

fn agent<'a, 'b>(
    known: Known<'a, 'b>,
    class_of: impl Fn(&str) -> Option<&'b Resolved<'a, Class>>,
) -> Resolved<'a, Class>
where
    'a: 'b,
{
    let row = known.row;
    let evidence = row_evidence(row);
    if row.id.starts_with("kb-") {
        return resolved(Class::Owned, Confidence::High, "the turn waits for it", evidence);
    }
    if row.id.starts_with("review-") {
        return resolved(Class::Owned, Confidence::Medium, "it is a review of the turn", evidence);
    }
    if row.id.starts_with("recover-") {
        return root(known, Confidence::Medium, "it is maintenance of an earlier run");
    }
    if known.index.scheduled {
        let words = "this session is a schedule's run and drives it";
        return resolved(Class::Owned, Confidence::Medium, words, evidence);
    }
    let Some(launched_by) = known.launched_by else {
        return resolved(Class::Unknown, Confidence::Low, "no turn is known to have launched it", evidence);
    };
    by_launcher(known, launched_by, class_of)
}

/// Detached work is its turn's as long as that runs.
fn by_launcher<'a, 'b>(
    known: Known<'a, 'b>,
    launched_by: &Resolved<'a, Vec<&'a str>>,
    class_of: impl Fn(&str) -> Option<&'b Resolved<'a, Class>>,
) -> Resolved<'a, Class>
where
    'a: 'b,
{
    let evidence = launched_by.reason.evidence;
    let sure = Confidence::Medium.min(launched_by.reason.confidence);
    let mut running = 0;
    let mut ended = 0;
    for launcher in &launched_by.value {
        let Some(row) = known.index.row(launcher) else {
            let words = "what launched it is no row any more";
            return resolved(Class::Unknown, Confidence::Low, words, evidence);
        };
        if !row.kind.is_turn() {
            let class = class_of(launcher).map_or(Class::Unknown, |class| class.value);
            let words = "it was started by an agent and is what that one is";
            return resolved(
                class,
                if class == Class::Unknown { Confidence::Low } else { sure },
                words,
                evidence,
            );
        }
        match row.is_running() {
            Some(true) => running += 1,
            Some(false) => ended += 1,
            None => {}
        }
    }
    let all = launched_by.value.len();
    if running == all {
        resolved(Class::Owned, sure, "the turn that launched it is still at work", evidence)
    } else if ended == all {
        resolved(Class::Detached, sure, "the turn that launched it has ended", evidence)
    } else {
        let words = "whether the turn that launched it is still at work cannot be told";
        resolved(Class::Unknown, Confidence::Low, words, evidence)
    }
}

/// What runs inside something is what that is.
fn inherited<'a, 'b>(
    known: Known<'a, 'b>,
    class_of: impl Fn(&str) -> Option<&'b Resolved<'a, Class>>,
) -> Resolved<'a, Class>
where
    'a: 'b,
{
    of_container(known.index, known.container, class_of)
}

/// The class of what runs in this container; also used for steps that no registry holds.
pub(super) fn of_container<'a, 'b>(
    index: &SessionIndex<'a>,
    container: &Resolved<'a, Container<'a>>,
    class_of: impl Fn(&str) -> Option<&'b Resolved<'a, Class>>,
) -> Resolved<'a, Class>
where
    'a: 'b,
{
    let evidence = container.reason.evidence;
    let sure = container.reason.confidence;
    let is = |class, confidence, words| resolved(class, confidence, words, evidence);
    match &container.value {
        Container::Session => is(Class::Unknown, Confidence::Low, "nothing tells what it runs in"),
        Container::Unknown => is(Class::Unknown, Confidence::Low, "what it runs in cannot be told"),
        Container::Missing(id) if IdKind::of(id).is_run() && !index.scheduled => is(
            Class::Watched,
            Confidence::Medium.min(sure),
            "it is part of a run that only reports to this session, and that is no row any more",
        ),
        Container::Missing(_) => {
            is(Class::Unknown, Confidence::Low, "what it runs in is no row of this session")
        }
        Container::Row(id) => match class_of(id) {
            Some(class) if class.value != Class::Unknown => {
                is(class.value, sure.min(class.reason.confidence), "it runs inside something that is this")
            }
            _ => is(Class::Unknown, Confidence::Low, "what it runs in is itself not known"),
        },
        Container::OneOf(ids) => {
            let mut classes = ids.iter().map(|id| class_of(id).map(|class| class.value));
            let first = classes.next().flatten();
            match first {
                // The class is surer than the container: it is the same whichever of them it is.
                Some(class) if class != Class::Unknown && classes.all(|other| other == Some(class)) => {
                    is(class, Confidence::Medium, "all that it may run in are this")
                }
                _ => is(Class::Unknown, Confidence::Low, "what it may run in differs"),
            }
        }
    }
}
