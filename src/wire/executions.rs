//! The rows of one session's registries, joined from the runtime snapshot, the tree and `/workflow/running`.
//!
//! The runtime snapshot holds the registries' own statuses, the tree their names, parents and metadata. After a
//! stop the snapshot is frozen and the roles change (server-behaviour.md#frozen-answers).

use std::collections::BTreeMap;

use super::names::Started;
use super::types::{ExecutionTree, Node, NodeMetadata, RuntimeState, filled};
use crate::model::execution::{
    BackgroundRow, Execution, Membership, Metadata, Parent, Status, TrackedRow, TrackedSource,
};
use crate::model::fact::{Fact, Label, Rule, Source};
use crate::model::session::Session;
use crate::model::snapshot::{EventNode, RunningRow};

/// A running row, with the name that the model keeps on the execution.
#[derive(Debug)]
pub(super) struct NamedRow {
    pub(super) row: RunningRow,
    pub(super) title: Option<String>,
}

/// What was read about one session's rows.
pub(super) struct SessionRows<'a> {
    /// The session.
    pub(super) session: &'a Session,
    /// The newest runtime snapshot.
    pub(super) state: Option<RuntimeState>,
    /// The tree.
    pub(super) tree: Option<ExecutionTree>,
    /// The session's rows of `/workflow/running`; `None` where that was not read.
    pub(super) running: Option<&'a [NamedRow]>,
}

/// All executions of a session, and the nodes that no registry holds.
pub(super) fn executions_of(rows: SessionRows<'_>) -> (Vec<Execution>, Vec<EventNode>) {
    let session = &rows.session.id;
    let frozen = rows.session.frozen().is_yes();
    let registries_seen = rows.state.is_some() && !frozen;
    let has_tree = rows.tree.is_some();

    let mut joined: BTreeMap<String, Execution> = BTreeMap::new();
    if let Some(state) = rows.state {
        join_state(session, state, &mut joined);
    }
    let mut nodes = Vec::new();
    if let Some(tree) = rows.tree {
        // In a frozen session the registries are those of the tree; what only the snapshot remembers is gone.
        let remembered = if frozen { std::mem::take(&mut joined) } else { BTreeMap::new() };
        nodes = join_tree(session, tree, frozen, remembered, &mut joined);
    }
    if let Some(running) = rows.running {
        join_running(session, running, &mut joined);
    }
    for execution in joined.values_mut() {
        settle(execution, registries_seen, frozen, has_tree);
    }
    (joined.into_values().collect(), nodes)
}

fn join_state(session: &str, state: RuntimeState, joined: &mut BTreeMap<String, Execution>) {
    for row in state.child_executions {
        let execution = entry(session, row.execution_id, joined);
        execution.in_tracked = Membership::Present;
        execution.tracked = Some(Box::new(TrackedRow {
            written_by: None,
            kind: filled(row.kind),
            status: filled(Some(row.status)).map(|status| Status::from_word(&status)),
            started_at: row.started_at.0,
            finished_at: row.completed_at.0,
        }));
    }
    for row in state.background_agents {
        let execution = entry(session, row.agent_id, joined);
        execution.in_background = Membership::Present;
        execution.background = Some(Box::new(BackgroundRow {
            kind: None,
            status: filled(Some(row.status)).map(|status| Status::from_word(&status)),
            started_at: row.created_at.0,
            finished_at: row.completed_at.0,
        }));
    }
}

/// The execution with this id, made if there is none.
fn entry<'a>(session: &str, id: String, joined: &'a mut BTreeMap<String, Execution>) -> &'a mut Execution {
    joined.entry(id).or_insert_with_key(|id| Execution::new(session, id.clone()))
}

