//! Known, new, vanished and accepted findings.

use pulsectl::testing::audit::baseline::{Baseline, write};
use pulsectl::testing::audit::finding::{Report, Verdict};
use pulsectl::testing::audit::notice::NoticeCode;
use pulsectl::testing::audit::suppress::{Suppression, apply};
use pulsectl::testing::render::audit::findings;
use pulsectl::testing::render::text::style::Style;
use pulsectl::testing::rules::meta::Severity;

use crate::common::report::{clean, full, view};

fn baseline(report: &Report) -> Baseline {
    let text = write(report, "2026-11-30T03:11:54Z").expect("it encodes");
    Baseline::parse(&text).expect("a written baseline reads")
}

#[test]
fn a_known_finding_is_counted_and_a_new_one_stays() {
    let mut report = full();
    let mut new = report.findings[0].clone();
    let baseline = baseline(&report);
    new.fingerprint = "f-new".into();
    report.findings.push(new);
    report.incidents[0].findings.push("f-new".into());
    assert_eq!(baseline.vanished(&report), []);
    assert_eq!(baseline.apply(&mut report), 1);
    assert_eq!(report.findings[0].fingerprint, "f-new");
    assert_eq!(report.incidents[0].findings, ["f-new"]);
    assert_eq!(report.stops[0].verdict, Verdict::Findings, "a known finding makes no stop clean");
}

#[test]
fn a_vanished_finding_is_reported() {
    let mut report = clean();
    let notices = baseline(&full()).vanished(&report);
    assert_eq!(baseline(&full()).apply(&mut report), 0);
    assert_eq!(notices.len(), 1);
    assert_eq!(notices[0].code, NoticeCode::BaselineVanished);
    let mut shown = view(&report);
    shown.notices = &notices;
    let text = findings::render(&shown, &Style { color: false, unicode: true, width: None });
    assert!(text.contains("note: not seen again: PLS005 (critical) of session 6f1b2c3d-"), "{text}");
}

// anchors.md, trivy row: an ignore lapses when the severity rises.
#[test]
fn a_finding_that_became_worse_is_new() {
    let mut milder = full();
    milder.findings[0].severity = Severity::Medium;
    let mut report = full();
    assert_eq!(baseline(&milder).apply(&mut report), 0);
    assert_eq!(baseline(&full()).apply(&mut milder), 1);
}

#[test]
fn another_document_is_refused() {
    for text in [
        "",
        "{}",
        "[]",
        "{\"schema\":\"pulsectl.audit/1\",\"tool\":{\"name\":\"a\",\"version\":\"b\"},\"created\":\"c\",\"findings\":[]}",
    ] {
        assert!(Baseline::parse(text).is_err(), "{text}");
    }
}

fn suppression(rule: &str, session: Option<&str>, run: Option<&str>, expires: Option<&str>) -> Suppression {
    let pattern = |text: &str| glob::Pattern::new(text).expect("it is a pattern");
    Suppression {
        rule: rule.into(),
        session: session.map(pattern),
        run: run.map(pattern),
        reason: "the group is started again by hand".into(),
        expires: expires.map(|day| day.parse().expect("it is a day")),
    }
}

#[test]
fn suppressions_hold_for_what_they_name_and_until_their_day() {
    let today = "2026-11-30".parse().expect("it is a day");
    for (given, suppressed, notice) in [
        (suppression("PLS005", None, None, None), 1, None),
        (suppression("PLS005", Some("6f1b*"), Some("workflow-full-*"), Some("2026-11-30")), 1, None),
        (suppression("PLS005", Some("schedule-*"), None, None), 0, Some(NoticeCode::SuppressionUnused)),
        (suppression("PLS005", None, Some("eval-*"), None), 0, Some(NoticeCode::SuppressionUnused)),
        (suppression("PLS001", None, None, None), 0, Some(NoticeCode::SuppressionUnused)),
        (suppression("PLS005", None, None, Some("2026-11-29")), 0, Some(NoticeCode::SuppressionExpired)),
    ] {
        let mut report = full();
        let (count, notices) = apply(&mut report, std::slice::from_ref(&given), today);
        assert_eq!(count, suppressed, "{given:?}");
        assert_eq!(notices.first().map(|notice| notice.code), notice, "{given:?}");
        assert_eq!(report.findings.len() + count, 1);
    }
}
