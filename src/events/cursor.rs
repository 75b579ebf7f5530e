//! Reads a message from left to right, the way its template was printed. Never searches inside what people wrote.

use memchr::{memchr_iter, memchr2, memchr3};

/// A position in a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Goes past a literal that must come next.
    pub(super) fn literal(&mut self, literal: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(literal)?;
        Some(())
    }

    /// What stands before the next occurrence of a literal; goes past both.
    pub(super) fn until(&mut self, literal: &str) -> Option<&'a str> {
        // Messages are short: the first byte and a comparison cost less than the set-up of a better search.
        let first = *literal.as_bytes().first()?;
        let at = memchr_iter(first, self.rest.as_bytes())
            .find(|&at| self.rest.as_bytes()[at..].starts_with(literal.as_bytes()))?;
        let before = &self.rest[..at];
        self.rest = &self.rest[at + literal.len()..];
        Some(before)
    }

    /// A word: up to the next blank or the end. Never empty.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let end = memchr2(b' ', b'\t', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// A word that ends before a closing character of ASCII such as `)` or `:`.
    pub(super) fn word_before(&mut self, end: u8) -> Option<&'a str> {
        let at = memchr3(end, b' ', b'\t', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(at);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// An unsigned number.
    pub(super) fn number(&mut self) -> Option<u64> {
        let end = self.rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    /// A Go-quoted string (`%q`), unquoted.
    pub(super) fn quoted(&mut self) -> Option<String> {
        let (text, rest) = unquote_prefix(self.rest)?;
        self.rest = rest;
        Some(text)
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

/// Unquotes the Go-quoted string at the start of `text`; gives it and what follows the closing quote.
///
/// `None` where the text does not begin with a quote or the closing one is missing. Unknown escapes stay as
/// they are; a lone surrogate or an invalid byte becomes the replacement character.
pub(super) fn unquote_prefix(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut unquoted = String::with_capacity(inner.len().min(256));
    let mut characters = inner.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((unquoted, &inner[at + 1..])),
            '\\' => {
                let (_, escape) = characters.next()?;
                let digits = match escape {
                    'n' => {
                        unquoted.push('\n');
                        continue;
                    }
                    't' => {
                        unquoted.push('\t');
                        continue;
                    }
                    'r' => {
                        unquoted.push('\r');
                        continue;
                    }
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    'a' | 'b' | 'f' | 'v' => {
                        unquoted.push(char::REPLACEMENT_CHARACTER);
                        continue;
                    }
                    other => {
                        unquoted.push(other);
                        continue;
                    }
                };
                let mut value = 0_u32;
                for _ in 0..digits {
                    let (_, digit) = characters.next()?;
                    value = value.wrapping_mul(16).wrapping_add(digit.to_digit(16)?);
                }
                unquoted.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            other => unquoted.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_quoting_is_undone() {
        // Go's %q: escaped quotes, newlines, hex and unicode escapes; emoji stay as they are.
        assert_eq!(
            unquote_prefix(r#""a \"b\"\n✅ \u00e9\x41" rest"#),
            Some(("a \"b\"\n✅ éA".into(), " rest"))
        );
        assert_eq!(unquote_prefix(r#""never closed"#), None);
        assert_eq!(unquote_prefix("bare"), None);
        assert_eq!(unquote_prefix(r#""cut \u00"#), None);
    }

    #[test]
    fn a_template_is_read_in_order() {
        let mut cursor = Cursor::new("session=s-1 canceled=12 (reason=\"x y\" phase=failed)");
        assert_eq!(cursor.literal("session="), Some(()));
        assert_eq!(cursor.word(), Some("s-1"));
        assert_eq!(cursor.until("canceled="), Some(" "));
        assert_eq!(cursor.number(), Some(12));
        assert_eq!(cursor.literal(" (reason="), Some(()));
        assert_eq!(cursor.quoted().as_deref(), Some("x y"));
        assert_eq!(cursor.literal(" phase="), Some(()));
        assert_eq!(cursor.word_before(b')'), Some("failed"));
        assert_eq!(cursor.rest(), ")");
    }
}
