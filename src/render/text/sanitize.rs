//! The one sanitiser for text that goes to a person's terminal.
//!
//! Owns the list of characters that may steer a terminal or hide text. Must not be used for machine
//! formats that can escape by their own rules: those keep the data intact. CSV cannot.

use std::fmt::Write as _;

/// Whether a character may steer a terminal, reorder text or hide in it.
fn is_unsafe(character: char) -> bool {
    matches!(character,
        // C0 and C1 controls, DEL.
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul fillers, Mongolian separator.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{180e}'
        // Zero width, bidirectional marks, embeddings, overrides and isolates, line and paragraph ends.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Byte order mark, interlinear annotations, language tags.
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with everything that may steer a terminal made visible as an escape (`\u{1b}`, `\r`).
///
/// With `unicode` false, for a terminal whose locale is not UTF-8, all other characters outside ASCII
/// become escapes too. The result never has more than one line.
#[must_use]
pub fn sanitize(text: &str, unicode: bool) -> String {
    // Nearly all of a log is plain ASCII, which no terminal minds.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => safe.push_str("\\t"),
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            character if is_unsafe(character) || !(unicode || character.is_ascii()) => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(character));
            }
            character => safe.push(character),
        }
    }
    safe
}

/// The same for each line of a text whose line ends are its own, as of a machine format that goes to a terminal.
#[must_use]
pub fn sanitize_lines(text: &str, unicode: bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n');
        safe.push_str(&sanitize(content.unwrap_or(line), unicode));
        if content.is_some() {
            safe.push('\n');
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    // C0, C1, ESC, CR and bidi marks must not reach a terminal.
    #[test]
    fn what_steers_a_terminal_becomes_visible() {
        assert_eq!(sanitize("a\u{1b}[31mred\rb", true), "a\\u{1b}[31mred\\rb");
        assert_eq!(sanitize("\u{9b}2J\u{7f}\0", true), "\\u{9b}2J\\u{7f}\\u{0}");
        assert_eq!(sanitize("x\u{202e}y\u{200b}z\u{2066}", true), "x\\u{202e}y\\u{200b}z\\u{2066}");
        assert_eq!(sanitize("two\nlines\tand tab", true), "two\\nlines\\tand tab");
    }

    #[test]
    fn a_text_keeps_its_own_line_ends() {
        assert_eq!(
            sanitize_lines("id,title\na,\u{1b}[31m\u{202e}\r\n", true),
            "id,title\na,\\u{1b}[31m\\u{202e}\\r\n"
        );
        assert_eq!(sanitize_lines("a\n\nb", true), "a\n\nb");
    }

    #[test]
    fn ordinary_text_stays() {
        assert_eq!(sanitize("⏭️ Müller — \u{65e5}\u{672c}", true), "⏭️ Müller — \u{65e5}\u{672c}");
        assert_eq!(sanitize("M\u{fc}ller", false), "M\\u{fc}ller");
    }
}