fn join_tree(
    session: &str,
    tree: ExecutionTree,
    frozen: bool,
    mut remembered: BTreeMap<String, Execution>,
    joined: &mut BTreeMap<String, Execution>,
) -> Vec<EventNode> {
    let mut event_nodes = Vec::new();
    // A stack, not recursion: the depth is the server's to choose.
    let mut stack = tree.root.children;
    while let Some(mut node) = stack.pop() {
        stack.append(&mut node.children);
        // It is told as a gap.
        if node.execution_id.is_empty() {
            continue;
        }
        match node.source.as_deref() {
            Some("session") => {}
            Some("event_stream") => {
                // The server may know a registry row's events before its row; the row is then no event node.
                if !joined.contains_key(&node.execution_id) {
                    event_nodes.push(event_node(session, node));
                }
            }
            _ => {
                if let Some(known) = remembered.remove(&node.execution_id) {
                    joined.insert(known.id.clone(), known);
                }
                join_node(session, node, frozen, joined);
            }
        }
    }
    event_nodes.retain(|node| !joined.contains_key(&node.id));
    event_nodes
}

fn event_node(session: &str, node: Node) -> EventNode {
    EventNode {
        session: session.to_owned(),
        id: node.execution_id,
        kind: node.kind.unwrap_or_default(),
        status: filled(node.status).map(|status| Status::from_word(&status)),
        started_at: node.started_at.0,
    }
}

fn join_node(session: &str, node: Node, frozen: bool, joined: &mut BTreeMap<String, Execution>) {
    let is_new = !joined.contains_key(&node.execution_id);
    let metadata = node.metadata.unwrap_or_default();
    let in_background = node.source.as_deref() == Some("background_agent_registry");
    let execution = entry(session, node.execution_id, joined);
    let status = filled(node.status).map(|status| Status::from_word(&status));
    if is_new || frozen {
        // The runtime snapshot holds nothing that could be believed about this row, so the node stands for it.
        execution.started_at = node.started_at.0.map(|time| Fact::new(time, Source::ExecutionTree));
        execution.finished_at = node.completed_at.0.map(|time| Fact::new(time, Source::ExecutionTree));
        // server-behaviour.md#what-a-client-can-read: an agent's node overwrites the tracked row of the same
        // id, and its metadata then says that there was one.
        let also_tracked = metadata.execution_source.as_deref() == Some("workshop_background");
        let present = |yes: bool| if yes { Membership::Present } else { Membership::Absent };
        execution.in_background = present(in_background);
        execution.in_tracked = present(!in_background || also_tracked);
        execution.background = in_background.then(|| {
            Box::new(BackgroundRow {
                kind: None,
                status: status.clone(),
                started_at: node.started_at.0,
                finished_at: node.completed_at.0,
            })
        });
        let kind = execution.tracked.take().and_then(|row| row.kind);
        execution.tracked = (!in_background || also_tracked).then(|| {
            Box::new(TrackedRow {
                written_by: None,
                kind,
                status: if in_background { None } else { status.clone() },
                started_at: node.started_at.0,
                finished_at: if in_background { None } else { node.completed_at.0 },
            })
        });
    }
    execution.tree_status = status;
    if let Some(kind) = filled(node.kind) {
        if let (true, Some(row)) = (in_background, &mut execution.background) {
            row.kind = Some(kind);
        } else if let Some(row) = &mut execution.tracked {
            row.kind.get_or_insert(kind);
        }
    }
    if let Some(row) = &mut execution.tracked {
        row.written_by = match node.source.as_deref() {
            Some(source) if !in_background => {
                Some(Fact::new(TrackedSource::from_word(source), Source::ExecutionTree))
            }
            _ => row.written_by.take(),
        };
    }
    let by_person = execution.kind.is_turn()
        || matches!(node.source.as_deref(), Some("conversation_turn" | "workflow_run"));
    execution.name = filled(node.name)
        .map(|name| if by_person { Label::Written(name) } else { Label::Plain(name) })
        .map(|name| Fact::new(name, Source::ExecutionTree));
    execution.error = filled(node.error).map(Label::Written);
    // For a tracked row the original parent is still in its metadata; for an agent's it is lost.
    let shown = filled(metadata.parent_execution_id.clone())
        .filter(|_| !in_background)
        .or(filled(node.parent_execution_id));
    execution.parent = Fact::new(parent(session, execution, shown), Source::ExecutionTree);
    execution.metadata = Some(Box::new(kept_metadata(metadata)));
}

