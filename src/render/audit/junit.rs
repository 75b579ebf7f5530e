//! JUnit XML: one suite per input, one case per rule, so that rules that passed are seen too.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite, XmlString};

use crate::audit::finding::Finding;

use super::evidence::shown;
use super::view::AuditView;

/// The document.
///
/// # Errors
/// Never in practice; the writer's error is passed on.
pub fn render(view: &AuditView<'_>) -> Result<String, quick_junit::SerializeError> {
    let mut junit = Junit::new("pulsectl audit");
    junit.add_test_suite(reading(view));
    for (at, input) in view.report.inputs.iter().enumerate() {
        let mut suite = TestSuite::new(text(&input.path));
        let here = |finding: &&Finding| finding.evidence.first().map_or(0, |line| line.input) == at;
        let mut rules: Vec<(&str, &str)> = view.rules.iter().map(|rule| (rule.code, rule.name)).collect();
        for finding in view.report.findings.iter().filter(here) {
            // The user's own rules are not in the list.
            if !rules.iter().any(|(code, _)| *code == finding.rule) {
                rules.push((&finding.rule, &finding.name));
            }
        }
        for (code, name) in rules {
            let findings: Vec<&Finding> =
                view.report.findings.iter().filter(here).filter(|finding| finding.rule == code).collect();
            suite.add_test_case(case(view, &format!("{code} {name}"), &findings));
        }
        junit.add_test_suite(suite);
    }
    junit.to_string()
}

/// Whether everything was read is a test of its own: what was not checked must not look green.
fn reading(view: &AuditView<'_>) -> TestSuite {
    let mut suite = TestSuite::new("reading");
    let gaps: Vec<&str> = view.report.gaps.iter().map(|gap| gap.message.as_str()).collect();
    let wrong = if view.lines() == 0 {
        Some("nothing was checked")
    } else if view.report.complete() {
        None
    } else {
        Some("the answer is incomplete")
    };
    let mut status = TestCaseStatus::success();
    if let Some(wrong) = wrong {
        status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(wrong).set_description(text(&gaps.join("\n")));
    }
    let mut case = TestCase::new("everything was read", status);
    case.set_classname("pulsectl.audit");
    if wrong.is_none() && !gaps.is_empty() {
        case.set_system_out(text(&gaps.join("\n")));
    }
    suite.add_test_case(case);
    suite
}

fn case(view: &AuditView<'_>, name: &str, findings: &[&Finding]) -> TestCase {
    let details: Vec<String> = findings.iter().map(|finding| details(view, finding)).collect();
    let details = text(&details.join("\n"));
    let failing = findings.iter().find(|finding| finding.severity >= view.fail_on);
    let mut status = TestCaseStatus::success();
    if let Some(finding) = failing {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let message = line(&format!("{} ({} in all)", finding.claim, findings.len()));
        status.set_message(message).set_type(finding.severity.name()).set_description(details.clone());
    }
    let mut case = TestCase::new(line(name), status);
    case.set_classname("pulsectl.audit");
    if failing.is_none() && !findings.is_empty() {
        case.set_system_out(details);
    }
    case
}

fn details(view: &AuditView<'_>, finding: &Finding) -> String {
    let mut details = format!(
        "{} ({}): {}\nsession: {}\n",
        finding.severity, finding.confidence, finding.claim, finding.session
    );
    for evidence in &finding.evidence {
        let evidence = shown(view.report, evidence, view.content);
        details.push_str(&format!(
            "{}:{}: {}\n  {}\n",
            evidence.path, evidence.line, evidence.role, evidence.text
        ));
    }
    details.push_str(&format!("next: {}\nfingerprint: {}\n", finding.next_action, finding.fingerprint));
    details
}

/// Text with every character that XML 1.0 forbids replaced, so that the writer removes nothing silently.
fn text(text: &str) -> XmlString {
    let allowed = |character: char| match character {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => !character.is_control(),
    };
    XmlString::new(text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect::<String>())
}

/// Text for an attribute: readers turn a line end there into a blank, so it is one from the start.
fn line(content: &str) -> XmlString {
    text(&content.replace(['\n', '\t'], " "))
}
