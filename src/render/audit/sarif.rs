//! SARIF 2.1.0 of our own structs, for code scanning and other readers of static analysis.

use std::cmp::Reverse;

use serde::Serialize;

use crate::audit::finding::{Finding, Gap, Input, Report};
use crate::rules::meta::{Certainty, Maturity, RuleMeta, Severity};

use super::evidence::shown;
use super::view::AuditView;
use crate::render::machine::json;
use crate::render::rules;
use crate::render::text::moment::rfc3339;

/// GitHub keeps no more results of a run, and refuses a file with five times as many.
const CAP: usize = 5_000;

#[derive(Debug, Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    artifacts: Vec<Artifact>,
    results: Vec<SarifResult<'a>>,
    column_kind: &'static str,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Debug, Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    name: &'a str,
    short_description: Text<'a>,
    full_description: Text<'a>,
    help: Help<'a>,
    default_configuration: Configuration,
    properties: RuleProperties,
}

#[derive(Debug, Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct Help<'a> {
    text: &'a str,
    markdown: String,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct RuleProperties {
    severity: Severity,
    status: Maturity,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Debug, Serialize)]
struct Notification<'a> {
    descriptor: Descriptor<'a>,
    level: &'static str,
    message: Text<'a>,
}

#[derive(Debug, Serialize)]
struct Descriptor<'a> {
    id: &'a str,
}

#[derive(Debug, Serialize)]
struct Artifact {
    location: ArtifactLocation,
    length: u64,
}

#[derive(Debug, Clone, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints<'a>,
    properties: ResultProperties<'a>,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    message: Message,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    snippet: Message,
}

#[derive(Debug, Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "pulsectl/v1")]
    pulsectl: &'a str,
}

#[derive(Debug, Serialize)]
struct ResultProperties<'a> {
    severity: Severity,
    confidence: Certainty,
    session: &'a str,
    subjects: Vec<&'a str>,
    incident: &'a str,
    first_time: String,
    last_time: String,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(view: &AuditView<'_>) -> serde_json::Result<String> {
    let report = view.report;
    let mut kept: Vec<&Finding> = report.findings.iter().collect();
    // The worst ones are kept, each severity in the order of the report.
    kept.sort_by_key(|finding| Reverse(finding.severity));
    kept.truncate(CAP);
    let left_out = report.findings.len() - kept.len();
    let left_out = (left_out > 0).then(|| {
        format!(
            "{left_out} further results are left out: code scanning keeps {CAP}. `-o json` holds them all"
        )
    });
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "pulsectl",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: view.rules.iter().map(rule).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: report.complete() && view.lines() > 0,
                tool_execution_notifications: report
                    .gaps
                    .iter()
                    .map(notification)
                    .chain(view.notices.iter().map(|notice| Notification {
                        descriptor: Descriptor { id: notice.code.name() },
                        level: "note",
                        message: Text { text: &notice.message },
                    }))
                    .chain(left_out.as_deref().map(|message| Notification {
                        descriptor: Descriptor { id: "results_left_out" },
                        level: "warning",
                        message: Text { text: message },
                    }))
                    .collect(),
            }],
            artifacts: report.inputs.iter().map(artifact).collect(),
            results: kept.iter().map(|finding| result(finding, report, view)).collect(),
            column_kind: "unicodeCodePoints",
        }],
    };
    json::document(&log)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn rule(rule: &RuleMeta) -> Rule<'_> {
    Rule {
        id: rule.code,
        name: rule.name,
        short_description: Text { text: rule.summary },
        full_description: Text { text: rule.section("What it means").unwrap_or(rule.summary) },
        help: Help { text: rule.text, markdown: rules::markdown::render(&rules::json_v1::Rule::from(rule)) },
        default_configuration: Configuration { level: level(rule.severity) },
        properties: RuleProperties { severity: rule.severity, status: rule.status },
    }
}

fn notification(gap: &Gap) -> Notification<'_> {
    Notification {
        descriptor: Descriptor { id: gap.code.name() },
        level: if gap.code.is_incomplete() { "error" } else { "warning" },
        message: Text { text: &gap.message },
    }
}

fn artifact(input: &Input) -> Artifact {
    Artifact { location: ArtifactLocation { uri: uri(&input.path) }, length: input.bytes }
}

fn result<'a>(finding: &'a Finding, report: &'a Report, view: &AuditView<'_>) -> SarifResult<'a> {
    let mut locations: Vec<Location> = finding
        .evidence
        .iter()
        .map(|line| shown(report, line, view.content))
        .map(|line| Location {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(line.path) },
                region: Region { start_line: line.line.max(1), snippet: Message { text: line.text } },
            },
            message: Message { text: line.role.to_owned() },
        })
        .collect();
    let mut related = locations.split_off(locations.len().min(1));
    for (at, location) in related.iter_mut().enumerate() {
        location.id = Some(at + 1);
    }
    SarifResult {
        rule_id: &finding.rule,
        rule_index: view.rules.iter().position(|rule| rule.code == finding.rule),
        level: level(finding.severity),
        message: Message { text: format!("{} Next: {}", finding.claim, finding.next_action) },
        locations,
        related_locations: related,
        partial_fingerprints: Fingerprints { pulsectl: &finding.fingerprint },
        properties: ResultProperties {
            severity: finding.severity,
            confidence: finding.confidence,
            session: &finding.session,
            subjects: finding.subjects.iter().map(|subject| subject.id.as_str()).collect(),
            incident: &finding.incident,
            first_time: rfc3339(finding.first_time, view.clock),
            last_time: rfc3339(finding.last_time, view.clock),
        },
    }
}

/// A path as a URI reference: an absolute one with its scheme, everything but plain characters encoded.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
