//! The columns of the list of sessions: which there are, what stands in them, and the order by each.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::engine::overview::SessionSummary;
use crate::engine::resolve::TurnNature;
use crate::model::words::words;
use crate::render::text::age::age;

words! {
    /// A column of the list of sessions.
    pub enum Column {
        /// The session's id.
        Id = "id",
        /// Its workflow.
        Workflow = "workflow",
        /// Its title; masked where a person wrote it.
        Title = "title",
        /// Status as the server says.
        Status = "status",
        /// Status as the server shows it to people.
        Display = "display",
        /// Status as the registries say.
        Registries = "registries",
        /// The foreground turn.
        Turn = "turn",
        /// Runs at work.
        Runs = "runs",
        /// Agents at work.
        Agents = "agents",
        /// Live panes.
        Panes = "panes",
        /// How long ago it was created.
        Age = "age",
        /// How long ago it last did something.
        Active = "active",
        /// What it is for.
        Mode = "mode",
        /// What triggered it.
        Trigger = "trigger",
        /// Who owns it.
        User = "user",
        /// What needs attention.
        Flags = "flags",
    }
}

impl Column {
    /// The columns of the ordinary table.
    pub const ORDINARY: [Self; 10] = [
        Self::Id,
        Self::Workflow,
        Self::Status,
        Self::Registries,
        Self::Turn,
        Self::Runs,
        Self::Agents,
        Self::Panes,
        Self::Age,
        Self::Flags,
    ];
}

/// How the list is shown.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Which columns, in which order.
    pub columns: Vec<Column>,
    /// Whether their headings are shown.
    pub headings: bool,
    /// Whether what people wrote is shown.
    pub show_content: bool,
    /// The moment that ages are counted from.
    pub now: Option<Timestamp>,
}

/// Puts the list in the order of a column: counts and moments descending, as the most is looked for; texts
/// ascending. Equal ones stand in the order of their ids.
pub fn sort(sessions: &mut [SessionSummary], column: Column) {
    let plain = ListOptions { columns: Vec::new(), headings: false, show_content: true, now: None };
    sessions.sort_by(|left, right| {
        let by_column = match column {
            Column::Runs => right.runs.cmp(&left.runs),
            Column::Agents => right.agents.cmp(&left.agents),
            Column::Panes => right.panes.cmp(&left.panes),
            Column::Age => right.created_at.cmp(&left.created_at),
            Column::Active => right.last_activity.cmp(&left.last_activity),
            Column::Flags => right.flags.len().cmp(&left.flags.len()),
            text => value(left, text, &plain).cmp(&value(right, text, &plain)),
        };
        by_column.then_with(|| left.id.cmp(&right.id))
    });
}

/// The value of a column, empty where it is not known.
#[must_use]
pub fn value(session: &SessionSummary, column: Column, options: &ListOptions) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let count = |count: Option<usize>| count.map_or_else(String::new, |count| count.to_string());
    let since = |moment: Option<Timestamp>| match (moment, options.now) {
        (Some(moment), Some(now)) => age(moment, now),
        (Some(moment), None) => moment.to_string(),
        (None, _) => String::new(),
    };
    match column {
        Column::Id => session.id.clone(),
        Column::Workflow => text(&session.workflow),
        Column::Title => session
            .title
            .as_ref()
            .map_or_else(String::new, |title| title.shown(options.show_content).into_owned()),
        Column::Status => text(&session.status),
        Column::Display => text(&session.display_status),
        Column::Registries => match (session.registry_status, session.disagrees) {
            (Some(status), true) => format!("{status} (disagrees)"),
            (Some(status), false) => status.name().to_owned(),
            (None, _) => String::from("unknown"),
        },
        Column::Turn => session.turn.map_or("unknown", TurnNature::name).to_owned(),
        Column::Runs => count(session.runs),
        Column::Agents => count(session.agents),
        Column::Panes => count(session.panes),
        Column::Age => since(session.created_at),
        Column::Active => since(session.last_activity),
        Column::Mode => text(&session.agent_mode),
        Column::Trigger => text(&session.triggered_by),
        Column::User => text(&session.user),
        Column::Flags => {
            let mut flags = String::new();
            for flag in &session.flags {
                // Writing to a string cannot fail.
                let _ = write!(flags, "{}{}", if flags.is_empty() { "" } else { "," }, flag.name());
            }
            flags
        }
    }
}
