//! What is not known is never taken for safe: plans and checks where a source hides what decides.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use pulsectl::testing::engine::plan::{
    Outcome, PaneOutcome, PaneState, Plan, Policy, Summary, Trigger, plan,
};
use pulsectl::testing::model::execution::{Execution, Status};
use pulsectl::testing::model::fact::{Fact, Source};
use pulsectl::testing::model::gap::{Gap, GapCode};
use pulsectl::testing::model::session::{Foreground, Session};
use pulsectl::testing::model::snapshot::Snapshot;
use pulsectl::testing::model::status::SessionStatus;
use pulsectl::testing::model::terminal::Terminal;
use serde_json::Value;

use crate::common::Pulsectl;
use crate::common::recordings::{captures, snapshot};

const S: &str = "chat-1";

/// A message that was delivered into a live pane (measured, section 3).
const RETAINED: Foreground = Foreground { busy: true, has_cancel: false, can_steer: true, synthetic: false };

fn at(minute: i64) -> jiff::Timestamp {
    let hour: jiff::Timestamp = "2026-11-30T03:00:00Z".parse().expect("the time is well-formed");
    hour + jiff::SignedDuration::from_mins(minute)
}

/// A chat with a retained turn and a watched run, in this status.
fn chat(status: SessionStatus) -> Snapshot {
    let mut session = Session::running(S, RETAINED);
    session.created_at = Some(at(1));
    session.status = Some(status.clone());
    if let Some(runtime) = &mut session.runtime {
        runtime.raw_status = Some(status);
    }
    let mut snapshot = Snapshot::default().with_session(session);
    for row in [
        Execution::running(S, "query_1", at(2)).ended(Status::Completed, at(3)),
        Execution::running(S, "query_2", at(5)),
        Execution::running(S, "workflow-full-a1", at(2)).under("query_1"),
    ] {
        snapshot = snapshot.with_execution(row);
    }
    snapshot.with_terminal(Terminal::pane(S, "main:chat-1", "mlp-claude-code-main", at(2)))
}

fn by_server(snapshot: &Snapshot, trigger: &Trigger) -> Plan {
    plan(snapshot, trigger, Policy::Server)
}

fn outcome(plan: &Plan, id: &str) -> Outcome {
    plan.rows.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("no row {id}")).outcome
}

// Measured, section 3: a retained turn ends with its pane, whatever the server then does about the session.
#[test]
fn a_turn_in_a_killed_pane_does_not_live_on() {
    let kill = Trigger::KillTerminal { terminal: format!("{S}:main:{S}") };
    let death = Trigger::TerminalDeath { session: S.to_owned(), terminal: None, pane: PaneState::Missing };
    let dismissed = chat(SessionStatus::Other("dismissed".into()));
    let completed = chat(SessionStatus::Completed);
    for snapshot in [&dismissed, &completed] {
        for trigger in [&kill, &death] {
            let plan = by_server(snapshot, trigger);
            assert_eq!(outcome(&plan, "query_2"), Outcome::EndsWithPane, "{trigger:?}");
            assert_eq!(outcome(&plan, "workflow-full-a1"), Outcome::Survives, "{trigger:?}");
        }
    }
}

// A word of the server's that this version does not know says nothing of whether the row runs.
#[test]
fn an_unknown_status_is_no_end() {
    let mut paused = Execution::running(S, "workflow-full-b2", at(4)).under("query_1");
    paused.status = Some(Fact::new(Status::Other("paused".into()), Source::Given));
    let snapshot = chat(SessionStatus::Running).with_execution(paused);
    let plan = by_server(&snapshot, &Trigger::Stop { session: S.to_owned(), agents: true });
    assert_eq!(outcome(&plan, "workflow-full-b2"), Outcome::Unknown);
    assert_eq!(Summary::of(&plan).safe, Some(false));
    // The counters cannot be foreseen either.
    assert_eq!(plan.predicted[0].counters.canceled, None);
}

// Formats, section 3: a gap speaks against "safe" also where no session is known at all.
#[test]
fn a_shutdown_of_what_is_hidden_is_not_safe() {
    let mut snapshot = Snapshot::default();
    assert_eq!(Summary::of(&by_server(&snapshot, &Trigger::Shutdown)).safe, Some(true));
    snapshot.gaps.push(Gap { code: GapCode::LogBegins, session: None, message: "hidden".into() });
    assert_eq!(Summary::of(&by_server(&snapshot, &Trigger::Shutdown)).safe, Some(false));
}

// Recording schedule-stop-relaunch-window: between two messages of the job nothing runs in its session; the server
// took the stop (steps.txt: 200), and the next message worked on after it.
#[test]
fn a_job_between_its_messages_may_be_stopped() {
    let captures = captures();
    for recording in ["schedule-stop-relaunch-window", "old-schedule-stop-relaunch-window"] {
        let snapshot = snapshot(&captures.join(recording).join("http-before"));
        let scheduled = snapshot.sessions().iter().find(|session| session.is_schedule());
        let session = scheduled.expect("the schedule's session is listed").id.clone();
        let stop = by_server(&snapshot, &Trigger::Stop { session: session.clone(), agents: true });
        assert_eq!(Summary::of(&stop).safe, Some(false), "{recording}");
        let plan = by_server(&snapshot, &Trigger::ScheduleStop { session });
        assert_eq!(plan.refused, None, "{recording}");
        assert_eq!(Summary::of(&plan).safe, Some(false), "{recording}");
    }
}

