//! From an episode to the record of its stop: what the server counted, what it marked, and one clause for a person.

use super::assemble::moment;
use super::fate;
use super::finding::{Marked, StopRecord, Verdict};
use crate::model::counters::Counters;
use crate::replay::case::MinorStop;
use crate::replay::episode::Sweep;
use crate::replay::{Cause, Episode};

/// The record of a stop that was watched.
pub(super) fn of_episode(episode: &Episode, verdict: Verdict, incident: String) -> StopRecord {
    let opener = episode.main_opener().unwrap_or_else(|| episode.opener());
    StopRecord {
        session: episode.session.to_string(),
        time: moment(opener),
        input: opener.position.input,
        line: opener.position.line,
        cause: episode.cause.as_str(),
        reason: episode.reason.to_string(),
        counters: episode.sweep().and_then(counters),
        marked: episode.marked().map(marked).collect(),
        rows: fate::of_episode(episode),
        verdict,
        note: note(episode),
        incident,
    }
}

/// The record of a stop that reached little: a turn, a child, a step, or a session in a shutdown.
pub(super) fn of_minor(minor: &MinorStop, verdict: Verdict, incident: String) -> StopRecord {
    StopRecord {
        session: minor.session.to_string(),
        time: moment(&minor.opener),
        input: minor.opener.position.input,
        line: minor.opener.position.line,
        cause: minor.cause.as_str(),
        reason: minor.reason.to_string(),
        counters: counters(&minor.sweep),
        marked: minor.sweep.marked.iter().map(marked).collect(),
        rows: fate::of_minor(minor),
        verdict,
        note: minor_note(minor),
        incident,
    }
}

fn marked(row: &crate::replay::episode::MarkedRow) -> Marked {
    Marked { id: row.id.to_string(), kind: row.kind.to_string(), name: row.name.to_string() }
}

/// What the server counted; `None` where it logged no counter at all.
fn counters(sweep: &Sweep) -> Option<Counters> {
    if sweep.turn.is_none() && sweep.orchestrator.is_none() && sweep.agents.is_none() && sweep.total.is_none()
    {
        return None;
    }
    Some(Counters {
        turn_canceled: sweep.turn.as_ref().map(|(canceled, _)| *canceled),
        orchestrator_queries: sweep.orchestrator.as_ref().map(|(queries, _, _)| *queries),
        orchestrator_canceled: sweep.orchestrator.as_ref().map(|(_, canceled, _)| *canceled),
        canceled: sweep.agents.as_ref().map(|(own, ..)| *own),
        no_cancel_func: sweep.agents.as_ref().map(|(_, none, ..)| *none),
        already_done: sweep.agents.as_ref().map(|(_, _, done, _)| *done),
        tracked_marked: sweep.marked_count(),
    })
}

/// One clause for a person: what the stop reached.
fn note(episode: &Episode) -> String {
    let mut parts = Vec::new();
    let sweep = episode.sweep();
    let turn = sweep.and_then(|sweep| sweep.turn.as_ref()).is_some_and(|(canceled, _)| *canceled)
        || episode
            .openers
            .iter()
            .any(|line| matches!(line.kind, crate::events::EventKind::TurnCanceledByStop { .. }));
    if turn {
        parts.push("turn cancelled".to_owned());
    }
    match sweep.and_then(|sweep| sweep.agents.as_ref()) {
        Some((own, none, _, _)) => {
            if *own > 0 {
                parts.push(format!("{own} cancelled"));
            }
            if *none > 0 && *own > 0 {
                parts.push(format!("{none} through {} container", if *none == 1 { "its" } else { "their" }));
            } else if *none > 0 {
                parts.push(format!("{none} without a cancel function"));
            }
        }
        None => {
            let open = episode.open_at_stop().filter(|row| row.kind.has_own_cancel()).count();
            let ended = episode
                .open_at_stop()
                .filter(|row| row.kind.has_own_cancel() && episode.end_of(row).is_some())
                .count();
            if open > 0 {
                parts.push(format!("{ended} of {open} running executions logged their end"));
            }
        }
    }
    if parts.is_empty() {
        parts.push(match sweep.and_then(Sweep::marked_count) {
            Some(marked) if marked > 0 => format!("{marked} only marked canceled"),
            _ => "nothing seen running".to_owned(),
        });
    }
    if episode.resumed.is_some() {
        parts.push("resumed by a person later".to_owned());
    }
    parts.join(", ")
}

fn minor_note(minor: &MinorStop) -> String {
    use crate::events::EventKind;
    match (&minor.opener.kind, minor.cause) {
        (EventKind::NoTurnToCancel { .. }, _) => "there was no turn to cancel".to_owned(),
        (_, Cause::CancelTurn) => "the turn was cancelled, nothing else".to_owned(),
        (EventKind::ChildTerminalFailed { terminal, .. }, _) => {
            format!("only the owner of {terminal} was failed")
        }
        (EventKind::StepStoppedByTool { id }, _) => format!("{id} was stopped, nothing else"),
        _ => match &minor.sweep.agents {
            Some((own, none, done, _)) => {
                format!("{own} cancelled, {none} without a cancel function, {done} done")
            }
            None => format!("{} marked canceled", minor.sweep.marked_count().unwrap_or_default()),
        },
    }
}
