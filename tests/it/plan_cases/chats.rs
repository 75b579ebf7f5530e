//! Cases 4, 5 and what measured, section 10, adds: a person stops a chat.

use pulsectl::testing::engine::plan::{Flag, Outcome, PaneOutcome, Policy, plan};
use pulsectl::testing::engine::resolve::Class;
use pulsectl::testing::model::session::Foreground;
use pulsectl::testing::model::snapshot::Snapshot;

use super::*;

/// Cases 4 and 5: a builder chat with a turn, a detached step, its sub-agent and item, and an agent of an ended turn.
pub(super) fn builder_chat() -> Snapshot {
    let rows = vec![
        ended_turn("query_4"),
        turn("query_5"),
        row("exec-s2-9", "query_5"),
        row("todo-sub-x-1", "exec-s2-9"),
        row("msgseq-s2-i-2", "exec-s2-9"),
        row("bg-audit-00042", "query_4"),
    ];
    server(vec![chat(S, WITH_CANCEL)], rows, vec![main_pane(), step_pane("exec-s2-9", "s2")])
}

#[test]
fn case_4_stop_with_agents() {
    // Without the "orphan-tracked risk" of the page: the rows settle within a second (measured, sections 5 and 10);
    // the step's tool works on for up to 30 s (measured, sections 4 and 10).
    for plan in [by_server(&builder_chat(), &stop(true)), by_owner(&builder_chat(), &stop(true))] {
        assert_rows(
            &plan,
            &[
                ("query_5", Outcome::Cancelled, &[]),
                ("exec-s2-9", Outcome::Cancelled, &[]),
                ("todo-sub-x-1", Outcome::Cancelled, &[]),
                ("bg-audit-00042", Outcome::Cancelled, &[Flag::IntendedKill]),
            ],
        );
        let item = found(&plan, "msgseq-s2-i-2");
        assert_eq!(item.outcome, Outcome::CancelledByAncestor);
        assert!(item.has(Flag::NominalNoCancel));
        assert_eq!(found(&plan, "bg-audit-00042").class, Class::Detached);
        for id in ["exec-s2-9", "todo-sub-x-1", "msgseq-s2-i-2", "bg-audit-00042"] {
            assert!(found(&plan, id).dropped, "{id}");
        }
        assert!(plan.rows.iter().all(|row| !row.stays_listed));
        // No tracked line in a builder chat.
        assert_eq!(counters(&plan), agents([3, 1, 0]));
        assert_panes(
            &plan,
            &[
                ("main:chat-1", PaneOutcome::ClosedNow),
                ("workflow-step:exec-s2-9:s2", PaneOutcome::ClosedAfterGrace),
            ],
        );
    }
}

#[test]
fn case_5_a_closed_tab_by_the_server() {
    let plan = by_server(&builder_chat(), &stop(false));
    assert_rows(
        &plan,
        &[
            ("query_5", Outcome::Cancelled, &[]),
            ("exec-s2-9", Outcome::CancelledByAncestor, &[]),
            ("bg-audit-00042", Outcome::CancelledByAncestor, &[Flag::Collateral]),
        ],
    );
    for id in ["exec-s2-9", "todo-sub-x-1", "msgseq-s2-i-2", "bg-audit-00042"] {
        let row = found(&plan, id);
        assert_eq!((row.outcome, row.dropped), (Outcome::CancelledByAncestor, true), "{id}");
        assert!(!row.has(Flag::NominalNoCancel), "no line counts it");
    }
    assert_eq!(counters(&plan), Counters::default(), "no counters at all in the log");
    // Measured, sections 4 and 10: not the reaper, but the tool's own grace ends the step's pane.
    assert_panes(
        &plan,
        &[
            ("main:chat-1", PaneOutcome::ClosedNow),
            ("workflow-step:exec-s2-9:s2", PaneOutcome::ClosedAfterGrace),
        ],
    );
}

#[test]
fn case_5_a_closed_tab_by_the_owner() {
    let plan = by_owner(&builder_chat(), &stop(false));
    for (id, outcome) in [
        ("query_5", Outcome::Cancelled),
        ("exec-s2-9", Outcome::Cancelled),
        ("todo-sub-x-1", Outcome::Cancelled),
        ("msgseq-s2-i-2", Outcome::CancelledByAncestor),
        ("bg-audit-00042", Outcome::Survives),
    ] {
        assert_eq!(found(&plan, id).outcome, outcome, "{id}");
    }
    // Stop-model, section 5.6: what survives shares the tool connections that the stop closes.
    assert_eq!(found(&plan, "bg-audit-00042").flags, [Flag::McpCollateral]);
}

