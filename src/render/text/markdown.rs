//! Foreign text inside Markdown.

use super::sanitize::sanitize;

/// The words with a capital at their beginning.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Text as code; a fence longer than any run of backticks in it.
pub(crate) fn code(text: &str) -> String {
    let text = sanitize(text, true);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text that must not be read as Markdown or HTML.
pub(crate) fn plain(text: &str) -> String {
    let mut safe = String::new();
    for character in sanitize(text, true).chars() {
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' | '!' | '@'
        ) {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(plain("<img> [x](y) *z*"), "\\<img\\> \\[x\\](y) \\*z\\*");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("`"), "`` ` ``");
    }
}
