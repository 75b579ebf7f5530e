//! Makes the graph of one session out of what was concluded about it.

use std::collections::{BTreeMap, BTreeSet};

use super::nodes::{ambiguous, kind_of, kind_of_id, node_id_of_session, plain, registries, session_node};
use super::parts::{Edge, EdgeKind, Graph, Node, NodeKind, Registry};
use super::warning::warnings;
use crate::engine::resolve::{
    Cancel, Class, Container, Evidence, InferredStep, PaneOwner, Reason, Resolution, Row, SessionFacts,
    TurnNature,
};
use crate::model::confidence::Confidence;
use crate::model::fact::Label;
use crate::model::id::IdKind;
use crate::model::snapshot::Snapshot;

/// The graph of a session; `None` where nothing names it.
#[must_use]
pub fn build(snapshot: &Snapshot, resolution: &Resolution<'_>, session: &str) -> Option<Graph> {
    let facts = resolution.session(session)?;
    let mut parts = Parts::new(facts);
    parts.add_session();
    for row in &facts.rows {
        parts.add_row(row);
    }
    for step in &facts.steps {
        parts.add_step(step);
    }
    parts.add_panes();
    parts.add_relatives(snapshot);
    Some(parts.finish(snapshot))
}

/// The note on a terminal without a tmux pane.
pub const DISPLAY_ONLY: &str = "no pane behind it";

struct Parts<'a, 'b> {
    facts: &'b SessionFacts<'a>,
    root: String,
    nodes: BTreeMap<String, Node>,
    edges: BTreeSet<Edge>,
}

impl<'a, 'b> Parts<'a, 'b> {
    fn new(facts: &'b SessionFacts<'a>) -> Self {
        let root = node_id_of_session(facts.id);
        Self { facts, root, nodes: BTreeMap::new(), edges: BTreeSet::new() }
    }

    fn add(&mut self, node: Node) {
        self.nodes.entry(node.id.clone()).or_insert(node);
    }

