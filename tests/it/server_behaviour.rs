//! `docs/server-behaviour.md` is the one page that code and output cite: every cited heading exists, every fact
//! says how it is known, and no page outside of the repository is cited.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "server-behaviour.md#";

/// Pages that stand outside of the repository, as a citation begins with them, in small letters.
const OUTSIDE: [&str; 12] = [
    "measured, section",
    "measured.md",
    "stop-model",
    "pulse-api",
    "grammar, ",
    "log grammar",
    "log-grammar",
    "formats, section",
    "formats.md",
    "signatures, ",
    "signatures.md",
    "performance.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/server-behaviour.md")).expect("the page is part of the project")
}

/// The anchors of the page's headings, as code hosts make them.
fn anchors(page: &str) -> BTreeSet<String> {
    page.lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|heading| {
            let kept = heading.to_lowercase().replace(' ', "-");
            kept.chars().filter(|character| character.is_alphanumeric() || *character == '-').collect()
        })
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_cited_heading_exists_and_no_outside_page_is_cited() {
    let anchors = anchors(&page());
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut cited = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("sources are UTF-8");
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", file.display(), number + 1);
            for (at, _) in line.match_indices(PAGE) {
                let rest = &line[at + PAGE.len()..];
                let end = rest.find(|character: char| !character.is_ascii_lowercase() && character != '-');
                let anchor = &rest[..end.unwrap_or(rest.len())];
                cited.insert(anchor.to_owned());
                if !anchors.contains(anchor) {
                    wrong.push(format!("{place}: no heading `{anchor}`"));
                }
            }
            let line = line.to_lowercase();
            let outside = OUTSIDE.iter().filter(|page| line.contains(*page));
            wrong.extend(outside.map(|page| format!("{place}: cites {page}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cited.len() > 15, "the walk sees citations: {cited:?}");
}

#[test]
fn every_heading_says_how_its_facts_are_known() {
    for part in page().split("\n## ").skip(1) {
        let heading = part.lines().next().unwrap_or_default();
        let says = part.contains("*Measured") || part.contains("*From source");
        assert!(says || heading == "The server that was measured", "{heading}");
    }
}

#[test]
fn links_inside_the_page_lead_to_headings() {
    let page = page();
    let anchors = anchors(&page);
    let links: Vec<&str> = page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(!links.is_empty());
    for link in links {
        assert!(anchors.contains(link), "{link}");
    }
}
