//! The worked cases of server-behaviour.md#what-a-stop-does-to-a-row, as snapshots, with the corrections of
//! measured: classes and cancels.

use jiff::Timestamp;

use super::{Cancel, Class, Container, SessionFacts, TurnNature, resolve};
use crate::model::confidence::Confidence;
use crate::model::execution::{Execution, Metadata, Status};
use crate::model::fact::{Fact, Source};
use crate::model::session::{Foreground, Session};
use crate::model::snapshot::Snapshot;
use crate::model::terminal::Terminal;

const WITH_CANCEL: Foreground =
    Foreground { busy: true, has_cancel: true, can_steer: true, synthetic: false };
const IDLE: Foreground = Foreground { busy: false, has_cancel: false, can_steer: false, synthetic: false };

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_796_008_000 + second).expect("the test's time is in range")
}

/// An id that ends in the nanoseconds of this second.
fn stamped(prefix: &str, second: i64) -> String {
    format!("{prefix}-{}", at(second).as_nanosecond())
}

fn row(id: &str, second: i64) -> Execution {
    Execution::running("s", id, at(second))
}

/// A turn that ended.
fn ended_turn(id: &str, from: i64, to: i64) -> Execution {
    row(id, from).ended(Status::Completed, at(to))
}

fn chat(foreground: Foreground, rows: impl IntoIterator<Item = Execution>) -> Snapshot {
    let snapshot = Snapshot::default().with_session(Session::running("s", foreground));
    rows.into_iter().fold(snapshot, Snapshot::with_execution)
}

/// What is concluded about some rows: id, class, cancel.
fn check(snapshot: &Snapshot, expected: &[(&str, Class, Cancel)]) {
    let resolution = resolve(snapshot);
    let facts = resolution.session(&snapshot.sessions()[0].id).expect("the session is there");
    for (id, class, cancel) in expected {
        let row = facts.row(id).unwrap_or_else(|| panic!("{id} is there"));
        assert_eq!((row.class.value, row.cancel.value), (*class, *cancel), "{id}: {row:?}");
    }
}

