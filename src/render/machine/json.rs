//! The one place where JSON text is made. Owns the escapes that keep such text harmless on a terminal.

use std::fmt::Write as _;

use serde::Serialize;

/// Whether a character may reorder text, steer a terminal or end a line although JSON lets it stand as it is: DEL,
/// the C1 controls, the bidirectional marks, embeddings, overrides and isolates, the line ends of Unicode and the
/// byte order mark.
fn needs_escape(character: char) -> bool {
    matches!(character,
        '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}' | '\u{2066}'..='\u{2069}')
}

/// The JSON text with those characters as escapes. They stand only inside strings, so the document stays equal.
#[must_use]
pub fn escaped(json: String) -> String {
    if !json.contains(needs_escape) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 64);
    for character in json.chars() {
        if needs_escape(character) {
            // Writing to a string cannot fail.
            let _ = write!(safe, "\\u{:04x}", u32::from(character));
        } else {
            safe.push(character);
        }
    }
    safe
}

/// A document, indented, with a line end.
///
/// # Errors
/// When the value cannot be encoded.
pub fn document<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string_pretty(value)?) + "\n")
}

/// One object on one line, with a line end.
///
/// # Errors
/// When the value cannot be encoded.
pub fn line<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string(value)?) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    // The Trojan Source characters (U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F) and a C1 CSI.
    #[test]
    fn what_reorders_text_is_an_escape_and_the_document_stays_equal() {
        let hostile = "a\u{202e}b\u{2066}c\u{200f}d\u{9b}31m\u{7f}\u{1b}[0m \u{65e5}";
        let value = serde_json::json!({ "id": hostile, "\u{202a}key": ["\u{2069}\u{200e}\u{202c}"] });
        for text in [document(&value), line(&value)] {
            let text = text.expect("it encodes");
            assert!(
                !text.trim_end().contains(|c: char| needs_escape(c) || (c.is_control() && c != '\n')),
                "{text}"
            );
            assert!(text.contains("\\u202e") && text.contains('\u{65e5}'), "{text}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON"), value);
        }
    }
}
