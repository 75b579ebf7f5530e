//! Nodes of one kind of thing each, without their place in the graph.

use super::parts::{Node, NodeKind, Registry};
use crate::engine::resolve::{Cancel, Class, Container, Row};
use crate::model::confidence::Confidence;
use crate::model::execution::Membership;
use crate::model::fact::Source;
use crate::model::id::{IdKind, RowKind};
use crate::model::session::Session;

/// Id of a session's node.
#[must_use]
pub fn node_id_of_session(session: &str) -> String {
    format!("session:{session}")
}

/// A node of which little is known.
pub(super) fn plain(id: &str, kind: NodeKind, session: &str, class: Class, reason: &str) -> Node {
    Node {
        id: id.to_owned(),
        kind,
        session: session.to_owned(),
        name: None,
        status: None,
        registries: vec![Registry::Inferred],
        class,
        confidence: Confidence::High,
        reason: reason.to_owned(),
        cancel: Cancel::None,
        candidates: Vec::new(),
        started_at: None,
        finished_at: None,
        notes: Vec::new(),
        is_live: true,
    }
}

pub(super) fn session_node(session: &Session, class: Class, reason: &str) -> Node {
    Node {
        name: session.title.clone(),
        status: session.status.as_ref().map(|status| status.as_str().to_owned()),
        registries: vec![Registry::Sessions],
        started_at: session.created_at,
        ..plain(&node_id_of_session(&session.id), NodeKind::Session, &session.id, class, reason)
    }
}

pub(super) fn ambiguous(container: &Container<'_>) -> Vec<String> {
    match container {
        Container::OneOf(ids) => ids.iter().map(|id| (*id).to_owned()).collect(),
        Container::Session | Container::Row(_) | Container::Missing(_) | Container::Unknown => Vec::new(),
    }
}

pub(super) fn registries(row: &Row<'_>) -> Vec<Registry> {
    let execution = row.execution;
    let mut registries = Vec::new();
    if execution.in_tracked == Membership::Present {
        registries.push(Registry::Tracked);
    }
    if execution.in_background == Membership::Present {
        registries.push(Registry::Background);
    }
    let is_logged = matches!(execution.parent.source, Source::Log { .. });
    if registries.is_empty() && is_logged {
        registries.push(Registry::Inferred);
    }
    registries
}

pub(super) fn kind_of(row: &Row<'_>) -> NodeKind {
    if row.is_orchestrator_run() { NodeKind::Run } else { kind_of_id(&row.execution.id) }
}

pub(super) fn kind_of_id(id: &str) -> NodeKind {
    match RowKind::of(IdKind::of(id)) {
        RowKind::Turn => NodeKind::Turn,
        RowKind::Run => NodeKind::Run,
        RowKind::Evaluation => NodeKind::Evaluation,
        RowKind::Mirror => NodeKind::Mirror,
        RowKind::Step => NodeKind::Step,
        RowKind::Item => NodeKind::Item,
        RowKind::SubAgent => NodeKind::SubAgent,
        RowKind::Agent => NodeKind::Agent,
    }
}
