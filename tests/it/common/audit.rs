//! An audit's JSON (formats.md, section 1) held against what a recording must give.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::captures::{Expected, Recording};
use super::{Answer, Pulsectl};

/// A file's name and content.
pub(crate) type File<'content> = (&'content str, &'content [u8]);

/// Severities, worst first.
const SEVERITIES: [&str; 5] = ["critical", "high", "medium", "low", "info"];

/// The document of one audit, and the exit code that came with it.
#[derive(Debug)]
pub(crate) struct Audit {
    document: Value,
    code: Option<i32>,
}

/// One finding of the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) fingerprint: String,
    pub(crate) rule: String,
    pub(crate) severity: String,
    pub(crate) session: String,
    /// Kind and id.
    pub(crate) subjects: Vec<(String, String)>,
}

impl Audit {
    /// Audits a file or folder. The error is a sentence for the test's message.
    pub(crate) fn of(input: &Path) -> Result<Self, String> {
        Self::from_answer(Pulsectl::audit(input).run())
    }

    /// Audits these logs: written as `server_debug.log` and `schedule.log` into one folder.
    pub(crate) fn of_logs(server: &[u8], schedule: &[u8]) -> Result<Self, String> {
        Self::of_files(&[("server_debug.log", server), ("schedule.log", schedule)])
    }

