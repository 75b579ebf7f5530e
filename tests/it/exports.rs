//! The library is no interface: besides the program's entry it gives out what tests, benches and fuzz targets use, in
//! one list. So the compiler sees what nothing uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .expect("the file is part of the project")
}

/// The words of the code in a folder and in those below it.
fn words(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            words(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let parts = text.split(|character: char| !character.is_alphanumeric() && character != '_');
            found.extend(parts.map(str::to_owned));
        }
    }
}

#[test]
fn only_the_entry_and_the_list_are_given_out() {
    let root = read("src/lib.rs");
    let public: Vec<&str> = root.lines().filter(|line| line.starts_with("pub ")).collect();
    assert_eq!(public, ["pub mod testing;", "pub use cli::run;"]);
}

#[test]
fn everything_in_the_list_is_used() {
    let mut used = BTreeSet::new();
    for folder in ["tests", "benches", "fuzz"] {
        words(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut used);
    }
    let list = read("src/testing.rs");
    let exported: Vec<&str> = list
        .split(';')
        .filter_map(|statement| statement.split_once("pub use crate::"))
        .flat_map(|(_, path)| path.rsplit("::").next().unwrap_or_default().split(','))
        .map(|name| name.trim_matches(|character: char| !character.is_alphanumeric() && character != '_'))
        .filter(|name| !name.is_empty())
        .collect();
    assert!(exported.len() > 100, "the list was not read: {exported:?}");
    let idle: Vec<&str> = exported.into_iter().filter(|name| !used.contains(*name)).collect();
    assert!(idle.is_empty(), "nothing uses {idle:?}");
}
