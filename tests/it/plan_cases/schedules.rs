//! Cases 2, 3, 6: a schedule's job is stopped; a turn is cancelled.

use pulsectl::testing::engine::plan::{Flag, Outcome, PaneOutcome, RevivalKind, Trigger};
use pulsectl::testing::engine::resolve::Class;
use pulsectl::testing::model::execution::Execution;
use pulsectl::testing::model::session::Foreground;
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::status::SessionStatus;
use pulsectl::testing::model::terminal::Terminal;

use super::*;

const JOB: &str = "schedule-cron--ab_1";

fn schedule_stop() -> Trigger {
    Trigger::ScheduleStop { session: JOB.to_owned() }
}

fn of_job(id: &str) -> Execution {
    Execution::running(JOB, id, at(50))
}

fn in_sequence() -> Snapshot {
    server(
        vec![chat(JOB, WITH_CANCEL)],
        vec![
            Execution::running(JOB, "query_1", at(45)),
            of_job("workflow-full-a1").under("query_1"),
            of_job("msgseq-s1-i1-1").under("workflow-full-a1"),
        ],
        vec![
            Terminal::pane(JOB, &format!("main:{JOB}"), "mlp-main", at(46)),
            Terminal::pane(JOB, "workflow-step:workflow-full-a1:s1", "mlp-s1", at(51)),
        ],
    )
}

#[test]
fn case_2_in_the_middle_of_a_sequence() {
    for plan in [by_server(&in_sequence(), &schedule_stop()), by_owner(&in_sequence(), &schedule_stop())] {
        assert_rows(
            &plan,
            &[
                ("query_1", Outcome::Cancelled, &[]),
                ("workflow-full-a1", Outcome::Cancelled, &[]),
                ("msgseq-s1-i1-1", Outcome::CancelledByAncestor, &[Flag::NominalNoCancel]),
            ],
        );
        assert!(plan.rows.iter().all(|row| row.class == Class::Owned));
        assert!(plan.panes.iter().all(|pane| pane.outcome == PaneOutcome::ClosedNow && !pane.is_collateral));
        assert_eq!(counters(&plan), sweep(true, 0, [1, 1, 0], 3));
    }
}

#[test]
fn case_3_in_the_window_without_a_turn_cancel() {
    let query = Execution::running(JOB, "query_2", at(45));
    let snapshot = server(vec![chat(JOB, NONE)], vec![query], vec![]);
    for plan in [by_server(&snapshot, &schedule_stop()), by_owner(&snapshot, &schedule_stop())] {
        assert_rows(&plan, &[("query_2", Outcome::MarkedOnly, &[Flag::Ineffective, Flag::RelaunchRisk])]);
        assert_eq!(counters(&plan), sweep(false, 0, [0, 0, 0], 1));
        assert!(plan.revivals.iter().any(|revival| revival.kind == RevivalKind::QueuedMessage));
    }
}

// Measured, section 10: on a stop the same turn is not even marked.
#[test]
fn a_turn_in_preparation_survives_a_stop() {
    let query = Execution::running(JOB, "query_2", at(45));
    let snapshot = server(vec![chat(JOB, NONE)], vec![query], vec![]);
    let plan = by_server(&snapshot, &Trigger::Stop { session: JOB.to_owned(), agents: true });
    assert_rows(&plan, &[("query_2", Outcome::Survives, &[Flag::Ineffective, Flag::RelaunchRisk])]);
}

// Stop-model, section 5.2: refused with 400 unless the job runs. That stands in the list of jobs, which must not be
// read; between two messages nothing runs in the session (recording schedule-stop-relaunch-window), so it is open.
#[test]
fn a_job_without_work_is_perhaps_over() {
    let mut session = chat(JOB, NONE);
    session.status = Some(SessionStatus::Completed);
    session.runtime.as_mut().expect("it has one").raw_status = Some(SessionStatus::Completed);
    let plan = by_server(&server(vec![session], vec![], vec![]), &schedule_stop());
    assert!(plan.refused.is_none() && !plan.warnings.is_empty());
    assert_eq!(plan.predicted[0].otherwise.as_ref().map(|other| other.outcome), Some(Counters::default()));
}

#[test]
fn a_chat_is_no_job() {
    let chat_only = server(vec![chat(S, NONE)], vec![turn("query_1")], vec![]);
    let plan = by_server(&chat_only, &Trigger::ScheduleStop { session: S.to_owned() });
    assert_eq!(plan.refused.and_then(|refused| refused.status), Some(404));
}

fn with_run(session: &str, foreground: Foreground) -> Snapshot {
    let of = |id: &str| Execution::running(session, id, at(50));
    server(
        vec![chat(session, foreground)],
        vec![
            Execution::running(session, "query_6", at(45)),
            of("workflow-full-a1").under("query_6"),
            of("msgseq-s1-i1-1").under("workflow-full-a1"),
        ],
        vec![Terminal::pane(session, &format!("main:{session}"), "mlp-main", at(46))],
    )
}

#[test]
fn case_6_a_cancelled_turn_leaves_the_run() {
    let trigger = Trigger::CancelTurn { session: S.to_owned() };
    let snapshot = with_run(S, WITH_CANCEL);
    for plan in [by_server(&snapshot, &trigger), by_owner(&snapshot, &trigger)] {
        assert_rows(
            &plan,
            &[
                ("query_6", Outcome::Cancelled, &[]),
                ("workflow-full-a1", Outcome::Survives, &[]),
                ("msgseq-s1-i1-1", Outcome::Survives, &[]),
            ],
        );
        assert_panes(&plan, &[("main:chat-1", PaneOutcome::Stays)]);
        assert_eq!(counters(&plan), Counters::default());
    }
}

#[test]
fn case_6_b_a_schedule_looks_stopped() {
    let trigger = Trigger::CancelTurn { session: JOB.to_owned() };
    let plan = by_server(&with_run(JOB, WITH_CANCEL), &trigger);
    assert_rows(
        &plan,
        &[
            ("query_6", Outcome::Cancelled, &[]),
            ("workflow-full-a1", Outcome::Survives, &[Flag::HalfStopped]),
            ("msgseq-s1-i1-1", Outcome::Survives, &[]),
        ],
    );
}

// Measured, section 3: a turn in a live pane has no cancel; nothing happens.
#[test]
fn case_6_c_a_turn_without_a_cancel_goes_on() {
    let trigger = Trigger::CancelTurn { session: S.to_owned() };
    for foreground in [NONE, Foreground { busy: true, ..NONE }] {
        let plan = by_server(&with_run(S, foreground), &trigger);
        assert_untouched(&plan);
    }
}
