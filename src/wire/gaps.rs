//! What the answers lack, and whether that makes them incomplete.

use super::answers::{Answer, Answers};
use super::error::AnswerError;
use super::routes::{Route, listed};
use super::types::{ExecutionTree, Node, Rows, RuntimeState, Told};
use crate::model::gap::{Gap, GapCode};

/// Notes every question that got no answer, or not the one that was asked for, and every row that was lost.
pub(super) fn note_gaps(answers: &Answers, gaps: &mut Vec<Gap>) {
    note_lost_rows(answers, gaps);
    let mut note = |code: GapCode, session: Option<&str>, message: String| {
        gaps.push(Gap { code, session: session.map(str::to_owned), message });
    };
    let gate_open = answers.gate_open();
    let closed = "the server's debug gate is closed (AGENTWORKS_RUNTIME_DEBUG)";

    // Whole answers. Those that a command does not ask for are no gap of their own.
    macro_rules! note_failure {
        ($($answer:expr),+ $(,)?) => {
            $(if let Answer::Failed(error) = &$answer {
                note(GapCode::UnreadableAnswer, None, error.to_string());
            })+
        };
    }
    note_failure!(
        answers.health,
        answers.capabilities,
        answers.auth_mode,
        answers.identity,
        answers.sessions,
        answers.scheduler,
        answers.running,
    );
    if matches!(answers.running, Answer::NotRead) {
        note(GapCode::NoRunningList, None, "`/api/workflow/running` was not read".to_owned());
    }
    // Not every version has this list, and not every caller gets it.
    match &answers.browsers {
        Answer::Failed(error) if error.is_absence() => note(GapCode::NoBrowsers, None, error.to_string()),
        Answer::Failed(error) => note(GapCode::UnreadableAnswer, None, error.to_string()),
        Answer::NotRead if !answers.is_overview => {
            note(GapCode::NoBrowsers, None, "the list of browsers was not read".to_owned());
        }
        Answer::NotRead | Answer::Read { .. } => {}
    }
    if let Answer::Failed(error) = &answers.external_tools
        && !error.is_absence()
    {
        note(GapCode::UnreadableAnswer, None, error.to_string());
    }
    match &answers.terminals {
        Answer::Failed(AnswerError::NoRoute { .. }) if gate_open != Some(true) => {
            note(GapCode::NoTerminals, None, format!("no list of terminals: {closed}"));
        }
        Answer::Failed(error) => note(GapCode::UnreadableAnswer, None, error.to_string()),
        Answer::NotRead if gate_open == Some(false) => {
            note(GapCode::NoTerminals, None, format!("no list of terminals: {closed}"));
        }
        Answer::NotRead => note(GapCode::NoTerminals, None, "the list of terminals was not read".to_owned()),
        Answer::Read { .. } => {}
    }

    let Some(list) = answers.sessions.value() else { return };
    for id in listed(list).1 {
        note(GapCode::UnaskableId, Some(&id), "this id cannot stand in a request's path".to_owned());
    }
    let mut hidden = gate_open == Some(false);
    // What is missing for all is said once.
    let asks_trees = !answers.is_overview && !hidden;
    if asks_trees && answers.trees.is_empty() {
        note(GapCode::NoTree, None, "no execution tree was read".to_owned());
    }
    let asks_mains = answers.terminals.value().is_none();
    if asks_mains && answers.main_terminals.is_empty() {
        note(GapCode::NoMainTerminal, None, "no record of a main terminal was read".to_owned());
    }
    for row in list.active_sessions.iter().filter(|row| answers.asks_about(&row.session_id)) {
        let id = row.session_id.as_str();
        if row.runtime_state.is_none() {
            note(GapCode::NoRuntimeState, Some(id), "the server shows no runtime snapshot of it".to_owned());
        }
        match answers.trees.get(id) {
            Some(Answer::Failed(AnswerError::NoRoute { .. })) if gate_open != Some(true) => hidden = true,
            Some(Answer::Failed(AnswerError::NotFound { .. })) => note(
                GapCode::RevisionsDisagree,
                Some(id),
                "the session went away while it was being read".to_owned(),
            ),
            Some(Answer::Failed(error)) => note(GapCode::UnreadableAnswer, Some(id), error.to_string()),
            None | Some(Answer::NotRead) if asks_trees && !answers.trees.is_empty() => {
                note(GapCode::NoTree, Some(id), "the session's execution tree was not read".to_owned());
            }
            None | Some(Answer::NotRead | Answer::Read { .. }) => {}
        }
        match answers.main_terminals.get(id) {
            // A session without a pane has no such record.
            Some(Answer::Failed(AnswerError::NotFound { .. }) | Answer::Read { .. }) => {}
            Some(Answer::Failed(error)) => note(GapCode::UnreadableAnswer, Some(id), error.to_string()),
            None | Some(Answer::NotRead) if asks_mains && !answers.main_terminals.is_empty() => note(
                GapCode::NoMainTerminal,
                Some(id),
                "the record of the session's main terminal was not read".to_owned(),
            ),
            None | Some(Answer::NotRead) => {}
        }
    }
    for (session, names) in &answers.names {
        if let Answer::Failed(error) = names {
            note(GapCode::UnreadableAnswer, Some(session), error.to_string());
        }
    }
    if hidden {
        note(
            GapCode::NoTree,
            None,
            format!("no execution trees, so no names of finished rows, no parents and no groups: {closed}"),
        );
    }
}

