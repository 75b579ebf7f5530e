//! A template: what the scan looks for, and how a message that begins with it is read.

use super::event::{Context, EventKind};
use super::field::field;

/// A message, ready to be read: unescaped, from its tag on.
#[derive(Debug)]
pub(super) struct Message<'a> {
    /// From the tag to the end of the message.
    pub(super) text: &'a str,
    /// The request context before the tag.
    pub(super) context: &'a Context,
    /// Whether the line's own fields hold `group=` (logrus lines of a workflow step do).
    pub(super) group_field: bool,
    /// The line's own fields behind the message, as they stand there; empty but for logrus lines.
    pub(super) fields: &'a str,
}

impl Message<'_> {
    /// The value of one of the line's own fields, unquoted where it was quoted.
    pub(super) fn field(&self, key: &str) -> Option<String> {
        field(self.fields, key)
    }
}

/// One row of the table that the scan dispatches on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Template {
    /// The message begins with it.
    pub(super) tag: &'static str,
    /// All must stand in the message's first 512 bytes.
    pub(super) literals: &'static [&'static str],
    /// Only unstamped lines.
    pub(super) plain: bool,
    /// The line ends in raw text of a person or a model, which may run over several lines.
    pub(super) raw_text: bool,
    /// Reads the message; `None` where it is not this template after all.
    pub(super) parse: fn(&Message<'_>) -> Option<EventKind>,
}

/// A template of a stamped line without raw text at its end.
pub(super) const fn template(
    tag: &'static str,
    literals: &'static [&'static str],
    parse: fn(&Message<'_>) -> Option<EventKind>,
) -> Template {
    Template { tag, literals, plain: false, raw_text: false, parse }
}
