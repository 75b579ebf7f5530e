//! From a line that the scan handed over to a typed event.

use std::borrow::Cow;
use std::sync::Arc;

use super::cursor::unquote_prefix;
use super::event::{Context, Event, EventKind, Position, SharedEvent, Stream};
use super::field::field;
use super::template::{Message, Template};
use super::{execution, process, schedule, stop, terminal, turn, unjudged};
use crate::logs::{Line, Shape, Tag, TagId};

/// How much of a line an event keeps, in bytes: no format prints more of one.
pub const KEPT_TEXT: usize = 4096;

/// All templates, family by family.
fn templates() -> impl Iterator<Item = &'static Template> {
    [
        stop::TEMPLATES,
        turn::TEMPLATES,
        execution::TEMPLATES,
        terminal::TEMPLATES,
        schedule::TEMPLATES,
        process::TEMPLATES,
        unjudged::TEMPLATES,
    ]
    .into_iter()
    .flatten()
}

/// What reading a line gave.
#[derive(Debug)]
pub enum Reading {
    /// A line that matters.
    Event(SharedEvent),
    /// The line begins like a template but does not go on like one.
    NotThisTemplate,
}

/// Reads the lines that a scan with [`EventReader::tags`] hands over.
#[derive(Debug)]
pub struct EventReader {
    templates: Vec<&'static Template>,
    /// Most lines have no context, so they share one.
    no_context: Arc<Context>,
}

impl Default for EventReader {
    fn default() -> Self {
        Self::new()
    }
}

impl EventReader {
    /// A reader for all known templates.
    #[must_use]
    pub fn new() -> Self {
        Self { templates: templates().collect(), no_context: Arc::default() }
    }

    /// What the scan must look for; the order is that of the tag ids.
    #[must_use]
    pub fn tags(&self) -> Vec<Tag> {
        self.templates
            .iter()
            .map(|template| Tag {
                text: template.tag,
                literals: template.literals,
                plain: template.plain,
                raw_text: template.raw_text,
            })
            .collect()
    }

    /// Whether a tag id is one of these templates; a scan may look for more tags behind them.
    #[must_use]
    pub fn knows(&self, tag: TagId) -> bool {
        tag < self.templates.len()
    }

    /// Reads one line of a stream.
    #[must_use]
    pub fn read(&self, line: &Line<'_>, stream: Stream) -> Reading {
        let Some(template) = self.templates.get(line.tag) else {
            return Reading::NotThisTemplate;
        };
        let raw = lossy(line.message);
        let mut context = match line.context {
            [] => Arc::clone(&self.no_context),
            context => Arc::new(read_context(&lossy(context))),
        };
        let mut group_field = false;
        let mut line_fields = "";
        let text: Cow<'_, str> = if line.shape == Shape::Logrus {
            let (message, fields) = split_logrus(&raw, line.quoted);
            line_fields = fields;
            if let Some(group) = field(fields, "group") {
                group_field = true;
                Arc::make_mut(&mut context).group = Some(group.into());
            }
            if let Some(workflow) = field(fields, "workflow") {
                Arc::make_mut(&mut context).workflow = Some(workflow.into());
            }
            Cow::Owned(message)
        } else {
            raw
        };
        let message = Message { text: &text, context: &context, group_field, fields: line_fields };
        let Some(kind) = (template.parse)(&message) else {
            return Reading::NotThisTemplate;
        };
        Reading::Event(Arc::new(make_event(kind, context, line, stream)))
    }
}

/// The bytes as text. Logs are nearly always UTF-8, which is checked faster than it is repaired.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn make_event(kind: EventKind, context: Arc<Context>, line: &Line<'_>, stream: Stream) -> Event {
    let kept = line.text.len().min(KEPT_TEXT);
    Event {
        kind,
        position: Position {
            input: line.place.input,
            line: line.place.read_as,
            line_in_file: line.place.line,
            byte_offset: line.place.offset,
            byte_length: line.place.length,
        },
        stream,
        wall: line.wall.unwrap_or_default(),
        zone_offset: line.zone_offset,
        context,
        text: line.text[..kept].into(),
    }
}

