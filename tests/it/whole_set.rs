//! What needs all of the material beside the project (`../shared`): the busy day, and that the pack which a fresh
//! clone uses instead is not stale. At a desk without it this says so; where `CI` is set its absence is a failure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::audit::Audit;
use crate::common::material::{packed_set, whole_set};

/// The packed sets of recordings, of whose index only a part is packed, and how many recordings that is at least.
const SETS: [(&str, usize); 2] = [("captures", 55), ("captures-structured", 12)];

/// Does the work where all of the material is there.
#[expect(clippy::print_stderr, reason = "who runs the tests is told what they could not try")]
fn with_the_whole_set(work: impl FnOnce(&Path)) {
    match whole_set() {
        Some(whole) => work(&whole),
        None => {
            assert!(std::env::var_os("CI").is_none(), "`../shared` is absent: not everything can be tried");
            eprintln!("not tried: `../shared` is not beside the project");
        }
    }
}

/// Fifty megabytes of normal work.
#[test]
fn the_busy_day_has_nothing_above_low() {
    with_the_whole_set(|whole| {
        let audit = Audit::of(&whole.join("captures/benign-busy-day")).expect("an answer");
        assert_eq!(audit.findings_at("medium"), []);
        assert_eq!(audit.code(), Some(0));
    });
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files
}

fn by_name(index: &Path) -> BTreeMap<String, Value> {
    let entries: Vec<Value> = serde_json::from_slice(&fs::read(index).expect("the index can be read"))
        .expect("the index is a list");
    let named = |entry: Value| (entry["name"].as_str().expect("an entry has a name").to_owned(), entry);
    entries.into_iter().map(named).collect()
}

#[test]
fn the_pack_holds_what_lies_beside_the_project() {
    let pack = packed_set();
    let packed = files(&pack);
    assert!(packed.len() > 1000, "{} files are packed", packed.len());
    for (set, least) in SETS {
        assert!(by_name(&pack.join(set).join("index.json")).len() >= least, "{set}");
    }
    with_the_whole_set(|whole| {
        for path in &packed {
            let name = path.strip_prefix(&pack).expect("it lies in the pack");
            let original = whole.join(name);
            if SETS.iter().any(|(set, _)| name == Path::new(set).join("index.json")) {
                let all = by_name(&original);
                for (recording, entry) in by_name(path) {
                    assert_eq!(all.get(&recording), Some(&entry), "{recording}: pack the recordings again");
                }
            } else {
                let same = fs::read(&original)
                    .is_ok_and(|content| content == fs::read(path).expect("it was unpacked"));
                assert!(same, "{}: pack the recordings again", name.display());
            }
        }
    });
}
