//! `pulsectl.audit/1` as JSON and JSON lines: frozen structs of their own.
//!
//! Fields may be added; none is renamed or removed without a new number. The inner types never derive
//! these shapes, so they may change freely.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::audit::finding::{self, SubjectKind, ZoneSource};

use super::evidence_json::{Evidence, evidence};
use super::stop_json::{Stop, stop};
use super::view::AuditView;
use crate::model::document::{TOOL, Tool};
use crate::model::unjudged::Unjudged;
use crate::render::machine::document::{Gap, known};
use crate::render::machine::json;
use crate::render::text::moment::rfc3339;
use crate::rules::meta::{Certainty, Severity};

/// The name and version of the format.
pub const SCHEMA: &str = "pulsectl.audit/1";

/// One audit.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "pulsectl.audit/1")]
pub struct Audit<'a> {
    /// Always `pulsectl.audit/1`.
    #[schemars(extend("const" = "pulsectl.audit/1"))]
    pub schema: &'static str,
    /// Who wrote this.
    pub tool: Tool,
    /// Whether everything was read: false where a gap makes the answer incomplete.
    pub complete: bool,
    /// What was not read, not understood or not kept.
    pub gaps: Vec<Gap<'a>>,
    /// What a person should tidy up: vanished baseline entries, unused or expired suppressions.
    pub notices: Vec<Gap<'a>>,
    /// What was read.
    pub inputs: Vec<Input<'a>>,
    /// Counts.
    pub summary: Summary,
    /// Worst first, then by time. Left out in the closing line of JSON lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding<'a>>>,
    /// Findings that belong together.
    pub incidents: Vec<Incident<'a>>,
    /// Every stop episode, the harmless ones too.
    pub stops: Vec<Stop<'a>>,
    /// How many further stops were judged and are not listed.
    pub stops_omitted: u64,
    /// Only where `--timeline` asked for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<TimelineEntry<'a>>,
}

/// One input.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Input<'a> {
    /// The path as given, `-` for standard input.
    pub path: &'a str,
    /// `server_debug`, `schedule`, `desktop` or `unknown`.
    pub kind: &'a str,
    /// Bytes of decompressed content.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Lines that belong to no known line format.
    pub unparsed_lines: u64,
    /// Lines that no rule judges yet.
    pub unjudged: u64,
    /// The first time stamp (RFC 3339).
    pub first_time: Option<String>,
    /// The last time stamp (RFC 3339).
    pub last_time: Option<String>,
    /// The log's zone.
    pub time_zone: &'a str,
    /// `option`, `logrus`, `ids`, `wrapper`, `launcher` or `assumed`.
    pub time_zone_source: ZoneSource,
}

/// Counts of an audit.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Findings per severity; every severity has an entry.
    pub findings: BTreeMap<&'static str, usize>,
    /// Findings that are not shown.
    pub hidden: HiddenCounts,
    /// Stop episodes.
    pub stops: usize,
    /// Sessions that the log names.
    pub sessions: u64,
    /// Lines of all inputs.
    pub lines: u64,
    /// Bytes of decompressed content of all inputs.
    pub bytes: u64,
    /// Lines that tell of something that no rule judges yet, by what they tell.
    pub unjudged: Vec<UnjudgedCount>,
    /// The time of the newest line (RFC 3339); `null` where no line has one.
    pub newest_line: Option<String>,
}

/// Lines that no rule judges yet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UnjudgedCount {
    /// What they tell.
    pub template: Unjudged,
    /// How many.
    pub count: u64,
}

/// Findings that are not shown, and why.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HiddenCounts {
    /// By `--only`, `--skip` or `--min-severity`.
    pub by_selection: usize,
    /// Known by the baseline.
    pub known: usize,
    /// Suppressed by the config file.
    pub suppressed: usize,
}

/// What a finding is about.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Subject<'a> {
    /// `turn`, `run`, `step`, `item`, `agent`, `execution`, `terminal`, `schedule` or `session`.
    pub kind: SubjectKind,
    /// The id, exactly as the log gives it.
    pub id: &'a str,
}

/// One finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Finding<'a> {
    /// The rule's code, `PLS005`.
    pub rule: &'a str,
    /// The rule's name, `collateral-cancel`.
    pub name: &'a str,
    /// `critical`, `high`, `medium`, `low` or `info`.
    pub severity: Severity,
    /// `confirmed`, `probable` or `candidate`.
    pub confidence: Certainty,
    /// The session; `null` where the log does not say.
    pub session: Option<&'a str>,
    /// What it is about, main subjects first.
    pub subjects: Vec<Subject<'a>>,
    /// When it began (RFC 3339).
    pub first_time: String,
    /// When it ended as far as the log shows (RFC 3339).
    pub last_time: String,
    /// What happened.
    pub claim: &'a str,
    /// The lines that prove it.
    pub evidence: Vec<Evidence<'a>>,
    /// Harmless readings that do not apply.
    pub ruled_out: &'a [String],
    /// What to do now.
    pub next_action: &'a str,
    /// The same for the same incident, whatever file it stands in.
    pub fingerprint: &'a str,
    /// The id of its incident; `null` where it has none.
    pub incident: Option<&'a str>,
}

