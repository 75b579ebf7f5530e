//! The formats of other programs, each read back by an independent reader of that format.

use std::collections::BTreeMap;

use pulsectl::testing::audit::finding::{Finding, Gap, Report};
use pulsectl::testing::model::gap::GapCode;
use pulsectl::testing::render::audit::{concise, csv, github, json_v1, junit, markdown, sarif};
use pulsectl::testing::render::text::style::Style;
use quick_xml::events::Event;
use serde_json::Value;

use crate::common::report::{PRIVATE, clean, full, full_with, view};

/// Ids that try to break out of every format.
const HOSTILE: [&str; 8] = [
    "\u{1b}[2J\u{9b}31m",
    "]]><x a=\"b\">&amp;",
    "x\n::error file=a::forged",
    "x\r\n##[error]forged",
    "=HYPERLINK(\"http://x\")",
    "a|b`c```d\n| --- |\n# heading",
    "\0\u{fffe}\u{202e}",
    "\",\n\"}{",
];

fn reports() -> Vec<Report> {
    let mut reports = vec![full(), clean(), Report::default()];
    for text in HOSTILE {
        reports.push(full_with(text, &format!("run {text}")));
    }
    let mut many = full();
    let finding = many.findings[0].clone();
    many.findings = (0..30)
        .map(|number| {
            let mut finding = finding.clone();
            finding.fingerprint = format!("f{number}");
            finding
        })
        .collect();
    many.gaps.push(Gap { code: GapCode::CannotRead, message: "a file could not be read".into() });
    reports.push(many);
    reports
}

#[test]
fn every_format_masks() {
    let report = full();
    let view = view(&report);
    for text in [
        sarif::render(&view).expect("it encodes"),
        junit::render(&view).expect("it encodes"),
        csv::render(&view).expect("it encodes"),
        json_v1::render_lines(&view).expect("it encodes"),
        github::render(&view),
        markdown::render(&view),
    ] {
        assert!(!text.contains("Ring Mira") && !text.contains(PRIVATE), "{text}");
    }
}

/// A validator of the published schema: OASIS, SARIF 2.1.0.
pub(crate) fn sarif_validator() -> jsonschema::Validator {
    // The published pattern of a language has a stray bracket, which this validator refuses.
    let published = include_str!("../data/sarif-schema-2.1.0.json");
    let repaired = published.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    assert_ne!(repaired, published);
    let schema: Value = serde_json::from_str(&repaired).expect("it is JSON");
    jsonschema::validator_for(&schema).expect("the schema is valid")
}

#[test]
fn sarif_fits_the_published_schema() {
    let validator = sarif_validator();
    for report in reports() {
        let document: Value =
            serde_json::from_str(&sarif::render(&view(&report)).expect("it encodes")).expect("it is JSON");
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })), "the schema refuses something");
}

