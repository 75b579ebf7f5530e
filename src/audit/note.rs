//! What a stop reached, in a few words for a person.

use crate::events::EventKind;
use crate::replay::account::{Entry, Fate};
use crate::replay::case::MinorStop;
use crate::replay::episode::Sweep;
use crate::replay::{Cause, Episode};

/// One clause for a person: what the stop reached.
pub(super) fn of_episode(episode: &Episode, account: &[Entry]) -> String {
    let mut parts = Vec::new();
    let sweep = episode.sweep();
    let turn = sweep.and_then(|sweep| sweep.turn.as_ref()).is_some_and(|(canceled, _)| *canceled)
        || episode.openers.iter().any(|line| matches!(line.kind, EventKind::TurnCanceledByStop { .. }));
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
    parts.extend(fates(account));
    if episode.resumed.is_some() {
        parts.push("resumed by a person later".to_owned());
    }
    parts.join(", ")
}

/// The same for a smaller stop.
pub(super) fn of_minor(minor: &MinorStop, account: &[Entry]) -> String {
    let words = minor_words(minor);
    match fates(account) {
        Some(fates) => format!("{words}; {fates}"),
        None => words,
    }
}

fn minor_words(minor: &MinorStop) -> String {
    match (&minor.opener.kind, minor.cause) {
        (EventKind::NoTurnToCancel { .. }, _) => "there was no turn to cancel".to_owned(),
        (_, Cause::CancelTurn) => "the turn was cancelled".to_owned(),
        (EventKind::ChildTerminalFailed { terminal, .. }, _) => {
            format!("only the owner of {terminal} was failed")
        }
        (EventKind::StepStoppedByTool { id }, _) => format!("{id} was stopped"),
        _ => match &minor.sweep.agents {
            Some((own, none, done, _)) => {
                format!("{own} cancelled, {none} without a cancel function, {done} done")
            }
            None => format!("{} marked canceled", minor.sweep.marked_count().unwrap_or_default()),
        },
    }
}

/// What became of everything that was open: `ended 3, lost 2 (run workflow-full-…), lives on 1, unknown 0`. Each row
/// that was lost or is not over is named once, whatever its class. `None` where nothing was open.
fn fates(account: &[Entry]) -> Option<String> {
    if account.is_empty() {
        return None;
    }
    let lost: Vec<&Entry> = account.iter().filter(|entry| entry.is_lost()).collect();
    let of = |fates: &[Fate]| -> Vec<&Entry> {
        account.iter().filter(|entry| !entry.is_lost() && fates.contains(&entry.fate)).collect()
    };
    let mut parts = vec![format!("ended {}", of(&[Fate::Ended, Fate::EndedWithPane]).len())];
    let mut name = |word: &str, entries: &[&Entry], always: bool| {
        if entries.is_empty() {
            if always {
                parts.push(format!("{word} 0"));
            }
            return;
        }
        let mut named: Vec<String> = entries
            .iter()
            .take(NAMED)
            .map(|entry| format!("{} {}", entry.kind.name().replace('_', " "), entry.id))
            .collect();
        if entries.len() > NAMED {
            named.push(format!("{} more", entries.len() - NAMED));
        }
        parts.push(format!("{word} {} ({})", entries.len(), named.join(", ")));
    };
    name("lost", &lost, true);
    name("ended late", &of(&[Fate::EndedLate]), false);
    name("ended as a success", &of(&[Fate::EndedAsSuccess]), false);
    name("worked on", &of(&[Fate::WorkedOn]), false);
    name("no end seen", &of(&[Fate::NoEndSeen]), false);
    name("cut", &of(&[Fate::Cut]), false);
    name("lives on", &of(&[Fate::LivesOn]), true);
    name("unknown", &of(&[Fate::Unknown]), true);
    Some(parts.join(", "))
}

/// Rows of one fate that are named in a line.
const NAMED: usize = 12;
