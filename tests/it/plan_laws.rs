//! Laws of the dry run that hold for every server, however odd: made-up snapshots, no expected values.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::sample::select;
use pulsectl::testing::engine::plan::{
    Outcome, PaneState, Plan, PlannedRow, Policy, Summary, Trigger, plan_as,
};
use pulsectl::testing::model::execution::{Execution, Membership, Parent, Status, TrackedSource};
use pulsectl::testing::model::fact::{Fact, Source};
use pulsectl::testing::model::id::RowKind;
use pulsectl::testing::model::server::ServerVersion;
use pulsectl::testing::model::session::{Foreground, Session};
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::status::SessionStatus;
use pulsectl::testing::model::terminal::{ProcessState, Terminal};

const SESSIONS: [&str; 3] = ["chat-1", "schedule-manual--nightly_1796008310025719938", "chat-2"];

const IDS: [&str; 18] = [
    "query_1",
    "query_2",
    "synthetic-turn:3",
    "workflow-full-a1",
    "workflow-full-b2",
    "workflow-full-a1-step-0-x",
    "eval-full-i0-2",
    "eval-full-i0-2-step-0-t",
    "exec-s1-1796008500334087026",
    "exec-s2-1796008500334087027",
    "msgseq-s1-i1-1796008500334087028",
    "msgseq-s2-i2-1796008500334087029",
    "todo-generic-a-1796008500334087030",
    "bg-audit-00042",
    "kb-consolidate-00001",
    "review-plan-00001",
    "rese-0003",
    "strange",
];

fn at(minute: i64) -> Timestamp {
    let start: Timestamp = "2026-11-30T03:00:00Z".parse().expect("the time is well-formed");
    start + SignedDuration::from_mins(minute)
}

fn membership() -> impl Strategy<Value = Membership> {
    select(vec![
        Membership::Present,
        Membership::Present,
        Membership::Present,
        Membership::Absent,
        Membership::Unknown,
    ])
}

prop_compose! {
    fn execution()(
        session in select(&SESSIONS[..]),
        id in select(&IDS[..]),
        parent in prop_oneof![
            3 => select(&IDS[..]).prop_map(|id| Parent::Execution(id.to_owned())),
            1 => Just(Parent::Lost),
            1 => Just(Parent::Unknown),
            1 => Just(Parent::Session),
        ],
        started in 0_i64..30,
        status in select(vec![
            Some(Status::Running), Some(Status::Running), Some(Status::Running), Some(Status::Completed),
            Some(Status::Failed), None,
        ]),
        in_tracked in membership(),
        in_background in membership(),
        orchestrator in prop::bool::weighted(0.05),
        kind in select(vec![None, Some("orchestrator"), Some("delegation"), Some("message_sequence_item")]),
    ) -> Execution {
        let mut row = Execution::running(session, id, at(started));
        row.parent = Fact::new(parent, Source::Given);
        row = match status {
            Some(Status::Running) => row,
            Some(status) => row.ended(status, at(started + 5)),
            None => { row.status = None; row }
        };
        row.in_tracked = in_tracked;
        row.in_background = in_background;
        if let Some(tracked) = &mut row.tracked && orchestrator {
            tracked.written_by = Some(Fact::new(TrackedSource::WorkflowRun, Source::Given));
        }
        if let Some(background) = &mut row.background {
            background.kind = kind.map(str::to_owned);
        }
        row
    }
}

prop_compose! {
    fn session()(
        id in select(&SESSIONS[..]),
        (busy, has_cancel, can_steer, synthetic) in any::<(bool, bool, bool, bool)>(),
        created in prop::option::of(0_i64..30),
        status in select(vec![SessionStatus::Running, SessionStatus::Completed, SessionStatus::Stopped]),
        stopped in prop::option::of(any::<bool>()),
        has_runtime in prop::bool::weighted(0.9),
    ) -> Session {
        let mut session = Session::running(id, Foreground { busy, has_cancel, can_steer, synthetic });
        session.created_at = created.map(at);
        session.status = Some(status.clone());
        session.stopped_guard = stopped.map(|stopped| Fact::new(stopped, Source::Given));
        match &mut session.runtime {
            Some(runtime) if has_runtime => runtime.raw_status = Some(status),
            runtime => *runtime = None,
        }
        session
    }
}

