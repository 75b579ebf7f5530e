//! The rules as a list and as a document.

use pulsectl::testing::render::rules::json_v1::list;
use pulsectl::testing::render::text::style::Style;
use pulsectl::testing::render::{rules, schemas};
use pulsectl::testing::rules::custom::CustomRule;
use pulsectl::testing::rules::meta::Severity;
use serde_json::Value;

use crate::common::report::RULES;

#[test]
fn the_table_has_one_line_per_rule() {
    let all = list(&RULES, &[]);
    let table = rules::table::render(&all, &Style { color: false, unicode: true, width: None });
    assert_eq!(table.lines().count(), 3);
    assert!(table.contains("PLS005  critical preview collateral-cancel  A chat's terminal died"), "{table}");
}

#[test]
fn the_document_fits_its_schema() {
    let custom =
        CustomRule::new("custom/quota", Severity::Low, "[QUOTA]", r"used (?<share>\d+)%", "{share} is used");
    let custom = [custom.expect("the rule can be used")];
    let all = list(&RULES, &custom);
    let document: Value =
        serde_json::from_str(&rules::json_v1::render(&all).expect("it encodes")).expect("it is JSON");
    let schema: Value = serde_json::from_str(&schemas::rules()).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    assert!(validator.is_valid(&document));
    assert_eq!(document["schema"], "pulsectl.rules/1");
    assert_eq!(document["rules"][1]["fires"], serde_json::json!(["x\n"]));
    assert_eq!(document["rules"][2]["code"], "custom/quota");
    assert_eq!(document["rules"][2]["status"], Value::Null);
    assert_eq!(document["rules"][2]["summary"], "{share} is used");
}

#[test]
fn selections_take_codes_names_and_beginnings() {
    use pulsectl::testing::audit::select::RuleSelection;
    let select = |only: &[&str], skip: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        RuleSelection::new(&owned(only), &owned(skip), Severity::Info, &RULES, &[])
    };
    let codes = |only, skip| {
        let selection = select(only, skip).expect("the names are known");
        RULES.iter().map(|rule| rule.code).filter(|code| selection.includes(code)).collect::<Vec<_>>()
    };
    assert_eq!(codes(&[], &[]), ["PLS001", "PLS005"]);
    assert_eq!(codes(&["collateral-cancel"], &[]), ["PLS005"]);
    assert_eq!(codes(&["pls00"], &["PLS005"]), ["PLS001"]);
    let error = select(&["PLS05"], &[]).expect_err("no rule has the name");
    assert_eq!(
        (error.to_string(), error.hint),
        ("no rule is named `PLS05`".into(), "did you mean `PLS005` or `PLS001`?".into())
    );
}

#[test]
fn a_selection_hides_findings_and_counts_them() {
    use pulsectl::testing::audit::select::RuleSelection;
    let mut report = crate::common::report::full();
    let all = RuleSelection::new(&[], &[], Severity::Critical, &RULES, &[]).expect("the names are known");
    assert_eq!(all.apply(&mut report), 0);
    assert_eq!(report.incidents.len(), 1);
    let skip = RuleSelection::new(&[], &["PLS005".into()], Severity::Info, &RULES, &[])
        .expect("the names are known");
    assert_eq!(skip.apply(&mut report), 1);
    assert!(report.findings.is_empty() && report.incidents.is_empty());
    // The verdict of the stop stays: hiding a finding makes no stop clean.
    assert_eq!(report.stops[0].verdict, pulsectl::testing::audit::finding::Verdict::Findings);
}
