//! What must hold for any input, one function per kind of input: no panic, no text that steers a terminal, no document
//! that a reader of its format refuses. `fuzz/` and `cargo test` feed them; nothing else uses this part.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::audit::finding::Report;
use crate::audit::notice::Hidden;
use crate::audit::options::{AuditOptions, Progress};
use crate::check::{plan_check, saved_plan};
use crate::engine::graph::{Selection, build, select};
use crate::engine::overview::overview;
use crate::engine::plan::{PaneState, Plan, Policy, Summary, Trigger, plan};
use crate::engine::resolve::resolve;
use crate::logs::{Discovered, Group, LogFile, LogKind};
use crate::model::snapshot::{Origin, Snapshot};
use crate::render::audit::view::AuditView;
use crate::render::check::view::CheckView;
use crate::render::format::Format;
use crate::render::formats::{Subject, View};
use crate::render::graph::facts::Detail;
use crate::render::graph::view::GraphView;
use crate::render::machine::json;
use crate::render::plan::view::PlanView;
use crate::render::sessions::view::SessionsView;
use crate::render::status::view::{SnapshotView, StatusView};
use crate::render::text::mask::Content;
use crate::render::text::moment::Clock;
use crate::render::text::style::Style;
use crate::rules::custom::CustomRule;
use crate::rules::meta::Severity;
use crate::source::saved;
use crate::wire::answers::{Answers, RawAnswer};
use crate::wire::convert::convert;
use crate::wire::routes::Slot;

/// What stands between two parts of one input. It stands in no JSON as it is, and in no log.
pub const SEPARATOR: u8 = 0x1e;

/// How many sessions of a snapshot are asked about, so that one input never costs more than a moment.
const SESSIONS: usize = 3;

/// How a person's terminal may be.
const STYLES: [Style; 2] = [
    Style { color: false, unicode: true, width: None },
    Style { color: false, unicode: false, width: Some(40) },
];

/// A log of a server, and behind a [`SEPARATOR`] its `schedule.log`: the audit, in every format.
///
/// # Panics
/// When a law is broken.
pub fn log(input: &[u8]) {
    if let Some(report) = audited(&parts(input)) {
        show_report(&report);
    }
}

/// Files as another program stored or wrapped a log: found and recognised as any file is. Whoever calls writes them,
/// one per part of an input.
///
/// # Panics
/// When a law is broken.
pub fn wrapped(paths: Vec<PathBuf>) {
    let options = AuditOptions { paths, siblings: true, ..AuditOptions::default() };
    if let Ok(report) = crate::audit::run(&options, &Progress::default()) {
        show_report(&report);
    }
}

/// Answers of a server in the order of `SLOTS`: the state, the graph and every dry run, in every format; and the
/// state as a file, which must load again.
///
/// # Panics
/// When a law is broken.
pub fn answers(input: &[u8]) {
    let mut answers = Answers::default();
    let parts = parts(input);
    for (slot, body) in SLOTS.into_iter().zip(&parts) {
        put(&mut answers, slot, body);
    }
    let ids: BTreeSet<String> = answers
        .sessions
        .value()
        .map(|list| list.active_sessions.iter().map(|row| row.session_id.clone()).collect())
        .unwrap_or_default();
    for id in ids.into_iter().take(SESSIONS) {
        for (slot, body) in [Slot::ExecutionTree(id.clone()), Slot::MainTerminal(id)]
            .into_iter()
            .zip(parts.iter().skip(SLOTS.len()))
        {
            put(&mut answers, slot, body);
        }
    }
    let snapshot = convert(answers, Origin::Server { address: String::from("http://127.0.0.1:8000") });
    show_snapshot(&snapshot);
    let document = document(&snapshot);
    let loaded = match &document {
        Ok(text) => saved::load(text.as_bytes(), "snapshot.json"),
        Err(error) => panic!("a snapshot can be saved: {error}"),
    };
    match loaded {
        Ok(loaded) => {
            assert_eq!(
                loaded.sessions().len(),
                snapshot.sessions().len(),
                "a saved snapshot is the snapshot"
            );
        }
        Err(error) => panic!("a saved snapshot loads: {error}\n{document:?}"),
    }
}

