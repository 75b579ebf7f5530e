//! Every recording in every format, each read back by an independent reader of that format.

use std::fs;
use std::path::Path;

use pulsectl::audit::finding::Report;
use pulsectl::audit::options::{AuditOptions, Progress};
use pulsectl::render::audit_view::AuditView;
use pulsectl::render::{csv, github, json_v1, junit, sarif, schemas};
use serde_json::Value;

use crate::common::captures::recordings;
use crate::common::report::view;
use crate::render_formats::{elements, sarif_validator};

#[expect(clippy::print_stderr, reason = "a test that did not run says so")]
fn skipped() {
    eprintln!("skipped: the recordings are absent");
}

fn audit(folder: &Path) -> Report {
    let options =
        AuditOptions { paths: vec![folder.to_path_buf()], siblings: true, ..AuditOptions::default() };
    pulsectl::audit::run(&options, &Progress::default()).expect("a recording is readable")
}

#[test]
fn every_recording_is_readable_in_every_format() {
    let Some(recordings) = recordings() else { return };
    let schema: Value = serde_json::from_str(&schemas::audit()).expect("it is JSON");
    let json = jsonschema::validator_for(&schema).expect("the schema is valid");
    let sarif_schema = sarif_validator();
    let parsed = |text: String| serde_json::from_str::<Value>(&text).expect("it is JSON");
    for recording in recordings {
        let name = &recording.name;
        let report = audit(&recording.folder());
        let view = AuditView { rules: pulsectl::rules::all(), ..view(&report) };
        let findings = report.findings.len();

        let document = parsed(json_v1::render(&view).expect("it encodes"));
        let errors: Vec<String> = json.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");

        let lines = json_v1::render_lines(&view).expect("it encodes");
        let lines: Vec<Value> = lines.lines().map(|line| parsed(line.to_owned())).collect();
        assert_eq!(lines.len(), findings + 1, "{name}");

        let document = parsed(sarif::render(&view).expect("it encodes"));
        let errors: Vec<String> =
            sarif_schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let results = document["runs"][0]["results"].as_array().map(Vec::len);
        assert_eq!(results, Some(findings), "{name}");

        let cases = elements(&junit::render(&view).expect("it encodes"));
        let cases = cases.iter().filter(|(element, _)| element == "testcase").count();
        assert_eq!(cases, 1 + view.rules.len() * report.inputs.len(), "{name}");

        let table = csv::render(&view).expect("it encodes");
        let records = ::csv::Reader::from_reader(table.as_bytes()).into_records();
        let records: Result<Vec<_>, _> = records.collect();
        assert_eq!(records.expect("records have one shape").len(), findings, "{name}");

        let commands = github::render(&view).lines().filter(|line| line.starts_with("::")).count();
        assert!(commands <= 31, "{name}");
    }
}

/// The first shell block after the README's mark of the recipe.
#[cfg(unix)]
fn recipe() -> String {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("the README is UTF-8");
    let (_, rest) = readme.split_once("<!-- recipe: github -->\n```bash\n").expect("the recipe is there");
    rest.split_once("```").expect("the block is closed").0.to_owned()
}

#[cfg(unix)]
#[test]
fn the_recipe_for_github_runs_as_a_script() {
    let plat171 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/captures/plat171");
    if !plat171.is_dir() {
        skipped();
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("logs")).expect("a folder can be made");
    for file in ["server_debug.log.gz", "schedule.log.gz"] {
        fs::copy(plat171.join(file), folder.path().join("logs").join(file)).expect("it is copied");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_pulsectl")).parent().expect("it lies in a folder");
    let output = std::process::Command::new("bash")
        .args(["-e", "-c", &recipe()])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .env("HOME", folder.path())
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"))
        .output()
        .expect("bash starts");
    let stdout = String::from_utf8(output.stdout).expect("it is UTF-8");
    // index.json of the recordings: PLS005 is critical here, so the second command fails the job.
    assert_eq!(output.status.code(), Some(10), "{stdout}");
    assert!(stdout.contains("::error file=logs/server_debug.log.gz,line="), "{stdout}");
    assert!(stdout.contains("critical[PLS005]"), "{stdout}");
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
    assert!(written("summary.md").contains("| critical | PLS005 collateral-cancel |"));
    assert!(
        sarif_validator()
            .is_valid(&serde_json::from_str::<Value>(&written("pulsectl.sarif")).expect("it is JSON"))
    );
    assert!(!elements(&written("pulsectl.xml")).is_empty());
}

// A finding that is suppressed and stands in the baseline has not vanished, and nothing is left to fail on.
#[test]
fn a_suppressed_finding_is_not_called_vanished() {
    let plat171 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/captures/plat171");
    if !plat171.is_dir() {
        skipped();
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let run = |arguments: &[&str]| {
        let mut command = crate::common::pulsectl();
        command
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .arg("audit")
            .arg(&plat171)
            .args(arguments);
        let output = command.output().expect("the program starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("it is UTF-8"))
    };
    assert_eq!(run(&["--write-baseline", "known.json"]).0, Some(10));
    let config = "[[suppress]]\nrule = \"PLS005\"\nreason = \"the group is started again by hand\"\n";
    fs::write(folder.path().join("pulsectl.toml"), config).expect("it is written");
    let (code, text) = run(&["--baseline", "known.json"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("1 suppressed") && !text.contains("not seen again"), "{text}");
    assert!(!text.contains("Clean"), "a known finding makes nothing clean: {text}");
}
