//! What the list of sessions is shown from.

use super::columns::{Column, ListOptions};
use crate::engine::overview::SessionSummary;
use crate::model::snapshot::Snapshot;

/// Some sessions and how they are to be shown.
#[derive(Debug, Clone, Copy)]
pub struct SessionsView<'a> {
    /// What they were read from.
    pub snapshot: &'a Snapshot,
    /// The sessions, in their order.
    pub sessions: &'a [SessionSummary],
    /// The columns that were asked for; empty for those of the format.
    pub columns: &'a [Column],
    /// Whether the columns have headings.
    pub headings: bool,
    /// Whether what people wrote is shown.
    pub show_content: bool,
}

impl SessionsView<'_> {
    /// The options of a format whose own columns these are.
    pub(super) fn options(&self, own: &[Column]) -> ListOptions {
        ListOptions {
            columns: if self.columns.is_empty() { own } else { self.columns }.to_vec(),
            headings: self.headings,
            show_content: self.show_content,
            now: self.snapshot.as_of,
        }
    }
}
