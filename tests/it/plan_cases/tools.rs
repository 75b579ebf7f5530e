//! Case 10 and the other tools of an agent; dismiss and shutdown.

use pulsectl::testing::engine::plan::{Flag, Outcome, PaneOutcome, Trigger};
use pulsectl::testing::model::snapshot::Snapshot;

use super::*;

fn workshop() -> Snapshot {
    let rows = vec![
        ended_turn("query_3"),
        turn("query_10"),
        row("exec-1-1", "query_10"),
        row("msgseq-1-i-4", "exec-1-1"),
        row("eval-full-i0-2", "query_3"),
        row("eval-full-i0-2-step-0-t", "eval-full-i0-2"),
    ];
    server(vec![chat(S, WITH_CANCEL)], rows, vec![])
}

#[test]
fn case_10_stop_all_executions() {
    let plan = by_server(&workshop(), &Trigger::StopAll { session: S.to_owned() });
    assert_rows(
        &plan,
        &[
            ("query_10", Outcome::Survives, &[]),
            ("exec-1-1", Outcome::Cancelled, &[]),
            // Measured, section 8: it unwinds before the sweep and ends failed, so its row does not stay.
            ("msgseq-1-i-4", Outcome::CancelledByAncestor, &[]),
            ("eval-full-i0-2", Outcome::Cancelled, &[Flag::OrphanTracked]),
            ("eval-full-i0-2-step-0-t", Outcome::CancelledByAncestor, &[Flag::OrphanTracked]),
        ],
    );
    // Measured, section 8: a race; the outcome is foreseen, the counters are not.
    assert_eq!(counters(&plan), Counters::default());
}

#[test]
fn stop_step_ends_its_target_and_what_is_in_it() {
    let plan = by_server(&workshop(), &Trigger::StopStep { target: "exec-1-1".to_owned() });
    assert_rows(
        &plan,
        &[
            ("exec-1-1", Outcome::Cancelled, &[]),
            ("msgseq-1-i-4", Outcome::CancelledByAncestor, &[]),
            ("eval-full-i0-2", Outcome::Survives, &[]),
            ("query_10", Outcome::Survives, &[]),
        ],
    );
    assert_eq!(plan.session.as_deref(), Some(S));
}

// Stop-model, section 2.10, and the recording `tool-stop-item-refused`.
#[test]
fn stop_step_refuses_items_mirrors_and_what_is_not_there() {
    for target in ["msgseq-1-i-4", "eval-full-i0-2-step-0-t", "exec-nothing-1"] {
        let plan = by_server(&workshop(), &Trigger::StopStep { target: target.to_owned() });
        assert!(plan.refused.is_some_and(|refused| refused.status.is_none()), "{target}");
        assert!(plan.rows.iter().all(|row| !row.outcome.ends()));
    }
}

#[test]
fn a_shutdown_ends_everything() {
    let plan = by_server(&workshop(), &Trigger::Shutdown);
    for row in &plan.rows {
        assert!(row.outcome.ends() || row.outcome == Outcome::AlreadyDone, "{}: {:?}", row.id, row.outcome);
    }
    let expected = Counters { tracked_marked: Some(5), ..agents([2, 2, 0]) };
    assert_eq!(counters(&plan), expected);
}

// Measured, sections 4 and 10: which comes first, the reaper or a notification, is a race.
#[test]
fn a_dismissed_session_may_lose_its_panes() {
    let rows = vec![
        ended_turn("query_3"),
        row("workflow-full-a1", "query_3"),
        row("msgseq-s1-i1-1", "exec-s1-1796008500334087026"),
    ];
    let step = step_pane("exec-s1-1796008500334087026", "s1");
    let snapshot = server(vec![chat(S, NONE)], rows, vec![main_pane(), step]);
    let plan = by_server(&snapshot, &Trigger::Dismiss { session: S.to_owned() });
    assert_rows(
        &plan,
        &[
            ("workflow-full-a1", Outcome::Survives, &[]),
            ("msgseq-s1-i1-1", Outcome::Survives, &[Flag::FalseCompletion]),
        ],
    );
    for pane in &plan.panes {
        assert_eq!(pane.outcome, PaneOutcome::ClosedByReaper);
        assert_eq!(pane.otherwise.as_ref().map(|other| other.outcome), Some(PaneOutcome::Stays));
    }
}

#[test]
fn an_operators_kill_is_a_death_without_a_race() {
    let kill = Trigger::KillTerminal { terminal: format!("{S}:main:{S}") };
    let managed = pulsectl::testing::model::session::Foreground { can_steer: true, ..WITH_CANCEL };
    let rows = vec![ended_turn("query_3"), turn("query_10"), row("workflow-full-a1", "query_3")];
    let snapshot = server(vec![chat(S, managed)], rows, vec![main_pane()]);
    let plan = by_server(&snapshot, &kill);
    assert_rows(
        &plan,
        &[
            ("query_10", Outcome::Cancelled, &[]),
            ("workflow-full-a1", Outcome::Cancelled, &[Flag::Collateral]),
        ],
    );
    let missing = Trigger::KillTerminal { terminal: "nothing".to_owned() };
    assert_eq!(by_server(&snapshot, &missing).refused.and_then(|refused| refused.status), Some(404));
}
