//! The worked cases of stop-model, section 6: outcome and flags per row, counters and refusals. Where measured.md
//! corrects a case, the corrected value stands here and the test names the section.

mod chats;
mod deaths;
mod schedules;
mod tools;
mod versions;

use jiff::{SignedDuration, Timestamp};
use pulsectl::testing::engine::plan::{
    Flag, Outcome, PaneOutcome, Plan, PlannedRow, Policy, Trigger, plan, plan_as,
};
use pulsectl::testing::model::counters::Counters;
use pulsectl::testing::model::execution::{Execution, Status};
use pulsectl::testing::model::server::ServerVersion;
use pulsectl::testing::model::session::{Foreground, Session};
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::terminal::Terminal;

/// The session of most cases.
const S: &str = "chat-1";

/// A turn cancel of an API model's turn.
const WITH_CANCEL: Foreground =
    Foreground { has_cancel: true, busy: false, can_steer: false, synthetic: false };

/// Nothing in the foreground.
const NONE: Foreground = Foreground { has_cancel: false, busy: false, can_steer: false, synthetic: false };

/// This many minutes after 17:00.
fn at(minute: i64) -> Timestamp {
    let five: Timestamp = "2026-08-21T17:00:00Z".parse().expect("the time is well-formed");
    five + SignedDuration::from_mins(minute)
}

/// A chat created at 17:41 with this foreground turn.
fn chat(id: &str, foreground: Foreground) -> Session {
    Session {
        created_at: Some(at(41)),
        agent_mode: Some("workflow_phase".to_owned()),
        ..Session::running(id, foreground)
    }
}

/// A running row.
fn row(id: &str, parent: &str) -> Execution {
    Execution::running(S, id, at(50)).under(parent)
}

/// A running turn.
fn turn(id: &str) -> Execution {
    Execution::running(S, id, at(45))
}

/// A turn that has ended.
fn ended_turn(id: &str) -> Execution {
    turn(id).ended(Status::Completed, at(46))
}

/// The main pane, made at 17:42.
fn main_pane() -> Terminal {
    Terminal::pane(S, &format!("main:{S}"), "mlp-claude-code-main", at(42))
}

/// The pane of a step of this execution.
fn step_pane(execution: &str, step: &str) -> Terminal {
    let owner = format!("workflow-step:{execution}:{step}");
    Terminal::pane(S, &owner, &format!("mlp-claude-code-{step}"), at(51))
}

/// A snapshot of these.
fn server(sessions: Vec<Session>, rows: Vec<Execution>, terminals: Vec<Terminal>) -> Snapshot {
    let mut snapshot = Snapshot::default();
    snapshot.set_sessions(sessions);
    snapshot.set_executions(rows);
    snapshot.set_terminals(terminals);
    snapshot
}

fn stop(agents: bool) -> Trigger {
    Trigger::Stop { session: S.to_owned(), agents }
}

fn main_death() -> Trigger {
    Trigger::TerminalDeath { session: S.to_owned(), terminal: None, pane: Default::default() }
}

fn found<'a>(plan: &'a Plan, id: &str) -> &'a PlannedRow {
    plan.rows.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("no row {id}"))
}

/// Outcome and flags of these rows.
#[track_caller]
fn assert_rows(plan: &Plan, expected: &[(&str, Outcome, &[Flag])]) {
    for (id, outcome, flags) in expected {
        let row = found(plan, id);
        assert_eq!(row.outcome, *outcome, "{id}: {}", row.reason);
        let mut flags = flags.to_vec();
        flags.sort_unstable();
        assert_eq!(row.flags, flags, "{id}");
    }
}

/// Every running row survives, and nothing is flagged.
#[track_caller]
fn assert_untouched(plan: &Plan) {
    for row in &plan.rows {
        let expected =
            if row.status.as_deref() == Some("running") { Outcome::Survives } else { Outcome::AlreadyDone };
        assert_eq!((row.outcome, row.flags.as_slice()), (expected, &[][..]), "{}", row.id);
    }
}

#[track_caller]
fn assert_panes(plan: &Plan, expected: &[(&str, PaneOutcome)]) {
    let panes: Vec<(&str, PaneOutcome)> = plan
        .panes
        .iter()
        .map(|pane| (pane.terminal.strip_prefix("chat-1:").unwrap_or(&pane.terminal), pane.outcome))
        .collect();
    assert_eq!(panes, expected);
}

fn counters(plan: &Plan) -> Counters {
    plan.predicted.first().expect("a session is hit").counters
}

/// The counters of the session sweep.
fn sweep(turn: bool, queries: u64, agents: [u64; 3], tracked: u64) -> Counters {
    Counters {
        turn_canceled: Some(turn),
        orchestrator_queries: Some(queries),
        orchestrator_canceled: Some(queries),
        canceled: Some(agents[0]),
        no_cancel_func: Some(agents[1]),
        already_done: Some(agents[2]),
        tracked_marked: Some(tracked),
    }
}

/// The counters of the agents' sweep alone.
fn agents(agents: [u64; 3]) -> Counters {
    Counters {
        canceled: Some(agents[0]),
        no_cancel_func: Some(agents[1]),
        already_done: Some(agents[2]),
        ..Counters::default()
    }
}

fn by_server(snapshot: &Snapshot, trigger: &Trigger) -> Plan {
    plan(snapshot, trigger, Policy::Server)
}

fn by_owner(snapshot: &Snapshot, trigger: &Trigger) -> Plan {
    plan(snapshot, trigger, Policy::Owner)
}

fn on_later(snapshot: &Snapshot, trigger: &Trigger) -> Plan {
    plan_as(snapshot, trigger, ServerVersion::Later, Policy::Server)
}
