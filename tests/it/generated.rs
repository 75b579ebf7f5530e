//! Generated files are those that this program generates: run `cargo run -- generate` after a change.

use std::fs;
use std::path::{Path, PathBuf};

use pulsectl::testing::cli::commands::generate::{generated_files, with_tables};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn generated_files_are_fresh() {
    let mut stale = Vec::new();
    for (path, content) in generated_files(&pulsectl::testing::cli::command()).expect("they render") {
        if fs::read(root().join(&path)).ok() != Some(content) {
            stale.push(path);
        }
    }
    assert!(stale.is_empty(), "stale: {stale:?}");
}

#[test]
fn no_generated_file_is_left_over() {
    let generated: Vec<PathBuf> = generated_files(&pulsectl::testing::cli::command())
        .expect("they render")
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    for folder in ["completions", "man", "schemas"] {
        for entry in fs::read_dir(root().join(folder)).expect("the folder is part of the project") {
            let path = Path::new(folder).join(entry.expect("an entry can be read").file_name());
            assert!(generated.contains(&path), "nothing generates {}", path.display());
        }
    }
}

#[test]
fn the_tables_of_the_readme_are_fresh() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is UTF-8");
    assert_eq!(readme, with_tables(&readme).expect("the markers stand"));
    assert!(with_tables("no markers").is_err());
}
