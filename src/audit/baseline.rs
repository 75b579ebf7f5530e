//! The baseline: findings that are known and no longer fail. Owns the format `pulsectl.baseline/1`.
//!
//! Reads and writes text; files are opened by `cli`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::rules::meta::Severity;

use super::finding::Report;
use super::notice::{Notice, NoticeCode};
use super::retain::retain;

const SCHEMA: &str = "pulsectl.baseline/1";

/// A text that is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// Not the JSON of a baseline.
    #[error("the baseline is not readable: {0}")]
    Json(#[from] serde_json::Error),
    /// Another document or a later version.
    #[error("`{0}` is no baseline that this version reads")]
    Schema(String),
    /// A severity that does not exist.
    #[error("`{0}` is no severity")]
    Severity(String),
}

/// One known finding, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    rule: String,
    severity: String,
    session: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    schema: String,
    tool: Tool,
    created: String,
    findings: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tool {
    name: String,
    version: String,
}

/// Known findings by fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    created: String,
    known: BTreeMap<String, (Entry, Severity)>,
}

/// The baseline of a report: every finding in it, whatever a selection hides. `created` is RFC 3339.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn write(report: &Report, created: &str) -> serde_json::Result<String> {
    let entries: BTreeMap<&str, Entry> = report
        .findings
        .iter()
        .map(|finding| {
            let entry = Entry {
                fingerprint: finding.fingerprint.clone(),
                rule: finding.rule.clone(),
                severity: finding.severity.name().to_owned(),
                session: finding.session.clone(),
            };
            (finding.fingerprint.as_str(), entry)
        })
        .collect();
    let document = Document {
        schema: SCHEMA.to_owned(),
        tool: Tool { name: String::from("pulsectl"), version: env!("CARGO_PKG_VERSION").to_owned() },
        created: created.to_owned(),
        findings: entries.into_values().collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// When the text is no baseline of this version.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let document: Document = serde_json::from_str(text)?;
        if document.schema != SCHEMA {
            return Err(BaselineError::Schema(document.schema));
        }
        let mut known = BTreeMap::new();
        for entry in document.findings {
            let severity = Severity::from_name(&entry.severity)
                .ok_or_else(|| BaselineError::Severity(entry.severity.clone()))?;
            known.insert(entry.fingerprint.clone(), (entry, severity));
        }
        Ok(Self { created: document.created, known })
    }

    /// Known findings that a whole report does not show again.
    #[must_use]
    pub fn vanished(&self, report: &Report) -> Vec<Notice> {
        let seen: BTreeSet<&str> =
            report.findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
        self.known
            .values()
            .filter(|(entry, _)| !seen.contains(entry.fingerprint.as_str()))
            .map(|(entry, severity)| Notice {
                code: NoticeCode::BaselineVanished,
                message: format!(
                    "not seen again: {} ({severity}) of session {} in the baseline of {}",
                    entry.rule, entry.session, self.created
                ),
            })
            .collect()
    }

    /// Takes known findings out of a report and returns how many.
    ///
    /// A finding that has become worse than the baseline says is new.
    pub fn apply(&self, report: &mut Report) -> usize {
        retain(report, |finding| {
            self.known.get(&finding.fingerprint).is_none_or(|(_, severity)| finding.severity > *severity)
        })
    }
}
