//! YAML text that readers of YAML 1.1 and 1.2 take for the same document as the JSON: every string that either
//! might read as a date, a number, a truth value or nothing is quoted.

use yaml_serde::Value;

use super::json::escaped;

/// Words that YAML 1.1 reads as truth values or nothing, in small letters.
const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];

/// The document, with a line end.
#[must_use]
pub fn document(value: &Value) -> String {
    let mut out = String::new();
    write_block(&mut out, value, 0);
    out
}

/// Writes a value that begins on a line of its own.
fn write_block(out: &mut String, value: &Value, indent: usize) {
    let pad = " ".repeat(indent);
    match value {
        Value::Mapping(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                out.push_str(&pad);
                write_field(out, key, value, indent);
            }
        }
        Value::Sequence(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&pad);
                write_item(out, item, indent);
            }
        }
        scalar => out.push_str(&format!("{pad}{}\n", flow(scalar))),
    }
}

fn write_field(out: &mut String, key: &Value, value: &Value, indent: usize) {
    out.push_str(&format!("{}:", flow(key)));
    if is_block(value) {
        out.push('\n');
        // Items stand below their key, as most writers of YAML put them.
        let deeper = if value.is_sequence() { indent } else { indent + 2 };
        write_block(out, value, deeper);
    } else {
        out.push_str(&format!(" {}\n", flow(value)));
    }
}

/// An item; the first field of an object stands on the line of its dash.
fn write_item(out: &mut String, item: &Value, indent: usize) {
    out.push_str("- ");
    match item {
        Value::Mapping(fields) if !fields.is_empty() => {
            for (at, (key, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push_str(&" ".repeat(indent + 2));
                }
                write_field(out, key, value, indent + 2);
            }
        }
        Value::Sequence(items) if !items.is_empty() => {
            out.truncate(out.len() - 1);
            out.push('\n');
            write_block(out, item, indent + 2);
        }
        scalar => out.push_str(&format!("{}\n", flow(scalar))),
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Mapping(fields) => !fields.is_empty(),
        Value::Sequence(items) => !items.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tagged(_) => false,
    }
}

/// What stands on one line, as in JSON but for plain strings. No document holds tags.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Sequence(_) => String::from("[]"),
        Value::Mapping(_) => String::from("{}"),
        Value::Null | Value::Tagged(_) => String::from("null"),
    }
}

/// A string: plain where it begins with a letter and holds only what no YAML reads otherwise, else in double
/// quotes, whose escapes are those of JSON.
fn string(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { escaped(serde_json::Value::from(text).to_string()) }
}

fn is_plain(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' '))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    // YAML 1.1's types (yaml.org/type: timestamp, int with base 60, float, bool, null, merge), and texts that
    // would end a plain scalar.
    #[test]
    fn what_yaml_reads_as_something_else_is_quoted() {
        for text in [
            "2026-08-22",
            "2026-11-30T03:15:09Z",
            "03:15:09",
            "190:20:30",
            "1e3",
            "0x1f",
            "010",
            "1_000",
            ".5",
            ".inf",
            "-1",
            "+1",
            "~",
            "",
            "null",
            "Null",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "true",
            "False",
            "<<",
            "=",
            "a: b",
            "a #b",
            "- a",
            "a ",
            " a",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "\"a",
            "'a",
            "[a",
            "{a",
            "a\nb",
            "a\u{202e}b",
            "\u{1b}[31m",
            "blocked_by:reaper",
        ] {
            let quoted = string(text);
            assert!(quoted.starts_with('"') && quoted.ends_with('"') && quoted.len() > 1, "{quoted}");
            assert!(!quoted.contains(|c: char| c.is_control() || c == '\u{202e}'), "{quoted:?}");
        }
        for text in ["workflow-full-mx2p37yb01", "it ends", "pulsectl.plan/1", "yesterday"] {
            assert_eq!(string(text), text);
        }
    }

    #[test]
    fn the_document_is_the_same_as_the_json() {
        let value = serde_json::json!({
            "b": { "x": [], "y": {}, "z": null, "n": [1, -2.5, true, "no", ["deep", ["er"]], { "k": { "l": "m" } }] },
            "a": [{ "one": "2026-08-22", "two": [{ "three": "a: b\n- c" }] }], "if": "x", "blocked_by:reaper": 2,
        });
        let written =
            |value: &serde_json::Value| document(&yaml_serde::to_value(value).expect("it converts"));
        let read = |text: &str| yaml_serde::from_str::<serde_json::Value>(text).expect("it is YAML");
        assert_eq!(read(&written(&value)), value, "{}", written(&value));
        for scalar in [serde_json::json!([]), serde_json::json!("x"), serde_json::json!([[]])] {
            assert_eq!(read(&written(&scalar)), scalar);
        }
    }
}
