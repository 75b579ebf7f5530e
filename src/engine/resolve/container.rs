//! What a row runs in (server-behaviour.md#parents-and-steps).
//!
//! Follows only what a real cancel reaches (server-behaviour.md#what-a-cancel-reaches): items, sub-agents and
//! mirrors run inside something; turns, runs, detached steps and agents do not, whatever their parent is.

use super::index::{MOST_CANDIDATES, SessionIndex, StepId, from_nanoseconds, row_evidence, started_at};
use super::reason::{Evidence, Reason, Resolved, shown_parent};
use super::row::Container;
use crate::model::confidence::Confidence;
use crate::model::execution::{Execution, Parent};
use crate::model::fact::Label;
use crate::model::id::{self, IdKind};

const PARENTS: &str = "server-behaviour.md#parents-and-steps";
const CONTEXT: &str = "server-behaviour.md#what-a-cancel-reaches";

/// A row's container and, for an item, its step.
pub(super) struct Place<'a> {
    pub(super) container: Resolved<'a, Container<'a>>,
    pub(super) step: Option<Resolved<'a, &'a str>>,
}

impl<'a> From<Resolved<'a, Container<'a>>> for Place<'a> {
    fn from(container: Resolved<'a, Container<'a>>) -> Self {
        Self { container, step: None }
    }
}

/// Where a row runs.
pub(super) fn place<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Place<'a> {
    match row.kind {
        IdKind::Turn | IdKind::SyntheticTurn => {
            under_session(row, Confidence::High, "a turn is the session's own work").into()
        }
        IdKind::Run | IdKind::Evaluation => {
            under_session(row, Confidence::High, "a run hangs off the workshop, not off the turn").into()
        }
        IdKind::Step | IdKind::Agent => {
            under_session(row, Confidence::High, "it has a cancel of its own and no container").into()
        }
        IdKind::Mirror => mirror(index, row).into(),
        IdKind::Item => item(index, row),
        IdKind::SubAgent => sub_agent(index, row).into(),
        IdKind::Unknown => unknown_spelling(index, row).into(),
    }
}

fn under_session<'a>(
    row: &'a Execution,
    confidence: Confidence,
    words: &'static str,
) -> Resolved<'a, Container<'a>> {
    Resolved::new(Container::Session, Reason::new(confidence, CONTEXT, words, row_evidence(row)))
}

fn mirror<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Resolved<'a, Container<'a>> {
    let Some(container) = id::container_of_mirror(&row.id) else {
        return unknown(row, "its id names no run");
    };
    let reason = |words| Reason::new(Confidence::High, PARENTS, words, row_evidence(row));
    if index.row(container).is_some() {
        return Resolved::new(Container::Row(container), reason("its id begins with that of its run"));
    }
    Resolved::new(
        Container::Missing(container),
        reason("its id begins with that of its run, which is no row any more"),
    )
}

fn item<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Place<'a> {
    if let Parent::Execution(parent) = &row.parent.value {
        let reason = shown_parent(row, PARENTS);
        let is_step = IdKind::of(parent) == IdKind::Step;
        let step = is_step.then(|| Resolved::new(parent.as_str(), reason.clone()));
        if index.row(parent).is_some() {
            return Place { container: Resolved::new(Container::Row(parent), reason), step };
        }
        if is_step {
            let moment = started_at(row);
            return Place { container: run_of(index, row, moment, reason.evidence), step };
        }
        return missing(parent, reason.evidence).into();
    }
    let Some(found) = find_step(index, row) else {
        return run_of(index, row, started_at(row), row_evidence(row)).into();
    };
    found.place(index, row)
}

fn missing<'a>(parent: &'a str, evidence: Evidence<'a>) -> Resolved<'a, Container<'a>> {
    let words = "it is shown as the parent, but is no row of this session";
    Resolved::new(Container::Missing(parent), Reason::new(Confidence::High, PARENTS, words, evidence))
}

fn unknown<'a>(row: &'a Execution, words: &'static str) -> Resolved<'a, Container<'a>> {
    Resolved::new(Container::Unknown, Reason::new(Confidence::Low, PARENTS, words, row_evidence(row)))
}

/// The step ids that an item may belong to.
struct FoundStep<'a> {
    /// A step that is a row, and was running when the item began.
    row: Option<StepId<'a>>,
    /// A step that no registry holds, so one of a run.
    inferred: Option<StepId<'a>>,
    /// Another run is at work on the same step.
    is_rivalled: bool,
    /// The item's metadata named the step.
    is_named: bool,
}

