//! Groups and workflows renamed to names with blanks and quotes, each occurrence spelled as the server would
//! spell it there: bare in context prefixes, quoted in logrus fields, escaped inside quotes, as a slug in run
//! folders and ids, percent-encoded in addresses.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};

use super::pieces::rewrite;

/// What a name names: a workflow is never a slug, a group is one in folders and ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Workflow,
    Group,
}

/// One new name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Renaming {
    pub(crate) kind: Named,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
}

/// The names of all recordings, and what stands for each: single blanks and quotes, so that the slug is the
/// same whether or not a server folds several dashes into one.
pub(crate) const BLANKS_AND_QUOTES: [Renaming; 7] = [
    Renaming { kind: Named::Group, from: "group-1", to: "Bob\"s Region" },
    Renaming { kind: Named::Group, from: "group-2", to: "Ann's List" },
    Renaming { kind: Named::Group, from: "North Region", to: "North \"EU" },
    Renaming { kind: Named::Workflow, from: "invoice-sync", to: "Invoices \"old\" & new" },
    Renaming { kind: Named::Workflow, from: "daily-report", to: "Daily \"report\"" },
    Renaming { kind: Named::Workflow, from: "claims-review", to: "Claims, \"all\" = review" },
    Renaming { kind: Named::Workflow, from: "vendor payments", to: "Vendor's \"payments\"" },
];

/// The log with other names; stated chunk lengths follow.
pub(crate) fn renamed(log: &[u8], renamings: &[Renaming]) -> Vec<u8> {
    rewrite(log, |line| line_renamed(line, renamings), |body| text_renamed(body, renamings))
}

static LOGRUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u)([a-z_.]+)=("(?:[^"\\]|\\.)*"|[^" ][^ ]*)"#).expect("a correct pattern")
});

static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?-u)([= ])("(?:[^"\\]|\\.)*")"#).expect("a correct pattern"));

fn line_renamed(line: &[u8], renamings: &[Renaming]) -> Vec<u8> {
    if line.starts_with(b"time=\"") {
        return LOGRUS
            .replace_all(line, |found: &Captures<'_>| {
                let value = value_renamed(&found[2], renamings, true);
                [&found[1], b"=", &value].concat()
            })
            .into_owned();
    }
    // Quoted values are changed within their quotes, all else as it stands.
    let mut renamed = Vec::with_capacity(line.len());
    let mut copied = 0;
    for found in QUOTED.captures_iter(line) {
        let Some(value) = found.get(2) else { continue };
        renamed.extend(text_renamed(&line[copied..value.start()], renamings));
        renamed.extend(value_renamed(value.as_bytes(), renamings, false));
        copied = value.end();
    }
    renamed.extend(text_renamed(&line[copied..], renamings));
    renamed
}

/// A value, quoted or bare. A bare logrus value that now needs quotes gets them.
fn value_renamed(value: &[u8], renamings: &[Renaming], is_logrus: bool) -> Vec<u8> {
    let Some(inner) = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        let renamed = text_renamed(value, renamings);
        let bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"._/@^+-".contains(byte);
        let needs_quotes = is_logrus && renamed != value && !renamed.iter().all(bare);
        return if needs_quotes { quoted(&renamed) } else { renamed };
    };
    let plain = unquoted(inner);
    let renamed = text_renamed(&plain, renamings);
    if renamed == plain { value.to_vec() } else { quoted(&renamed) }
}

/// Go's `%q` for text, as far as the logs use it.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in text {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b'\n' => quoted.extend(b"\\n"),
            b'\t' => quoted.extend(b"\\t"),
            b'\r' => quoted.extend(b"\\r"),
            0..0x20 | 0x7f => quoted.extend(format!("\\x{byte:02x}").into_bytes()),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}

/// The inverse of [`quoted`]; escapes that it does not write stay as they are.
fn unquoted(inner: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'\\' {
            plain.push(*byte);
            continue;
        }
        match bytes.next() {
            Some(b'n') => plain.push(b'\n'),
            Some(b't') => plain.push(b'\t'),
            Some(b'r') => plain.push(b'\r'),
            Some(escaped @ (b'"' | b'\\')) => plain.push(*escaped),
            Some(other) => plain.extend([b'\\', *other]),
            None => plain.push(b'\\'),
        }
    }
    plain
}

/// Text outside quotes, or what stood inside them.
fn text_renamed(text: &[u8], renamings: &[Renaming]) -> Vec<u8> {
    renamings.iter().fold(text.to_vec(), |text, renaming| one_renamed(&text, *renaming))
}

fn one_renamed(text: &[u8], renaming: Renaming) -> Vec<u8> {
    let mut spellings = vec![(renaming.from.as_bytes().to_vec(), false)];
    if slug(renaming.from) != renaming.from {
        spellings.push((slug(renaming.from).into_bytes(), true));
        spellings.push((renaming.from.replace(' ', "%20").into_bytes(), false));
    }
    spellings.into_iter().fold(text.to_vec(), |text, (from, is_slug)| {
        let mut renamed = Vec::with_capacity(text.len());
        let mut copied = 0;
        for at in memchr::memmem::find_iter(&text, &from) {
            let (before, after) = (&text[..at], &text[at + from.len()..]);
            if at < copied || is_inside_word(before, after) {
                continue;
            }
            renamed.extend(&text[copied..at]);
            renamed.extend(spelled(renaming, is_slug, before, after));
            copied = at + from.len();
        }
        renamed.extend(&text[copied..]);
        renamed
    })
}

