//! How much processor time a plan for a session with 10,000 rows takes. Prints and judges nothing, since a
//! machine's speed is no property of the program; run it with `--ignored --nocapture`, in release.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use pulsectl::testing::engine::plan::{Policy, Trigger, plan};
use pulsectl::testing::model::execution::{Execution, Status};
use pulsectl::testing::model::session::{Foreground, Session};
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::terminal::Terminal;

const S: &str = "chat-1";

/// 100 runs at work with nine steps each, of which every one has a pane and ten items, half of them ended.
fn large() -> Snapshot {
    let start: Timestamp = "2026-11-30T03:00:00Z".parse().expect("the time is well-formed");
    let at = |second: i64| start + SignedDuration::from_secs(second);
    let nanoseconds = |second: i64| at(second).as_nanosecond();
    let mut rows = vec![Execution::running(S, "query_1", at(0)).ended(Status::Completed, at(3600))];
    let mut terminals = vec![Terminal::pane(S, &format!("main:{S}"), "mlp-main", at(1))];
    for run in 0_i64..100 {
        let id = format!("workflow-full-run{run:03}");
        rows.push(Execution::running(S, &id, at(run)).under("query_1"));
        for step in 0_i64..9 {
            let second = run * 9 + step;
            let owner = format!("exec-step{second}-{}", nanoseconds(second + 200));
            terminals.push(Terminal::pane(
                S,
                &format!("workflow-step:{owner}:step{second}"),
                &format!("mlp-{second}"),
                at(second + 200),
            ));
            for item in 0_i64..11 {
                let item_id =
                    format!("msgseq-step{second}-i{item}-{}", nanoseconds(second + 201) + i128::from(item));
                let row = Execution::running(S, item_id, at(second + 201)).under(&owner);
                rows.push(if item % 2 == 0 { row } else { row.ended(Status::Completed, at(second + 300)) });
            }
        }
    }
    let mut snapshot = Snapshot::default();
    snapshot.set_sessions(vec![Session {
        created_at: Some(at(0)),
        ..Session::running(S, Foreground::default())
    }]);
    snapshot.set_executions(rows);
    snapshot.set_terminals(terminals);
    snapshot
}

#[test]
#[ignore = "a benchmark: prints a time and judges nothing"]
#[expect(clippy::print_stderr, reason = "the printed time is what it is for")]
fn a_plan_for_ten_thousand_rows() {
    let snapshot = large();
    let triggers = [
        Trigger::TerminalDeath { session: S.to_owned(), terminal: None, pane: Default::default() },
        Trigger::Stop { session: S.to_owned(), agents: true },
        Trigger::Shutdown,
    ];
    for trigger in &triggers {
        let mut best = f64::MAX;
        let mut rows = 0;
        for _ in 0..10 {
            let begin = Instant::now();
            let plan = plan(&snapshot, trigger, Policy::Server);
            best = best.min(begin.elapsed().as_secs_f64() * 1000.0);
            rows = plan.rows.len();
        }
        eprintln!("{}: {rows} rows in {best:.1} ms (best of 10)", trigger.kind());
    }
}