/// Finds the step by name and time: the newest id not after the item's
/// (server-behaviour.md#parents-and-steps, rule 3).
fn find_step<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Option<FoundStep<'a>> {
    let moment = started_at(row);
    let nanoseconds = id::nanoseconds(&row.id).or_else(|| i64::try_from(moment?.as_nanosecond()).ok())?;
    let named = row.metadata.as_ref().and_then(|metadata| metadata.step_id.as_deref());
    let step = match named {
        Some(step) => step,
        None => longest_step(index, &row.id)?,
    };
    let mut found = FoundStep { row: None, inferred: None, is_rivalled: false, is_named: named.is_some() };
    let mut newest_is_row = None;
    for step in index.steps_until(step, nanoseconds) {
        let Some(execution) = step.row else {
            if found.inferred.is_none() {
                // Behind a newer row only a step that may still be at work is possible.
                if newest_is_row != Some(true) || step.may_be_open {
                    found.inferred = Some(*step);
                    newest_is_row.get_or_insert(false);
                }
            } else if step.may_be_open {
                found.is_rivalled = true;
            }
            continue;
        };
        let was_running = execution.finished_at.is_none_or(|ended| moment.is_none_or(|at| at <= ended.value));
        if was_running && found.row.is_none() {
            found.row = Some(*step);
            newest_is_row.get_or_insert(true);
        }
    }
    (found.row.is_some() || found.inferred.is_some()).then_some(found)
}

/// The longest known `<step>` for which the item's id begins `msgseq-<step>-`.
fn longest_step<'a>(index: &SessionIndex<'_>, item: &'a str) -> Option<&'a str> {
    let rest = item.strip_prefix("msgseq-")?;
    rest.rmatch_indices('-').map(|(at, _)| &rest[..at]).find(|step| index.knows_step(step))
}

impl<'a> FoundStep<'a> {
    fn place(self, index: &SessionIndex<'a>, row: &'a Execution) -> Place<'a> {
        let is_of_run = row.metadata.as_ref().map(|metadata| metadata.group_name.is_some());
        match (self.row, self.inferred, is_of_run) {
            (Some(step), None, _) | (Some(step), Some(_), Some(false)) => self.in_row(step),
            (None, Some(step), _) | (Some(_), Some(step), Some(true)) => self.in_run(index, row, step),
            (Some(detached), Some(step), None) => {
                let run = run_of(index, row, started_at(row), step.evidence);
                let mut candidates = run.value.candidates().to_vec();
                candidates.push(detached.id);
                candidates.sort_unstable();
                let words = "a run and a step that was started on its own both work on this step";
                let reason = Reason::new(Confidence::Low, PARENTS, words, detached.evidence);
                let container = match candidates.as_slice() {
                    [_] => Container::Unknown,
                    _ => Container::OneOf(candidates),
                };
                Place { container: Resolved::new(container, reason), step: None }
            }
            (None, None, _) => unknown(row, "nothing names its step").into(),
        }
    }

    /// The item of a step that is a row.
    fn in_row(&self, step: StepId<'a>) -> Place<'a> {
        let confidence =
            if self.is_named && self.inferred.is_none() { Confidence::High } else { Confidence::Medium };
        let words = "its step was started on its own and is the newest one of that name";
        let reason = Reason::new(confidence, PARENTS, words, step.evidence);
        Place {
            container: Resolved::new(Container::Row(step.id), reason.clone()),
            step: Some(Resolved::new(step.id, reason)),
        }
    }

    /// The item of a step that no registry holds.
    fn in_run(&self, index: &SessionIndex<'a>, row: &'a Execution, step: StepId<'a>) -> Place<'a> {
        let confidence = match (self.is_rivalled, self.is_named) {
            (true, _) => Confidence::Low,
            (false, true) => Confidence::High,
            (false, false) => Confidence::Medium,
        };
        let words = if self.is_rivalled {
            "the newest step of that name, but another of that name is at work too"
        } else {
            "the newest step of that name"
        };
        Place {
            container: run_of(index, row, started_at(row), step.evidence),
            step: Some(Resolved::new(step.id, Reason::new(confidence, PARENTS, words, step.evidence))),
        }
    }
}

/// The run that an item belongs to: one that was at work when it began, and has its group and folder in its name
/// (server-behaviour.md#parents-and-steps, rule 4).
fn run_of<'a>(
    index: &SessionIndex<'a>,
    row: &'a Execution,
    moment: Option<jiff::Timestamp>,
    evidence: Evidence<'a>,
) -> Resolved<'a, Container<'a>> {
    let Some(moment) = moment else { return unknown(row, "nothing tells when it began") };
    let at_work = index.runs.holding(moment, MOST_CANDIDATES + 1);
    let Some((group, folder)) = group_of(row) else {
        return choose(at_work, false, row, evidence);
    };
    let of_group: Vec<&str> =
        at_work.iter().copied().filter(|run| is_run_of(index, run, group, folder)).collect();
    if !of_group.is_empty() {
        return choose(of_group, true, row, evidence);
    }
    // A run whose name cannot be read is possible; one with the name of another group is not.
    let nameless = |run: &&str| index.row(run).is_none_or(|run| full_run_name(run).is_none());
    choose(at_work.into_iter().filter(nameless).collect(), false, row, evidence)
}

