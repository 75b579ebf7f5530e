//! Runs the rules over every session of a snapshot, each row after the rows that it depends on.

use std::collections::{BTreeMap, BTreeSet};

use super::cancel::{self, cancel};
use super::class::{self, Known, class};
use super::container::{Place, of_inferred_step, place};
use super::index::SessionIndex;
use super::launch::launched_by;
use super::pane;
use super::reason::{Evidence, Reason, Resolved};
use super::row::{Cancel, Class, Container, InferredStep, Pane, PaneOwner, Row, SessionFacts};
use super::session::foreground_turn;
use crate::model::confidence::Confidence;
use crate::model::fact::Judgement;
use crate::model::session::Session;
use crate::model::snapshot::Snapshot;
use crate::model::terminal::Terminal;

/// What is concluded about everything in a snapshot. Borrows from it.
#[derive(Debug)]
pub struct Resolution<'a> {
    sessions: Vec<SessionFacts<'a>>,
}

impl<'a> Resolution<'a> {
    /// All sessions, by id; those too that only a row or a terminal names.
    #[must_use]
    pub fn sessions(&self) -> &[SessionFacts<'a>] {
        &self.sessions
    }

    /// The same, for whoever needs nothing else of it.
    #[must_use]
    pub fn into_sessions(self) -> Vec<SessionFacts<'a>> {
        self.sessions
    }

    /// The session with this id.
    #[must_use]
    pub fn session(&self, id: &str) -> Option<&SessionFacts<'a>> {
        let at = self.sessions.binary_search_by(|session| session.id.cmp(id)).ok()?;
        self.sessions.get(at)
    }
}

/// Draws every conclusion about a snapshot. The result does not depend on the order of its rows.
#[must_use]
pub fn resolve(snapshot: &Snapshot) -> Resolution<'_> {
    Resolution { sessions: each_session(snapshot).collect() }
}

/// The same one session after the other, by id, so that no more than one is kept in memory.
pub(crate) fn each_session(snapshot: &Snapshot) -> impl Iterator<Item = SessionFacts<'_>> {
    let ids: BTreeSet<&str> = snapshot
        .sessions()
        .iter()
        .map(|session| session.id.as_str())
        .chain(snapshot.executions().iter().map(|execution| execution.session.as_str()))
        .chain(snapshot.terminals().iter().map(|terminal| terminal.session.as_str()))
        .collect();
    ids.into_iter().map(|id| resolve_session(snapshot, id))
}

/// Draws every conclusion about one session.
#[must_use]
pub fn resolve_session<'a>(snapshot: &'a Snapshot, id: &'a str) -> SessionFacts<'a> {
    let index = SessionIndex::new(snapshot, id);
    let frozen = index.session.map_or(Judgement::Unknown("the session is not listed"), Session::frozen);
    let turn = foreground_turn(&index, frozen);
    let mut rows = rows(&index, turn.with_cancel);
    let mut steps = inferred_steps(&index, &rows);
    let panes = panes(&index, &rows, &steps);
    hand_out_panes(&panes, &turn.running, &mut rows, &mut steps);
    SessionFacts {
        id,
        session: index.session,
        scheduled: index.scheduled,
        turn: turn.nature,
        running_turns: turn.running,
        latent_death: snapshot.latent_death(id),
        frozen,
        rows_left_running: index
            .session
            .map(|session| snapshot.rows_left_running(session))
            .unwrap_or_default(),
        rows_hidden: snapshot.hides_rows(),
        main_terminal: snapshot.main_terminal(id),
        rows,
        steps,
        panes,
    }
}

/// Class and cancel of a row.
type Judged<'a> = (Resolved<'a, Class>, Resolved<'a, Cancel>);

