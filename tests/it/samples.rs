//! The hand-made sample logs (log-grammar.md, section 5), with what issue 3 asks of each.

use std::ffi::OsStr;

use crate::common::audit::{Audit, Found};
use crate::common::in_parallel;
use crate::common::material::root;

fn audited(name: &str) -> Audit {
    let sample = root().join("logs").join(name);
    Audit::of(&sample).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

fn of_rule<'found>(findings: &'found [Found], rule: &str) -> &'found Found {
    findings.iter().find(|found| found.rule == rule).unwrap_or_else(|| panic!("no {rule} in {findings:?}"))
}

fn has(found: &Found, kind: &str, wanted: &str) -> bool {
    found.subjects.iter().any(|(its_kind, id)| its_kind == kind && id == wanted)
}

/// Relaunch after stop, work after stop.
#[test]
fn sample_01_relaunch_and_work_after_stop() {
    let audit = audited("01-plat130-first-reproduction.log");
    let severe = audit.findings_at("high");
    of_rule(&severe, "PLS002");
    of_rule(&severe, "PLS003");
    assert_eq!(audit.code(), Some(10));
}

#[test]
fn sample_02_a_clean_stop() {
    let audit = audited("02-plat130-clean-stop.log");
    assert_eq!(audit.findings_at("high"), []);
    assert_eq!(audit.code(), Some(0));
}

/// The run and its items, as the log of the sample names them (line `tracked execution marked canceled`).
#[test]
fn sample_03_collateral_cancel_with_run_and_items() {
    let audit = audited("03-plat171-terminal-death-cancels-unrelated-run.log");
    let findings = audit.findings();
    let collateral = of_rule(&findings, "PLS005");
    assert_eq!(collateral.severity, "critical");
    assert_eq!(collateral.session, "b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70");
    assert!(has(collateral, "run", "workflow-full-mt2wrr0g07"), "{collateral:?}");
    assert!(
        has(collateral, "item", "msgseq-verification-initial-evidence-gate-1787316087550021000"),
        "{collateral:?}"
    );
    assert_eq!(audit.code(), Some(10));
}

/// The schedule.log of the sample is its sibling by name, so both are given.
#[test]
fn sample_04_ghost_item_and_outlived_cancel() {
    let path = root().join("logs/04-plat130-schedule-stop-items-continue.log");
    let sibling = path.with_extension("schedule.log");
    let server = std::fs::read(&path).expect("the sample can be read");
    let schedule = std::fs::read(sibling).expect("the sibling can be read");
    let audit = Audit::of_logs(&server, &schedule).expect("an answer");
    let findings = audit.findings();
    let work = findings.iter().find(|found| {
        found.rule == "PLS003" && has(found, "item", "msgseq-post-second-post-1787108779512000000")
    });
    assert!(work.is_some(), "no PLS003 about the ghost item in {findings:?}");
    of_rule(&findings, "PLS012");
    assert_eq!(audit.code(), Some(10));
}

/// Issue 3, G: nothing above info in 10 to 17.
#[test]
fn samples_10_to_17_are_harmless() {
    let mut harmless: Vec<_> = std::fs::read_dir(root().join("logs"))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.contains("-benign-")))
        .collect();
    harmless.sort();
    assert_eq!(harmless.len(), 8, "{harmless:?}");
    let problems = in_parallel(&harmless, |path| match Audit::of(path) {
        Ok(audit) => {
            let above_info = audit.findings_at("low");
            let named = |what: String| vec![format!("{}: {what}", path.display())];
            if !above_info.is_empty() {
                return named(format!("{above_info:?}"));
            }
            if audit.code() == Some(0) { Vec::new() } else { named(format!("exit code {:?}", audit.code())) }
        }
        Err(problem) => vec![format!("{}: {problem}", path.display())],
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Cut first line, quoted incident, panic, wrapped lines, colour: no finding and no crash.
#[test]
fn sample_20_parser_hazards() {
    let audit = audited("20-parser-hazards.log");
    assert_eq!(audit.findings(), []);
    assert!(matches!(audit.code(), Some(0 | 7)), "{:?}", audit.code());
}
