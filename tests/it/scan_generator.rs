//! The scanner on what lies beside the project: the sample of hazards, and the benchmark's generated log of 1 GB, of which 13,494 lines begin with one of 36 signatures
//! (performance.md, sections 1.5 and 8). Run it with `cargo test --release --test it scan_generator -- --ignored`.

use std::fs::{self, File};
use std::process::Command;

use crate::common::material::{root, whole_set};
use pulsectl::testing::logs::{ReadOptions, Reader, Tag, TagTable, ZoneSource, discover};

/// Signatures that are a part of their message, and the tag that the message begins with in the generator and in
/// the log grammar (tables A, B and C). A signature that begins with `[` is its own tag.
const TAGS: [(&str, &str); 8] = [
    ("stage=", "[COMPLETION_TRACE] "),
    ("aborting workshop creation", "[WORKFLOW_PHASE] "),
    ("has a cancellation guard", "[COMPLETION] "),
    ("is stopped/inactive", "[BG AGENT] "),
    ("Closed any tmux-backed", "[SESSION DEBUG] "),
    ("Tore down workflow", "[SESSION DEBUG] "),
    ("[", ""),
    ("", "[STOP] "),
];

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn tag_of(signature: &str) -> Tag {
    let (_, tag) =
        TAGS.iter().find(|(start, _)| signature.starts_with(start)).expect("the last row fits all");
    if tag.is_empty() {
        return Tag { text: leak(signature), literals: &[], plain: false, raw_text: false };
    }
    let literals = Box::leak(vec![leak(signature)].into_boxed_slice());
    Tag { text: tag, literals, plain: false, raw_text: false }
}

#[test]
#[ignore = "generates and reads 1 GB"]
fn the_scanner_counts_the_signatures_of_the_generated_log() {
    let bench = whole_set().expect("the generator lies beside the project").join("bench");
    let signatures = fs::read_to_string(bench.join("patterns.txt")).expect("the signatures can be read");
    let tags: Vec<Tag> = signatures.lines().map(tag_of).collect();
    assert_eq!(tags.len(), 36);

    let folder = tempfile::tempdir().expect("a folder for the test");
    let generator = folder.path().join("gen_log");
    let compiled = Command::new("rustc")
        .args(["-O", "--edition", "2021", "-o"])
        .arg(&generator)
        .arg(bench.join("gen_log.rs"))
        .status()
        .expect("a compiler built this test");
    assert!(compiled.success());
    let log = folder.path().join("server_debug.log");
    let output = File::create(&log).expect("the folder is writable");
    let generated = Command::new(&generator).arg("1G").stdout(output).status().expect("the generator runs");
    assert!(generated.success());

    let mut found = discover(&[log.to_string_lossy().into_owned()], false);
    let group = found.groups.pop().expect("one log");
    let table = TagTable::new(&tags);
    let mut reader = Reader::new(group.main, 0, &table, ReadOptions::default());
    let mut count = 0;
    while reader.next().is_some() {
        count += 1;
    }
    assert_eq!(count, 13_494);
    let (stats, gaps) = reader.finish();
    assert_eq!(stats[0].bytes, fs::metadata(&log).expect("it was written").len());
    assert!(gaps.is_empty(), "{gaps:?}");
}

/// Sample 20: its raw chunk (lines 3 to 6) quotes an incident, lines 10 and 20 are real.
#[test]
fn the_hazards_sample_has_no_false_event() {
    let path = root().join("logs/20-parser-hazards.log");
    let tag = |text| Tag { text, literals: &[], plain: false, raw_text: false };
    let table = TagTable::new(&[
        tag("[ACTIVE_SESSION] Updated"),
        tag("[CHAT_HISTORY] "),
        tag("[STOP] "),
        tag("[COMPLETION_TRACE] "),
    ]);
    let mut found = discover(&[path.to_string_lossy().into_owned()], false);
    let mut reader = Reader::new(found.groups.remove(0).main, 0, &table, ReadOptions::default());
    let mut numbers = Vec::new();
    while let Some(line) = reader.next() {
        numbers.push(line.place.line);
    }
    assert_eq!(numbers, [10, 20]);
    let (stats, gaps) = reader.finish();
    assert_eq!(stats[0].lines, 29);
    assert_eq!((stats[0].zone.offset, stats[0].zone.source), (19_800, ZoneSource::Logrus));
    assert!(gaps.is_empty(), "{gaps:?}");
}
