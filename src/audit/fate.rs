//! What became of the rows that were at work when a stop came, by the log alone.

use super::finding::{Fate, StoppedRow};
use crate::events::{EventKind, FinalOutcome};
use crate::replay::case::MinorStop;
use crate::replay::episode::{EndKind, Episode, Order, RowEnd, Turn};

/// The rows and turns of a stop, by id; `lag` is the time that an execution may take to end.
pub(super) fn of_episode(episode: &Episode, lag: i64) -> Vec<StoppedRow> {
    let rows = episode
        .open_at_stop()
        .map(|row| StoppedRow { id: row.id.to_string(), fate: row_fate(episode, episode.end_of(row), lag) });
    let turns = episode.turns.iter().filter_map(|turn| {
        let id = turn.query.as_ref()?.to_string();
        Some(StoppedRow { id, fate: turn_fate(episode, turn, lag)? })
    });
    let mut fates: Vec<StoppedRow> = rows.chain(turns).collect();
    fates.sort_by(|left, right| (&left.id, left.fate).cmp(&(&right.id, right.fate)));
    fates.dedup_by(|left, right| left.id == right.id);
    fates
}

/// A step that an agent's tool stopped; the other small stops name no row.
pub(super) fn of_minor(minor: &MinorStop) -> Vec<StoppedRow> {
    match &minor.opener.kind {
        EventKind::StepStoppedByTool { id, .. } => {
            vec![StoppedRow { id: id.to_string(), fate: Fate::Ended }]
        }
        _ => Vec::new(),
    }
}

fn row_fate(episode: &Episode, end: Option<&RowEnd>, lag: i64) -> Fate {
    let Some(end) = end else {
        return if episode.covers(lag) { Fate::NoEnd } else { Fate::Unseen };
    };
    let ended_well = matches!(
        end.kind,
        EndKind::Finalized(FinalOutcome::Done) | EndKind::Completed | EndKind::ResultSkipped
    );
    if ended_well {
        return Fate::Completed;
    }
    if episode.awake_seconds(episode.last_wall(), end.event.wall) > lag {
        return Fate::EndedLate;
    }
    Fate::Ended
}

/// The fate of a turn; `None` for one that has nothing to do with the stop.
fn turn_fate(episode: &Episode, turn: &Turn, lag: i64) -> Option<Fate> {
    let is_after = episode.turn_order(turn) == Order::After;
    if is_after {
        // A turn that the stop should have kept from beginning.
        return (!episode.resumed_before(&turn.start)).then_some(Fate::WorkedOn);
    }
    match &turn.end {
        Some(end) if episode.order(end) == Order::Before => None,
        Some(_) if turn.succeeded() => Some(Fate::Completed),
        Some(_) => Some(Fate::Ended),
        None => Some(if episode.covers(lag) { Fate::NoEnd } else { Fate::Unseen }),
    }
}
