//! Recorded answers become a snapshot that agrees with the server's own registries, as far as a client can know.

use std::collections::{BTreeMap, BTreeSet};

use pulsectl::testing::model::execution::{Execution, Membership, Parent, Status, TrackedSource};
use pulsectl::testing::model::fact::Judgement;
use pulsectl::testing::model::gap::GapCode;
use pulsectl::testing::model::id::IdKind;
use pulsectl::testing::model::snapshot::Snapshot;

use crate::common::recordings::{Moment, Registries, moments, registries, snapshot, with_closed_gate};

/// The one recording whose answers came from different moments of its session (found by comparing the
/// revisions in the answers); a recording cannot be read again, so it must say that it is incomplete.
const CHANGED_WHILE_RECORDED: &str = "stop-agents-after-notification";

/// Both forms of every moment with this name.
fn each(name: &str, mut check: impl FnMut(&Moment, &Snapshot, bool)) {
    for moment in moments(name) {
        check(&moment, &snapshot(&moment.folder), true);
        let closed = with_closed_gate(&moment.folder);
        check(&moment, &snapshot(closed.path()), false);
    }
}

fn label(moment: &Moment, gate_open: bool) -> String {
    let gate = if gate_open { "open" } else { "closed" };
    format!("{}/{} with the gate {gate}", moment.recording, moment.moment)
}

fn status_of<'a>(snapshot: &'a Snapshot, session: &str, id: &str) -> Option<&'a Status> {
    snapshot.execution(session, id)?.status.as_ref().map(|status| &status.value)
}

#[test]
fn every_registry_row_of_a_listed_session_is_there_exactly_once() {
    each("before", |moment, snapshot, gate_open| {
        let label = label(moment, gate_open);
        let registries = registries(moment);
        let mut expected: BTreeMap<(String, String), (bool, bool, String)> = BTreeMap::new();
        for row in &registries.tracked {
            let key = (row.session_id.clone(), row.execution_id.clone());
            expected.insert(key, (true, false, row.status.clone()));
        }
        for row in &registries.background_agents {
            let seen = expected.entry((row.session_id.clone(), row.id.clone())).or_insert((
                false,
                true,
                String::new(),
            ));
            seen.1 = true;
            seen.2.clone_from(&row.status);
        }
        for ((session, id), (tracked, background, status)) in &expected {
            if snapshot.session(session).is_none() {
                continue;
            }
            let found = snapshot.executions().iter().filter(|row| row.id == *id).count();
            assert_eq!(found, 1, "{label}: {id}");
            let row = snapshot.execution(session, id).unwrap_or_else(|| panic!("{label}: {id} is missing"));
            let member = |present: bool| if present { Membership::Present } else { Membership::Absent };
            assert_eq!(row.in_tracked, member(*tracked), "{label}: {id} in the tracked registry");
            assert_eq!(row.in_background, member(*background), "{label}: {id} in the agents' registry");
            assert_eq!(
                status_of(snapshot, session, id).map(Status::as_str),
                Some(status.as_str()),
                "{label}: status of {id}"
            );
        }
        for row in &registries.tracked {
            let Some(seen) = snapshot.execution(&row.session_id, &row.execution_id) else { continue };
            assert_eq!(seen.tracked_kind(), Some(row.kind.as_str()), "{label}: {}", row.execution_id);
            let source = seen.tracked_source().map(TrackedSource::as_str);
            assert_eq!(source, Some(row.source.as_str()), "{label}: {}", row.execution_id);
        }
        let known: BTreeSet<&str> = expected.keys().map(|(_, id)| id.as_str()).collect();
        for row in snapshot.executions() {
            assert!(known.contains(row.id.as_str()), "{label}: {} is in no registry", row.id);
        }
    });
}

#[test]
fn turn_cancels_and_own_cancels_follow_from_what_a_client_sees() {
    each("before", |moment, snapshot, gate_open| {
        let label = label(moment, gate_open);
        let registries = registries(moment);
        let with_cancel = &registries.turn_cancel_sessions;
        for session in snapshot.sessions() {
            let foreground = session.foreground().expect("every recorded session has a runtime snapshot");
            assert_eq!(foreground.has_cancel, with_cancel.contains(&session.id), "{label}: {}", session.id);
        }
        for row in &registries.background_agents {
            assert_eq!(IdKind::of(&row.id).has_own_cancel(), row.has_cancel, "{label}: {}", row.id);
        }
    });
}