fn is_inside_word(before: &[u8], after: &[u8]) -> bool {
    let joined = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_encoded_slash = before.ends_with(b"%2F");
    (joined(before.last()) && !is_encoded_slash) || joined(after.first())
}

fn spelled(renaming: Renaming, is_slug: bool, before: &[u8], after: &[u8]) -> Vec<u8> {
    let name = renaming.to;
    let in_folder_or_id = before.ends_with(b"/") || before.ends_with(b"-") || before.ends_with(b"%2F");
    let verbatim_id = before.ends_with(b"session-group-");
    if is_slug || (renaming.kind == Named::Group && in_folder_or_id && !verbatim_id) {
        return slug(name).into_bytes();
    }
    let word = before.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    if before.ends_with(b"%2F") || memchr::memmem::find(word, b"/api/").is_some() {
        return percent_encoded(name);
    }
    // Inside JSON: as many backslashes as the enclosing quote has, and one more.
    if let Some(open) = before.strip_suffix(b"\"")
        && (after.starts_with(b"\"") || after.starts_with(b"\\"))
    {
        let depth = open.iter().rev().take_while(|byte| **byte == b'\\').count();
        let escape = format!("{}\"", "\\".repeat(depth * 2 + 1));
        return name.replace('"', &escape).into_bytes();
    }
    name.as_bytes().to_vec()
}

/// The folder and id form of a name: lower case, `[^a-z0-9_-]` to `-` (log-grammar.md, section 3).
fn slug(name: &str) -> String {
    let letter = |letter: char| {
        let lower = letter.to_ascii_lowercase();
        if lower.is_ascii_alphanumeric() || lower == '_' || lower == '-' { lower } else { '-' }
    };
    name.chars().map(letter).collect()
}

/// The name in an address.
fn percent_encoded(name: &str) -> Vec<u8> {
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            vec![byte]
        } else {
            format!("%{byte:02X}").into_bytes()
        }
    };
    name.bytes().flat_map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(line: &str) -> String {
        String::from_utf8(renamed(line.as_bytes(), &BLANKS_AND_QUOTES)).expect("text")
    }

    /// Line shapes of the recordings `plat171` and `terminal-death-ist-blanks`.
    #[test]
    fn each_place_has_its_spelling() {
        let cases = [
            (
                "2026/11/30 03:14:56 [workflow=invoice-sync group=group-1 mode=workflow] [SCHEDULER] a",
                "2026/11/30 03:14:56 [workflow=Invoices \"old\" & new group=Bob\"s Region mode=workflow] [SCHEDULER] a",
            ),
            (
                "time=\"2026-11-30T03:15:00Z\" level=info msg=\"🔗 Generated unique MCP session ID for group group-1: session-group-group-1-1796008500333909994 (run folder: iteration-0/group-1)\" file=\"logger.go:177\" group=group-1 workflow=invoice-sync",
                "time=\"2026-11-30T03:15:00Z\" level=info msg=\"🔗 Generated unique MCP session ID for group Bob\\\"s Region: session-group-Bob\\\"s Region-1796008500333909994 (run folder: iteration-0/bob-s-region)\" file=\"logger.go:177\" group=\"Bob\\\"s Region\" workflow=\"Invoices \\\"old\\\" & new\"",
            ),
            (
                "[SHELL] Set default working dir for session msgseq-iteration-0-group-1-group-1-step-1-collect-invoices: Workflow/invoice-sync/runs/iteration-0/group-1/execution",
                "[SHELL] Set default working dir for session msgseq-iteration-0-bob-s-region-bob-s-region-step-1-collect-invoices: Workflow/Invoices \"old\" & new/runs/iteration-0/bob-s-region/execution",
            ),
            (
                "[STOP] session=S tracked execution marked canceled: id=workflow-full-mx2p37yb01 kind=workflow_builder_task name=\"full-run [group-1 / iteration-0]\"",
                "[STOP] session=S tracked execution marked canceled: id=workflow-full-mx2p37yb01 kind=workflow_builder_task name=\"full-run [Bob\\\"s Region / iteration-0]\"",
            ),
            (
                "x query=Start. [[tool run {\"group_name\":\"group-1\"}]] session-group-default-group-1796008500333909994 group-12",
                "x query=Start. [[tool run {\"group_name\":\"Bob\\\"s Region\"}]] session-group-default-group-1796008500333909994 group-12",
            ),
            (
                "GET /api/documents/Workflow/invoice-sync/a?folder=Workflow%2Finvoice-sync%2Fruns",
                "GET /api/documents/Workflow/Invoices%20%22old%22%20%26%20new/a?folder=Workflow%2FInvoices%20%22old%22%20%26%20new%2Fruns",
            ),
            (
                "session-group-North Region-1796011856684188491 runs/iteration-0/north-region/execution Workflow/vendor%20payments",
                "session-group-North \"EU-1796011856684188491 runs/iteration-0/north--eu/execution Workflow/Vendor's \"payments\"",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(changed(line), expected);
        }
    }

    #[test]
    fn quoting_is_undone_by_unquoting() {
        let text = "a \"b\" \\ c\n\td — ü".as_bytes();
        let quoted = quoted(text);
        assert_eq!(unquoted(&quoted[1..quoted.len() - 1]), text);
    }
}