#[test]
fn a_closed_tab_by_the_sweeps_only_is_blocked_by_the_workshop() {
    let plan = plan(&builder_chat(), &stop(false), Policy::SweepsOnly);
    let agent = found(&plan, "bg-audit-00042");
    assert_eq!(agent.outcome, Outcome::Survives);
    for flag in [Flag::BlockedByWorkshopClose, Flag::BlockedByHttpSessionClose, Flag::BlockedByGuard] {
        assert!(agent.has(flag), "{:?}", agent.flags);
    }
    assert!(!agent.has(Flag::BlockedByPaneSweep), "it has no pane");
}

#[test]
fn the_item_in_a_busy_step_pane_works_on() {
    let plan = by_server(&builder_chat(), &stop(true));
    assert!(found(&plan, "msgseq-s2-i-2").has(Flag::WorksOn) || found(&plan, "exec-s2-9").has(Flag::WorksOn));
}

// Measured, section 3, last table: the row of a turn in a live pane stays running for ever; by a death it does not.
#[test]
fn a_retained_turn_ends_with_its_pane() {
    let in_pane = Foreground { busy: true, ..NONE };
    let snapshot = server(vec![chat(S, in_pane)], vec![turn("query_5")], vec![main_pane()]);
    for with_agents in [false, true] {
        let plan = by_server(&snapshot, &stop(with_agents));
        assert_rows(&plan, &[("query_5", Outcome::EndsWithPane, &[Flag::OrphanTracked])]);
        assert!(found(&plan, "query_5").stays_listed);
    }
    let plan = by_server(&snapshot, &main_death());
    assert_rows(&plan, &[("query_5", Outcome::EndsWithPane, &[])]);
    assert_eq!(counters(&plan), sweep(false, 0, [0, 0, 0], 0));
}

// Measured, section 3: of two running turns beside a server-managed one the older has the cancel.
#[test]
fn a_queued_turn_ends_with_the_pane_and_is_settled() {
    let managed = Foreground { can_steer: true, ..WITH_CANCEL };
    let older = Execution::running(S, "query_1", at(43));
    let snapshot = server(vec![chat(S, managed)], vec![older, turn("query_5")], vec![main_pane()]);
    let plan = by_server(&snapshot, &stop(false));
    assert_rows(&plan, &[("query_1", Outcome::Cancelled, &[]), ("query_5", Outcome::EndsWithPane, &[])]);
}

// Measured, section 10: the mirror of a todo step's orchestrator stays listed, that of its sub-agent does not.
#[test]
fn the_mirror_of_a_todo_step_stays_listed_after_a_stop() {
    let mirror = |token: &str, declared: Option<&str>, tracked: &str| {
        let mut mirror = row(&format!("workflow-full-a1-step-0-{token}"), "workflow-full-a1");
        mirror.background.as_mut().expect("it is registered").kind = declared.map(str::to_owned);
        mirror.tracked.as_mut().expect("it is tracked").kind = Some(tracked.to_owned());
        mirror
    };
    for declared in [[Some("orchestrator"), Some("sub_agent")], [None, None]] {
        let snapshot = server(
            vec![chat(S, NONE)],
            vec![
                ended_turn("query_4"),
                row("workflow-full-a1", "query_4"),
                mirror("a", declared[0], "workflow_builder_task"),
                mirror("b", declared[1], "step"),
                row("todo-generic-x-1", "workflow-full-a1"),
            ],
            vec![main_pane()],
        );
        for (trigger, listed) in [(stop(false), true), (stop(true), true), (main_death(), false)] {
            let plan = by_server(&snapshot, &trigger);
            let (orchestrator, sub_agent) =
                (found(&plan, "workflow-full-a1-step-0-a"), found(&plan, "workflow-full-a1-step-0-b"));
            assert_eq!(orchestrator.outcome, Outcome::CancelledByAncestor);
            assert_eq!((orchestrator.stays_listed, sub_agent.stays_listed), (listed, false));
            assert_eq!(orchestrator.has(Flag::OrphanTracked), listed);
        }
    }
}

#[test]
fn a_session_that_is_not_listed_is_refused() {
    let snapshot = server(vec![], vec![turn("query_5")], vec![]);
    for trigger in [stop(false), Trigger::CancelTurn { session: S.to_owned() }] {
        let plan = by_server(&snapshot, &trigger);
        assert_eq!(plan.refused.as_ref().and_then(|refused| refused.status), Some(404));
        assert_untouched(&plan);
    }
}

// Stop-model, section 5.2, and the recording `refusals`.
#[test]
fn a_session_at_work_cannot_be_cleared() {
    let clear = Trigger::Clear { session: S.to_owned() };
    let plan = by_server(&builder_chat(), &clear);
    assert_eq!(plan.refused.as_ref().and_then(|refused| refused.status), Some(409));
    let idle = server(vec![chat(S, NONE)], vec![ended_turn("query_4")], vec![]);
    assert!(by_server(&idle, &clear).refused.is_none());
}
