//! What is concluded about a session's foreground turn (server-behaviour.md#turns-in-a-live-pane).

use super::index::{SessionIndex, is_orchestrator_run, started_at};
use super::reason::{Evidence, Reason, Resolved};
use super::row::TurnNature;
use crate::model::confidence::Confidence;
use crate::model::execution::Execution;
use crate::model::fact::{Fact, Judgement, Source};
use crate::model::id::IdKind;
use crate::model::session::{Foreground, Session};

const TURNS: &str = "server-behaviour.md#turns-in-a-live-pane";

/// The foreground turn of one session.
pub(super) struct ForegroundTurn<'a> {
    pub(super) nature: Resolved<'a, Option<TurnNature>>,
    /// Turns that run, oldest first.
    pub(super) running: Vec<&'a str>,
    /// The row that the turn cancel belongs to; `Err` with the reason where that cannot be told.
    pub(super) with_cancel: Result<Option<&'a str>, &'static str>,
}

pub(super) fn foreground_turn<'a>(index: &SessionIndex<'a>, frozen: Judgement) -> ForegroundTurn<'a> {
    let mut turns: Vec<&Execution> = index
        .rows
        .iter()
        .filter(|row| row.kind.is_turn() && row.is_running() == Some(true) && !is_orchestrator_run(row))
        .collect();
    turns.sort_by_key(|row| (started_at(row), row.id.as_str()));
    let running: Vec<&str> = turns.iter().map(|row| row.id.as_str()).collect();
    let Some(foreground) = index.session.and_then(Session::foreground_fact) else {
        let evidence = Evidence { source: Source::SessionList, record: index.id };
        let reason = Reason::new(Confidence::Low, TURNS, "nothing tells of its foreground turn", evidence);
        return ForegroundTurn {
            nature: Resolved::new(None, reason),
            running,
            with_cancel: Err("nothing tells of the session's foreground turn, so turn cancels are not known"),
        };
    };
    let with_cancel = if foreground.value.has_cancel { holder(&turns, foreground.value) } else { None };
    let mut nature = nature(index.id, foreground, frozen, !running.is_empty());
    if matches!(foreground.source, Source::Log { .. }) {
        nature.reason = nature.reason.at_most(Confidence::Medium);
    }
    ForegroundTurn { nature, running, with_cancel: Ok(with_cancel) }
}

/// The turn that holds the cancel: the server's own turn where the flags say so, else the oldest one (a message
/// that is delivered beside a turn is the newer row).
fn holder<'a>(turns: &[&'a Execution], foreground: Foreground) -> Option<&'a str> {
    let kind = if foreground.synthetic { IdKind::SyntheticTurn } else { IdKind::Turn };
    turns.iter().find(|turn| turn.kind == kind).or_else(|| turns.first()).map(|turn| turn.id.as_str())
}

fn nature<'a>(
    session: &'a str,
    Fact { value: foreground, source }: Fact<Foreground>,
    frozen: Judgement,
    turn_runs: bool,
) -> Resolved<'a, Option<TurnNature>> {
    let is = |nature, confidence, words: &'static str| {
        let evidence = Evidence { source, record: session };
        Resolved::new(Some(nature), Reason::new(confidence, TURNS, words, evidence))
    };
    if foreground.has_cancel {
        return is(TurnNature::WithCancel, Confidence::High, "a turn cancel is registered");
    }
    if foreground.busy {
        let confidence = if turn_runs { Confidence::High } else { Confidence::Medium };
        return is(
            TurnNature::InPane,
            confidence,
            "it is busy without a turn cancel: the message was delivered into the live pane",
        );
    }
    if frozen.is_yes() {
        // A row that a stop left running is no turn (server-behaviour.md#reading-a-stop-from-a-log, PLS040).
        return is(TurnNature::None, Confidence::Medium, "the session was stopped and is not busy");
    }
    if turn_runs {
        return is(
            TurnNature::Preparing,
            Confidence::Medium,
            "a turn runs, but it is neither busy nor can it be cancelled yet",
        );
    }
    is(TurnNature::None, Confidence::High, "no turn runs")
}