    /// Audits a folder with these files.
    pub(crate) fn of_files(files: &[File<'_>]) -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder can be made");
        for (name, content) in files {
            fs::write(folder.path().join(name), content).expect("a temporary file can be written");
        }
        Self::of(folder.path())
    }

    /// Reads the document that a call printed.
    pub(crate) fn from_answer(answer: Answer) -> Result<Self, String> {
        let document = serde_json::from_slice(&answer.stdout).map_err(|error| {
            format!("no JSON (exit code {:?}): {error}; stderr: {}", answer.code, answer.stderr.trim())
        })?;
        Ok(Self { document, code: answer.code })
    }

    /// The exit code.
    pub(crate) fn code(&self) -> Option<i32> {
        self.code
    }

    /// Whether nothing is missing, by its own word.
    pub(crate) fn is_complete(&self) -> bool {
        self.document["complete"] == true
    }

    /// All findings, sorted.
    pub(crate) fn findings(&self) -> Vec<Found> {
        let mut found: Vec<Found> = self.list("findings").iter().map(Found::from_json).collect();
        found.sort();
        found
    }

    /// The findings at this severity or above.
    pub(crate) fn findings_at(&self, severity: &str) -> Vec<Found> {
        let mut found = self.findings();
        found.retain(|found| found.at_least(severity));
        found
    }

    /// The stops of this session: time and verdict, in the document's order.
    pub(crate) fn stops(&self, session: &str) -> Vec<(String, String)> {
        self.list("stops")
            .iter()
            .filter(|stop| string(stop, "session") == session)
            .map(|stop| (string(stop, "time"), string(stop, "verdict")))
            .collect()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.document.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// What does not agree with the expectations: each expected finding at high or critical with its
    /// runs and items, nothing else at high or critical but what measured.md, section 9, expects beside
    /// them, and the exit code that follows.
    pub(crate) fn problems(&self, expect: &[Expected]) -> Vec<String> {
        let severe = self.findings_at("high");
        let mut problems = Vec::new();
        for expected in expect {
            if !severe.iter().any(|found| found.answers(expected)) {
                let near: Vec<_> =
                    self.findings().into_iter().filter(|found| found.rule == expected.rule).collect();
                problems.push(format!("missing at high or critical: {expected:?}; of that rule: {near:?}"));
            }
        }
        for found in &severe {
            if !expect.iter().any(|expected| found.belongs_to(expected)) {
                problems.push(format!("too much: {found:?}"));
            }
        }
        let code = if severe.is_empty() { 0 } else { 10 };
        if self.code != Some(code) {
            problems.push(format!(
                "exit code {:?} instead of {code}; gaps: {:?}",
                self.code,
                self.list("gaps")
            ));
        }
        problems
    }
}

impl Found {
    fn from_json(finding: &Value) -> Self {
        let subjects = finding.get("subjects").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self {
            fingerprint: string(finding, "fingerprint"),
            rule: string(finding, "rule"),
            severity: string(finding, "severity"),
            session: string(finding, "session"),
            subjects: subjects
                .iter()
                .map(|subject| (string(subject, "kind"), string(subject, "id")))
                .collect(),
        }
    }

    /// Whether it is this severe or more; a severity that formats.md does not name counts as the worst.
    pub(crate) fn at_least(&self, severity: &str) -> bool {
        let rank = |name: &str| SEVERITIES.iter().position(|known| *known == name).unwrap_or(0);
        rank(&self.severity) <= rank(severity)
    }

    fn has(&self, kind: &str, id: &str) -> bool {
        self.subjects.iter().any(|(its_kind, its_id)| its_kind == kind && its_id == id)
    }

    fn answers(&self, expected: &Expected) -> bool {
        self.rule == expected.rule
            && self.session == expected.session
            && expected.runs.iter().all(|run| self.has("run", run))
            && expected.items.iter().all(|item| self.has("item", item))
    }

    /// Whether it is the expected finding, with no run that is not, or one that measured.md, section 9,
    /// expects beside it.
    pub(crate) fn belongs_to(&self, expected: &Expected) -> bool {
        if self.session != expected.session {
            return false;
        }
        if self.rule == expected.rule {
            let runs = self.subjects.iter().filter(|(kind, _)| kind == "run");
            return runs.into_iter().all(|(_, run)| expected.runs.is_empty() || expected.runs.contains(run));
        }
        matches!((expected.rule.as_str(), self.rule.as_str()), ("PLS005", "PLS015") | ("PLS003", "PLS006"))
    }
}

/// Audits these logs and names each problem with the case it is of.
pub(crate) fn problems_of(case: &str, recording: &Recording, files: &[File<'_>]) -> Vec<String> {
    let problems = match Audit::of_files(files) {
        Ok(audit) => audit.problems(&recording.expect),
        Err(problem) => vec![problem],
    };
    problems.into_iter().map(|problem| format!("{} ({case}): {problem}", recording.name)).collect()
}

fn string(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The judge itself: a proof whose judge lets everything pass proves nothing.
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn audit(findings: &Value, code: i32) -> Audit {
        Audit { document: json!({ "findings": findings, "gaps": [] }), code: Some(code) }
    }

    fn finding(rule: &str, severity: &str, session: &str, subjects: &[(&str, &str)]) -> Value {
        let subjects: Vec<_> = subjects.iter().map(|(kind, id)| json!({ "kind": kind, "id": id })).collect();
        json!({ "rule": rule, "severity": severity, "session": session, "subjects": subjects })
    }

    fn expected() -> [Expected; 1] {
        [Expected {
            rule: "PLS005".to_owned(),
            session: "S".to_owned(),
            runs: vec!["run-1".to_owned()],
            items: vec!["item-1".to_owned()],
        }]
    }

    #[test]
    fn what_is_expected_and_what_measured_md_allows_beside_it_passes() {
        let collateral = finding("PLS005", "critical", "S", &[("run", "run-1"), ("item", "item-1")]);
        let beside = finding("PLS015", "high", "S", &[("run", "run-1")]);
        let below = finding("PLS012", "medium", "T", &[]);
        let audit = audit(&json!([collateral, beside, below]), 10);
        assert_eq!(audit.problems(&expected()), Vec::<String>::new());
    }

    #[test]
    fn each_deviation_is_a_problem() {
        let run = ("run", "run-1");
        let item = ("item", "item-1");
        let wrong = [
            ("another session", finding("PLS005", "critical", "T", &[run, item])),
            ("not severe", finding("PLS005", "medium", "S", &[run, item])),
            ("no item", finding("PLS005", "critical", "S", &[run])),
            ("the item as a run", finding("PLS005", "critical", "S", &[run, ("run", "item-1")])),
            ("a run too much", finding("PLS005", "critical", "S", &[run, item, ("run", "run-2")])),
        ];
        for (case, found) in wrong {
            assert_ne!(audit(&json!([found]), 10).problems(&expected()), Vec::<String>::new(), "{case}");
        }
        let right = finding("PLS005", "critical", "S", &[run, item]);
        assert_ne!(audit(&json!([right]), 0).problems(&expected()), Vec::<String>::new(), "the exit code");
        let both = json!([right, finding("PLS003", "high", "S", &[])]);
        assert_ne!(audit(&both, 10).problems(&expected()), Vec::<String>::new(), "a rule too much");
        assert_ne!(audit(&json!([]), 0).problems(&expected()), Vec::<String>::new(), "nothing found");
        let harmless = json!([finding("PLS015", "high", "S", &[])]);
        assert_ne!(audit(&harmless, 10).problems(&[]), Vec::<String>::new(), "a harmless recording blamed");
    }
}
