//! Finds what an id, or the beginning of one, names: in which session, and under which full id.

use crate::engine::resolve::Resolution;

/// Something that has a node in the graph of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found<'a> {
    /// The session in whose graph it stands.
    pub session: &'a str,
    /// Its full id.
    pub id: &'a str,
}

/// Everything below sessions that an id may name: rows, steps that no registry holds, terminals. Sorted.
#[must_use]
pub fn findable<'a>(resolution: &Resolution<'a>) -> Vec<Found<'a>> {
    let mut all: Vec<Found<'a>> = Vec::new();
    for facts in resolution.sessions() {
        let ids = facts.rows.iter().map(|row| row.execution.id.as_str());
        let ids = ids.chain(facts.steps.iter().map(|step| step.id));
        let ids = ids.chain(facts.panes.iter().map(|pane| pane.terminal.id.as_str()));
        all.extend(ids.map(|id| Found { session: facts.id, id }));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// What the text names: by its whole id, else by the beginning of it.
#[must_use]
pub fn find<'a>(all: &[Found<'a>], text: &str) -> Vec<Found<'a>> {
    let matching = |holds: &dyn Fn(&str) -> bool| -> Vec<Found<'a>> {
        all.iter().copied().filter(|found| holds(found.id)).collect()
    };
    let exact = matching(&|id| id == text);
    if exact.is_empty() && !text.is_empty() { matching(&|id| id.starts_with(text)) } else { exact }
}