/// The answers of one input, in their order; behind them the tree and the main terminal of each session.
const SLOTS: [Slot; 6] =
    [Slot::Sessions, Slot::Running, Slot::Terminals, Slot::Browsers, Slot::Health, Slot::Capabilities];

fn put(answers: &mut Answers, slot: Slot, body: &[u8]) {
    if body.is_empty() {
        return;
    }
    let raw = RawAnswer {
        request: "/api",
        status: 200,
        content_type: "application/json",
        location: "",
        body,
        read_at: None,
    };
    answers.put(slot, raw);
}

/// A file that somebody saved: as a plan, held against a log; as a snapshot; as a baseline.
///
/// # Panics
/// When a law is broken.
pub fn saved(input: &[u8]) {
    let parts = parts(input);
    let Some(file) = parts.first() else { return };
    let text = String::from_utf8_lossy(file);
    if let (Ok(plan), Some(report)) = (saved_plan::read(&text), audited(parts.get(1..).unwrap_or_default()))
        && let Ok(check) = plan_check::check(&plan, &report)
    {
        show(&View::Check(&CheckView { check: &check, plan: "plan.json", report: &report }), Subject::Check);
    }
    if let Ok(snapshot) = saved::load(file, "snapshot.json") {
        show_snapshot(&snapshot);
    }
    if let Ok(baseline) = crate::audit::baseline::Baseline::parse(&text) {
        let mut report = Report::default();
        drop(baseline.vanished(&report));
        baseline.apply(&mut report);
    }
}

/// A file of settings, and behind a [`SEPARATOR`] a log that its own rules judge.
///
/// # Panics
/// When a law is broken.
pub fn config(input: &[u8]) {
    let parts = parts(input);
    let text = String::from_utf8_lossy(parts.first().copied().unwrap_or_default());
    let Ok(settings) = crate::config::schema::parse(&text) else { return };
    let rules = settings.rules.iter().filter_map(|entry| {
        let severity = Severity::from_name(&entry.severity)?;
        CustomRule::new(&entry.id, severity, &entry.tag, &entry.pattern, &entry.claim).ok()
    });
    let custom_rules: Vec<CustomRule> = rules.take(SESSIONS).collect();
    let options = AuditOptions { custom_rules, ..AuditOptions::default() };
    if let Some(report) = audited_with(parts.get(1..).unwrap_or_default(), &options) {
        show_report(&report);
    }
}

/// The parts of an input.
#[must_use]
pub fn parts(input: &[u8]) -> Vec<&[u8]> {
    input.split(|byte| *byte == SEPARATOR).collect()
}

fn audited(logs: &[&[u8]]) -> Option<Report> {
    audited_with(logs, &AuditOptions { timeline: true, ..AuditOptions::default() })
}

fn audited_with(logs: &[&[u8]], options: &AuditOptions) -> Option<Report> {
    let log = |kind, path: &str, at: usize| {
        logs.get(at).map(|content| LogFile::from_bytes(path, kind, content.to_vec())).into_iter().collect()
    };
    let main = log(LogKind::ServerDebug, "server_debug.log", 0);
    let schedule = log(LogKind::Schedule, "schedule.log", 1);
    let found = Discovered { groups: vec![Group { main, schedule }], ..Discovered::default() };
    let read = crate::audit::read_options(options).ok()?;
    crate::audit::audit(found, options, &read, &Progress::default()).ok()
}

fn show_report(report: &Report) {
    for content in [Content::Masked, Content::Shown] {
        let view = AuditView {
            report,
            hidden: Hidden::default(),
            notices: &[],
            explanations: &[],
            rules: crate::rules::all(),
            fail_on: Severity::High,
            fail_on_inconclusive: false,
            content,
            clock: Clock::Log,
        };
        show(&View::Audit(&view), Subject::Audit);
    }
}