fn rows<'a>(
    index: &SessionIndex<'a>,
    turn_with_cancel: Result<Option<&'a str>, &'static str>,
) -> Vec<Row<'a>> {
    let places: Vec<Place<'a>> = index.rows.iter().map(|row| place(index, row)).collect();
    let launches: Vec<_> = index.rows.iter().map(|row| launched_by(index, row)).collect();
    let needs: Vec<Vec<usize>> = places
        .iter()
        .zip(&launches)
        .map(|(place, launch)| {
            let launchers = launch.iter().flat_map(|launch| &launch.value);
            let on = place.container.value.candidates().iter().chain(launchers);
            on.filter_map(|id| index.position(id)).collect()
        })
        .collect();
    let (order, in_cycle) = order(&needs);

    let mut judged: Vec<Option<Judged<'a>>> = vec![None; index.rows.len()];
    for at in order {
        let (Some(row), Some(place), Some(launch)) = (index.rows.get(at), places.get(at), launches.get(at))
        else {
            continue;
        };
        let verdict_of = |id: &str| judged.get(index.position(id)?)?.as_ref();
        let known = Known { index, row, container: &place.container, launched_by: launch.as_ref() };
        let verdict = if in_cycle.contains(&at) {
            circular(row.id.as_str(), &place.container)
        } else {
            let class = class(known, |id| verdict_of(id).map(|(class, _)| class));
            let cancel = cancel(row, &place.container, turn_with_cancel, |id| {
                Some((index.row(id)?.is_running(), verdict_of(id)?.1.value))
            });
            (class, cancel)
        };
        if let Some(slot) = judged.get_mut(at) {
            *slot = Some(verdict);
        }
    }
    let parts = index.rows.iter().zip(places).zip(launches).zip(judged).enumerate();
    parts
        .filter_map(|(at, (((execution, place), launched_by), judged))| {
            let (class, cancel) = judged?;
            Some(Row {
                execution,
                container: place.container,
                step: place.step,
                class,
                cancel,
                launched_by,
                panes: Vec::new(),
                in_cycle: in_cycle.contains(&at),
            })
        })
        .collect()
}

/// The verdict on a row whose parents lead back to itself.
fn circular<'a>(id: &'a str, container: &Resolved<'a, Container<'a>>) -> Judged<'a> {
    let evidence = Evidence { source: container.reason.evidence.source, record: id };
    let reason = Reason::new(
        Confidence::Low,
        "server-behaviour.md#whose-work-it-is",
        "its parents lead back to itself",
        evidence,
    );
    (Resolved::new(Class::Unknown, reason.clone()), Resolved::new(Cancel::Unknown, reason))
}

/// An order in which every row comes after those that it needs, and the rows whose needs lead back to
/// themselves. Walks with a stack of its own: the depth is the server's to choose.
fn order(needs: &[Vec<usize>]) -> (Vec<usize>, BTreeSet<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; needs.len()];
    let mut order = Vec::with_capacity(needs.len());
    let mut in_cycle = BTreeSet::new();
    for start in 0..needs.len() {
        if states[start] != State::New {
            continue;
        }
        states[start] = State::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let Some(need) = needs[at].get(*next).copied() else {
                states[at] = State::Done;
                order.push(at);
                path.pop();
                continue;
            };
            *next += 1;
            match states[need] {
                State::New => {
                    states[need] = State::Open;
                    path.push((need, 0));
                }
                State::Open => {
                    let from = path.iter().position(|(on_path, _)| *on_path == need).unwrap_or(0);
                    in_cycle.extend(path.iter().skip(from).map(|(on_path, _)| *on_path));
                }
                State::Done => {}
            }
        }
    }
    (order, in_cycle)
}