#[test]
fn sarif_says_what_a_reader_needs() {
    let report = full();
    let document: Value =
        serde_json::from_str(&sarif::render(&view(&report)).expect("it encodes")).expect("it is JSON");
    let run = &document["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "PLS005");
    assert_eq!(run["tool"]["driver"]["rules"][1]["id"], "PLS005");
    assert_eq!(result["ruleIndex"], 1);
    assert_eq!(result["level"], "error");
    assert_eq!(result["partialFingerprints"]["pulsectl/v1"], "f1a2");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1342);
    assert_eq!(
        result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "logs/server_debug.log"
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let empty = Report::default();
    let document: Value =
        serde_json::from_str(&sarif::render(&view(&empty)).expect("it encodes")).expect("it is JSON");
    assert_eq!(document["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

/// Elements with their attributes and the text below them, in the order of the document.
pub(crate) fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut elements = Vec::new();
    let mut depth = 0_i32;
    loop {
        let event = reader.read_event().expect("the XML is well formed");
        let start = match &event {
            Event::Start(start) => {
                depth += 1;
                start
            }
            Event::Empty(start) => start,
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        let attributes = start
            .attributes()
            .map(|attribute| attribute.expect("the attribute is well formed"))
            .map(|attribute| {
                let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
                (key, attribute.unescape_value().expect("the value is well formed").into_owned())
            })
            .collect();
        elements.push((name, attributes));
    }
    assert_eq!(depth, 0, "every element is closed");
    elements
}

#[test]
fn junit_shows_every_rule_and_is_xml_whatever_stands_in_ids() {
    for report in reports() {
        let xml = junit::render(&view(&report)).expect("it encodes");
        let forbidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{fffe}';
        assert!(!xml.contains(forbidden), "{xml:?}");
        let elements = elements(&xml);
        let cases = elements.iter().filter(|(name, _)| name == "testcase").count();
        assert_eq!(
            cases,
            1 + 2 * report.inputs.len(),
            "one case per rule and input, and one for the reading"
        );
        let known = ["testsuites", "testsuite", "testcase", "failure", "error", "system-out"];
        assert!(elements.iter().all(|(name, _)| known.contains(&name.as_str())), "{elements:?}");
    }
    let report = full();
    let xml = junit::render(&view(&report)).expect("it encodes");
    let elements = elements(&xml);
    assert_eq!(elements[0].1["failures"], "1");
    assert_eq!(elements[0].1["errors"], "0");
    let nothing = Report::default();
    let nothing = junit::render(&view(&nothing)).expect("it encodes");
    assert!(nothing.contains("nothing was checked"), "what was not checked is not green");
}

#[test]
fn csv_has_one_record_per_finding_and_no_formula() {
    for report in reports() {
        let text = csv::render(&view(&report)).expect("it encodes");
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().expect("there is a header").len(), 15);
        let records: Vec<_> =
            reader.records().map(|record| record.expect("records have one shape")).collect();
        assert_eq!(records.len(), report.findings.len());
        for field in records.iter().flatten() {
            assert!(!field.starts_with(['=', '+', '-', '@', '\t', '\r']), "{field:?}");
            // Issue 12, E: what steers a terminal never stands in a table as it is.
            assert!(!field.contains(|c: char| c.is_control() || c == '\u{202e}'), "{field:?}");
        }
    }
}

#[test]
fn github_annotates_within_its_caps_and_nothing_is_forged() {
    for report in reports() {
        let text = github::render(&view(&report));
        let commands: Vec<&str> = text.lines().filter(|line| line.contains("::")).collect();
        assert!(commands.len() <= 11, "{text}");
        assert!(!text.contains('\r') && !text.contains("##["), "{text}");
        for command in &commands {
            assert!(command.starts_with("::error ") || command.starts_with("::warning "), "{command}");
            assert!(!command.starts_with("::error file=a::"), "{command}");
        }
        assert_eq!(text.lines().count(), commands.len() + 1, "a command is one line: {text}");
    }
    let report = full();
    let text = github::render(&view(&report));
    assert!(
        text.starts_with(
            "::error file=logs/server_debug.log,line=1342,title=PLS005 collateral-cancel (critical)::the terminal"
        ),
        "{text}"
    );
    let many = reports().pop().expect("the list is not empty");
    assert!(github::render(&view(&many)).contains("::error title=pulsectl::21 more"));
}

#[test]
fn markdown_keeps_its_tables_whatever_stands_in_ids() {
    let shape = |report: &Report| {
        let text = markdown::render(&view(report));
        let unescaped_bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let mut in_example = None;
        let mut shape = Vec::new();
        for line in text.lines() {
            match (&in_example, line.strip_suffix("text").filter(|fence| fence.starts_with("```"))) {
                (None, Some(fence)) => in_example = Some(fence.to_owned()),
                (Some(fence), _) if line == fence => in_example = None,
                (Some(_), _) => {}
                (None, None) => {
                    assert!(!line.contains('<'), "{line}");
                    shape.push((line.starts_with('#'), unescaped_bars(line)));
                }
            }
        }
        assert_eq!(in_example, None, "every example is closed: {text}");
        shape
    };
    let expected = shape(&full());
    for text in HOSTILE {
        assert_eq!(shape(&full_with(text, &format!("run {text}"))), expected, "{text:?}");
    }
}

#[test]
fn concise_is_one_line_per_finding() {
    let style = Style { color: false, unicode: true, width: Some(40) };
    for report in reports() {
        let text = concise::render(&view(&report), &style);
        assert_eq!(text.lines().count(), report.findings.len() + 1, "{text}");
    }
    let report = full();
    let text = concise::render(&view(&report), &style);
    assert!(text.starts_with("logs/server_debug.log:1342: critical[PLS005] the terminal"), "{text}");
}

// anchors.md, section 2: GitHub keeps 5,000 results of a run.
#[test]
fn sarif_keeps_the_worst_results_and_says_what_is_left_out() {
    use pulsectl::testing::rules::meta::Severity;
    let mut report = full();
    let critical = report.findings.remove(0);
    let info = Finding { severity: Severity::Info, ..critical.clone() };
    report.findings = vec![info; 5_001];
    report.findings.push(critical);
    let render = |report: &Report| -> Value {
        serde_json::from_str(&sarif::render(&view(report)).expect("it encodes")).expect("it is JSON")
    };
    let run = render(&report)["runs"][0].take();
    let results = run["results"].as_array().expect("a list");
    assert_eq!((results.len(), &results[0]["level"]), (5_000, &"error".into()));
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
    let note = notes.iter().find(|note| note["descriptor"]["id"] == "results_left_out");
    let note = note.and_then(|note| note["message"]["text"].as_str()).expect("it is said");
    assert!(note.starts_with("2 further results"), "{note}");
    report.findings.truncate(5_000);
    let run = render(&report)["runs"][0].take();
    let whole = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
    assert_eq!(whole.len(), notes.len() - 1, "nothing is said where nothing is left out");
}
