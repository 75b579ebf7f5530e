//! Lines of a server process's start and end.

use super::event::EventKind;
use super::template::{Message, Template, template};

/// The templates of this family.
pub(super) const TEMPLATES: &[Template] = &[
    template("[SERVER DEBUG] Using MCP config file: ", &[], process_started),
    Template {
        tag: "🛑 Shutting down server...",
        literals: &[],
        plain: true,
        raw_text: false,
        parse: shutdown_began,
    },
];

fn process_started(_message: &Message<'_>) -> Option<EventKind> {
    Some(EventKind::ProcessStarted)
}

fn shutdown_began(message: &Message<'_>) -> Option<EventKind> {
    (message.text == "🛑 Shutting down server...").then_some(EventKind::ShutdownBegan)
}