fn show_snapshot(snapshot: &Snapshot) {
    show(&View::Snapshot(&SnapshotView { snapshot, document }), Subject::Snapshot);
    show(&View::Status(&StatusView { snapshot }), Subject::Status);
    let sessions = overview(snapshot);
    let view =
        SessionsView { snapshot, sessions: &sessions, columns: &[], headings: true, show_content: true };
    show(&View::Sessions(&view), Subject::Sessions);
    let resolution = resolve(snapshot);
    for session in snapshot.sessions().iter().take(SESSIONS) {
        if let Some(graph) = build(snapshot, &resolution, &session.id) {
            let whole = select(graph.clone(), &Selection { finished: true, ..Selection::default() });
            let detail = Detail { show_content: true, reasons: true };
            let graph = select(graph, &Selection::default());
            let view = GraphView { snapshot, graph: &graph, whole: &whole, from: None, detail };
            show(&View::Graph(&view), Subject::Graph);
        }
        for trigger in triggers(snapshot, &session.id) {
            let all: Vec<Plan> =
                Policy::ALL.into_iter().map(|policy| plan(snapshot, &trigger, policy)).collect();
            let Some(first) = all.first() else { continue };
            let view = PlanView {
                snapshot,
                plan: first,
                compared: &all,
                summary: Summary::of(first),
                show_content: true,
                everything: true,
            };
            show(&View::Plan(&view), Subject::Plan);
        }
    }
}

/// Everything that may happen to a session.
fn triggers(snapshot: &Snapshot, session: &str) -> Vec<Trigger> {
    let session = || session.to_owned();
    let mut triggers = vec![
        Trigger::Stop { session: session(), agents: true },
        Trigger::Stop { session: session(), agents: false },
        Trigger::CancelTurn { session: session() },
        Trigger::ScheduleStop { session: session() },
        Trigger::TerminalDeath { session: session(), terminal: None, pane: PaneState::Missing },
        Trigger::TerminalDeath { session: session(), terminal: None, pane: PaneState::Wall },
        Trigger::StopAll { session: session() },
        Trigger::Shutdown,
        Trigger::Dismiss { session: session() },
        Trigger::Clear { session: session() },
    ];
    triggers.extend(snapshot.executions().first().map(|row| Trigger::StopStep { target: row.id.clone() }));
    triggers
        .extend(snapshot.terminals().first().map(|row| Trigger::KillTerminal { terminal: row.id.clone() }));
    triggers
}

fn document(snapshot: &Snapshot) -> serde_json::Result<String> {
    json::document(&saved::Document::of(snapshot))
}

/// Renders a view in every format, and holds each against what its readers need.
fn show(view: &View<'_>, subject: Subject) {
    for offer in subject.formats() {
        for style in &STYLES {
            let text = match view.render(offer.format, style) {
                Some(Ok(text)) => text,
                Some(Err(error)) => panic!("{:?} can be encoded: {error}", offer.format),
                None => panic!("{subject:?} has {:?}", offer.format),
            };
            let steers = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
            assert!(!text.contains(steers), "{:?} steers a terminal: {text:?}", offer.format);
            check(offer.format, &text);
        }
    }
}

fn check(format: Format, text: &str) {
    match format {
        Format::Json | Format::Sarif => {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "it is JSON: {text}");
        }
        Format::Jsonl => {
            let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            assert!(text.lines().all(is_json), "each line is JSON: {text}");
        }
        Format::Csv => {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            for record in reader.records() {
                let Ok(record) = record else { panic!("it is CSV: {text}") };
                let is_formula = |field: &str| field.starts_with(['=', '+', '-', '@']);
                assert!(!record.iter().any(is_formula), "no field is a formula: {record:?}");
            }
        }
        _ => {}
    }
}
