//! How a person's terminal is written to: colour, glyphs and width. Owns the palette.

use std::borrow::Cow;

use owo_colors::Style as Paint;

use crate::rules::meta::Severity;

use super::sanitize::sanitize;

/// What the terminal of a person can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether colour is written. Colour repeats what the text says and never carries it.
    pub color: bool,
    /// Whether the locale is UTF-8.
    pub unicode: bool,
    /// Columns, or `None` where the output is not a terminal: then nothing is wrapped or cut.
    pub width: Option<usize>,
}

impl Style {
    /// Text from outside, made safe for the terminal.
    #[must_use]
    pub fn safe(&self, text: &str) -> String {
        sanitize(text, self.unicode)
    }

    /// Text that stands out.
    #[must_use]
    pub fn bold(&self, text: &str) -> String {
        self.paint(Paint::new().bold(), text)
    }

    /// Text of less weight.
    #[must_use]
    pub fn dim(&self, text: &str) -> String {
        self.paint(Paint::new().dimmed(), text)
    }

    /// Text in the colour of a severity.
    #[must_use]
    pub fn severity(&self, severity: Severity, text: &str) -> String {
        let paint = Paint::new();
        self.paint(
            match severity {
                Severity::Critical => paint.bold().red(),
                Severity::High => paint.red(),
                Severity::Medium => paint.yellow(),
                Severity::Low => paint.cyan(),
                Severity::Info => paint.blue(),
            },
            text,
        )
    }

    /// One of two spellings of our own text, by what the terminal can show.
    #[must_use]
    pub fn glyph(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    fn paint(&self, paint: Paint, text: &str) -> String {
        if self.color { paint.style(text).to_string() } else { text.to_owned() }
    }
}

/// Words of a text in lines of at most `width` columns; a longer word (an id) stays whole.
#[must_use]
pub fn wrap(text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else { return vec![text.to_owned()] };
    let options = textwrap::Options::new(width)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

/// Writes words after a lead, wrapped under where they begin.
pub(crate) fn write_hanging(out: &mut String, lead: &str, words: &str, style: &Style) {
    let indent = columns(lead);
    let room = style.width.map(|width| width.saturating_sub(indent).max(20));
    for (at, line) in wrap(words, room).iter().enumerate() {
        let lead = if at == 0 { lead.to_owned() } else { " ".repeat(indent) };
        out.push_str(&format!("{lead}{line}\n"));
    }
}

/// The text cut to a width, with a mark where something was cut off.
#[must_use]
pub fn cut(text: &str, width: usize, mark: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(columns(mark));
    let mut kept = String::new();
    let mut used = 0;
    for character in text.chars() {
        let columns = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
        if used + columns > room {
            break;
        }
        used += columns;
        kept.push(character);
    }
    kept + mark
}

/// How many columns a text takes.
#[must_use]
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A number with its thousands apart: `13,494`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its word: `1 stop`, `2 stops`.
#[must_use]
pub fn counted(number: u64, singular: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {singular}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_stay_whole() {
        assert_eq!(
            wrap("stop of workflow-full-mx2p37yb01 held", Some(12)),
            ["stop of", "workflow-full-mx2p37yb01", "held"]
        );
        assert_eq!(wrap("one line", None), ["one line"]);
    }

    #[test]
    fn a_cut_counts_columns_and_shows_its_mark() {
        assert_eq!(cut("abcdef", 6, "…"), "abcdef");
        assert_eq!(cut("abcdefg", 6, "..."), "abc...");
        assert_eq!(cut("日本語", 5, "…"), "日本…");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(13_494), "13,494");
        assert_eq!(grouped(999), "999");
        assert_eq!(counted(1, "stop"), "1 stop");
    }
}