fn inferred_steps<'a>(index: &SessionIndex<'a>, rows: &[Row<'a>]) -> Vec<InferredStep<'a>> {
    // What the items of a step tell about its run: the surest of them counts.
    let mut told: BTreeMap<&str, &Resolved<'a, Container<'a>>> = BTreeMap::new();
    for row in rows {
        let Some(step) = &row.step else { continue };
        let sure = |container: &Resolved<'a, Container<'a>>| container.reason.confidence;
        let known = told.entry(step.value).or_insert(&row.container);
        if sure(&row.container) > sure(known) {
            *known = &row.container;
        }
    }
    let found = |id: &str| {
        let at = rows.binary_search_by(|row| row.execution.id.as_str().cmp(id)).ok()?;
        rows.get(at)
    };
    index
        .inferred_steps()
        .into_iter()
        .map(|(id, (name, step))| {
            let container =
                told.get(id).map_or_else(|| of_inferred_step(index, &step), |known| (*known).clone());
            let class = class::of_container(index, &container, |id| found(id).map(|row| &row.class));
            let cancel = cancel::inline(&container, &|id| {
                found(id).map(|row| (row.execution.is_running(), row.cancel.value))
            });
            InferredStep { session: index.id, id, step: name, container, class, cancel, panes: Vec::new() }
        })
        .collect()
}

fn panes<'a>(index: &SessionIndex<'a>, rows: &[Row<'a>], steps: &[InferredStep<'a>]) -> Vec<Pane<'a>> {
    index
        .terminals
        .iter()
        .filter(|terminal| !terminal.is_history())
        .map(|terminal| {
            let owner = pane::owner(index, terminal);
            let class = pane_class(terminal, &owner, rows, steps);
            let shows = pane::shows(index, terminal, owner.value);
            Pane { terminal, owner, class, shows }
        })
        .collect()
}

fn pane_class<'a>(
    terminal: &'a Terminal,
    owner: &Resolved<'a, PaneOwner<'a>>,
    rows: &[Row<'a>],
    steps: &[InferredStep<'a>],
) -> Resolved<'a, Class> {
    let is = |class, confidence, words: &'static str| {
        let evidence = Evidence { source: terminal.source, record: &terminal.id };
        Resolved::new(
            class,
            Reason::new(confidence, "server-behaviour.md#what-a-client-can-read", words, evidence),
        )
    };
    let of_owner =
        |class: &Resolved<'a, Class>| is(class.value, class.reason.confidence, "a pane is what its owner is");
    match owner.value {
        PaneOwner::Session => is(Class::Owned, Confidence::High, "it is the session's main terminal"),
        PaneOwner::Row(id) => rows
            .binary_search_by(|row| row.execution.id.as_str().cmp(id))
            .ok()
            .and_then(|at| rows.get(at))
            .map_or_else(
                || is(Class::Unknown, Confidence::Low, "its owner is not known"),
                |row| of_owner(&row.class),
            ),
        PaneOwner::InferredStep(id) => {
            steps.binary_search_by(|step| step.id.cmp(id)).ok().and_then(|at| steps.get(at)).map_or_else(
                || is(Class::Unknown, Confidence::Low, "its owner is not known"),
                |step| of_owner(&step.class),
            )
        }
        PaneOwner::Missing(_) | PaneOwner::Unknown => {
            is(Class::Unknown, Confidence::Low, "its owner is no row of this session")
        }
    }
}

/// Gives each row and step the terminals that it works in.
fn hand_out_panes<'a>(
    panes: &[Pane<'a>],
    running_turns: &[&'a str],
    rows: &mut [Row<'a>],
    steps: &mut [InferredStep<'a>],
) {
    let mut by_owner: BTreeMap<&str, Vec<&'a Terminal>> = BTreeMap::new();
    for pane in panes {
        match pane.owner.value {
            PaneOwner::Session => {
                for turn in running_turns {
                    by_owner.entry(turn).or_default().push(pane.terminal);
                }
            }
            PaneOwner::Row(id) | PaneOwner::InferredStep(id) => {
                by_owner.entry(id).or_default().push(pane.terminal);
            }
            PaneOwner::Missing(_) | PaneOwner::Unknown => {}
        }
    }
    for row in rows {
        let owner = row.step.as_ref().map_or(row.execution.id.as_str(), |step| step.value);
        row.panes = by_owner.get(owner).cloned().unwrap_or_default();
    }
    for step in steps {
        step.panes = by_owner.get(step.id).cloned().unwrap_or_default();
    }
}
