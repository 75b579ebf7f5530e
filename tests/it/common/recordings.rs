//! The recordings of real servers, and what a server with a closed debug gate would have answered instead.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pulsectl::testing::model::snapshot::{Origin, Snapshot};
use pulsectl::testing::source::recorded;
use pulsectl::testing::wire::convert;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) use super::material::captures;

/// One moment of one recording: `http-before`, `http-after`, …
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// The recording's name, such as `plat171`.
    pub(crate) recording: String,
    /// The moment's name: `before`, `after`, `later`, `settled`, `end`.
    pub(crate) moment: String,
    /// The folder of answers.
    pub(crate) folder: PathBuf,
    /// The registries at that moment.
    pub(crate) registries: PathBuf,
}

/// Every recorded moment with this name (`before`), or every one at all (`""`), sorted.
pub(crate) fn moments(name: &str) -> Vec<Moment> {
    let mut moments = Vec::new();
    for recording in fs::read_dir(captures()).expect("the folder can be listed") {
        let recording = recording.expect("an entry can be read").path();
        if !recording.is_dir() {
            continue;
        }
        for part in fs::read_dir(&recording).expect("the folder can be listed") {
            let folder = part.expect("an entry can be read").path();
            let file_name = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
            let Some(moment) = file_name.strip_prefix("http-") else { continue };
            if name.is_empty() || moment == name {
                moments.push(Moment {
                    recording: recording.file_name().expect("it has a name").to_string_lossy().into_owned(),
                    moment: moment.to_owned(),
                    registries: recording.join(format!("registries-{moment}.json")),
                    folder,
                });
            }
        }
    }
    assert!(!moments.is_empty(), "there are recorded moments `{name}`");
    moments.sort_by(|left, right| (&left.recording, &left.moment).cmp(&(&right.recording, &right.moment)));
    moments
}

/// The snapshot that a folder of answers gives.
pub(crate) fn snapshot(folder: &Path) -> Snapshot {
    let answers = recorded::answers(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    convert::convert(answers, Origin::Recorded { path: folder.display().to_string() })
}

/// Copies a folder of answers as a server with its debug gate closed, the default, would have given them:
/// execution trees and terminals 404, `runtime_debug` false (captures/http, single-user-gate-closed.json).
pub(crate) fn with_closed_gate(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder can be made");
    let index = fs::read(folder.join("index.json")).expect("the index can be read");
    let mut entries: Vec<Value> = serde_json::from_slice(&index).expect("the index is a list");
    for entry in &mut entries {
        let file = entry["file"].as_str().expect("a file name").to_owned();
        let request = entry["request"].as_str().expect("a request").to_owned();
        let target = copy.path().join(&file);
        if request.contains("/execution-tree") || request.contains("/api/terminals") {
            entry["status"] = json!(404);
            entry["content_type"] = json!("text/plain; charset=utf-8");
            fs::write(target, "404 page not found\n").expect("the copy can be written");
            continue;
        }
        let mut body = fs::read(folder.join(&file)).expect("the answer can be read");
        if request == "GET /api/capabilities" {
            let mut flags: Value = serde_json::from_slice(&body).expect("capabilities are JSON");
            flags["runtime_debug"] = json!(false);
            flags["terminal_live_attach"] = json!(false);
            body = flags.to_string().into_bytes();
        }
        fs::write(target, body).expect("the copy can be written");
    }
    fs::write(copy.path().join("index.json"), json!(entries).to_string()).expect("the copy can be written");
    copy
}

/// An empty list of the server's is a null.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The server's own registries: ground truth that no client can get.
#[derive(Debug, Deserialize)]
pub(crate) struct Registries {
    #[serde(deserialize_with = "list")]
    pub(crate) background_agents: Vec<BackgroundAgent>,
    #[serde(deserialize_with = "list")]
    pub(crate) tracked: Vec<Tracked>,
    #[serde(deserialize_with = "list")]
    pub(crate) terminals: Vec<Terminal>,
    #[serde(deserialize_with = "list")]
    pub(crate) stopped_sessions: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub(crate) turn_cancel_sessions: Vec<String>,
}

/// A row of the background-agent registry.
#[derive(Debug, Deserialize)]
pub(crate) struct BackgroundAgent {
    pub(crate) id: String,
    pub(crate) session_id: String,
    pub(crate) status: String,
    pub(crate) has_cancel: bool,
    pub(crate) parent_execution_id: Option<String>,
    pub(crate) name: String,
    pub(crate) created_at: String,
    #[serde(default)]
    pub(crate) metadata: BTreeMap<String, String>,
}

/// A row of the tracked registry.
#[derive(Debug, Deserialize)]
pub(crate) struct Tracked {
    pub(crate) execution_id: String,
    pub(crate) session_id: String,
    pub(crate) source: String,
    pub(crate) kind: String,
    pub(crate) status: String,
    #[serde(default)]
    pub(crate) metadata: Option<BTreeMap<String, String>>,
}

/// A terminal of the terminal store.
#[derive(Debug, Deserialize)]
pub(crate) struct Terminal {
    pub(crate) terminal_id: String,
    pub(crate) session_id: String,
    pub(crate) active: bool,
    pub(crate) tmux_session: Option<String>,
}

/// Reads the registries of a moment.
pub(crate) fn registries(moment: &Moment) -> Registries {
    let bytes = fs::read(&moment.registries).expect("the registries can be read");
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", moment.registries.display()))
}