fn note_lost_rows(answers: &Answers, gaps: &mut Vec<Gap>) {
    if let Some(list) = answers.sessions.value() {
        note_rows(&Route::Sessions, &list.active_sessions, list.total, gaps);
        for row in &list.active_sessions {
            let unreadable = unreadable_in(row.runtime_state.as_ref());
            note_unreadable(unreadable, "its runtime snapshot", Some(&row.session_id), gaps);
        }
    }
    if let Some(list) = answers.running.value() {
        note_rows(&Route::Running, &list.running, list.count, gaps);
    }
    if let Some(list) = answers.terminals.value() {
        note_rows(&Route::Terminals, &list.terminals, list.total, gaps);
    }
    if let Some(list) = answers.browsers.value() {
        note_rows(&Route::Browsers, &list.sessions, list.count, gaps);
    }
    for (session, tree) in &answers.trees {
        if let Some(tree) = tree.value() {
            let unreadable = nameless_in(tree) + unreadable_in(tree.runtime_state.as_ref());
            note_unreadable(unreadable, "its execution tree", Some(session), gaps);
        }
    }
    for (session, main) in &answers.main_terminals {
        if main.value().is_some_and(|row| row.terminal_id.is_empty()) {
            note_unreadable(1, "its main terminal", Some(session), gaps);
        }
    }
}

/// Notes the rows of a list that could not be read, and those that the server tells of and does not list.
fn note_rows<T>(request: &Route, rows: &Rows<T>, told: Told, gaps: &mut Vec<Gap>) {
    let path = request.path();
    note_unreadable(rows.unreadable, &format!("`{path}`"), None, gaps);
    let listed = rows.len() as u64 + rows.unreadable;
    if let Some(told) = told.0.filter(|told| *told > listed) {
        let message = format!("`{path}` tells of {} and lists {listed}", rows_of(told));
        gaps.push(Gap { code: GapCode::RowsMissing, session: None, message });
    }
}

/// Notes rows that could not be read.
fn note_unreadable(count: u64, place: &str, session: Option<&str>, gaps: &mut Vec<Gap>) {
    if count > 0 {
        let message = format!("{} of {place} without an id or of another shape", rows_of(count));
        gaps.push(Gap { code: GapCode::UnreadableRow, session: session.map(str::to_owned), message });
    }
}

fn rows_of(count: u64) -> String {
    format!("{count} row{}", if count == 1 { "" } else { "s" })
}

/// How many rows of a runtime snapshot could not be read.
fn unreadable_in(state: Option<&RuntimeState>) -> u64 {
    state.map_or(0, |state| {
        state.child_executions.unreadable + state.background_agents.unreadable + state.terminals.unreadable
    })
}

/// How many nodes of a tree have no id. The session's own node needs none.
fn nameless_in(tree: &ExecutionTree) -> u64 {
    let mut nameless = 0;
    let mut stack: Vec<&Node> = tree.root.children.iter().collect();
    while let Some(node) = stack.pop() {
        stack.extend(&node.children);
        if node.execution_id.is_empty() && node.source.as_deref() != Some("session") {
            nameless += 1;
        }
    }
    nameless
}
