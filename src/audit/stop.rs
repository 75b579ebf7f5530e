//! From an episode to the record of its stop: what the server counted, what it marked, and the account of its rows.

use super::evidence::{evidence, moment};
use super::finding::{AccountEntry, Marked, StopRecord, Verdict};
use super::note;
use crate::model::counters::Counters;
use crate::replay::Episode;
use crate::replay::account::Entry;
use crate::replay::case::MinorStop;
use crate::replay::episode::Sweep;

/// The record of a stop that was watched.
pub(super) fn of_episode(
    episode: &Episode,
    account: &[Entry],
    verdict: Verdict,
    incident: String,
) -> StopRecord {
    let opener = episode.main_opener().unwrap_or_else(|| episode.opener());
    StopRecord {
        session: episode.session.to_string(),
        time: moment(opener),
        input: opener.position.input,
        line: opener.position.line,
        cause: episode.cause,
        reason: episode.reason.to_string(),
        counters: episode.sweep().and_then(counters),
        marked: episode.marked().map(marked).collect(),
        account: kept(account),
        account_omitted: omitted(account),
        unjudged: episode.lines.iter().filter(|line| line.kind.unjudged().is_some()).count() as u64,
        verdict,
        note: note::of_episode(episode, account),
        incident,
    }
}

/// The record of a stop that reached little: a turn, a child, a step, or a session in a shutdown.
pub(super) fn of_minor(
    minor: &MinorStop,
    account: &[Entry],
    verdict: Verdict,
    incident: String,
) -> StopRecord {
    StopRecord {
        session: minor.session.to_string(),
        time: moment(&minor.opener),
        input: minor.opener.position.input,
        line: minor.opener.position.line,
        cause: minor.cause,
        reason: minor.reason.to_string(),
        counters: counters(&minor.sweep),
        marked: minor.sweep.marked.iter().map(marked).collect(),
        account: kept(account),
        account_omitted: omitted(account),
        unjudged: 0,
        verdict,
        note: note::of_minor(minor, account),
        incident,
    }
}

/// Entries of one stop that are kept; the rest is counted.
const KEPT_ENTRIES: usize = 1024;

fn kept(account: &[Entry]) -> Vec<AccountEntry> {
    account
        .iter()
        .take(KEPT_ENTRIES)
        .map(|entry| AccountEntry {
            kind: entry.kind,
            id: entry.id.to_string(),
            name: entry.name.to_string(),
            right: entry.right,
            meant: entry.meant,
            reached: entry.reached,
            fate: entry.fate,
            confidence: entry.confidence,
            stays_listed: entry.stays_listed,
            after: entry.after,
            evidence: entry.evidence.iter().map(|(line, role)| evidence(line, role)).collect(),
        })
        .collect()
}

fn omitted(account: &[Entry]) -> u64 {
    account.len().saturating_sub(KEPT_ENTRIES) as u64
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
