//! The user's own rules: they go through the same scan, one matching line is one finding.

use super::finding::{Evidence, Finding, Moment, Subject, SubjectKind};
use super::fingerprint::fingerprint;
use crate::events::KEPT_TEXT;
use crate::logs::{Line, Tag};
use crate::rules::custom::CustomRule;
use crate::rules::meta::Certainty;

/// Findings kept per rule: a pattern on a hot tag must not fill the memory.
pub(super) const KEPT_PER_RULE: usize = 10_000;

/// What the scan must look for so that the rules see their lines; behind the built-in tags, which win.
pub(super) fn tags(rules: &[CustomRule]) -> Vec<Tag> {
    rules
        .iter()
        .map(|rule| Tag {
            // The table lives as long as the program's one audit; so does its handful of texts.
            text: Box::leak(rule.tag().to_owned().into_boxed_str()),
            literals: &[],
            plain: false,
            raw_text: false,
        })
        .collect()
}

/// The finding of a rule on a line, where it matches.
pub(super) fn finding(rule: &CustomRule, line: &Line<'_>) -> Option<Finding> {
    if !line.message.starts_with(rule.tag().as_bytes()) {
        return None;
    }
    let found = rule.matches(line.message)?;
    let wall = line.wall.unwrap_or_default();
    let time = Moment { utc: wall - i64::from(line.zone_offset), offset: line.zone_offset };
    let start = time.utc.to_string();
    let fingerprint = fingerprint(&[rule.id(), &found.session, &found.claim, &start]);
    let subjects = if found.session.is_empty() {
        Vec::new()
    } else {
        vec![Subject::new(SubjectKind::Session, &*found.session)]
    };
    Some(Finding {
        rule: rule.id().to_owned(),
        name: rule.id().to_owned(),
        severity: rule.severity(),
        confidence: Certainty::Candidate,
        session: found.session,
        subjects,
        first_time: time,
        last_time: time,
        claim: found.claim,
        evidence: vec![Evidence {
            input: line.place.input,
            line: line.place.line,
            byte_offset: line.place.offset,
            byte_length: line.place.length,
            text: line.text.get(..KEPT_TEXT).unwrap_or(line.text).to_vec(),
            role: "the line that the rule looks for".to_owned(),
        }],
        ruled_out: Vec::new(),
        next_action: format!("see the rule `{}` in the config file", rule.id()),
        incident: format!("incident-{fingerprint}"),
        fingerprint,
    })
}
