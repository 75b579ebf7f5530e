//! No circle among files: a file that needs another is never needed by it in turn, so that each can be read, tested
//! and changed alone (`CONTRIBUTING.md`). Lists of modules (`mod.rs`) are looked through, not counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::layering::{code_only, sources};

/// The code of every file, without its unit tests, by its module's path, such as `engine/plan/decide`.
struct Modules {
    files: BTreeMap<String, String>,
    /// Those that only list others.
    lists: BTreeSet<String>,
}

impl Modules {
    fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut modules = Self { files: BTreeMap::new(), lists: BTreeSet::new() };
        for (path, text) in files {
            let module = path.strip_suffix(".rs").unwrap_or(path);
            let listed = module.strip_suffix("/mod");
            let module = listed.unwrap_or(module).to_owned();
            if listed.is_some() {
                modules.lists.insert(module.clone());
            }
            let code = code_only(text);
            let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            modules.files.insert(module, code.to_owned());
        }
        modules
    }

    /// The files that each file needs.
    fn needs(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut needs = BTreeMap::new();
        for (module, code) in self.files.iter().filter(|(module, _)| !self.lists.contains(*module)) {
            let used = paths(code).into_iter().filter_map(|path| self.file_of(module, &path, 0));
            needs.insert(module.as_str(), used.filter(|used| used != module).collect());
        }
        needs
    }

    /// The file in which a path of this module ends, re-exports followed.
    fn file_of(&self, module: &str, path: &[String], depth: usize) -> Option<&str> {
        let mut place: Vec<&str> = match path.first()?.as_str() {
            "crate" => Vec::new(),
            _ => module.split('/').collect(),
        };
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => {
                    place.pop();
                }
                _ => break,
            }
            rest = others;
        }
        while let Some((first, others)) = rest.split_first() {
            place.push(first);
            if !self.files.contains_key(&place.join("/")) {
                place.pop();
                break;
            }
            rest = others;
        }
        let (found, code) = self.files.get_key_value(&place.join("/"))?;
        if let Some(name) = rest.first()
            && self.lists.contains(found)
            && depth < 8
        {
            let exported = exports(code).into_iter().find(|export| export.last() == Some(name));
            if let Some(export) = exported {
                return self.file_of(found, &export, depth + 1);
            }
        }
        (!self.lists.contains(found)).then_some(found)
    }

    /// The circles: files that need each other, directly or by way of others.
    fn circles(&self) -> Vec<Vec<&str>> {
        let needs = self.needs();
        let reach = |from: &str| {
            let mut found = BTreeSet::new();
            let mut next: Vec<&str> = needs.get(from).into_iter().flatten().copied().collect();
            while let Some(file) = next.pop() {
                if found.insert(file) {
                    next.extend(needs.get(file).into_iter().flatten());
                }
            }
            found
        };
        let reached: BTreeMap<&str, BTreeSet<&str>> = needs.keys().map(|file| (*file, reach(file))).collect();
        let circles = reached.iter().filter(|(file, found)| found.contains(*file)).map(|(file, found)| {
            let back = |other: &&str| reached.get(other).is_some_and(|found| found.contains(file));
            found.iter().copied().filter(back).collect::<Vec<_>>()
        });
        circles.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Every path in the code that begins with `crate`, `super` or `self`, each branch of a group by itself.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for root in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|before| !before.is_alphanumeric() && !"_:$".contains(before)) {
                branches(&code[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// What a list of modules re-exports, as paths from that list.
fn exports(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, word) in code.match_indices("use ") {
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        if line.trim_start().starts_with("pub") {
            branches(&code[at + word.len()..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Reads one tree of paths and returns what stands behind it.
fn branches<'a>(code: &'a str, above: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let depth = above.len();
    let mut rest = code.trim_start();
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        above.push(rest[..end].to_owned());
        rest = &rest[end..];
        let Some(next) = rest.strip_prefix("::") else { break };
        rest = next.trim_start();
    }
    if let Some(group) = rest.strip_prefix('{') {
        rest = group.trim_start();
        while !rest.is_empty() && !rest.starts_with('}') {
            let behind = branches(rest, above, found);
            // The name after `as`, and the comma.
            let end = behind.find([',', '}']).unwrap_or(behind.len());
            rest = behind[end..].trim_start_matches(',').trim_start();
        }
        rest = rest.strip_prefix('}').unwrap_or(rest);
    } else if above.len() > depth || rest.starts_with('*') {
        found.push(above.clone());
    }
    above.truncate(depth);
    rest
}

#[test]
fn no_new_circle_among_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let inside = file.strip_prefix(&root).expect("the file is below src");
            (inside.to_string_lossy().into_owned(), fs::read_to_string(file).expect("sources are UTF-8"))
        })
        .collect();
    let modules = Modules::of(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let needs: usize = modules.needs().values().map(BTreeSet::len).sum();
    assert!(needs > modules.files.len(), "the walk found what files need: {needs}");
    let circles = modules.circles();
    assert!(circles.is_empty(), "files that need each other: {circles:#?}");
}

// A check that cannot fail is none: each way of naming another file must be seen.
#[test]
fn circles_are_seen_through_every_kind_of_path() {
    let circles = |files: &[(&str, &str)]| -> Vec<String> {
        let modules = Modules::of(files.iter().copied());
        modules.circles().iter().map(|circle| circle.join(" ")).collect()
    };
    let back = ("a/two.rs", "use super::one::X;");
    for one in [
        "use super::two;",
        "use super::{three, two::Y as Z};",
        "use crate::{b, a::{three::T, two::{self, Y}}};",
        "fn f() { crate::a::two::g() }",
        "use super::Y;",
        "use crate::a::Y;",
    ] {
        let list = ("a/mod.rs", "mod one; mod two; mod three;\npub use one::X;\npub(crate) use two::{W, Y};");
        let three = ("a/three.rs", "use super::one::X;");
        let files = [("a/one.rs", one), back, three, list];
        assert!(circles(&files).iter().any(|circle| circle.contains("a/two")), "not seen: {one}");
    }
    let long = [("a.rs", "use crate::b::B;"), ("b.rs", "use crate::c::C;"), ("c.rs", "use crate::a::A;")];
    assert_eq!(circles(&long), ["a b c"]);
    let none = [
        ("a/one.rs", "// use super::two;\nuse super::three::X;\n#[cfg(test)]\nmod tests { use super::two; }"),
        back,
        ("a/three.rs", "const TEXT: &str = \"super::one\";"),
    ];
    assert!(circles(&none).is_empty(), "no circle: {:?}", circles(&none));
}