/// Only a turn hangs under its session; on every other row a session as parent means that the server did not
/// know the true one (server-behaviour.md#parents-and-steps).
fn parent(session: &str, execution: &Execution, shown: Option<String>) -> Parent {
    let Some(shown) = shown else { return Parent::Unknown };
    let is_session = shown.strip_prefix("session:") == Some(session)
        || shown.strip_prefix("main:") == Some(session)
        || shown == session;
    if !is_session {
        return Parent::Execution(shown);
    }
    if execution.kind.is_turn() { Parent::Session } else { Parent::Lost }
}

fn kept_metadata(metadata: NodeMetadata) -> Metadata {
    Metadata {
        execution_type: filled(metadata.execution_type),
        run_folder: filled(metadata.run_folder),
        group_name: filled(metadata.group_name),
        step_id: filled(metadata.step_id),
        iteration: filled(metadata.iteration),
        item_id: filled(metadata.item_id),
        workflow_path: filled(metadata.workflow_path),
        completion_mode: filled(metadata.completion_mode),
    }
}

fn join_running(session: &str, running: &[NamedRow], joined: &mut BTreeMap<String, Execution>) {
    for execution in joined.values_mut() {
        execution.listed_running = Some(false);
    }
    for NamedRow { row, title } in running {
        let is_new = !joined.contains_key(&row.id);
        let execution = entry(session, row.id.clone(), joined);
        execution.listed_running = Some(true);
        if is_new {
            execution.started_at = row.started_at.map(|time| Fact::new(time, Source::RunningList));
        }
        // The list is made from the tracked registry, so a row in it is tracked, frozen or not.
        execution.in_tracked = Membership::Present;
        let tracked = execution.tracked.get_or_insert_default();
        tracked.started_at = tracked.started_at.or(row.started_at);
        if tracked.kind.is_none() {
            tracked.kind.clone_from(&row.kind);
        }
        if execution.name.is_none() && !execution.kind.is_turn() {
            execution.name = title.clone().map(|title| Fact::new(Label::Plain(title), Source::RunningList));
        }
    }
}

/// Adds what the event stream says about started agents where the tree was not there to say it. Its parents are
/// the true ones, not rewritten (server-behaviour.md#frozen-answers).
pub(super) fn name_rows(rows: &mut [Execution], started: Vec<Started>) {
    for event in started {
        // The rows are sorted by id, as they came out of a map.
        let Ok(at) = rows.binary_search_by(|row| row.id.as_str().cmp(&event.id)) else { continue };
        let Some(row) = rows.get_mut(at) else { continue };
        if row.name.is_none() && !row.kind.is_turn() {
            row.name = event.name.map(|name| Fact::new(Label::Plain(name), Source::EventStream));
        }
        if matches!(row.parent.value, Parent::Unknown | Parent::Lost)
            && let Some(parent) = event.parent
        {
            let parent = self::parent(&row.session, row, Some(parent));
            row.parent = Fact::new(parent, Source::EventStream);
        }
        if let Some(background) = &mut row.background {
            background.kind = background.kind.take().or(event.kind);
        }
    }
}

