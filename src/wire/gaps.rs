//! What the answers lack, and whether that makes them incomplete.

use super::answers::{Answer, Answers};
use super::error::AnswerError;
use super::routes::listed;
use crate::model::gap::{Gap, GapCode};

/// Notes every question that got no answer, or not the one that was asked for.
pub(super) fn note_gaps(answers: &Answers, gaps: &mut Vec<Gap>) {
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

/// Drops the rows without an id and says so.
pub(super) fn drop_nameless<Row>(rows: &mut Vec<Row>, id: impl Fn(&Row) -> &String, gaps: &mut Vec<Gap>) {
    let before = rows.len();
    rows.retain(|row| !id(row).is_empty());
    if rows.len() != before {
        let message = format!("{} rows without an id were dropped", before - rows.len());
        gaps.push(Gap { code: GapCode::UnreadableAnswer, session: None, message });
    }
}
