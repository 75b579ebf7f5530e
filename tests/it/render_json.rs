//! `pulsectl.audit/1`, read back by a JSON reader and held against the committed schema.

use pulsectl::testing::audit::finding::Report;
use pulsectl::testing::render::audit::json_v1;
use pulsectl::testing::render::text::mask::Content;
use pulsectl::testing::render::text::moment::Clock;
use serde_json::Value;

use crate::common::report::{PRIVATE, clean, full, full_with, view};

fn document(report: &Report) -> Value {
    serde_json::from_str(&json_v1::render(&view(report)).expect("it encodes")).expect("it is JSON")
}

// formats.md, section 1, field by field.
#[test]
fn the_document_has_the_fixed_fields() {
    let text = json_v1::render(&view(&full())).expect("it encodes");
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "[version]"));
}

#[test]
fn lines_are_findings_and_then_the_rest() {
    let report = full();
    let text = json_v1::render_lines(&view(&report)).expect("it encodes");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], document(&report)["findings"][0]);
    assert_eq!(lines[1]["schema"], "pulsectl.audit/1");
    assert_eq!(lines[1].get("findings"), None);
    assert_eq!(lines[1]["stops"], document(&report)["stops"]);
}

#[test]
fn empty_lists_are_lists() {
    let document = document(&Report::default());
    for field in ["gaps", "inputs", "findings", "incidents", "stops"] {
        assert_eq!(document[field], serde_json::json!([]), "{field}");
    }
    assert_eq!(document["summary"]["findings"]["critical"], 0);
    assert_eq!(document["complete"], true);
}

#[test]
fn masking_and_the_zone_follow_the_options() {
    let report = full();
    let mut view = view(&report);
    assert!(!json_v1::render(&view).expect("it encodes").contains(PRIVATE));
    view.content = Content::Shown;
    view.clock = Clock::Log;
    let text = json_v1::render(&view).expect("it encodes");
    assert!(text.contains(PRIVATE) && text.contains("2026-11-30T08:41:54+05:30"));
}

// Ids exactly as the log gives them (formats.md, head), whatever is in them.
#[test]
fn hostile_ids_stay_what_they_are() {
    let session = "s\u{1b}]0;x\u{7}\"},{\u{202e}";
    let document = document(&full_with(session, "::error::]]>"));
    assert_eq!(document["findings"][0]["session"], session);
    assert_eq!(document["findings"][0]["subjects"][0]["id"], "::error::]]>");
}

#[test]
fn every_document_fits_the_schema() {
    let schema: Value =
        serde_json::from_str(&pulsectl::testing::render::schemas::audit()).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    for report in [full(), clean(), Report::default(), full_with("", "\u{0}")] {
        let document = document(&report);
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let mut wrong = document(&full());
    wrong["findings"][0]["severity"] = "dreadful".into();
    assert!(!validator.is_valid(&wrong), "the schema names the severities");
}
