//! Every example in a rule's text is a test: the whole audit runs over it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pulsectl::testing::audit;
use pulsectl::testing::audit::finding::{Finding, Report};
use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::rules;
use pulsectl::testing::rules::meta::HEADINGS;

/// What separates the two files of a server in an example.
const SCHEDULE: &str = "--- schedule.log\n";

/// The example's files: name and lines.
fn files(block: &str) -> Vec<(&'static str, Vec<String>)> {
    let (main, schedule) = block.split_once(SCHEDULE).unwrap_or((block, ""));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let mut files = vec![("server_debug.log", lines(main)), ("schedule.log", lines(schedule))];
    files.retain(|(_, lines)| !lines.is_empty());
    files
}

fn run(files: &[(&'static str, Vec<String>)]) -> Report {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, lines) in files {
        let mut text = lines.join("\n");
        text.push('\n');
        fs::write(folder.path().join(name), text).expect("the example can be written");
    }
    let options =
        AuditOptions { paths: vec![folder.path().to_path_buf()], siblings: true, ..AuditOptions::default() };
    audit::run(&options, &Progress::default()).expect("the example can be read")
}

/// How strong a rule's findings are: worst severity, best confidence, number of subjects.
fn strength(report: &Report, code: &str) -> Option<(String, String, usize)> {
    let rank = |finding: &&Finding| (finding.severity, finding.confidence, finding.subjects.len());
    let strongest = report.findings.iter().filter(|finding| finding.rule == code).max_by_key(rank)?;
    let severity = format!("{:?}", strongest.severity as u8);
    Some((severity, format!("{:?}", strongest.confidence as u8), strongest.subjects.len()))
}

#[test]
fn declarations_are_complete_and_unique() {
    let mut seen = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    for rule in rules::all() {
        assert!(seen.insert(rule.code) && seen.insert(rule.name), "{} is declared twice", rule.code);
        let mut position = 0;
        for heading in HEADINGS {
            assert!(rule.section(heading).is_some_and(|text| !text.is_empty()), "{}: {heading}", rule.code);
            let at = rule.text.find(&format!("# {heading}")).expect("the heading is there");
            assert!(at >= position, "{}: `{heading}` stands out of order", rule.code);
            position = at;
        }
        let file = folder.join(format!("{}.rs", rule.name.replace('-', "_")));
        assert!(file.is_file(), "{} has no file of its name", rule.code);
        for block in rule.examples("log,fires") {
            for literal in rule.literals {
                assert!(block.contains(literal), "{}: `{literal}` is not in a firing example", rule.code);
            }
        }
    }
    let codes: Vec<_> = rules::all().iter().map(|rule| rule.code).collect();
    // Issue 3, D: PLS001-007, 009-015, 017, 018, 033, 034, 036, 038, 039 (008 and 016 are later work).
    // Issue 11, C: PLS041.
    insta::assert_snapshot!(codes.join(" "), @"PLS001 PLS002 PLS003 PLS004 PLS005 PLS006 PLS007 PLS009 PLS010 PLS011 PLS012 PLS013 PLS014 PLS015 PLS017 PLS018 PLS033 PLS034 PLS036 PLS038 PLS039 PLS041");
}

#[test]
fn every_rule_file_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let listed: BTreeSet<String> = rules::all().iter().map(|rule| rule.name.replace('-', "_")).collect();
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("an entry can be read").path();
        let text = fs::read_to_string(&path).expect("sources are UTF-8");
        let stem = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        if text.contains("\nrule! {\n") {
            assert!(listed.contains(&stem), "{stem} is not in the list");
        }
    }
}

#[test]
fn firing_examples_fire_and_silent_ones_do_not() {
    for rule in rules::all() {
        let (fires, silent) = (rule.examples("log,fires"), rule.examples("log,silent"));
        assert!(!fires.is_empty() && !silent.is_empty(), "{} lacks an example of a kind", rule.code);
        for (index, block) in fires.iter().enumerate() {
            let report = run(&files(block));
            assert!(
                strength(&report, rule.code).is_some(),
                "{}: firing example {index} is silent; it gave {:?}",
                rule.code,
                report.findings.iter().map(|finding| &finding.rule).collect::<Vec<_>>()
            );
        }
        for (index, block) in silent.iter().enumerate() {
            let report = run(&files(block));
            let found = report.findings.iter().find(|finding| finding.rule == rule.code);
            assert!(found.is_none(), "{}: silent example {index} fires: {found:?}", rule.code);
        }
    }
}

/// A line that is called evidence must carry weight: without it the finding is gone, weaker or smaller.
#[test]
fn every_evidence_line_carries_weight() {
    let mut idle = Vec::new();
    for rule in rules::all() {
        for block in rule.examples("log,fires") {
            let files = files(block);
            let report = run(&files);
            let full = strength(&report, rule.code).expect("the example fires");
            let finding = report.findings.iter().find(|finding| finding.rule == rule.code);
            for evidence in &finding.expect("the example fires").evidence {
                let path = &report.inputs[evidence.input].path;
                let mut cut = files.clone();
                let (_, lines) = cut
                    .iter_mut()
                    .find(|(name, _)| path.ends_with(name))
                    .expect("the file is one of the example");
                let removed = lines.remove(usize::try_from(evidence.line).expect("few lines") - 1);
                let weaker = strength(&run(&cut), rule.code).is_none_or(|rest| rest < full);
                if !weaker {
                    idle.push(format!("{}: {removed}", rule.code));
                }
            }
        }
    }
    assert!(idle.is_empty(), "evidence without weight:\n{}", idle.join("\n"));
}
