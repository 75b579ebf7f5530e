//! Every recording in every format, each read back by an independent reader of that format.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pulsectl::testing::audit::finding::{Finding, Report};
use pulsectl::testing::audit::options::{AuditOptions, Progress};
use pulsectl::testing::render::audit::view::AuditView;
use pulsectl::testing::render::audit::{concise, csv, github, json_v1, junit, markdown, sarif};
use pulsectl::testing::render::schemas;
use pulsectl::testing::render::text::style::Style;
use serde_json::Value;

use crate::common::captures::recordings;
use crate::common::material::captures;
use crate::common::report::view;
use crate::render_formats::{elements, sarif_validator};

fn audit(folder: &Path) -> Report {
    let options =
        AuditOptions { paths: vec![folder.to_path_buf()], siblings: true, ..AuditOptions::default() };
    pulsectl::testing::audit::run(&options, &Progress::default()).expect("a recording is readable")
}

#[test]
fn every_recording_is_readable_in_every_format() {
    let recordings = recordings();
    let schema: Value = serde_json::from_str(&schemas::audit()).expect("it is JSON");
    let json = jsonschema::validator_for(&schema).expect("the schema is valid");
    let sarif_schema = sarif_validator();
    let parsed = |text: String| serde_json::from_str::<Value>(&text).expect("it is JSON");
    for recording in recordings {
        let name = &recording.name;
        let report = audit(&recording.folder());
        let view = AuditView { rules: pulsectl::testing::rules::all(), ..view(&report) };
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

        read_github_back(name, &view);
        read_concise_back(name, &view);
        read_markdown_back(name, &view);
    }
}

/// What a human format must show of each finding: severity, rule, sentence, and the place of its first line.
fn places(view: &AuditView<'_>) -> Vec<(String, String, String, String)> {
    let place = |finding: &Finding| {
        let line = finding.evidence.first()?;
        let path = &view.report.inputs.get(line.input)?.path;
        Some(format!("{path}:{}", line.line))
    };
    view.report
        .findings
        .iter()
        .map(|finding| {
            let place = place(finding).unwrap_or_default();
            (finding.severity.to_string(), finding.rule.to_string(), finding.claim.clone(), place)
        })
        .collect()
}

/// Reads workflow commands by GitHub's own rules of escaping.
fn read_github_back(name: &str, view: &AuditView<'_>) {
    let unescaped = |text: &str| {
        let text = text.replace("%3A", ":").replace("%2C", ",").replace("%0A", "\n").replace("%0D", "\r");
        text.replace("%25", "%")
    };
    let text = github::render(view);
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(text.lines().count(), commands.len() + 1, "{name}: {text}");
    let mut seen = Vec::new();
    for command in &commands {
        let (level, rest) = command[2..].split_once(' ').expect("a command has properties");
        assert!(["error", "warning", "notice"].contains(&level), "{name}: {command}");
        let (properties, message) = rest.split_once("::").expect("a command has a message");
        let properties: BTreeMap<&str, String> = properties
            .split(',')
            .map(|property| property.split_once('=').expect("a property has a value"))
            .map(|(key, value)| (key, unescaped(value)))
            .collect();
        if let (Some(file), Some(line)) = (properties.get("file"), properties.get("line")) {
            let message = unescaped(message);
            let claim = message.split_once(" Next: ").expect("it says what to do").0.to_owned();
            seen.push((level, format!("{file}:{line}"), claim, properties["title"].clone()));
        }
    }
    let places = places(view);
    for (level, place, claim, title) in &seen {
        let found = places.iter().find(|(_, _, its, where_)| its == claim && where_ == place);
        let (severity, rule, _, _) = found.unwrap_or_else(|| panic!("{name}: no finding says {claim}"));
        assert!(title.starts_with(rule.as_str()) && title.ends_with(&format!("({severity})")), "{title}");
        let expected = match severity.as_str() {
            "critical" | "high" => "error",
            "info" => "notice",
            _ => "warning",
        };
        assert_eq!(*level, expected, "{name}: {claim}");
    }
    for level in ["error", "warning", "notice"] {
        assert!(
            commands.iter().filter(|line| line.starts_with(&format!("::{level} "))).count() <= 11,
            "{name}"
        );
    }
    if places.len() <= 10 {
        assert_eq!(seen.len(), places.len(), "{name}: every finding is annotated");
    }
}

fn read_concise_back(name: &str, view: &AuditView<'_>) {
    let style = Style { color: false, unicode: true, width: None };
    let text = concise::render(view, &style);
    let lines: Vec<&str> = text.lines().collect();
    let (_, lines) = lines.split_last().expect("the closing line");
    let expected: Vec<String> = places(view)
        .into_iter()
        .map(|(severity, rule, claim, place)| format!("{place}: {severity}[{rule}] {claim}"))
        .collect();
    assert_eq!(lines, expected, "{name}");
}

