//! The fields behind the message of a logrus line.

use super::cursor::unquote_prefix;

/// The value of a logrus field, unquoted where it was quoted.
pub(super) fn field(fields: &str, key: &str) -> Option<String> {
    let mut rest = fields.trim_start();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let (value, next) = if after.starts_with('"') {
            unquote_prefix(after)?
        } else {
            let end = after.find(' ').unwrap_or(after.len());
            (after[..end].to_owned(), &after[end..])
        };
        if name == key {
            return Some(value);
        }
        rest = next.trim_start();
    }
    None
}