/// The message of a logrus line and the fields behind it.
///
/// The scan hands the message over from its tag on, still escaped, so the opening quote is already gone.
fn split_logrus(raw: &str, quoted: bool) -> (String, &str) {
    if !quoted {
        let end = raw.find(' ').unwrap_or(raw.len());
        return (raw[..end].to_owned(), &raw[end..]);
    }
    let reopened = format!("\"{raw}");
    match unquote_prefix(&reopened) {
        Some((message, rest)) => {
            let consumed = reopened.len() - rest.len() - 1;
            (message, raw.get(consumed..).unwrap_or_default())
        }
        // A line cut by the length bound has no closing quote.
        None => (raw.to_owned(), ""),
    }
}

/// The keys of a request context, in the order in which the server prints them
/// (server-behaviour.md#shape-of-a-line), each with the blank that ends the value before it.
const CONTEXT_KEYS: [&str; 5] = [" workflow=", " group=", " mode=", " user=", " user_id="];

/// Reads `workflow=W group=G mode=M user=U user_id=I session=S`: values are unquoted and may hold blanks,
/// so a value ends at the next known key.
fn read_context(text: &str) -> Context {
    let mut context = Context::default();
    let mut rest = text;
    // The session stands last if it is there, and has no blank; what looks like one before it is part of a value.
    if let Some(at) = text.rfind("session=")
        && (at == 0 || text[..at].ends_with(' '))
        && !text[at..].contains(' ')
    {
        context.session = Some(text[at + "session=".len()..].into());
        rest = text[..at].trim_end();
    }
    let mut next_key = 0;
    while next_key < CONTEXT_KEYS.len() {
        let Some(at) = CONTEXT_KEYS[next_key..].iter().position(|key| rest.starts_with(&key[1..])) else {
            break;
        };
        let key_index = next_key + at;
        let key = &CONTEXT_KEYS[key_index][1..];
        let value = &rest[key.len()..];
        let end = CONTEXT_KEYS[key_index + 1..]
            .iter()
            .filter_map(|later| value.find(later))
            .min()
            .unwrap_or(value.len());
        let (value, after) = value.split_at(end);
        match key {
            "workflow=" => context.workflow = Some(value.into()),
            "group=" => context.group = Some(value.into()),
            "user=" | "user_id=" => context.user = true,
            _ => {}
        }
        rest = after.trim_start();
        next_key = key_index + 1;
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_values_may_hold_blanks() {
        // server-behaviour.md#shape-of-a-line: `group=Asha Rao` is legal.
        let context =
            read_context("workflow=a b group=Asha Rao mode=workflow user=user user_id=default session=s-1");
        assert_eq!(context.workflow.as_deref(), Some("a b"));
        assert_eq!(context.group.as_deref(), Some("Asha Rao"));
        assert_eq!(context.session.as_deref(), Some("s-1"));
        assert!(context.user);
        assert!(!read_context("workflow=w mode=workflow session=s").user);
        // server-behaviour.md#shape-of-a-line: `session=` is last if present, and values may hold anything.
        let context =
            read_context("workflow=w group=QA session=none mode=workflow user=zoe user_id=u-77 session=s-2");
        assert_eq!(context.group.as_deref(), Some("QA session=none"));
        assert_eq!((context.session.as_deref(), context.user), (Some("s-2"), true));
    }

    #[test]
    fn logrus_fields_follow_the_message() {
        let (message, fields) =
            split_logrus(r#"Executing x\"y\" z" file="logger.go:177" group="North Region" workflow=w"#, true);
        assert_eq!(message, "Executing x\"y\" z");
        assert_eq!(field(fields, "group").as_deref(), Some("North Region"));
        assert_eq!(field(fields, "workflow").as_deref(), Some("w"));
        assert_eq!(field(fields, "file").as_deref(), Some("logger.go:177"));
        assert_eq!(field(fields, "none"), None);
    }
}
