//! Hand-built reports: one full, with hostile and private text in it, and one empty.
//!
//! The shapes follow PLAT-171 (plat-171.md); every id is made up.

use std::collections::BTreeMap;

use pulsectl::testing::audit::finding::{
    Cause, Evidence, Finding, Gap, Incident, Input, LogKind, Marked, Moment, Report, StopRecord, Subject,
    SubjectKind, TimelineEntry, Verdict, ZoneSource,
};
use pulsectl::testing::audit::notice::Hidden;
use pulsectl::testing::model::counters::Counters;
use pulsectl::testing::model::gap::GapCode;
use pulsectl::testing::render::audit::view::AuditView;
use pulsectl::testing::render::text::mask::Content;
use pulsectl::testing::render::text::moment::Clock;
use pulsectl::testing::rules::meta::{Certainty, Maturity, RuleMeta, Severity};

/// What the user typed: must not come through unless asked for.
pub(crate) const PRIVATE: &str = "Ring Mira about her salary";

/// Two rules as their files declare them.
pub(crate) static RULES: [RuleMeta; 2] = [
    RuleMeta {
        code: "PLS001",
        name: "no-cancel-func",
        summary: "A stop marked work canceled that it could not tell to stop",
        severity: Severity::High,
        status: Maturity::Stable,
        since: "0.1.0",
        literals: &["no_cancel_func="],
        text: "A row without a cancel function.\n\n# What it means\n\nMarked, not told.\n\n# Why it matters\n\nIt runs on.\n\n# What to do now\n\nLook.\n\n# Fires on\n\n```log,fires\nx\n```\n\n# Stays silent on\n\n```log,silent\ny\n```\n\n# Known false positives\n\nNone.\n",
        context_only: false,
    },
    RuleMeta {
        code: "PLS005",
        name: "collateral-cancel",
        summary: "A chat's terminal died and a run that it only watched was cancelled",
        severity: Severity::Critical,
        status: Maturity::Preview,
        since: "0.1.0",
        literals: &["[STOP]"],
        text: "A run died with a terminal.\n\n# What it means\n\nThe `chat` | only watched.\n\n# Why it matters\n\nWork is lost.\n\n# What to do now\n\nRun the group again.\n\n# Fires on\n\n```log,fires\nx\n```\n\n# Stays silent on\n\n```log,silent\ny\n```\n\n# Known false positives\n\nNone.\n",
        context_only: false,
    },
];

/// 2026-11-30T03:11:54Z in a log of zone +05:30, plus some seconds.
pub(crate) fn moment(seconds: i64) -> Moment {
    Moment { utc: 1_796_008_314 + seconds, offset: 19_800 }
}

pub(crate) fn evidence(line: u64, text: &str, role: &str) -> Evidence {
    Evidence {
        input: 0,
        line,
        byte_offset: line * 100,
        byte_length: text.len() as u64,
        text: text.as_bytes().to_vec(),
        role: role.to_owned(),
    }
}

/// A report with one incident on this session, whose run has this id.
pub(crate) fn full_with(session: &str, run: &str) -> Report {
    let failing = format!(
        "2026/11/30 08:41:54 [TERMINAL RECONCILE] failing main session={session} terminal={session}:main reason=\"tmux pane disappeared unexpectedly\""
    );
    let marked = format!(
        "2026/11/30 08:41:54 [workflow=w group=Mira Devi session={session}] [STOP] session={session} tracked execution marked canceled: id={run} kind=workflow_builder_task name=\"{PRIVATE}\""
    );
    let finding = Finding {
        rule: "PLS005".into(),
        name: "collateral-cancel".into(),
        severity: Severity::Critical,
        confidence: Certainty::Confirmed,
        session: session.into(),
        subjects: vec![Subject { kind: SubjectKind::Run, id: run.into() }],
        first_time: moment(0),
        last_time: moment(5),
        claim: format!("the terminal of session {session} died and run {run} was cancelled with it"),
        evidence: vec![
            evidence(1342, &failing, "the chat's own terminal is gone"),
            evidence(1345, &marked, "the run is marked canceled"),
        ],
        ruled_out: vec!["nobody pressed Stop on this session".into()],
        next_action: format!("start the group of run {run} again"),
        fingerprint: "f1a2".into(),
        incident: "i-1".into(),
    };
    let timeline = vec![
        TimelineEntry {
            time: moment(0),
            session: session.into(),
            what: "the chat's terminal is found dead".into(),
            evidence: finding.evidence[0].clone(),
        },
        TimelineEntry {
            time: moment(0),
            session: session.into(),
            what: "the run is marked canceled".into(),
            evidence: finding.evidence[1].clone(),
        },
    ];
    Report {
        inputs: vec![Input {
            path: "logs/server_debug.log".into(),
            kind: LogKind::ServerDebug,
            bytes: 1_234_567,
            lines: 13_494,
            unparsed_lines: 3,
            unjudged: 0,
            first_time: Some(moment(-600)),
            last_time: Some(moment(600)),
            time_zone: "+05:30".into(),
            time_zone_source: ZoneSource::Logrus,
        }],
        incidents: vec![Incident {
            id: "i-1".into(),
            title: "a dead terminal took a watched run with it".into(),
            session: session.into(),
            first_time: moment(0),
            last_time: moment(5),
            severity: Severity::Critical,
            findings: vec!["f1a2".into()],
        }],
        findings: vec![finding],
        stops: vec![
            StopRecord {
                input: 0,
                line: 1,
                session: session.into(),
                time: moment(0),
                cause: Cause::TerminalDeath,
                reason: "tmux pane disappeared unexpectedly".into(),
                counters: Some(Counters {
                    canceled: Some(1),
                    no_cancel_func: Some(1),
                    ..Counters::default()
                }),
                marked: vec![Marked {
                    id: run.into(),
                    kind: "workflow_builder_task".into(),
                    name: PRIVATE.into(),
                }],
                account: Vec::new(),
                account_omitted: 0,
                unjudged: 0,
                verdict: Verdict::Findings,
                note: String::new(),
                incident: "i-1".into(),
            },
            StopRecord {
                input: 0,
                line: 1,
                session: "schedule-cron--nightly_1".into(),
                time: moment(60),
                cause: Cause::ScheduleStop,
                reason: String::new(),
                counters: None,
                marked: Vec::new(),
                account: Vec::new(),
                account_omitted: 0,
                unjudged: 0,
                verdict: Verdict::Clean,
                note: "1 cancelled, 1 through its container".into(),
                incident: String::new(),
            },
        ],
        stops_omitted: 0,
        gaps: vec![Gap {
            code: GapCode::LogBegins,
            message: "the log begins in mid-process: what ran before is not known".into(),
        }],
        unjudged: BTreeMap::new(),
        sessions: 12,
        timeline,
    }
}

/// The full report with ordinary ids.
pub(crate) fn full() -> Report {
    full_with("6f1b2c3d-0000-4a5e-8000-000000000001", "workflow-full-mx2p37yb01")
}

/// A log with one stop that held.
pub(crate) fn clean() -> Report {
    let mut report = full();
    report.findings.clear();
    report.incidents.clear();
    report.stops.remove(0);
    report.gaps.clear();
    report.timeline.clear();
    report
}

/// How the tests show a report.
pub(crate) fn view(report: &Report) -> AuditView<'_> {
    AuditView {
        report,
        hidden: Hidden::default(),
        explanations: &[],
        notices: &[],
        rules: &RULES,
        fail_on: Severity::High,
        fail_on_inconclusive: false,
        content: Content::Masked,
        clock: Clock::Utc,
    }
}