prop_compose! {
    fn terminal()(
        session in select(&SESSIONS[..]),
        owner in prop_oneof![
            Just(None),
            select(&IDS[..]).prop_map(|id| Some(format!("workflow-step:{id}:s1"))),
            select(&IDS[..]).prop_map(|id| Some(id.to_owned())),
        ],
        shows in prop::option::of(select(&IDS[..])),
        active in prop::option::of(any::<bool>()),
        has_tmux in prop::option::of(any::<bool>()),
        created in prop::option::of(0_i64..30),
        process in select(vec![None, Some(ProcessState::Live), Some(ProcessState::Absent)]),
    ) -> Terminal {
        let owner = owner.unwrap_or_else(|| format!("main:{session}"));
        let mut terminal = Terminal::pane(session, &owner, "mlp-claude-code-1796008496981901085-646b8941", at(0));
        terminal.execution = shows.map(str::to_owned);
        terminal.active = active;
        terminal.has_tmux = has_tmux;
        if has_tmux != Some(true) { terminal.tmux = None; }
        terminal.created_at = created.map(at);
        terminal.process_state = process;
        terminal
    }
}

type Parts = (Vec<Session>, Vec<Execution>, Vec<Terminal>);

fn parts() -> impl Strategy<Value = Parts> {
    (
        prop::collection::vec(session(), 0..3),
        prop::collection::vec(execution(), 0..16),
        prop::collection::vec(terminal(), 0..6),
    )
        .prop_map(|(mut sessions, mut rows, mut terminals)| {
            // Of two with one id the first would be kept, so order would matter before the plan even begins.
            sessions.sort_by(|left, right| left.id.cmp(&right.id));
            sessions.dedup_by(|left, right| left.id == right.id);
            rows.sort_by(|left, right| (&left.session, &left.id).cmp(&(&right.session, &right.id)));
            rows.dedup_by(|left, right| (&left.session, &left.id) == (&right.session, &right.id));
            terminals.sort_by(|left, right| left.id.cmp(&right.id));
            terminals.dedup_by(|left, right| left.id == right.id);
            (sessions, rows, terminals)
        })
}

fn snapshot((sessions, rows, terminals): Parts) -> Snapshot {
    let mut snapshot = Snapshot::default();
    snapshot.set_sessions(sessions);
    snapshot.set_executions(rows);
    snapshot.set_terminals(terminals);
    snapshot
}

fn trigger() -> impl Strategy<Value = Trigger> {
    let session = || select(&SESSIONS[..]).prop_map(str::to_owned);
    let id = || select(&IDS[..]).prop_map(str::to_owned);
    prop_oneof![
        (session(), any::<bool>()).prop_map(|(session, agents)| Trigger::Stop { session, agents }),
        session().prop_map(|session| Trigger::CancelTurn { session }),
        session().prop_map(|session| Trigger::ScheduleStop { session }),
        (session(), select(&PaneState::ALL[..])).prop_map(|(session, pane)| Trigger::TerminalDeath {
            session,
            terminal: None,
            pane
        }),
        (session(), id(), select(&PaneState::ALL[..])).prop_map(|(session, id, pane)| {
            let terminal = Some(format!("{session}:{id}"));
            Trigger::TerminalDeath { session, terminal, pane }
        }),
        (session(), id())
            .prop_map(|(session, id)| Trigger::KillTerminal { terminal: format!("{session}:{id}") }),
        session().prop_map(|session| Trigger::KillTerminal { terminal: format!("{session}:main:{session}") }),
        id().prop_map(|target| Trigger::StopStep { target }),
        session().prop_map(|session| Trigger::StopAll { session }),
        Just(Trigger::Shutdown),
        session().prop_map(|session| Trigger::Dismiss { session }),
        session().prop_map(|session| Trigger::Clear { session }),
    ]
}

fn version() -> impl Strategy<Value = ServerVersion> {
    select(&ServerVersion::ALL[..])
}

fn policy() -> impl Strategy<Value = Policy> {
    select(&Policy::ALL[..])
}

/// The triggers for which the owner's policy may only spare, never add (issue of the dry run, part D).
fn is_compared(trigger: &Trigger) -> bool {
    match trigger {
        Trigger::TerminalDeath { terminal, .. } => terminal.is_none(),
        Trigger::Stop { .. }
        | Trigger::ScheduleStop { .. }
        | Trigger::CancelTurn { .. }
        | Trigger::Shutdown => true,
        _ => false,
    }
}

