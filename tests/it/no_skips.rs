//! No test ends before it has tried what it is for: a law that returns early passes without a word.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The lines of a source at which the body of a test itself, no closure in it, is left early. The formatter indents
/// by four, so the body of a test is what stands deeper than its `#[test]` up to the brace below it.
fn early_ends(source: &str) -> Vec<usize> {
    let lines: Vec<&str> = source.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for start in (0..lines.len()).filter(|index| lines[*index].trim() == "#[test]") {
        let outer = depth(lines[start]);
        // How deep each open closure or nested function stands: a `return` in there leaves only that.
        let mut inner: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate().skip(start + 2) {
            if line.trim().is_empty() {
                continue;
            }
            if depth(line) == outer && line.trim() == "}" {
                break;
            }
            inner.retain(|opened| depth(line) > *opened);
            let leaves = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            if inner.is_empty()
                && leaves.into_iter().any(|word| word == "return")
                && !line.trim().starts_with("//")
            {
                found.push(index + 1);
            }
            let text = line.trim_end();
            let closure = text.ends_with('{') && text.matches('|').count() >= 2 && !text.contains("||");
            if closure || text.trim_start().starts_with("fn ") {
                inner.push(depth(line));
            }
        }
    }
    found
}

#[test]
fn an_early_end_is_seen_and_one_of_a_closure_is_none() {
    let skips = "#[test]\nfn law() {\n    let Some(a) = b() else { return };\n    assert!(a);\n}\n";
    assert_eq!(early_ends(skips), [3]);
    let nested = "#[test]\nfn law() {\n    if absent() {\n        return;\n    }\n}\n";
    assert_eq!(early_ends(nested), [4]);
    let closure =
        "#[test]\nfn law() {\n    each(|a| {\n        if a {\n            return;\n        }\n    });\n}\n";
    assert_eq!(early_ends(closure), [0; 0]);
}

#[test]
fn no_test_returns_early() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = 0;
    let mut found = Vec::new();
    for path in sources(&folder.join("tests")).into_iter().chain(sources(&folder.join("src"))) {
        let source = fs::read_to_string(&path).expect("a source is UTF-8");
        tests += source.matches("#[test]").count();
        // This file quotes early ends.
        if path.ends_with(file!()) {
            continue;
        }
        found.extend(early_ends(&source).iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(tests > 450, "{tests} tests were looked at");
    assert!(found.is_empty(), "tests that may end without having tried anything:\n{}", found.join("\n"));
}