/// The cells of every table, as a Markdown parser reads them; each row with its table's number.
fn markdown_rows(text: &str) -> Vec<(usize, Vec<String>)> {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut rows = Vec::new();
    let (mut tables, mut cells, mut cell) = (0, Vec::new(), String::new());
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::End(TagEnd::TableCell) => cells.push(std::mem::take(&mut cell)),
            Event::End(TagEnd::TableRow) => rows.push((tables, std::mem::take(&mut cells))),
            Event::End(TagEnd::TableHead) => cells.clear(),
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::Text(text) => cell.push_str(&text),
            Event::Html(html) | Event::InlineHtml(html) => panic!("markup got through: {html}"),
            Event::Start(Tag::Link { dest_url, .. }) => panic!("a link got through: {dest_url}"),
            _ => {}
        }
    }
    rows
}

fn read_markdown_back(name: &str, view: &AuditView<'_>) {
    let rows = markdown_rows(&markdown::render(view));
    let places = places(view);
    let first_table = if places.is_empty() { 0 } else { 1 };
    let findings: Vec<_> = rows.iter().filter(|(table, _)| *table == first_table).collect();
    let shown: Vec<_> = findings
        .iter()
        .map(|(_, cells)| {
            let rule = cells[1].split(' ').next().unwrap_or_default().to_owned();
            (cells[0].clone(), rule, cells[3].clone(), cells[4].clone())
        })
        .collect();
    assert_eq!(shown, places, "{name}");
    let stops: Vec<&str> =
        rows.iter().filter(|(table, _)| *table > first_table).map(|(_, cells)| cells[2].as_str()).collect();
    let expected: Vec<&str> = view.report.stops.iter().map(|stop| stop.session.as_str()).collect();
    assert_eq!(stops, expected, "{name}");
}

/// The first block after the README's mark of the recipe.
#[cfg(unix)]
fn recipe(name: &str, language: &str) -> String {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("the README is UTF-8");
    let (_, rest) =
        readme.split_once(&format!("<!-- recipe: {name} -->\n```{language}\n")).expect("the recipe is there");
    rest.split_once("```").expect("the block is closed").0.to_owned()
}

#[cfg(unix)]
#[test]
fn the_recipe_for_github_runs_as_a_script() {
    let plat171 = captures().join("plat171");
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("logs")).expect("a folder can be made");
    for file in ["server_debug.log.gz", "schedule.log.gz"] {
        fs::copy(plat171.join(file), folder.path().join("logs").join(file)).expect("it is copied");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_pulsectl")).parent().expect("it lies in a folder");
    let output = std::process::Command::new("bash")
        .args(["-e", "-c", &recipe("github", "bash")])
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
    let plat171 = captures().join("plat171");
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

/// Runs a line of a recipe in a folder whose `logs/` are those of a recording.
#[cfg(unix)]
fn run_recipe(recording: &str, line: &str) -> (tempfile::TempDir, Option<i32>, String) {
    let from = captures().join(recording);
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("logs")).expect("a folder can be made");
    for file in ["server_debug.log.gz", "schedule.log.gz"] {
        fs::copy(from.join(file), folder.path().join("logs").join(file)).expect("it is copied");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_pulsectl")).parent().expect("it lies in a folder");
    let output = std::process::Command::new("bash")
        .args(["-e", "-c", line])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .env("HOME", folder.path())
        .output()
        .expect("bash starts");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (folder, output.status.code(), text)
}

#[cfg(unix)]
#[test]
fn the_recipe_for_gitlab_runs_and_leaves_its_report() {
    let job: Value = yaml_serde::from_str(&recipe("gitlab", "yaml")).expect("it is YAML");
    let script = job["audit"]["script"][0].as_str().expect("a line of script");
    let report = job["audit"]["artifacts"]["reports"]["junit"].as_str().expect("a report");
    for (recording, code, failures) in [("plat171", 10, true), ("stop", 0, false)] {
        let (folder, status, text) = run_recipe(recording, script);
        assert_eq!(status, Some(code), "{text}");
        let xml = fs::read_to_string(folder.path().join(report)).expect("the report is where GitLab looks");
        let failed = elements(&xml).iter().any(|(element, _)| element == "failure");
        assert_eq!(failed, failures, "{recording}");
    }
}

// index.json of the recordings: the first stop held, the second did not (PLS002, PLS003).
#[cfg(unix)]
#[test]
fn the_recipe_whether_a_stop_held_tells_so() {
    let recordings = recordings();
    let recipe = recipe("stop", "console");
    let lines: Vec<&str> = recipe.lines().collect();
    let [live, copied] = lines.as_slice() else { panic!("two lines, not {lines:?}") };
    for (name, code) in [("schedule-stop", 0), ("schedule-stop-relaunch-window", 10)] {
        let recording = recordings.iter().find(|recording| recording.name == name);
        let session = recording.and_then(|recording| recording.session.clone()).expect("it has a session");
        let with_session = |line: &str| line.replace("schedule-cron--nightly", &session);
        let (_, status, text) = run_recipe(name, &with_session(copied));
        assert_eq!(status, Some(code), "{name}: {text}");
        let (_, status, text) = run_recipe(name, &with_session(live));
        assert_eq!(status, Some(3), "{name}, an old log: {text}");
    }
}