// Measured, section 4: the CLI of a step works on for 30 s after a stop, although its record is inactive at once;
// recording stop-main-and-steps: the answers 1 s after the stop, its CLI ended 30 s after it.
#[test]
fn after_a_stop_a_step_may_still_work() {
    let captures = captures();
    let folder = captures.join("stop-main-and-steps/http-after");
    let snapshot = snapshot(&folder);
    let session = snapshot.sessions().first().expect("one is listed").id.clone();
    let plan = by_server(&snapshot, &Trigger::Stop { session: session.clone(), agents: false });
    let step = plan.panes.iter().find(|pane| pane.terminal.contains("workflow-step")).expect("its pane");
    assert_eq!(step.outcome, PaneOutcome::ClosedAfterGrace);
    // The pane is collateral although no row is.
    let code = Pulsectl::new(["plan", "stop", &session, "--fail-on", "collateral", "--from"])
        .arg(&folder)
        .run()
        .code;
    assert_eq!(code, Some(10));
}

/// The log of the recording plat171, from the first line of this second on.
fn log_since(second: &str, folder: &Path) -> std::path::PathBuf {
    let recording = captures().join("plat171/server_debug.log.gz");
    let mut text = String::new();
    let file = fs::File::open(recording).expect("the log can be opened");
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("the log can be read");
    let begin = text.find(&format!("\n2026/11/30 {second}")).expect("a line of that second");
    let path = folder.join("server_debug.log");
    fs::write(&path, &text[begin + 1..]).expect("the log can be written");
    path
}

const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";

// Recording plat171: the run began at 03:15:00; a log that begins later does not know it, so it foresees no counter.
#[test]
fn a_log_that_begins_late_counts_nothing() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let log = log_since("03:15:05", place.path());
    let plan = |arguments: &[&str]| -> Value {
        let output = Pulsectl::new(arguments).arg("--log").arg(&log).arg("-o").arg("json").run();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", output.stderr))
    };
    let stop = plan(&["plan", "stop", CHAT, "--agents", "--at", "03:15:09"]);
    assert_eq!(stop["predicted"][0]["counters"]["canceled"], Value::Null);
    assert_eq!(stop["summary"]["safe"], false);
    let codes: Vec<&str> =
        stop["gaps"].as_array().expect("a list").iter().filter_map(|gap| gap["code"].as_str()).collect();
    assert!(codes.contains(&"log_begins_in_mid_process"), "{codes:?}");
    // Of a moment after the last line the state is that of the last line.
    let later = plan(&["plan", "stop", CHAT, "--at", "2030-01-01T00:00:00Z"]);
    assert_eq!(later["as_of"], "2026-11-30T03:15:48Z");
    assert!(later["gaps"].to_string().contains("the log ends before that time"));
    // formats.md, section 6: `--at` after the last line is 7.
    let run = Pulsectl::new(["graph", CHAT, "--at", "2030-01-01T00:00:00Z"]).arg("--log").arg(&log).run();
    assert_eq!(run.code, Some(7));
}

// Nothing checked is never green: a plan of something that the log does not show, or a log that ends too early.
#[test]
fn a_check_of_nothing_is_no_agreement() {
    let captures = captures();
    let place = tempfile::tempdir().expect("a folder can be made");
    let folder = captures.join("plat171/http-before");
    let log = captures.join("plat171/server_debug.log.gz");
    let saved = |trigger: &str| {
        let output = Pulsectl::new(["plan", trigger, CHAT, "-o", "json", "--from"]).arg(&folder).run();
        let path = place.path().join(format!("{trigger}.json"));
        fs::write(&path, output.stdout).expect("the plan can be written");
        path
    };
    let check =
        |plan: &Path, log: &Path| Pulsectl::new(["plan", "check"]).arg(plan).arg("--log").arg(log).run();
    // The log shows no such request.
    let answer = check(&saved("cancel-turn"), &log);
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    // A dismissal leaves no line that a plan could be held against.
    let answer = check(&saved("dismiss"), &log);
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert_eq!(answer.code, Some(3), "{text}");
    assert!(text.contains("nothing was checked") && !text.contains("agrees with the log"), "{text}");
    // A log that ends before the plan was made.
    let mut whole = String::new();
    let file = fs::File::open(&log).expect("the log can be opened");
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut whole).expect("the log can be read");
    let early = place.path().join("server_debug.log");
    let end = whole.find("\n2026/11/30 03:15:05").expect("a line of that second");
    fs::write(&early, &whole[..end + 1]).expect("the log can be written");
    let answer = check(&saved("terminal-death"), &early);
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    assert!(answer.stderr.contains("the log ends before the plan's moment"), "{}", answer.stderr);
}
