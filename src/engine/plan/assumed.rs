//! A trigger may name a pane that the source cannot show: a log tells of panes only in passing. Then the pane is
//! assumed to be there, as the question assumes it; to answer "no pane" would be a wrong "safe".

use super::trigger::Trigger;
use crate::model::fact::Source;
use crate::model::snapshot::Snapshot;
use crate::model::terminal::Terminal;

/// The snapshot with the pane that the trigger names, where that is not in it but may be there.
pub(super) fn with_assumed_pane(snapshot: &Snapshot, trigger: &Trigger) -> Option<Snapshot> {
    let (session, id) = match trigger {
        Trigger::TerminalDeath { session, terminal: None, .. } => {
            (session.as_str(), format!("{session}:main:{session}"))
        }
        Trigger::TerminalDeath { session, terminal: Some(id), .. } => (session.as_str(), id.clone()),
        Trigger::KillTerminal { terminal } => (snapshot.hides_terminal(terminal)?, terminal.clone()),
        _ => return None,
    };
    let is_known = match trigger {
        Trigger::TerminalDeath { terminal: None, .. } => snapshot.main_terminal(session).is_some(),
        _ => snapshot.terminals_of(session).iter().any(|known| known.id == id),
    };
    if is_known || snapshot.hides_terminal(&id) != Some(session) {
        return None;
    }
    let terminal = Terminal { has_tmux: Some(true), source: Source::Given, ..Terminal::new(session, id) };
    Some(snapshot.clone().with_terminal(terminal))
}
