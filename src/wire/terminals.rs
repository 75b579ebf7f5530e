//! The terminals of one session, joined from the runtime snapshot, the list of terminals and the record of the
//! main terminal.

use std::collections::BTreeMap;

use super::types::{RuntimeState, TerminalRow, filled};
use crate::model::fact::Source;
use crate::model::session::Session;
use crate::model::terminal::{ProcessState, Terminal, TerminalState};

/// All terminals of a session.
pub(super) fn terminals_of(
    session: &Session,
    state: Option<&RuntimeState>,
    listed: Option<Vec<TerminalRow>>,
    main: Option<TerminalRow>,
) -> Vec<Terminal> {
    let mut joined: BTreeMap<String, Terminal> = BTreeMap::new();
    let frozen = session.frozen().is_yes();
    for row in state.map(|state| &state.terminals).into_iter().flatten() {
        let mut terminal = Terminal::new(session.id.clone(), row.terminal_id.clone());
        terminal.source = Source::RuntimeState;
        terminal.execution = filled(row.execution_id.clone());
        terminal.updated_at = row.updated_at.0;
        // A frozen snapshot remembers panes that are closed by now (server-behaviour.md#frozen-answers).
        if !frozen {
            terminal.has_tmux = row.has_tmux;
            terminal.active = row.active;
            terminal.state = filled(row.state.clone()).map(|state| TerminalState::from_word(&state));
        }
        joined.insert(terminal.id.clone(), terminal);
    }
    for row in listed.into_iter().flatten() {
        let terminal = record(&session.id, row, Source::TerminalList);
        joined.insert(terminal.id.clone(), terminal);
    }
    // The full record of the main terminal says what the list says; it is all there is behind a closed gate.
    if let Some(row) = main.filter(|row| !row.terminal_id.is_empty()) {
        let terminal = record(&session.id, row, Source::MainTerminal);
        joined
            .entry(terminal.id.clone())
            .and_modify(|known| {
                if known.source == Source::RuntimeState {
                    known.clone_from(&terminal);
                }
            })
            .or_insert(terminal);
    }
    joined.into_values().collect()
}

fn record(session: &str, row: TerminalRow, source: Source) -> Terminal {
    let base = Terminal::new(session, row.terminal_id);
    let tmux = filled(row.tmux_session);
    Terminal {
        owner: filled(row.owner_id).or(base.owner),
        execution: filled(row.execution_id),
        execution_kind: filled(row.execution_kind),
        has_tmux: Some(tmux.is_some()),
        tmux,
        active: row.active,
        state: filled(row.state).map(|state| TerminalState::from_word(&state)),
        process_state: Some(ProcessState::from_word(row.process_state.as_deref().unwrap_or_default())),
        created_at: row.created_at.0,
        updated_at: row.updated_at.0,
        close_reason: filled(row.close_reason),
        step_id: filled(row.step_id),
        rate_limited: row.status.and_then(|status| status.rate_limited),
        source,
        id: base.id,
        session: base.session,
    }
}
