//! Cases 13 and 14, and what else differs between the versions.

use pulsectl::testing::engine::plan::{ExpectedLine, Flag, Outcome, PaneState, Trigger};
use pulsectl::testing::engine::resolve::Class;
use pulsectl::testing::model::session::Foreground;
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::terminal::ProcessState;

use super::chats::builder_chat;
use super::deaths::{incident, orchestrator};
use super::*;

fn death(pane: PaneState) -> Trigger {
    Trigger::TerminalDeath { session: S.to_owned(), terminal: None, pane }
}

#[test]
fn case_13_the_later_watchdog_leaves_a_turn_alone() {
    let plan = on_later(&incident(), &death(PaneState::Missing));
    assert_untouched(&plan);
    assert!(plan.refused.is_some_and(|refused| refused.status.is_none()));
    for pane in [PaneState::Dead, PaneState::Wall] {
        let plan = on_later(&incident(), &death(pane));
        assert_rows(&plan, &[("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral])]);
    }
    let idle = server(
        vec![chat(S, NONE)],
        vec![ended_turn("query_3"), row("workflow-full-a1", "query_3")],
        vec![main_pane()],
    );
    let plan = on_later(&idle, &death(PaneState::Missing));
    assert_rows(&plan, &[("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral])]);
}

/// Case 14: a delegation of the current turn.
fn delegation() -> Snapshot {
    let mut delegation = row("rese-0003", "query_14");
    delegation.background.as_mut().expect("it is registered").kind = Some("delegation".to_owned());
    server(vec![chat(S, WITH_CANCEL)], vec![turn("query_14"), delegation], vec![main_pane()])
}

#[test]
fn case_14_a_delegation_is_only_dropped() {
    let plan = on_later(&delegation(), &stop(true));
    assert_rows(&plan, &[("rese-0003", Outcome::Cancelled, &[]), ("query_14", Outcome::Cancelled, &[])]);
    assert_eq!(found(&plan, "rese-0003").class, Class::Owned);
    let plan = on_later(&delegation(), &main_death_of_dead_pane());
    assert_rows(&plan, &[("rese-0003", Outcome::Cancelled, &[])]);

    // No workshop holds it, so closing that does not reach it, and nobody calls its own cancel.
    let plan = on_later(&delegation(), &stop(false));
    let flags = &[Flag::Ineffective, Flag::DarkExecution, Flag::McpCollateral];
    assert_rows(&plan, &[("rese-0003", Outcome::Survives, flags)]);
    assert!(found(&plan, "rese-0003").dropped);
    assert_eq!(found(&plan, "query_14").outcome, Outcome::Cancelled);
}

fn main_death_of_dead_pane() -> Trigger {
    death(PaneState::Dead)
}

// Stop-model, sections 4.2 and 6 (case 4): the later stop always sweeps the tracked rows.
#[test]
fn the_later_stop_marks_tracked_rows() {
    let plan = on_later(&builder_chat(), &stop(true));
    assert_eq!(counters(&plan), Counters { tracked_marked: Some(4), ..agents([3, 1, 0]) });
    let in_pane = Foreground { busy: true, ..NONE };
    let snapshot = server(vec![chat(S, in_pane)], vec![turn("query_5")], vec![main_pane()]);
    let plan = on_later(&snapshot, &stop(false));
    assert!(!found(&plan, "query_5").stays_listed);
    let preparing = server(vec![chat(S, NONE)], vec![turn("query_5")], vec![]);
    let plan = on_later(&preparing, &stop(false));
    assert_rows(&plan, &[("query_5", Outcome::MarkedOnly, &[Flag::Ineffective, Flag::RelaunchRisk])]);
}

// server-behaviour.md#counters and #versions: where a stop with agents finds a run in orchestrator mode, a server of
// August prints the line of the agents a second time, with zeros; a later one sweeps them once.
#[test]
fn only_the_august_stop_counts_the_agents_twice() {
    let lines = |plan: &Plan| -> Vec<String> {
        let texts = plan.expected_log.iter().filter_map(|line| match line {
            ExpectedLine::Text(text) => Some(text.clone()),
            ExpectedLine::Marked { .. } => None,
        });
        texts.filter(|text| text.contains("background agents:")).collect()
    };
    let august = lines(&by_server(&orchestrator(false), &stop(true)));
    assert_eq!(august.len(), 2, "{august:?}");
    assert!(
        august[1].ends_with("background agents: canceled=0 no_cancel_func=0 already_done=0"),
        "{august:?}"
    );
    assert_eq!(lines(&on_later(&orchestrator(false), &stop(true))), [august[0].as_str()]);
}

// server-behaviour.md#versions: a later server's agent owns the step that it started and takes it along; one of
// August does not.
#[test]
fn only_a_later_agent_takes_its_step_along() {
    let rows = vec![ended_turn("query_3"), row("bg-build-1", "query_3"), row("exec-1-1", "bg-build-1")];
    let snapshot = server(vec![chat(S, NONE)], rows, vec![]);
    let trigger = Trigger::StopStep { target: "bg-build-1".to_owned() };
    let plan = on_later(&snapshot, &trigger);
    assert_eq!(found(&plan, "bg-build-1").outcome, Outcome::Cancelled);
    assert_eq!(found(&plan, "exec-1-1").outcome, Outcome::CancelledByAncestor);
    assert_eq!(found(&plan, "exec-1-1").via, ["bg-build-1"]);
    let plan = by_server(&snapshot, &trigger);
    assert_eq!(found(&plan, "bg-build-1").outcome, Outcome::Cancelled);
    assert_eq!(found(&plan, "exec-1-1").outcome, Outcome::Survives);
}

// Measured, section 8: the version of 2026-08-17 prints no such line.
#[test]
fn the_oldest_version_foresees_no_lines() {
    let plan = plan_as(&incident(), &main_death(), ServerVersion::August17, Policy::Server);
    assert_eq!(counters(&plan), Counters::default());
    assert!(plan.expected_log.is_empty());
    assert_eq!(found(&plan, "workflow-full-a1").outcome, Outcome::Cancelled);
}

// Measured, section 6: a healthy session with a stale record; the counters are those of the ticket.
#[test]
fn a_latent_death_is_foreseen_and_warned_about() {
    let mut pane = main_pane();
    pane.tmux = Some("mlp-claude-code-1787333400000000000-60689216".to_owned());
    pane.process_state = Some(ProcessState::Absent);
    let managed = Foreground { can_steer: true, ..WITH_CANCEL };
    let rows = vec![ended_turn("query_3"), turn("query_4"), row("workflow-full-a1", "query_3")];
    let snapshot = server(vec![chat(S, managed)], rows, vec![pane]);
    let plan = by_server(&snapshot, &main_death());
    assert_rows(
        &plan,
        &[
            ("query_4", Outcome::Cancelled, &[]),
            ("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral]),
        ],
    );
    let run = found(&plan, "workflow-full-a1");
    assert_eq!(run.otherwise.as_ref().map(|other| other.outcome), Some(Outcome::Survives));
    assert!(plan.warnings.iter().any(|warning| warning.code.name() == "latent_death"));
}

// Measured, section 3: a server-managed turn that loses its pane ends by itself, and nothing else.
#[test]
fn a_server_managed_turn_ends_alone_with_its_pane() {
    let managed = Foreground { can_steer: true, ..WITH_CANCEL };
    let rows = vec![turn("query_4"), row("workflow-full-a1", "query_4")];
    let snapshot = server(vec![chat(S, managed)], rows, vec![main_pane()]);
    let plan = by_server(&snapshot, &main_death());
    assert_rows(
        &plan,
        &[("query_4", Outcome::EndsWithPane, &[]), ("workflow-full-a1", Outcome::Survives, &[])],
    );
    let prediction = &plan.predicted[0];
    assert_eq!(prediction.counters, Counters::default());
    let other = prediction.otherwise.as_ref().expect("the watchdog may come first");
    assert_eq!(other.outcome, sweep(true, 0, [1, 0, 0], 2));
}
