//! What is concluded about the rows of recorded servers, held against the servers' own registries.

use std::collections::BTreeMap;

use pulsectl::testing::engine::resolve::{
    Cancel, Class, Container, Resolution, SessionFacts, TurnNature, resolve,
};
use pulsectl::testing::model::id::IdKind;
use pulsectl::testing::model::snapshot::Snapshot;

use crate::common::recordings::{
    BackgroundAgent, Moment, Registries, moments, registries, snapshot, with_closed_gate,
};

/// Both forms of every moment with this name.
fn each(name: &str, mut check: impl FnMut(&str, &Registries, &Snapshot, bool)) {
    for moment in moments(name) {
        let registries = registries(&moment);
        check(&label(&moment, "open"), &registries, &snapshot(&moment.folder), true);
        let closed = with_closed_gate(&moment.folder);
        check(&label(&moment, "closed"), &registries, &snapshot(closed.path()), false);
    }
}

fn label(moment: &Moment, gate: &str) -> String {
    format!("{}/{} with the gate {gate}", moment.recording, moment.moment)
}

/// The run or step that a row of the registry really runs in: its parent where that is a row; for an item of a
/// run, the run whose name holds the item's group and folder (measured, section 2).
fn true_container<'a>(registries: &'a Registries, row: &'a BackgroundAgent) -> Option<&'a str> {
    let parent = row.parent_execution_id.as_deref()?;
    let rows = || registries.background_agents.iter().filter(|other| other.session_id == row.session_id);
    if rows().any(|other| other.id == parent) {
        return Some(parent);
    }
    let group = row.metadata.get("group_name")?;
    let (iteration, _) = row.metadata.get("run_folder")?.split_once('/')?;
    let name = format!("full-run [{group} / {iteration}]");
    let mut runs = rows().filter(|run| run.name == name && at(&run.created_at) <= at(&row.created_at));
    let run = runs.next()?;
    runs.next().is_none().then_some(run.id.as_str())
}

#[test]
fn every_item_mirror_and_sub_agent_is_under_its_run_or_names_it() {
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    each("", |label, registries, snapshot, gate_open| {
        let resolution = resolve(snapshot);
        for row in &registries.background_agents {
            if !matches!(IdKind::of(&row.id), IdKind::Item | IdKind::Mirror | IdKind::SubAgent) {
                continue;
            }
            let Some(truth) = true_container(registries, row) else { continue };
            let Some(found) = resolution.session(&row.session_id).and_then(|session| session.row(&row.id))
            else {
                continue;
            };
            match &found.container.value {
                Container::Row(container) => {
                    assert_eq!(*container, truth, "{label}: {}", row.id);
                    *compared.entry("one").or_default() += 1;
                }
                Container::OneOf(candidates) => {
                    assert!(candidates.contains(&truth), "{label}: {} {candidates:?}", row.id);
                    assert!(!gate_open, "{label}: {} is ambiguous although its group is known", row.id);
                    *compared.entry("several").or_default() += 1;
                }
                other => panic!("{label}: {} has {other:?}, really {truth}", row.id),
            }
        }
    });
    assert!(compared.is_empty() || (compared["one"] > 250 && compared["several"] > 0), "{compared:?}");
}

#[test]
fn cancels_agree_with_the_registries() {
    let mut known = 0;
    each("", |label, registries, snapshot, _| {
        let resolution = resolve(snapshot);
        for row in &registries.background_agents {
            let Some(found) = resolution.session(&row.session_id).and_then(|session| session.row(&row.id))
            else {
                continue;
            };
            if found.cancel.value == Cancel::Unknown {
                continue;
            }
            known += 1;
            assert_eq!(found.cancel.value == Cancel::Own, row.has_cancel, "{label}: {}", row.id);
        }
    });
    assert!(known > 400, "{known} cancels were known");
}

#[test]
fn turns_agree_with_the_servers_turn_cancels() {
    each("before", |label, registries, snapshot, _| {
        for session in resolve(snapshot).sessions() {
            let with_cancel = registries.turn_cancel_sessions.iter().any(|known| known == session.id);
            let nature = session.turn.value.expect("every recorded session has a runtime snapshot");
            assert_eq!(nature == TurnNature::WithCancel, with_cancel, "{label}: {}", session.id);
            assert_eq!(session.cancellable_turn().is_some(), with_cancel, "{label}: {}", session.id);
            let is_running = |row: &crate::common::recordings::Tracked| {
                row.session_id == session.id && row.status == "running"
            };
            let turn_runs =
                registries.tracked.iter().any(|row| is_running(row) && row.source == "conversation_turn");
            assert_eq!(nature != TurnNature::None, turn_runs, "{label}: {} is {nature:?}", session.id);
        }
    });
}

/// What must be the same with and without the debug gate.
fn essence(session: &SessionFacts<'_>) -> Vec<String> {
    let rows = session.rows.iter().map(|row| {
        let (class, cancel) = (row.class.value.name(), row.cancel.value.name());
        format!("{} {class} {cancel} {:?}", row.execution.id, row.launched_by.as_ref().map(|by| &by.value))
    });
    let steps = session.steps.iter().map(|step| format!("{} {}", step.id, step.class.value.name()));
    let panes = session
        .panes
        .iter()
        .map(|pane| format!("{} {:?} {}", pane.terminal.id, pane.owner.value, pane.class.value.name()));
    rows.chain(steps).chain(panes).collect()
}

fn all(resolution: &Resolution<'_>) -> Vec<String> {
    resolution.sessions().iter().flat_map(essence).collect()
}

#[test]
fn a_closed_gate_changes_only_names_confidence_and_ambiguity() {
    for moment in moments("before") {
        let open = snapshot(&moment.folder);
        let folder = with_closed_gate(&moment.folder);
        let closed = snapshot(folder.path());
        assert_eq!(all(&resolve(&closed)), all(&resolve(&open)), "{}", moment.recording);
    }
}

// Stop-model, section 3.1, with measured, section 2: nothing else may be a chat's own.
#[test]
fn runs_of_a_chat_are_watched_and_those_of_a_schedule_owned() {
    let mut runs = [0, 0];
    each("before", |label, _, snapshot, _| {
        for session in resolve(snapshot).sessions() {
            for row in &session.rows {
                if matches!(row.execution.kind, IdKind::Run | IdKind::Evaluation) {
                    let expected = if session.scheduled { Class::Owned } else { Class::Watched };
                    assert_eq!(row.class.value, expected, "{label}: {}", row.execution.id);
                    runs[usize::from(session.scheduled)] += 1;
                }
                assert!(row.class.value != Class::Unknown, "{label}: {} {row:?}", row.execution.id);
            }
        }
    });
    assert!(runs[0] > 50 && runs[1] > 5, "{runs:?}");
}

fn at(time: &str) -> jiff::Timestamp {
    time.parse().expect("the registries' times are well-formed")
}
