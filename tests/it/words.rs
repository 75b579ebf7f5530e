//! Every closed set of words is listed here, each word has a meaning, and a word that was renamed is seen.

use std::fs;
use std::path::Path;

use pulsectl::testing::audit::finding::{
    Cause, EntryKind, Fate, LogKind, Reached, Right, Verdict, ZoneSource,
};
use pulsectl::testing::audit::notice::NoticeCode;
use pulsectl::testing::engine::graph::{self, EdgeKind, NodeKind, Registry};
use pulsectl::testing::engine::overview::{RegistryStatus, SessionFlag};
use pulsectl::testing::engine::plan::{
    self, Flag, Outcome, PaneOutcome, PaneState, Policy, RevivalKind, TriggerKind,
};
use pulsectl::testing::engine::resolve::{Cancel, Class, TurnNature};
use pulsectl::testing::model::confidence::Confidence;
use pulsectl::testing::model::execution::{Status, TrackedSource};
use pulsectl::testing::model::fact::Rule;
use pulsectl::testing::model::gap::GapCode;
use pulsectl::testing::model::id::RowKind;
use pulsectl::testing::model::server::{ServerVersion, VersionSource};
use pulsectl::testing::model::status::{Phase, SessionStatus};
use pulsectl::testing::model::subject::SubjectKind;
use pulsectl::testing::model::terminal::{ProcessState, TerminalState};
use pulsectl::testing::model::unjudged::Unjudged;
use pulsectl::testing::model::words::{Set, Word};
use pulsectl::testing::render::format::Format;
use pulsectl::testing::render::sessions::columns::Column;
use pulsectl::testing::rules::meta::{Certainty, Maturity, Severity};

/// Every set. One that is declared and not named here fails [`every_declared_set_is_listed`].
fn sets() -> Vec<Set> {
    vec![
        Cancel::SET,
        Cause::SET,
        Certainty::SET,
        Class::SET,
        Column::SET,
        Confidence::SET,
        EdgeKind::SET,
        EntryKind::SET,
        Fate::SET,
        Flag::SET,
        Format::SET,
        GapCode::SET,
        LogKind::SET,
        Maturity::SET,
        NodeKind::SET,
        NoticeCode::SET,
        Outcome::SET,
        PaneOutcome::SET,
        PaneState::SET,
        Phase::SET,
        Policy::SET,
        ProcessState::SET,
        Reached::SET,
        Registry::SET,
        RegistryStatus::SET,
        RevivalKind::SET,
        Right::SET,
        RowKind::SET,
        Rule::SET,
        ServerVersion::SET,
        SessionFlag::SET,
        SessionStatus::SET,
        Severity::SET,
        Status::SET,
        SubjectKind::SET,
        TerminalState::SET,
        TrackedSource::SET,
        TriggerKind::SET,
        TurnNature::SET,
        Unjudged::SET,
        Verdict::SET,
        VersionSource::SET,
        graph::WarningCode::SET,
        plan::WarningCode::SET,
        ZoneSource::SET,
    ]
}

/// The texts of all sources.
fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is part of the project") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                texts.push(fs::read_to_string(&path).expect("sources are UTF-8"));
            }
        }
    }
    texts
}

/// The names of the enums that a source declares by one of the macros.
fn declared(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        // A declaration of a unit test is indented.
        is_inside |= ["words! {", "server_words! {", "wider_words! {"].contains(&line);
        if let Some(name) = line.trim().strip_prefix("pub enum ").filter(|_| is_inside) {
            found.push(name.trim_end_matches(" {"));
            is_inside = false;
        }
    }
    found
}

#[test]
fn every_declared_set_is_listed() {
    let texts = sources();
    let mut declared_names: Vec<&str> = texts.iter().flat_map(|text| declared(text)).collect();
    declared_names.sort_unstable();
    let listed: Vec<&str> = sets().iter().map(|set| set.name).collect();
    assert_eq!(declared_names, listed);
}

#[test]
fn every_word_has_a_meaning_and_stands_once() {
    for set in sets() {
        assert!(set.meaning.ends_with('.'), "{}: {}", set.name, set.meaning);
        let mut names: Vec<&str> = set.entries.iter().map(|entry| entry.name).collect();
        for entry in set.entries {
            assert!(entry.meaning.ends_with('.'), "{} of {}: {}", entry.name, set.name, entry.meaning);
            assert!(!entry.meaning.contains(".md"), "{} of {} cites a page", entry.name, set.name);
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), set.entries.len(), "a word of {} stands twice", set.name);
    }
}

/// The words of the machine formats are a contract (formats.md, sections 1 to 4): a rename must be seen.
#[test]
fn no_word_is_renamed_unseen() {
    let mut text = String::new();
    for set in sets() {
        let names: Vec<&str> = set.entries.iter().map(|entry| entry.name).collect();
        text.push_str(&format!("{}: {}\n", set.name, names.join(" ")));
    }
    insta::assert_snapshot!(text);
}

/// What a gap is called stands in one table; a second spelling would be a second code.
#[test]
fn the_code_of_a_gap_is_written_once() {
    let texts = sources();
    for code in GapCode::ALL {
        let quoted = format!("\"{code}\"");
        let count: usize = texts.iter().map(|text| text.matches(&quoted).count()).sum();
        assert_eq!(count, 1, "{code}");
    }
}