#[test]
fn a_shown_parent_is_the_true_one_or_lost() {
    each("before", |moment, snapshot, gate_open| {
        let label = label(moment, gate_open);
        let registries = registries(moment);
        let mut lost = 0;
        for row in &registries.background_agents {
            let Some(execution) = snapshot.execution(&row.session_id, &row.id) else { continue };
            match &execution.parent.value {
                Parent::Unknown => assert!(!gate_open, "{label}: {} has no parent", row.id),
                Parent::Session => panic!("{label}: {} is shown as the session's own child", row.id),
                Parent::Execution(parent) => {
                    assert_eq!(Some(parent), row.parent_execution_id.as_ref(), "{label}: {}", row.id);
                }
                Parent::Lost => lost += 1,
            }
        }
        for row in registries.tracked.iter().filter(|row| IdKind::of(&row.execution_id).is_turn()) {
            let Some(execution) = snapshot.execution(&row.session_id, &row.execution_id) else { continue };
            let truth = row.metadata.as_ref().and_then(|metadata| metadata.get("parent_execution_id"));
            match &execution.parent.value {
                Parent::Execution(parent) => assert_eq!(Some(parent), truth, "{label}: {}", row.execution_id),
                Parent::Session => {
                    // A run in orchestrator mode is registered without a parent.
                    let session = format!("session:{}", row.session_id);
                    let rightly =
                        truth == Some(&session) || (truth.is_none() && row.source == "workflow_run");
                    assert!(rightly, "{label}: {} has {truth:?}", row.execution_id);
                }
                Parent::Unknown => assert!(!gate_open, "{label}: {}", row.execution_id),
                Parent::Lost => panic!("{label}: the parent of turn {} is lost", row.execution_id),
            }
        }
        assert!(gate_open || lost == 0, "{label}: nothing is shown, so nothing is lost");
    });
}

// Measured, section 11: 228 of 228, always exactly one.
#[test]
fn the_launching_turn_is_the_one_in_which_the_row_started() {
    let mut compared = 0;
    each("before", |moment, snapshot, gate_open| {
        let label = label(moment, gate_open);
        for row in &registries(moment).background_agents {
            let Some(parent) = row.parent_execution_id.as_deref().filter(|id| IdKind::of(id).is_turn())
            else {
                continue;
            };
            let Some(execution) = snapshot.execution(&row.session_id, &row.id) else { continue };
            let started = execution.started_at.expect("every row has a start").value;
            let turn = snapshot.turn_at(&row.session_id, started).map(|turn| turn.id.as_str());
            assert_eq!(turn, Some(parent), "{label}: {}", row.id);
            compared += 1;
        }
    });
    assert!(compared > 100, "{compared} rows were compared");
}

#[test]
fn terminals_are_those_of_the_store() {
    each("before", |moment, snapshot, gate_open| {
        let label = label(moment, gate_open);
        for row in &registries(moment).terminals {
            if snapshot.session(&row.session_id).is_none() {
                continue;
            }
            let terminal =
                snapshot.terminals_of(&row.session_id).iter().find(|known| known.id == row.terminal_id);
            let Some(terminal) = terminal else { panic!("{label}: {} is missing", row.terminal_id) };
            assert_eq!(terminal.active, Some(row.active), "{label}: {}", row.terminal_id);
            let has_tmux = row.tmux_session.as_deref().is_some_and(|name| !name.is_empty());
            assert_eq!(terminal.has_pane(), Some(has_tmux), "{label}: {}", row.terminal_id);
            if terminal.is_main() && !terminal.is_history() && has_tmux {
                assert_eq!(terminal.tmux, row.tmux_session, "{label}: {}", row.terminal_id);
                assert!(terminal.process_state.is_some(), "{label}: the main record was read");
            }
        }
    });
}