fn outcomes(plan: &Plan) -> BTreeMap<(&str, &str), Outcome> {
    plan.rows.iter().map(|row| ((row.session.as_str(), row.id.as_str()), row.outcome)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_row_is_lost_or_twice(parts in parts(), trigger in trigger(), version in version(), policy in policy()) {
        let snapshot = snapshot(parts);
        let plan = plan_as(&snapshot, &trigger, version, policy);
        let planned: Vec<(&str, &str)> =
            plan.rows.iter().map(|row| (row.session.as_str(), row.id.as_str())).collect();
        let expected: Vec<(&str, &str)> = snapshot
            .executions()
            .iter()
            .filter(|row| trigger == Trigger::Shutdown || plan.session.as_deref() == Some(&row.session))
            .map(|row| (row.session.as_str(), row.id.as_str()))
            .collect();
        prop_assert_eq!(planned, expected);
    }

    #[test]
    fn every_row_has_one_outcome_and_the_counts_add_up(
        parts in parts(), trigger in trigger(), version in version(), policy in policy(),
    ) {
        let snapshot = snapshot(parts);
        let plan = plan_as(&snapshot, &trigger, version, policy);
        let summary = Summary::of(&plan);
        prop_assert_eq!(summary.outcomes.values().sum::<usize>(), plan.rows.len());
        for row in &plan.rows {
            let status = snapshot.execution(&row.session, &row.id).and_then(Execution::is_running);
            prop_assert_eq!(row.outcome == Outcome::AlreadyDone, status == Some(false), "{:?}", row);
            // What is not known is never shown as safe or as ended.
            prop_assert!(status.is_some() || row.outcome == Outcome::Unknown, "{:?}", row);
            prop_assert!(row.flags.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", row.flags);
        }
        prop_assert_eq!(summary.safe.is_none(), plan.refused.is_some());
        if summary.safe == Some(true) {
            prop_assert!(summary.collateral.is_empty());
            // A mirror has no worker, and a shutdown ends every worker with the process.
            let harmless = |row: &PlannedRow| row.kind == RowKind::Mirror || trigger == Trigger::Shutdown;
            prop_assert!(plan.rows.iter().all(|row| row.outcome != Outcome::MarkedOnly || harmless(row)));
        }
    }

    #[test]
    fn the_server_leaves_nothing_alive_that_the_owner_cancels(
        parts in parts(), trigger in trigger().prop_filter("compared", is_compared), version in version(),
    ) {
        let snapshot = snapshot(parts);
        let server = plan_as(&snapshot, &trigger, version, Policy::Server);
        let owner = plan_as(&snapshot, &trigger, version, Policy::Owner);
        let server = outcomes(&server);
        for (row, outcome) in outcomes(&owner) {
            if outcome.ends() {
                prop_assert!(server[&row].ends(), "{:?}: {:?} by the owner, {:?} by the server", row, outcome, server[&row]);
            }
        }
    }

    #[test]
    fn an_unrelated_session_changes_nothing(
        parts in parts(), trigger in trigger(), version in version(), policy in policy(),
    ) {
        prop_assume!(trigger != Trigger::Shutdown);
        let alone = snapshot(parts.clone());
        let (mut sessions, mut rows, mut terminals) = parts;
        sessions.push(Session::running("unrelated", Foreground::default()));
        rows.push(Execution::running("unrelated", "query_unrelated", at(1)));
        rows.push(Execution::running("unrelated", "workflow-full-zz", at(2)).under("query_1"));
        terminals.push(Terminal::pane("unrelated", "main:unrelated", "mlp-z", at(1)));
        let beside = snapshot((sessions, rows, terminals));
        prop_assert_eq!(
            plan_as(&alone, &trigger, version, policy),
            plan_as(&beside, &trigger, version, policy)
        );
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(
        parts in parts(), trigger in trigger(), version in version(), policy in policy(),
    ) {
        let (mut sessions, mut rows, mut terminals) = parts.clone();
        sessions.reverse();
        rows.reverse();
        terminals.reverse();
        prop_assert_eq!(
            plan_as(&snapshot(parts), &trigger, version, policy),
            plan_as(&snapshot((sessions, rows, terminals)), &trigger, version, policy)
        );
    }

    // A turn may end with its pane where the server does nothing about the pane's loss (measured, section 3).
    #[test]
    fn what_is_refused_ends_nothing(
        parts in parts(), trigger in trigger(), version in version(), policy in policy(),
    ) {
        let snapshot = snapshot(parts);
        let plan = plan_as(&snapshot, &trigger, version, policy);
        if plan.refused.is_some() && trigger != Trigger::Shutdown {
            let loses_pane = matches!(trigger, Trigger::TerminalDeath { .. } | Trigger::KillTerminal { .. });
            let may_end = |row: &PlannedRow| {
                loses_pane && row.outcome == Outcome::EndsWithPane && row.kind == RowKind::Turn
            };
            prop_assert!(plan.rows.iter().all(|row| !row.outcome.ends() || may_end(row)), "{:?}", plan.rows);
        }
    }
}
