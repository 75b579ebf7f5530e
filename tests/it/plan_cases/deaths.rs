//! Cases 1, 7, 8, 9, 11, 12: a pane dies.

use pulsectl::testing::engine::plan::{Flag, Outcome, PaneOutcome, PaneState, Policy, Trigger, plan};
use pulsectl::testing::engine::resolve::Class;
use pulsectl::testing::model::confidence::Confidence;
use pulsectl::testing::model::execution::{Execution, Status, TrackedSource};
use pulsectl::testing::model::fact::{Fact, Source};
use pulsectl::testing::model::session::Foreground;
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::status::SessionStatus;
use pulsectl::testing::model::terminal::Terminal;

use super::*;

/// Case 1: the incident of PLAT-171.
pub(super) fn incident() -> Snapshot {
    let synthetic = Foreground { synthetic: true, ..WITH_CANCEL };
    let mut rows = vec![
        ended_turn("query_3"),
        turn("synthetic-turn:7"),
        row("workflow-full-a1", "query_3"),
        row("msgseq-s1-i1-1", "workflow-full-a1"),
    ];
    for number in 1..=8 {
        rows.push(row(&format!("bg-done-{number}"), "query_3").ended(Status::Completed, at(52)));
    }
    server(vec![chat(S, synthetic)], rows, vec![main_pane(), step_pane("workflow-full-a1", "s1")])
}

