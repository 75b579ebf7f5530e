//! The recordings: what is in them, what an audit must say.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::material::captures;

/// One entry of the recordings' index, or of a fixture's `.expect.json`.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    /// The folder's name.
    pub(crate) name: String,
    /// What ended something in it: `stop`, `terminal-death`, `none`, …
    pub(crate) trigger: String,
    /// The session that the trigger hit.
    pub(crate) session: Option<String>,
    /// All sessions of the scenario.
    pub(crate) sessions: Vec<String>,
    /// The findings that must be reported at high or critical; empty: nothing at high or critical.
    pub(crate) expect: Vec<Expected>,
}

/// A finding that must be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The rule's code.
    pub(crate) rule: String,
    /// The session.
    pub(crate) session: String,
    /// Runs that must be among the subjects.
    pub(crate) runs: Vec<String>,
    /// Items that must be among the subjects.
    pub(crate) items: Vec<String>,
}

impl Recording {
    /// Reads one entry of an index.
    pub(crate) fn from_json(entry: &Value) -> Self {
        let mut expect: Vec<Expected> = list(entry, "expect")
            .iter()
            .map(|expected| Expected {
                rule: text(expected, "rule").expect("an expectation names its rule"),
                session: text(expected, "session").expect("an expectation names its session"),
                runs: texts(expected, "runs"),
                items: texts(expected, "items"),
            })
            .collect();
        expect.sort_by(|one, other| one.rule.cmp(&other.rule));
        let mut rules: Vec<_> = expect.iter().map(|expected| expected.rule.clone()).collect();
        rules.dedup();
        let mut must_report = texts(entry, "audit_must_report");
        must_report.sort();
        assert_eq!(rules, must_report, "`expect` and `audit_must_report` name the same rules");
        Self {
            name: text(entry, "name").expect("an entry has a name"),
            trigger: text(entry, "trigger").expect("an entry has a trigger"),
            session: text(entry, "session"),
            sessions: texts(entry, "sessions"),
            expect,
        }
    }

    /// The folder with the recording.
    pub(crate) fn folder(&self) -> PathBuf {
        captures().join(&self.name)
    }

    /// The content of `server_debug.log`.
    pub(crate) fn server_log(&self) -> Vec<u8> {
        decompressed(&self.folder().join("server_debug.log.gz"))
    }

    /// The content of `schedule.log`.
    pub(crate) fn schedule_log(&self) -> Vec<u8> {
        decompressed(&self.folder().join("schedule.log.gz"))
    }

    /// The same expectations with every id mapped.
    pub(crate) fn map_ids(&self, map: impl Fn(&str) -> String) -> Self {
        let all = |ids: &[String]| ids.iter().map(|id| map(id)).collect::<Vec<_>>();
        Self {
            name: self.name.clone(),
            trigger: self.trigger.clone(),
            session: self.session.as_deref().map(&map),
            sessions: all(&self.sessions),
            expect: self
                .expect
                .iter()
                .map(|expected| Expected {
                    rule: expected.rule.clone(),
                    session: map(&expected.session),
                    runs: all(&expected.runs),
                    items: all(&expected.items),
                })
                .collect(),
        }
    }
}

/// The index of the recordings.
pub(crate) fn recordings() -> Vec<Recording> {
    let index = fs::read(captures().join("index.json")).expect("the index can be read");
    let index: Value = serde_json::from_slice(&index).expect("the index is JSON");
    let entries = index.as_array().expect("the index is a list");
    assert!(!entries.is_empty(), "the index lists recordings");
    entries.iter().map(Recording::from_json).collect()
}

/// A `.gz` file's content, all members.
pub(crate) fn decompressed(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).expect("the recording can be opened");
    let mut content = Vec::new();
    MultiGzDecoder::new(file).read_to_end(&mut content).expect("the recording decompresses");
    content
}

fn list<'value>(value: &'value Value, key: &str) -> &'value [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    list(value, key).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