fn choose<'a>(
    mut runs: Vec<&'a str>,
    by_name: bool,
    row: &'a Execution,
    evidence: Evidence<'a>,
) -> Resolved<'a, Container<'a>> {
    let reason = |confidence, words| Reason::new(confidence, PARENTS, words, evidence);
    match (runs.as_slice(), by_name) {
        ([], _) => unknown(row, "no run that could hold it was at work when it began"),
        ([run], true) => Resolved::new(
            Container::Row(run),
            reason(Confidence::High, "the run of its group and folder that was at work when it began"),
        ),
        ([run], false) => Resolved::new(
            Container::Row(run),
            reason(Confidence::Medium, "the only run that was at work when it began"),
        ),
        _ if runs.len() > MOST_CANDIDATES => unknown(row, "more than 32 runs were at work when it began"),
        (_, by_name) => {
            runs.sort_unstable();
            let (confidence, words) = if by_name {
                (Confidence::Medium, "several runs of its group and folder were at work when it began")
            } else {
                (Confidence::Low, "several runs were at work when it began")
            };
            Resolved::new(Container::OneOf(runs), reason(confidence, words))
        }
    }
}

/// The group and folder that an item's metadata names.
fn group_of(item: &Execution) -> Option<(&str, &str)> {
    let metadata = item.metadata.as_ref()?;
    let folder = metadata.run_folder.as_deref().or(metadata.iteration.as_deref())?;
    Some((metadata.group_name.as_deref()?, folder))
}

/// Whether a run works on this group in this folder. Its name is `full-run [<group> / <iteration>]`; the folder
/// is the iteration and, below it, the group as a file name (`North Region` in `iteration-0/north-region`).
fn is_run_of(index: &SessionIndex<'_>, run: &str, group: &str, folder: &str) -> bool {
    let Some(run) = index.row(run) else { return false };
    let iteration = full_run_name(run)
        .and_then(|name| name.strip_prefix("full-run ["))
        .and_then(|rest| rest.strip_prefix(group))
        .and_then(|rest| rest.strip_prefix(" / "))
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(iteration) = iteration
        && let Some(below) = folder.strip_prefix(iteration)
    {
        return below.is_empty() || below.starts_with('/');
    }
    // Later versions put group and folder on the run too (server-behaviour.md#versions).
    run.metadata.as_ref().is_some_and(|metadata| {
        metadata.group_name.as_deref() == Some(group) && metadata.run_folder.as_deref() == Some(folder)
    })
}

fn full_run_name(run: &Execution) -> Option<&str> {
    run.name.as_ref().and_then(|name| Label::plain(&name.value)).filter(|name| name.starts_with("full-run ["))
}

fn sub_agent<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Resolved<'a, Container<'a>> {
    if let Parent::Execution(parent) = &row.parent.value {
        let reason = shown_parent(row, PARENTS);
        if index.row(parent).is_some() {
            return Resolved::new(Container::Row(parent), reason);
        }
        if IdKind::of(parent) != IdKind::Step {
            return missing(parent, reason.evidence);
        }
    }
    let Some(moment) = started_at(row) else { return unknown(row, "nothing tells when it began") };
    let at_work = index.containers.holding(moment, MOST_CANDIDATES + 1);
    choose(at_work, false, row, row_evidence(row))
}

/// The container of a step that no registry holds, where no item of it tells more: the runs at work at its start.
pub(super) fn of_inferred_step<'a>(
    index: &SessionIndex<'a>,
    step: &StepId<'a>,
) -> Resolved<'a, Container<'a>> {
    let reason = |confidence, words| Reason::new(confidence, PARENTS, words, step.evidence);
    let mut runs = from_nanoseconds(step.nanoseconds)
        .map(|moment| index.runs.holding(moment, MOST_CANDIDATES + 1))
        .unwrap_or_default();
    match runs.as_slice() {
        [] => Resolved::new(
            Container::Unknown,
            reason(Confidence::Low, "no run that could hold it was at work when it began"),
        ),
        [run] => Resolved::new(
            Container::Row(run),
            reason(Confidence::Medium, "the only run that was at work when it began"),
        ),
        _ if runs.len() > MOST_CANDIDATES => Resolved::new(
            Container::Unknown,
            reason(Confidence::Low, "more than 32 runs were at work when it began"),
        ),
        _ => {
            runs.sort_unstable();
            Resolved::new(
                Container::OneOf(runs),
                reason(Confidence::Low, "several runs were at work when it began"),
            )
        }
    }
}

/// An id of no known spelling: its declared kind decides (server-behaviour.md#whose-work-it-is, last row).
fn unknown_spelling<'a>(index: &SessionIndex<'a>, row: &'a Execution) -> Resolved<'a, Container<'a>> {
    match super::class::declared(row) {
        super::class::Declared::Inline => {
            if let Parent::Execution(parent) = &row.parent.value {
                let reason = shown_parent(row, PARENTS).at_most(Confidence::Medium);
                if index.row(parent).is_some() {
                    return Resolved::new(Container::Row(parent), reason);
                }
                return missing(parent, reason.evidence);
            }
            unknown(row, "its id is of no known spelling and its parent is not shown")
        }
        super::class::Declared::Run | super::class::Declared::Agent => {
            under_session(row, Confidence::Medium, "its declared kind has no container")
        }
        super::class::Declared::Nothing => unknown(row, "its id is of no known spelling"),
    }
}