#[test]
fn case_1_by_the_server() {
    let plan = by_server(&incident(), &main_death());
    assert_rows(
        &plan,
        &[
            ("synthetic-turn:7", Outcome::Cancelled, &[]),
            ("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral]),
            ("msgseq-s1-i1-1", Outcome::CancelledByAncestor, &[Flag::Collateral, Flag::NominalNoCancel]),
            ("bg-done-1", Outcome::AlreadyDone, &[]),
        ],
    );
    assert_eq!(found(&plan, "workflow-full-a1").class, Class::Watched);
    assert_eq!(found(&plan, "msgseq-s1-i1-1").via, ["workflow-full-a1"]);
    assert_panes(
        &plan,
        &[
            ("main:chat-1", PaneOutcome::ClosedNow),
            ("workflow-step:workflow-full-a1:s1", PaneOutcome::ClosedNow),
        ],
    );
    assert!(plan.panes[1].is_collateral && !plan.panes[0].is_collateral);
    assert_eq!(counters(&plan), sweep(true, 0, [1, 1, 8], 3));
    assert!(plan.refused.is_none());
}

// The three acceptance tests of PLAT-171: a watched run and what is in it live on, own work ends, and its
// completion is told.
#[test]
fn case_1_by_the_owner() {
    let plan = by_owner(&incident(), &main_death());
    assert_rows(
        &plan,
        &[
            ("synthetic-turn:7", Outcome::Cancelled, &[]),
            ("workflow-full-a1", Outcome::Survives, &[]),
            ("msgseq-s1-i1-1", Outcome::Survives, &[]),
        ],
    );
    assert_panes(
        &plan,
        &[("main:chat-1", PaneOutcome::ClosedNow), ("workflow-step:workflow-full-a1:s1", PaneOutcome::Stays)],
    );
    let counters = counters(&plan);
    assert_eq!(
        (counters.canceled, counters.no_cancel_func, counters.tracked_marked),
        (Some(0), Some(0), Some(1))
    );
}

#[test]
fn case_1_by_the_sweeps_only() {
    let plan = plan(&incident(), &main_death(), Policy::SweepsOnly);
    let run = found(&plan, "workflow-full-a1");
    assert_eq!(run.outcome, Outcome::Survives);
    for flag in
        [Flag::BlockedByPaneSweep, Flag::BlockedByReaper, Flag::BlockedByGuard, Flag::BlockedByNotification]
    {
        assert!(run.has(flag), "{flag:?} of {:?}", run.flags);
    }
    assert!(!run.has(Flag::BlockedByWorkshopClose) && !run.has(Flag::BlockedByHttpSessionClose));
    assert_panes(
        &plan,
        &[
            ("main:chat-1", PaneOutcome::ClosedNow),
            ("workflow-step:workflow-full-a1:s1", PaneOutcome::ClosedNow),
        ],
    );
}

// PLAT-171, acceptance test 2: own sub-agents, knowledge-base jobs, reviews and the current turn's work end.
#[test]
fn own_work_ends_by_every_policy() {
    let own = ["kb-consolidate-00001", "review-plan-00001", "exec-s1-1", "bg-help-00001"];
    let mut rows = vec![turn("query_3"), row("todo-sub-a-1", "exec-s1-1")];
    rows.extend(own.iter().map(|id| row(id, "query_3")));
    let snapshot = server(vec![chat(S, WITH_CANCEL)], rows, vec![main_pane()]);
    for policy in Policy::ALL {
        let plan = plan(&snapshot, &main_death(), policy);
        for id in own.iter().chain(&["query_3", "todo-sub-a-1"]) {
            assert_eq!(found(&plan, id).outcome, Outcome::Cancelled, "{id} by {}", policy.name());
            assert!(found(&plan, id).flags.is_empty(), "{id}");
        }
    }
}

/// Case 7: rows of a chat, and a pane of this owner.
fn with_child_pane(pane: Terminal) -> (Snapshot, Trigger) {
    let terminal = Some(pane.id.clone());
    let rows = vec![
        ended_turn("query_2"),
        turn("query_8"),
        row("bg-x-00007", "query_8"),
        row("msgseq-x-i-3", "bg-x-00007"),
        row("exec-y-1", "query_8"),
        row("workflow-full-a1", "query_2"),
    ];
    let trigger = Trigger::TerminalDeath { session: S.to_owned(), terminal, pane: PaneState::Missing };
    (server(vec![chat(S, WITH_CANCEL)], rows, vec![main_pane(), pane]), trigger)
}

#[test]
fn case_7_the_pane_of_an_agent() {
    let (snapshot, trigger) = with_child_pane(Terminal::pane(S, "bg-x-00007", "mlp-x", at(51)));
    for plan in [by_server(&snapshot, &trigger), by_owner(&snapshot, &trigger)] {
        assert_rows(
            &plan,
            &[
                ("bg-x-00007", Outcome::Cancelled, &[]),
                ("msgseq-x-i-3", Outcome::CancelledByAncestor, &[]),
                ("query_8", Outcome::Survives, &[]),
                ("exec-y-1", Outcome::Survives, &[]),
                ("workflow-full-a1", Outcome::Survives, &[]),
            ],
        );
        assert_eq!(counters(&plan), Counters::default());
    }
}

#[test]
fn case_7_the_pane_of_a_step() {
    let (snapshot, trigger) = with_child_pane(step_pane("workflow-full-a1", "s1"));
    let plan = by_server(&snapshot, &trigger);
    // Measured, section 7: no row matches, and what works in the pane is reported completed.
    assert_rows(
        &plan,
        &[
            ("workflow-full-a1", Outcome::Survives, &[Flag::FalseCompletion]),
            ("bg-x-00007", Outcome::Survives, &[]),
            ("msgseq-x-i-3", Outcome::Survives, &[]),
        ],
    );
}

#[test]
fn case_7_a_row_younger_than_the_terminal() {
    let (snapshot, trigger) = with_child_pane(Terminal::pane(S, "bg-x-00007", "mlp-x", at(43)));
    let plan = by_server(&snapshot, &trigger);
    assert!(plan.rows.iter().all(|row| !row.outcome.ends()));
}

// Measured, section 10: a step's record can come to name the enclosing run; its death takes the whole run.
#[test]
fn a_step_pane_whose_record_names_the_run_takes_the_run() {
    let mut pane = step_pane("exec-s1-1796008500334087026", "s1");
    pane.execution = Some("workflow-full-a1".to_owned());
    let (snapshot, trigger) = with_child_pane(pane);
    let plan = by_server(&snapshot, &trigger);
    assert_rows(&plan, &[("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral])]);
}

/// Case 8: a run beside a main pane.
fn idle(change: impl FnOnce(&mut Session, &mut Terminal)) -> Snapshot {
    let (mut session, mut pane) = (chat(S, NONE), main_pane());
    change(&mut session, &mut pane);
    let rows = vec![
        ended_turn("query_2"),
        row("workflow-full-a1", "query_2"),
        row("msgseq-s1-i1-1", "workflow-full-a1"),
    ];
    server(vec![session], rows, vec![pane])
}

#[test]
fn case_8_a_death_that_does_nothing() {
    let completed = idle(|session, _| {
        session.status = Some(SessionStatus::Completed);
        session.runtime.as_mut().expect("it has one").raw_status = Some(SessionStatus::Completed);
    });
    let stale = idle(|_, pane| pane.created_at = Some(at(40)));
    let inactive = idle(|_, pane| pane.active = Some(false));
    for snapshot in [completed, stale, inactive] {
        let plan = by_server(&snapshot, &main_death());
        assert_untouched(&plan);
        assert_eq!(plan.refused.as_ref().map(|refused| refused.status), Some(None));
        assert_eq!(counters(&plan), Counters::default());
        assert_panes(&plan, &[("main:chat-1", PaneOutcome::ClosedNow)]);
    }
    let no_pane = idle(|_, pane| (pane.tmux, pane.has_tmux) = (None, Some(false)));
    let plan = by_server(&no_pane, &main_death());
    assert_untouched(&plan);
    assert!(plan.refused.is_some_and(|refused| refused.reason.starts_with("no pane")));
}

#[test]
fn case_8_d_an_unknown_age_is_low_confidence() {
    let plan = by_server(&idle(|_, pane| pane.created_at = None), &main_death());
    let run = found(&plan, "workflow-full-a1");
    assert_eq!((run.outcome, run.confidence), (Outcome::Cancelled, Confidence::Low));
    assert_eq!(run.otherwise.as_ref().map(|other| other.outcome), Some(Outcome::Survives));
}

/// Case 9: a run in orchestrator mode; `lost` where an earlier stop forgot its query id.
pub(super) fn orchestrator(lost: bool) -> Snapshot {
    let mut session = Session { agent_mode: Some("workflow".to_owned()), ..chat(S, NONE) };
    session.stopped_guard = lost.then(|| Fact::new(true, Source::Given));
    let mut run = turn("query_9");
    run.tracked.as_mut().expect("a turn is tracked").written_by =
        Some(Fact::new(TrackedSource::WorkflowRun, Source::Given));
    server(vec![session], vec![run], vec![main_pane()])
}

#[test]
fn case_9_a_run_in_orchestrator_mode() {
    let plan = by_server(&orchestrator(false), &stop(false));
    assert_rows(&plan, &[("query_9", Outcome::Cancelled, &[])]);
    // Measured, section 10: agents 0/0/0 and the tracked line, no turn and no orchestrator line.
    assert_eq!(counters(&plan), Counters { tracked_marked: Some(1), ..agents([0, 0, 0]) });

    let plan = by_server(&orchestrator(false), &main_death());
    assert_rows(&plan, &[("query_9", Outcome::Cancelled, &[])]);
    assert_eq!(counters(&plan), sweep(false, 1, [0, 0, 0], 1));

    let plan = by_server(&orchestrator(true), &main_death());
    assert_rows(&plan, &[("query_9", Outcome::MarkedOnly, &[Flag::Ineffective])]);
    assert_eq!(counters(&plan), sweep(false, 0, [0, 0, 0], 1));

    let plan = by_server(&orchestrator(true), &stop(false));
    assert_rows(&plan, &[("query_9", Outcome::Survives, &[Flag::McpCollateral])]);
    assert_eq!(counters(&plan), Counters::default());
}

/// Case 11: an item whose run has failed.
pub(super) fn leaked_item() -> Snapshot {
    let rows = vec![
        ended_turn("query_3"),
        row("workflow-full-b1", "query_3").ended(Status::Failed, at(55)),
        row("msgseq-s1-i1-5", "workflow-full-b1"),
    ];
    server(vec![chat(S, NONE)], rows, vec![main_pane()])
}

#[test]
fn case_11_an_item_without_a_living_ancestor() {
    let plan = by_server(&leaked_item(), &main_death());
    assert_rows(
        &plan,
        &[
            (
                "msgseq-s1-i1-5",
                Outcome::MarkedOnly,
                &[Flag::Ineffective, Flag::Collateral, Flag::DarkExecution],
            ),
            ("workflow-full-b1", Outcome::AlreadyDone, &[]),
        ],
    );
    assert_eq!(counters(&plan), sweep(false, 0, [0, 1, 1], 1));

    let plan = by_owner(&leaked_item(), &main_death());
    assert_rows(&plan, &[("msgseq-s1-i1-5", Outcome::Survives, &[])]);
    assert!(found(&plan, "msgseq-s1-i1-5").reason.contains("possible leaked worker"));
}

#[test]
fn case_12_a_schedule_started_from_the_chat_is_not_hit() {
    const SCHEDULE: &str = "schedule-manual--cd_5";
    let of_schedule = |id: &str, parent: &str| Execution::running(SCHEDULE, id, at(50)).under(parent);
    let snapshot = server(
        vec![
            chat(S, WITH_CANCEL),
            Session { parent_session: Some(S.to_owned()), ..chat(SCHEDULE, WITH_CANCEL) },
        ],
        vec![
            turn("query_12"),
            Execution::running(SCHEDULE, "query_13", at(45)),
            of_schedule("workflow-full-c1", "query_13"),
            of_schedule("msgseq-s1-i1-6", "workflow-full-c1"),
        ],
        vec![main_pane()],
    );
    for plan in [by_server(&snapshot, &main_death()), by_owner(&snapshot, &main_death())] {
        assert_rows(&plan, &[("query_12", Outcome::Cancelled, &[])]);
        assert_eq!(plan.rows.len(), 1, "no row of the schedule's session is hit");
    }
}