// Measured, section 6: latent ≥ 38 s apart, healthy ≤ 0.13 s; armed in the recordings of that name only.
#[test]
fn latent_death_is_seen_where_it_is_and_nowhere_else() {
    each("before", |moment, snapshot, gate_open| {
        for session in snapshot.sessions() {
            let latent = snapshot.latent_death(&session.id);
            let armed =
                moment.recording.contains("latent-death") && snapshot.main_terminal(&session.id).is_some();
            assert_eq!(latent.as_option(), Some(armed), "{}: {latent:?}", label(moment, gate_open));
        }
    });
}

#[test]
fn only_what_changed_meanwhile_is_incomplete() {
    each("before", |moment, snapshot, gate_open| {
        let expected = moment.recording != CHANGED_WHILE_RECORDED;
        assert_eq!(snapshot.is_complete(), expected, "{}: {:?}", label(moment, gate_open), snapshot.gaps);
        let has = |code| snapshot.gaps.iter().any(|gap| gap.code == code);
        assert_eq!(has(GapCode::NoTree), !gate_open, "{}: {:?}", label(moment, gate_open), snapshot.gaps);
        assert_eq!(has(GapCode::NoTerminals), !gate_open, "{}", label(moment, gate_open));
        assert!(snapshot.as_of.is_some(), "the recorded health answer tells the server's clock");
    });
}

/// Sessions under the guard that a stop leaves; the frozen runtime snapshot is its only outward sign.
fn stopped(registries: &Registries, session: &str) -> bool {
    registries.stopped_sessions.iter().any(|stopped| stopped == session)
}

// Measured, section 11: all stopped sessions recognised, no live one taken for frozen.
#[test]
fn frozen_runtime_snapshots_are_recognised() {
    let mut count = BTreeMap::new();
    each("", |moment, snapshot, gate_open| {
        let registries = registries(moment);
        for session in snapshot.sessions() {
            let frozen = session.frozen();
            let expected = stopped(&registries, &session.id);
            assert_eq!(frozen.as_option(), Some(expected), "{}: {frozen:?}", label(moment, gate_open));
            *count.entry(expected).or_insert(0) += 1;
        }
    });
    assert!(count.is_empty() || (count[&true] > 50 && count[&false] > 50), "{count:?}");
}

// Measured, section 11: with the tree its nodes are right (565 of 566); without it, a builder task runs if and
// only if it is listed, and all else is unknown, never wrong.
#[test]
fn rows_of_a_frozen_session_are_right_or_unknown() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    each("", |moment, snapshot, gate_open| {
        let registries = registries(moment);
        let mut truth: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        for row in &registries.tracked {
            truth.insert((&row.session_id, &row.execution_id), &row.status);
        }
        for row in &registries.background_agents {
            truth.insert((&row.session_id, &row.id), &row.status);
        }
        for session in
            snapshot.sessions().iter().filter(|session| matches!(session.frozen(), Judgement::Yes(_)))
        {
            for row in snapshot.executions_of(&session.id) {
                let shown = row.status.as_ref().map(|status| status.value.as_str());
                let real = truth.remove(&(session.id.as_str(), row.id.as_str()));
                compared += 1;
                match (shown, real) {
                    (Some(shown), Some(real)) if shown == real => {}
                    (None, _) => assert!(!gate_open, "{}: {}", label(moment, gate_open), row.id),
                    // Without the tree a row that a stop erased from the registry is still remembered as ended.
                    (Some(shown), None) if !gate_open && shown != "running" => {}
                    (shown, real) => {
                        wrong.push(format!("{}: {} {shown:?} {real:?}", label(moment, gate_open), row.id));
                    }
                }
            }
            if gate_open {
                let missing: Vec<_> = truth.keys().filter(|(of, _)| *of == session.id).collect();
                assert!(missing.is_empty(), "{}: {missing:?}", label(moment, gate_open));
            }
        }
    });
    assert!(compared > 400, "{compared} rows were compared");
    assert!(wrong.len() <= 1, "{} of {compared} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_people_wrote_never_reaches_a_debug_print() {
    each("before", |moment, snapshot, _| {
        let printed = format!("{snapshot:?}");
        for marker in ["[[sleep", "[[tool"] {
            let allowed = |row: &Execution| {
                row.name
                    .as_ref()
                    .and_then(|name| name.value.plain())
                    .is_some_and(|name| name.contains(marker))
            };
            if !snapshot.executions().iter().any(allowed) {
                assert!(!printed.contains(marker), "{}", moment.recording);
            }
        }
    });
}