/// Findings that belong together.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Incident<'a> {
    /// Stable id.
    pub id: &'a str,
    /// One line.
    pub title: &'a str,
    /// The session; `null` where the log does not say.
    pub session: Option<&'a str>,
    /// When it began (RFC 3339).
    pub first_time: String,
    /// When it ended (RFC 3339).
    pub last_time: String,
    /// The worst of its findings.
    pub severity: Severity,
    /// Fingerprints of its findings.
    pub findings: &'a [String],
}

/// One line of a timeline.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TimelineEntry<'a> {
    /// When (RFC 3339).
    pub time: String,
    /// The session.
    pub session: &'a str,
    /// What happened.
    pub what: &'a str,
    /// The line.
    pub evidence: Evidence<'a>,
}

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(view: &AuditView<'_>) -> serde_json::Result<String> {
    json::document(&audit(view))
}

/// One finding per line, then one line with `schema` and everything but the findings.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render_lines(view: &AuditView<'_>) -> serde_json::Result<String> {
    let mut document = audit(view);
    let mut out = String::new();
    for finding in document.findings.take().unwrap_or_default() {
        out.push_str(&json::line(&finding)?);
    }
    out.push_str(&json::line(&document)?);
    Ok(out)
}

/// The document of a report.
#[must_use]
pub fn audit<'a>(view: &AuditView<'a>) -> Audit<'a> {
    let report = view.report;
    Audit {
        schema: SCHEMA,
        tool: TOOL,
        complete: report.complete(),
        gaps: report.gaps.iter().map(|gap| Gap { code: gap.code.name(), message: &gap.message }).collect(),
        notices: view
            .notices
            .iter()
            .map(|notice| Gap { code: notice.code.name(), message: &notice.message })
            .collect(),
        inputs: report.inputs.iter().map(|input| self::input(input, view)).collect(),
        summary: Summary {
            findings: report.counts().into_iter().map(|(severity, count)| (severity.name(), count)).collect(),
            hidden: HiddenCounts {
                by_selection: view.hidden.by_selection,
                known: view.hidden.known,
                suppressed: view.hidden.suppressed,
            },
            stops: report.stops.len(),
            sessions: report.sessions,
            lines: view.lines(),
            bytes: view.bytes(),
            unjudged: report
                .unjudged
                .iter()
                .map(|(template, count)| UnjudgedCount { template: *template, count: *count })
                .collect(),
            newest_line: report
                .inputs
                .iter()
                .filter_map(|input| input.last_time)
                .max_by_key(|time| time.utc)
                .map(|time| rfc3339(time, view.clock)),
        },
        findings: Some(report.findings.iter().map(|finding| self::finding(finding, view)).collect()),
        incidents: report.incidents.iter().map(|incident| self::incident(incident, view)).collect(),
        stops: report.stops.iter().enumerate().map(|(at, of)| stop(of, view, at)).collect(),
        stops_omitted: report.stops_omitted,
        timeline: report
            .timeline
            .iter()
            .map(|entry| TimelineEntry {
                time: rfc3339(entry.time, view.clock),
                session: &entry.session,
                what: &entry.what,
                evidence: evidence(&entry.evidence, view),
            })
            .collect(),
    }
}

fn input<'a>(input: &'a finding::Input, view: &AuditView<'a>) -> Input<'a> {
    Input {
        path: &input.path,
        kind: input.kind.name(),
        bytes: input.bytes,
        lines: input.lines,
        unparsed_lines: input.unparsed_lines,
        unjudged: input.unjudged,
        first_time: input.first_time.map(|time| rfc3339(time, view.clock)),
        last_time: input.last_time.map(|time| rfc3339(time, view.clock)),
        time_zone: &input.time_zone,
        time_zone_source: input.time_zone_source,
    }
}

fn finding<'a>(finding: &'a finding::Finding, view: &AuditView<'a>) -> Finding<'a> {
    Finding {
        rule: &finding.rule,
        name: &finding.name,
        severity: finding.severity,
        confidence: finding.confidence,
        session: known(&finding.session),
        subjects: finding
            .subjects
            .iter()
            .map(|subject| Subject { kind: subject.kind, id: &subject.id })
            .collect(),
        first_time: rfc3339(finding.first_time, view.clock),
        last_time: rfc3339(finding.last_time, view.clock),
        claim: &finding.claim,
        evidence: finding.evidence.iter().map(|line| evidence(line, view)).collect(),
        ruled_out: &finding.ruled_out,
        next_action: &finding.next_action,
        fingerprint: &finding.fingerprint,
        incident: known(&finding.incident),
    }
}

fn incident<'a>(incident: &'a finding::Incident, view: &AuditView<'a>) -> Incident<'a> {
    Incident {
        id: &incident.id,
        title: &incident.title,
        session: known(&incident.session),
        first_time: rfc3339(incident.first_time, view.clock),
        last_time: rfc3339(incident.last_time, view.clock),
        severity: incident.severity,
        findings: &incident.findings,
    }
}