/// Decides what to go by: status, times and memberships.
fn settle(execution: &mut Execution, registries_seen: bool, frozen: bool, has_tree: bool) {
    if registries_seen {
        let known = |membership: Membership| match membership {
            Membership::Unknown => Membership::Absent,
            known => known,
        };
        execution.in_tracked = known(execution.in_tracked);
        execution.in_background = known(execution.in_background);
    } else if frozen && !has_tree {
        // What a frozen snapshot remembers may be gone: a stop erases the agents' rows.
        execution.in_background = Membership::Unknown;
        if execution.listed_running != Some(true) {
            execution.in_tracked = Membership::Unknown;
        }
    }
    if execution.kind.is_turn() && execution.in_background == Membership::Unknown {
        execution.in_background = Membership::Absent;
    }
    infer_writer(execution);
    execution.status = if frozen { frozen_status(execution, has_tree) } else { live_status(execution) };
    if frozen && !has_tree {
        forget_running(execution);
    }

    let times = execution
        .background
        .as_ref()
        .map(|row| (row.started_at, row.finished_at))
        .or(execution.tracked.as_ref().map(|row| (row.started_at, row.finished_at)));
    let Some((started_at, finished_at)) = times else { return };
    if execution.started_at.is_none() {
        execution.started_at = started_at.map(|time| Fact::new(time, Source::RuntimeState));
    }
    if execution.finished_at.is_none() {
        execution.finished_at = finished_at.map(|time| Fact::new(time, Source::RuntimeState));
    }
}

/// Which code wrote a tracked row follows from its id where the tree does not tell it
/// (server-behaviour.md#registries).
fn infer_writer(execution: &mut Execution) {
    let kind = execution.kind;
    let in_background = execution.in_background;
    let Some(row) = &mut execution.tracked else { return };
    if row.written_by.is_some() {
        return;
    }
    let writer = match row.kind.as_deref() {
        // An orchestrator's run is tracked under its query id with these kinds.
        Some("workflow" | "workflow_phase") if kind.is_turn() => Some(TrackedSource::WorkflowRun),
        _ if kind.is_turn() => Some(TrackedSource::ConversationTurn),
        _ if in_background == Membership::Present || kind != crate::model::id::IdKind::Unknown => {
            Some(TrackedSource::WorkshopBackground)
        }
        _ => None,
    };
    row.written_by = writer.map(|writer| Fact::new(writer, Source::Rule(Rule::IdSpelling)));
}

/// The registries' own status: the tree's may have been flipped by an event
/// (server-behaviour.md#what-a-client-can-read, trap 2).
fn live_status(execution: &Execution) -> Option<Fact<Status>> {
    let background = execution.background.as_ref().and_then(|row| row.status.clone());
    let tracked = execution.tracked.as_ref().and_then(|row| row.status.clone());
    if let Some(status) = background.or(tracked) {
        return Some(Fact::new(status, Source::RuntimeState));
    }
    if execution.listed_running == Some(true) {
        return Some(Fact::new(Status::Running, Source::RunningList));
    }
    execution.tree_status.clone().map(|status| Fact::new(status, Source::ExecutionTree))
}

/// The status in a frozen session: the tree's; without one, what ended before stays ended, a builder task runs
/// if and only if `/workflow/running` lists it, and of all else nothing is known
/// (server-behaviour.md#frozen-answers).
fn frozen_status(execution: &Execution, has_tree: bool) -> Option<Fact<Status>> {
    if has_tree && let Some(status) = &execution.tree_status {
        return Some(Fact::new(status.clone(), Source::ExecutionTree));
    }
    if execution.listed_running == Some(true) {
        return Some(Fact::new(Status::Running, Source::RunningList));
    }
    let remembered = [
        execution.background.as_ref().and_then(|row| row.status.as_ref()),
        execution.tracked.as_ref().and_then(|row| row.status.as_ref()),
    ];
    let ended = remembered.into_iter().flatten().find(|status| **status != Status::Running)?;
    Some(Fact::new(ended.clone(), Source::RuntimeState))
}

/// A "running" that a frozen snapshot remembers is no status. A builder task that `/workflow/running` does not
/// list has ended, but how is not known.
fn forget_running(execution: &mut Execution) {
    let runs = execution.status.as_ref().is_some_and(|status| status.value == Status::Running);
    let forget = |status: &mut Option<Status>| {
        if !runs && *status == Some(Status::Running) {
            *status = None;
        }
    };
    if let Some(row) = &mut execution.tracked {
        forget(&mut row.status);
    }
    if let Some(row) = &mut execution.background {
        row.status.take_if(|status| *status == Status::Running);
    }
}