fn with_facts<Answer>(snapshot: &Snapshot, ask: impl FnOnce(&SessionFacts<'_>) -> Answer) -> Answer {
    ask(resolve(snapshot).session("s").expect("the session is there"))
}

// Case 1, with server-behaviour.md#parents-and-steps: the item's parent is a step that is no row; the pane
// names it.
#[test]
fn the_incident_of_plat_171() {
    let (step, item) = (stamped("exec-s1", 20), stamped("msgseq-s1-i1", 21));
    let pane = Terminal::new("s", format!("s:workflow-step:{step}:s1"));
    let snapshot = chat(
        WITH_CANCEL,
        [
            ended_turn("query_3", 5, 15),
            row("synthetic-turn:7", 30),
            row("workflow-full-a1", 10).under("query_3"),
            row(&item, 21),
        ],
    )
    .with_terminal(pane)
    .with_terminal(Terminal::pane("s", "main:s", "mlp-x-1", at(5)));
    check(
        &snapshot,
        &[
            ("synthetic-turn:7", Class::Owned, Cancel::Own),
            ("query_3", Class::Owned, Cancel::None),
            ("workflow-full-a1", Class::Watched, Cancel::Own),
            (&item, Class::Watched, Cancel::Inherited),
        ],
    );
    with_facts(&snapshot, |facts| {
        let row = facts.row(&item).expect("the item is there");
        assert_eq!(row.container.value, Container::Row("workflow-full-a1"));
        assert_eq!(row.step.as_ref().map(|step| step.value), Some(step.as_str()));
        let found = facts.step(&step).expect("the step is inferred");
        assert_eq!((found.class.value, found.cancel.value), (Class::Watched, Cancel::Inherited));
        assert_eq!(found.panes.len(), 1);
        assert_eq!(
            facts.panes.iter().map(|pane| pane.class.value).collect::<Vec<_>>(),
            [Class::Owned, Class::Watched]
        );
        let launched = facts.row("workflow-full-a1").and_then(|run| run.launched_by.as_ref());
        assert_eq!(launched.map(|launch| launch.value.clone()), Some(vec!["query_3"]));
    });
}

// Cases 2 and 3: in a schedule's session everything is its own; a turn without cancel is being prepared.
#[test]
fn a_schedules_run_is_owned() {
    let session = "schedule-cron--ab_1";
    let of = |id: &str, second| Execution::running(session, id, at(second));
    let item = stamped("msgseq-s1-i1", 21);
    let running = Snapshot::default()
        .with_session(Session::running(session, WITH_CANCEL))
        .with_execution(of("query_1", 1))
        .with_execution(of("workflow-full-a1", 10).under("query_1"))
        .with_execution(of(&item, 21).under("workflow-full-a1"))
        .with_execution(of("bg-x-1", 12));
    check(
        &running,
        &[
            ("query_1", Class::Owned, Cancel::Own),
            ("workflow-full-a1", Class::Owned, Cancel::Own),
            (&item, Class::Owned, Cancel::Inherited),
            ("bg-x-1", Class::Owned, Cancel::Own),
        ],
    );
    let window = Snapshot::default()
        .with_session(Session::running("schedule-cron--ab_2", IDLE))
        .with_execution(Execution::running("schedule-cron--ab_2", "query_2", at(1)));
    check(&window, &[("query_2", Class::Owned, Cancel::None)]);
    let resolution = resolve(&window);
    assert_eq!(resolution.sessions()[0].turn.value, Some(TurnNature::Preparing));
}

// Cases 4 and 5: what the current turn launched is its own; what an earlier one launched is detached.
#[test]
fn detached_work_is_its_turns_as_long_as_that_runs() {
    let item = stamped("msgseq-s2-i1", 34);
    let snapshot = chat(
        WITH_CANCEL,
        [
            ended_turn("query_4", 1, 10),
            row("query_5", 20),
            row("exec-s2-9", 30).under("query_5"),
            row("todo-sub-x-1", 32).under("exec-s2-9"),
            row(&item, 34).under("exec-s2-9"),
            row("bg-audit-00042", 5).under("query_4"),
        ],
    );
    check(
        &snapshot,
        &[
            ("query_5", Class::Owned, Cancel::Own),
            ("exec-s2-9", Class::Owned, Cancel::Own),
            ("todo-sub-x-1", Class::Owned, Cancel::Own),
            (&item, Class::Owned, Cancel::Inherited),
            ("bg-audit-00042", Class::Detached, Cancel::Own),
        ],
    );
}

// Case 6 (c) with server-behaviour.md#turns-in-a-live-pane: busy without a cancel is a turn in its pane.
#[test]
fn a_message_in_a_live_pane_has_no_cancel() {
    let snapshot = chat(Foreground { busy: true, ..IDLE }, [row("query_6", 1)]);
    check(&snapshot, &[("query_6", Class::Owned, Cancel::None)]);
    assert_eq!(with_facts(&snapshot, |facts| facts.turn.value), Some(TurnNature::InPane));
}

// server-behaviour.md#turns-in-a-live-pane: beside a server-managed turn the cancel belongs to the older row.
#[test]
fn of_two_running_turns_the_older_one_has_the_cancel() {
    let snapshot = chat(WITH_CANCEL, [row("query_2", 9), row("query_1", 1)]);
    check(&snapshot, &[("query_1", Class::Owned, Cancel::Own), ("query_2", Class::Owned, Cancel::None)]);
}

// Case 7: an item below an agent is what that one is; the run's pane is the run's.
#[test]
fn an_item_of_an_agent_is_what_the_agent_is() {
    let item = stamped("msgseq-a-i1", 34);
    let snapshot = chat(
        WITH_CANCEL,
        [
            ended_turn("query_2", 1, 4),
            row("query_8", 20),
            row("bg-x-00007", 22).under("query_8"),
            row(&item, 34).under("bg-x-00007"),
            row("exec-y-1", 24).under("query_8"),
            row("workflow-full-a1", 3).under("query_2"),
        ],
    )
    .with_terminal(Terminal::new("s", "s:bg-x-00007"))
    .with_terminal(Terminal::new("s", "s:workflow-step:workflow-full-a1:s1"));
    check(
        &snapshot,
        &[
            ("bg-x-00007", Class::Owned, Cancel::Own),
            (&item, Class::Owned, Cancel::Inherited),
            ("exec-y-1", Class::Owned, Cancel::Own),
            ("workflow-full-a1", Class::Watched, Cancel::Own),
        ],
    );
    with_facts(&snapshot, |facts| {
        let classes: Vec<Class> = facts.panes.iter().map(|pane| pane.class.value).collect();
        assert_eq!(classes, [Class::Owned, Class::Watched]);
    });
}

// Case 9: a run in orchestrator mode is the session's own, with a cancel through its query id.
#[test]
fn a_run_in_orchestrator_mode_is_owned_and_no_turn() {
    let mut run = row("query_9", 1);
    if let Some(tracked) = &mut run.tracked {
        tracked.written_by =
            Some(Fact::new(crate::model::execution::TrackedSource::WorkflowRun, Source::ExecutionTree));
    }
    let snapshot = chat(IDLE, [run]);
    check(&snapshot, &[("query_9", Class::Owned, Cancel::Own)]);
    assert_eq!(with_facts(&snapshot, |facts| facts.turn.value), Some(TurnNature::None));
}

// Case 10: a mirror of an evaluation is part of it.
#[test]
fn a_mirror_is_part_of_what_its_id_names() {
    let snapshot = chat(
        IDLE,
        [row("eval-full-i0-2", 1), row("eval-full-i0-2-step-0-t", 2), row("workflow-full-gone-step-0-t", 3)],
    );
    check(
        &snapshot,
        &[
            ("eval-full-i0-2", Class::Watched, Cancel::Own),
            ("eval-full-i0-2-step-0-t", Class::Watched, Cancel::Inherited),
            ("workflow-full-gone-step-0-t", Class::Watched, Cancel::None),
        ],
    );
}

// Case 11: the container has ended, so nothing can end the item.
#[test]
fn an_item_without_a_live_ancestor_has_no_cancel() {
    let item = stamped("msgseq-s5-i1", 5);
    let snapshot = chat(
        IDLE,
        [row("workflow-full-b", 1).ended(Status::Failed, at(9)), row(&item, 5).under("workflow-full-b")],
    );
    check(&snapshot, &[(&item, Class::Watched, Cancel::None)]);
}

// server-behaviour.md#parents-and-steps: several runs without metadata are all named; with it the name decides.
#[test]
fn the_group_tells_two_runs_apart() {
    let item = stamped("msgseq-s1-i1", 20);
    let runs = || {
        [
            row("workflow-full-a", 1).named("full-run [North Region / iteration-0]"),
            row("workflow-full-b", 2).named("full-run [south / iteration-0]"),
        ]
    };
    let ambiguous = chat(IDLE, runs()).with_execution(row(&item, 20));
    check(&ambiguous, &[(&item, Class::Watched, Cancel::Inherited)]);
    with_facts(&ambiguous, |facts| {
        let container = &facts.row(&item).expect("the item is there").container;
        assert_eq!(container.value, Container::OneOf(vec!["workflow-full-a", "workflow-full-b"]));
        assert_eq!(container.reason.confidence, Confidence::Low);
    });
    let mut named = row(&item, 20);
    named.metadata = Some(Box::new(Metadata {
        run_folder: Some("iteration-0/north-region".to_owned()),
        group_name: Some("North Region".to_owned()),
        step_id: Some("s1".to_owned()),
        ..Metadata::default()
    }));
    let told = chat(IDLE, runs()).with_execution(named);
    with_facts(&told, |facts| {
        let container = &facts.row(&item).expect("the item is there").container;
        assert_eq!(container.value, Container::Row("workflow-full-a"));
        assert_eq!(container.reason.confidence, Confidence::High);
    });
}

// A run and a detached step at work on the same step: their classes differ, so the item's is unknown.
#[test]
fn an_item_of_either_a_run_or_a_detached_step_is_unknown() {
    let (detached, of_run) = (stamped("exec-s1", 10), stamped("exec-s1", 12));
    let item = stamped("msgseq-s1-i1", 20);
    let snapshot = chat(
        IDLE,
        [ended_turn("query_1", 1, 11), row("workflow-full-a", 2), row(&detached, 10), row(&item, 20)],
    )
    .with_terminal(Terminal::new("s", format!("s:workflow-step:{of_run}:s1")));
    with_facts(&snapshot, |facts| {
        let row = facts.row(&item).expect("the item is there");
        assert_eq!(row.container.value.candidates(), [detached.as_str(), "workflow-full-a"]);
        assert_eq!(row.class.value, Class::Unknown);
    });
}

#[test]
fn what_is_not_shown_stays_unknown() {
    let snapshot = Snapshot::default()
        .with_session(Session::new("s"))
        .with_execution(row("something", 1))
        .with_execution(row("exec-y-1", 2))
        .with_execution(row("query_1", 90))
        .with_execution(row("msgseq-x-y-1", 3));
    check(
        &snapshot,
        &[
            ("something", Class::Unknown, Cancel::Unknown),
            ("exec-y-1", Class::Unknown, Cancel::Own),
            ("query_1", Class::Owned, Cancel::Unknown),
            ("msgseq-x-y-1", Class::Unknown, Cancel::Unknown),
        ],
    );
    assert_eq!(with_facts(&snapshot, |facts| facts.turn.value), None);
}

#[test]
fn parents_that_lead_back_to_themselves_are_unknown() {
    let snapshot = chat(
        IDLE,
        [
            row("todo-a-1", 1).under("todo-b-1"),
            row("todo-b-1", 2).under("todo-a-1"),
            row("todo-c-1", 3).under("todo-b-1"),
            row("todo-d-1", 4).under("todo-d-1"),
        ],
    );
    with_facts(&snapshot, |facts| {
        for row in &facts.rows {
            assert_eq!(row.class.value, Class::Unknown, "{row:?}");
            assert_eq!(row.in_cycle, row.execution.id != "todo-c-1", "{row:?}");
        }
    });
}
