//! Imports run one way (MODELS.md, section 2): this test reads every path in the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Who may use whom, besides itself.
const ALLOWED: [(&str, &[&str]); 13] = [
    ("model", &[]),
    ("config", &["model"]),
    ("logs", &["model"]),
    ("wire", &["model"]),
    ("engine", &["model"]),
    ("events", &["logs", "model"]),
    ("replay", &["events", "model"]),
    ("rules", &["replay", "events", "model"]),
    ("audit", &["rules", "replay", "events", "logs", "model"]),
    ("check", &["engine", "replay", "audit", "model"]),
    ("source", &["wire", "logs", "replay", "events", "config", "model"]),
    ("render", &["engine", "check", "audit", "rules", "model"]),
    (
        "cli",
        &[
            "model", "config", "logs", "wire", "source", "engine", "events", "replay", "rules", "audit",
            "check", "render",
        ],
    ),
];

/// The sources below a folder.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The source without comments and string literals, so that prose never counts as an import.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if rest.starts_with("r#\"") {
            rest = rest[3..].find("\"#").map_or("", |end| &rest[3 + end + 2..]);
        } else if character == '"' {
            let mut escaped = false;
            let end = rest[1..].char_indices().find(|&(_, inner)| {
                let ends = inner == '"' && !escaped;
                escaped = inner == '\\' && !escaped;
                ends
            });
            rest = end.map_or("", |(at, _)| &rest[at + 2..]);
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest = &rest[if rest.starts_with("'\"'") { 3 } else { 4 }..];
        } else {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    code
}

/// The top-level parts that a piece of code names after `crate::`, groups such as `crate::{a, b::c}` included.
fn parts_used(code: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0_usize;
            let mut name = String::new();
            let mut reading = true;
            for character in group.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        parts.push(std::mem::take(&mut name));
                        reading = true;
                    }
                    character if depth == 0 && reading => {
                        if character.is_alphanumeric() || character == '_' {
                            name.push(character);
                        } else if !character.is_whitespace() {
                            reading = false;
                        }
                    }
                    _ => {}
                }
            }
            parts.push(name);
        } else {
            parts.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn wrong_directions(part: &str, code: &str) -> Vec<String> {
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == part) else {
        return vec![format!("`{part}` is no known part")];
    };
    let mut wrong = Vec::new();
    for used in parts_used(code) {
        let known = ALLOWED.iter().any(|(name, _)| *name == used);
        if known && used != part && !allowed.contains(&used.as_str()) {
            wrong.push(format!("`{part}` uses `{used}`"));
        }
    }
    wrong
}

#[test]
fn imports_run_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 10, "the walk found the sources");
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).expect("the file is below src");
        let mut components = inside.components();
        let part = components.next().expect("a file has a name").as_os_str().to_string_lossy().into_owned();
        if components.next().is_none() {
            continue; // lib.rs and main.rs stand above the parts
        }
        let code = code_only(&fs::read_to_string(&file).expect("sources are UTF-8"));
        for message in wrong_directions(&part, &code) {
            wrong.push(format!("{}: {message}", inside.display()));
        }
    }
    assert!(wrong.is_empty(), "imports in a wrong direction:\n{}", wrong.join("\n"));
}

/// Only `Ui` prints, and what writes files where one of them is a standard stream; only `config/env.rs` reads the
/// environment; only `wire` speaks HTTP; only `logs`, `config`, `source` and `cli`
/// open files; only `cli` reads the clock (MODELS.md, section 2). What the server's versions do differently stands in
/// `engine/plan/behaviour.rs`; the other places read or name a version.
#[test]
fn effects_stay_where_they_belong() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let rules: [(&[&str], &[&str]); 6] = [
        (&["println!", "eprintln!", "io::stdout", "io::stderr"], &["cli/ui.rs", "cli/file_output.rs"]),
        (&["env::var"], &["config/env.rs"]),
        (&["reqwest::"], &["wire"]),
        (&["fs::", "File::open"], &["logs", "config", "source", "cli"]),
        (&["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"], &["cli"]),
        (&["ServerVersion::"], &["engine/plan/behaviour.rs", "source", "wire", "cli"]),
    ];
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).expect("the file is below src").to_string_lossy().into_owned();
        if inside.ends_with("/tests.rs") {
            continue; // only compiled for tests
        }
        let text = fs::read_to_string(&file).expect("sources are UTF-8");
        let code = code_only(text.split("#[cfg(test)]").next().unwrap_or(""));
        for (words, places) in &rules {
            if places.iter().any(|place| inside.starts_with(place)) {
                continue;
            }
            for word in *words {
                if code.contains(word) {
                    wrong.push(format!("{inside}: `{word}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "effects in a wrong place:\n{}", wrong.join("\n"));
}

#[test]
fn the_walk_sees_inline_paths_and_groups() {
    // A check that cannot fail is none: each of these must be seen.
    assert_eq!(wrong_directions("model", "use crate::logs::time;"), ["`model` uses `logs`"]);
    assert_eq!(wrong_directions("rules", "let x = crate::audit::run::go();"), ["`rules` uses `audit`"]);
    assert_eq!(wrong_directions("engine", "use crate::{model::id, wire::{a, b}};"), ["`engine` uses `wire`"]);
    assert!(wrong_directions("replay", "use crate::{events::Event, model::id::IdKind};").is_empty());
    assert!(parts_used(&code_only("// crate::cli\n\"crate::cli\"")).is_empty());
}