    fn connect(&mut self, from: &str, to: &str, kind: EdgeKind, reason: &Reason<'_>) {
        self.edges.insert(Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            kind,
            reason: reason.words.clone().into_owned(),
            evidence: reason.evidence.to_string(),
            confidence: reason.confidence,
        });
    }

    fn add_session(&mut self) {
        let node = match self.facts.session {
            Some(session) => session_node(session, Class::Owned, "it is the session itself"),
            None => Node {
                registries: vec![Registry::Inferred],
                notes: vec!["not listed by the server"],
                ..plain(&self.root, NodeKind::Session, self.facts.id, Class::Owned, "rows carry its id")
            },
        };
        self.add(node);
    }

    fn add_row(&mut self, row: &Row<'a>) {
        let execution = row.execution;
        let mut notes: Vec<&'static str> = self.turn_note(row).into_iter().collect();
        if self.facts.rows_left_running.iter().any(|left| left.id == execution.id) {
            notes.push("left running by a stop");
        }
        self.add(Node {
            id: execution.id.clone(),
            kind: kind_of(row),
            session: execution.session.clone(),
            name: execution.name.as_ref().map(|name| name.value.clone()),
            status: execution.status.as_ref().map(|status| status.value.as_str().to_owned()),
            registries: registries(row),
            class: row.class.value,
            confidence: row.confidence(),
            reason: row.class.reason.words.clone().into_owned(),
            cancel: row.cancel.value,
            candidates: ambiguous(&row.container.value),
            started_at: execution.started_at.map(|started| started.value),
            finished_at: execution.finished_at.map(|finished| finished.value),
            notes,
            is_live: execution.is_running() != Some(false),
        });
        self.place_row(row);
        for launcher in row.launched_by.iter().flat_map(|launch| &launch.value) {
            if let (Some(launch), Some(_)) = (&row.launched_by, self.facts.row(launcher)) {
                self.connect(launcher, &execution.id, EdgeKind::Launched, &launch.reason);
            }
        }
        if execution.kind == IdKind::Mirror {
            for container in row.container.value.candidates() {
                self.connect(&execution.id, container, EdgeKind::Shows, &row.container.reason);
            }
        }
        if row.container.value == Container::Session && !execution.kind.is_turn() {
            let evidence = Evidence { source: execution.parent.source, record: &execution.id };
            let words = "it carries this session's id, which is who is told of its end";
            let reason = Reason { words: words.into(), evidence, ..row.class.reason.clone() };
            let root = self.root.clone();
            self.connect(&execution.id, &root, EdgeKind::Notifies, &reason);
        }
    }

    /// What becomes of a turn that cannot be cancelled (server-behaviour.md#turns-in-a-live-pane).
    fn turn_note(&self, row: &Row<'a>) -> Option<&'static str> {
        let runs = row.execution.is_running() == Some(true);
        if !runs || !row.execution.kind.is_turn() || row.cancel.value != Cancel::None {
            return None;
        }
        match self.facts.turn.value? {
            TurnNature::InPane | TurnNature::WithCancel => Some("ends with the main pane"),
            TurnNature::Preparing => Some("being prepared, cannot be cancelled yet"),
            TurnNature::None => None,
        }
    }

    /// The edges from what a row is owned or watched by.
    fn place_row(&mut self, row: &Row<'a>) {
        let id = &row.execution.id;
        if let Some(step) = &row.step
            && self.facts.step(step.value).is_some()
        {
            self.connect(step.value, id, EdgeKind::Owns, &step.reason);
            return;
        }
        match &row.container.value {
            Container::Session => self.place_under_session(row),
            Container::Row(_) | Container::OneOf(_) => {
                for container in row.container.value.candidates() {
                    self.connect(container, id, EdgeKind::Owns, &row.container.reason);
                }
            }
            Container::Missing(container) => self.add_missing(container, row),
            Container::Unknown => {}
        }
    }

    fn place_under_session(&mut self, row: &Row<'a>) {
        let id = &row.execution.id;
        let root = self.root.clone();
        match row.class.value {
            Class::Owned => {
                let turn = row.launched_by.as_ref().filter(|launch| {
                    !row.execution.kind.is_run()
                        && !self.facts.scheduled
                        && launch.value.iter().all(|turn| self.facts.row(turn).is_some())
                });
                match turn {
                    Some(turn) => {
                        for owner in &turn.value {
                            self.connect(owner, id, EdgeKind::Owns, &row.class.reason);
                        }
                    }
                    None => self.connect(&root, id, EdgeKind::Owns, &row.class.reason),
                }
            }
            Class::Watched | Class::Detached => {
                self.connect(&root, id, EdgeKind::Watches, &row.class.reason);
            }
            Class::Unknown => {}
        }
    }

    /// A container that is no row: a node of its own, so that what is in it is not taken for the session's.
    fn add_missing(&mut self, container: &'a str, row: &Row<'a>) {
        let class = row.class.value;
        self.add(Node {
            registries: vec![Registry::Inferred],
            confidence: row.class.reason.confidence,
            cancel: Cancel::None,
            notes: vec!["no row of this session"],
            ..plain(container, kind_of_id(container), self.facts.id, class, &row.class.reason.words)
        });
        self.connect(container, &row.execution.id, EdgeKind::Owns, &row.container.reason);
        if class == Class::Watched {
            let root = self.root.clone();
            self.connect(&root, container, EdgeKind::Watches, &row.class.reason);
        }
    }

    fn add_step(&mut self, step: &InferredStep<'a>) {
        let live_items = self.facts.rows.iter().any(|row| {
            row.step.as_ref().is_some_and(|of| of.value == step.id)
                && row.execution.is_running() != Some(false)
        });
        let started_at = crate::model::id::nanoseconds(step.id)
            .and_then(|nanoseconds| jiff::Timestamp::from_nanosecond(i128::from(nanoseconds)).ok());
        self.add(Node {
            name: Some(Label::Plain(step.step.to_owned())),
            registries: vec![Registry::Inferred],
            confidence: step.class.reason.confidence.min(step.container.reason.confidence),
            cancel: step.cancel.value,
            candidates: ambiguous(&step.container.value),
            started_at,
            notes: vec!["in no registry"],
            is_live: live_items || step.panes.iter().any(|pane| pane.active != Some(false)),
            ..plain(step.id, NodeKind::Step, self.facts.id, step.class.value, &step.class.reason.words)
        });
        for container in step.container.value.candidates() {
            self.connect(container, step.id, EdgeKind::Owns, &step.container.reason);
        }
    }

    fn add_panes(&mut self) {
        let facts = self.facts;
        for pane in &facts.panes {
            let terminal = pane.terminal;
            self.add(Node {
                name: terminal.tmux.clone().map(Label::Plain),
                status: terminal.state.as_ref().map(|state| state.as_str().to_owned()),
                registries: vec![Registry::Terminals],
                confidence: pane.class.reason.confidence.min(pane.owner.reason.confidence),
                cancel: Cancel::None,
                started_at: terminal.created_at,
                notes: if terminal.has_pane() == Some(false) { vec![DISPLAY_ONLY] } else { Vec::new() },
                is_live: terminal.active != Some(false),
                ..plain(
                    &terminal.id,
                    NodeKind::Terminal,
                    facts.id,
                    pane.class.value,
                    &pane.class.reason.words,
                )
            });
            match pane.owner.value {
                PaneOwner::Session => {
                    let root = self.root.clone();
                    self.connect(&root, &terminal.id, EdgeKind::RunsIn, &pane.owner.reason);
                }
                PaneOwner::Row(id) | PaneOwner::InferredStep(id) => {
                    self.connect(id, &terminal.id, EdgeKind::RunsIn, &pane.owner.reason);
                }
                PaneOwner::Missing(_) | PaneOwner::Unknown => {}
            }
            if let Some(shown) = pane.shows {
                self.connect(&terminal.id, shown, EdgeKind::Shows, &pane.owner.reason);
            }
        }
        for row in facts.rows.iter().filter(|row| row.execution.is_running() == Some(true)) {
            let is_worker = row.step.is_some() || row.execution.kind.is_turn();
            for terminal in row.panes.iter().filter(|_| is_worker) {
                let evidence = Evidence { source: terminal.source, record: &terminal.id };
                let (words, confidence) = match &row.step {
                    Some(step) => ("its step works in this terminal", step.reason.confidence),
                    None => ("turns work in the session's main terminal", Confidence::High),
                };
                let reason = Reason {
                    words: words.into(),
                    evidence,
                    rule: "server-behaviour.md#parents-and-steps",
                    confidence,
                };
                self.connect(&row.execution.id, &terminal.id, EdgeKind::RunsIn, &reason);
            }
        }
    }

    /// The schedule, the chat that it belongs to, the chats that belong to it, and the workflow.
    fn add_relatives(&mut self, snapshot: &Snapshot) {
        let Some(session) = self.facts.session else { return };
        let root = self.root.clone();
        let evidence = Evidence { source: session.source, record: &session.id };
        let because = |words: &'static str| Reason {
            words: words.into(),
            evidence,
            rule: "server-behaviour.md#whose-work-it-is",
            confidence: Confidence::High,
        };
        if let Some(run) = session.schedule_run() {
            let id = format!("schedule:{}", run.job);
            let outlives = "a schedule outlives its runs";
            self.add(plain(&id, NodeKind::Schedule, &session.id, Class::Watched, outlives));
            self.connect(&id, &root, EdgeKind::Launched, &because("the session's id names its schedule"));
        }
        if let Some(path) = &session.workflow_path {
            let id = format!("workflow:{path}");
            let outlives = "a workflow outlives the sessions that work on it";
            self.add(Node {
                name: session.workflow.clone().map(Label::Plain),
                ..plain(&id, NodeKind::Workflow, &session.id, Class::Watched, outlives)
            });
            self.connect(&root, &id, EdgeKind::RunsIn, &because("the list of sessions names its workflow"));
        }
        let parent = session.parent_session.as_deref().filter(|parent| *parent != session.id);
        if let Some(parent) = parent.and_then(|parent| snapshot.session(parent)) {
            self.add(session_node(parent, Class::Watched, "a session does not end with another"));
            let from = node_id_of_session(&parent.id);
            self.connect(&from, &root, EdgeKind::Launched, &because("the session belongs to this chat"));
        }
        for child in snapshot.sessions() {
            if child.parent_session.as_deref() == Some(&session.id) && child.id != session.id {
                self.add(session_node(child, Class::Watched, "a session does not end with another"));
                let reason = Reason {
                    evidence: Evidence { source: child.source, record: &child.id },
                    ..because("it belongs to this chat, but a stop of that one does not reach it")
                };
                self.connect(&root, &node_id_of_session(&child.id), EdgeKind::Watches, &reason);
            }
        }
    }

    fn finish(self, snapshot: &Snapshot) -> Graph {
        let nodes = self.nodes;
        let edges = self
            .edges
            .into_iter()
            .filter(|edge| nodes.contains_key(&edge.from) && nodes.contains_key(&edge.to))
            .collect();
        Graph {
            root: self.root,
            as_of: snapshot.as_of,
            warnings: warnings(snapshot, self.facts),
            nodes: nodes.into_values().collect(),
            edges,
            collapsed: Vec::new(),
            hidden: Vec::new(),
        }
    }
}
