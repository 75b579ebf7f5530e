//! The loss of a pane: what the server does about it to the session (server-behaviour.md#the-watchdog).

use super::action::{Action, Cause};
use super::behaviour::Behaviour;
use super::known::Known;
use super::trigger::PaneState;
use super::verdict::{MEASURED, Verdict};
use crate::engine::resolve::SessionFacts;
use crate::model::confidence::Confidence;
use crate::model::fact::Source;
use crate::model::session::Session;
use crate::model::status::SessionStatus;
use crate::model::terminal::Terminal;

/// What the watchdog's discovery of a lost pane does.
pub(super) fn terminal_death<'a>(
    terminal: &'a Terminal,
    pane: PaneState,
    known: &Known<'a, '_>,
    behaviour: Behaviour,
) -> Verdict<'a> {
    let facts = known.facts;
    if is_lost_at_work(terminal, known) {
        return child_death(terminal, facts);
    }
    if terminal.active == Some(false) {
        let reason =
            "nothing is cancelled: the terminal is not active, so its pane only is closed in the books";
        return Verdict::refuses(None, MEASURED, reason);
    }
    let cause = if pane == PaneState::Wall { Cause::UsageWall } else { Cause::PaneLost };
    let sweep = match current_owner(terminal, facts, Action::RuntimeCancel { cause }) {
        Ok(sweep) => sweep,
        Err(reason) => return Verdict::refuses(None, MEASURED, reason),
    };
    let foreground = facts.session.and_then(Session::foreground).unwrap_or_default();
    if behaviour.leaves_lost_pane_to_turn && pane == PaneState::Missing && foreground.has_cancel {
        let reason =
            "nothing is cancelled: a turn is in flight, so the server leaves the recovery to the turn";
        return Verdict::refuses(None, "server-behaviour.md#versions", reason);
    }
    if facts.latent_death.is_yes() {
        return Verdict {
            confidence: Confidence::Medium.min(sweep.confidence),
            rule: "server-behaviour.md#latent-death",
            ..sweep
        }
        .or(Action::Nothing, "the turn ends before the watchdog's next poll");
    }
    if foreground.has_cancel && foreground.can_steer && pane != PaneState::Wall {
        let condition = "the watchdog polls before the turn has taken note of its pane's end";
        return Verdict::does(Action::FirstTurnDeath, Confidence::Low, MEASURED).or(sweep.action, condition);
    }
    sweep
}

/// Whether the main terminal's owner is the session as it is now; else nothing is cancelled
/// (server-behaviour.md#the-watchdog).
fn current_owner<'a>(
    terminal: &'a Terminal,
    facts: &SessionFacts<'a>,
    action: Action<'a>,
) -> Result<Verdict<'a>, &'static str> {
    let status = facts.session.and_then(Session::own_status);
    if status.is_some_and(|status| *status != SessionStatus::Running) {
        return Err(
            "nothing is cancelled: the session is not running a turn, so the terminal has no running owner",
        );
    }
    let Some(session) = facts.session else {
        return Err(
            "nothing is cancelled: the server lists no such session, so the terminal has no running owner",
        );
    };
    let sweep = Verdict::does(action, Confidence::High, MEASURED);
    match (session.created_at, terminal.created_at) {
        (Some(session), Some(terminal)) if session > terminal => {
            Err("nothing is cancelled: the terminal is older than the session's turn, so it is stale")
        }
        (Some(_), Some(_)) if status.is_some() => Ok(sweep),
        _ => {
            let condition = if terminal.source == Source::Given && terminal.created_at.is_none() {
                "the session has no such pane, or it is older than the session's turn, or no turn runs"
            } else {
                "the terminal is older than the session's turn, or no turn runs"
            };
            Ok(Verdict { confidence: Confidence::Low, ..sweep }.or(Action::Nothing, condition))
        }
    }
}

/// What an operator's kill of a pane does.
pub(super) fn kill<'a>(terminal: &'a Terminal, known: &Known<'a, '_>) -> Verdict<'a> {
    let facts = known.facts;
    if is_lost_at_work(terminal, known) {
        return child_death(terminal, facts);
    }
    if terminal.active == Some(false) {
        return Verdict::does(Action::Nothing, Confidence::High, "server-behaviour.md#the-watchdog");
    }
    let action = Action::RuntimeCancel { cause: Cause::OperatorKill };
    match current_owner(terminal, facts, action) {
        Ok(sweep) => sweep,
        // The pane is killed all the same; only the session's work is left alone.
        Err(_) => Verdict::does(Action::Nothing, Confidence::High, MEASURED),
    }
}

/// Whether it is no main pane, and one whose loss concerns somebody: an inactive one only where something works in it.
fn is_lost_at_work(terminal: &Terminal, known: &Known<'_, '_>) -> bool {
    !terminal.is_main() && (terminal.active != Some(false) || !known.workers_in(terminal).is_empty())
}

/// The rows that the record of a child pane names: its execution and its owner, if they run and are not younger
/// than the terminal (server-behaviour.md#what-a-stop-does-to-a-row).
fn child_death<'a>(terminal: &'a Terminal, facts: &SessionFacts<'a>) -> Verdict<'a> {
    let mut targets = Vec::new();
    let mut unsure = Vec::new();
    let mut confidence = Confidence::High;
    if terminal.active == Some(false) {
        // An inactive record fails no row; what works in its pane is lost with it all the same.
        return Verdict::does(Action::FailChild { terminal, targets, unsure }, Confidence::Low, MEASURED);
    }
    for name in [terminal.execution.as_deref(), terminal.owner.as_deref()].into_iter().flatten() {
        let Some(row) = facts.row(name) else { continue };
        let id = row.execution.id.as_str();
        if targets.contains(&id) || unsure.contains(&id) {
            continue;
        }
        let started = row.execution.started_at.map(|started| started.value);
        match (row.execution.is_running(), started, terminal.created_at) {
            (Some(false), ..) => {}
            (_, Some(started), Some(created)) if started > created => {}
            (None, ..) => unsure.push(id),
            (Some(true), started, created) => {
                if started.is_none() || created.is_none() {
                    confidence = Confidence::Medium;
                }
                targets.push(id);
            }
        }
    }
    if terminal.execution.is_none() {
        // The record's execution can become the enclosing one; without it a whole run may go with the pane.
        confidence = Confidence::Low;
    }
    let spares = Action::FailChild { terminal, targets: Vec::new(), unsure: Vec::new() };
    let has_targets = !targets.is_empty();
    let enclosing = enclosing(terminal, facts);
    if terminal.execution.is_none() && !has_targets && !enclosing.is_empty() {
        let takes = Action::FailChild { terminal, targets: enclosing, unsure: Vec::new() };
        return Verdict::does(Action::FailChild { terminal, targets, unsure }, confidence, MEASURED)
            .or(takes, "the pane's record has come to name what the step runs in");
    }
    let verdict = Verdict::does(Action::FailChild { terminal, targets, unsure }, confidence, MEASURED);
    if has_targets && confidence != Confidence::High {
        return verdict.or(spares, "the row is younger than the terminal");
    }
    verdict
}

/// The running rows that the record of a step's pane can come to name: the step, else what it runs in
/// (server-behaviour.md#what-a-stop-does-to-a-row).
fn enclosing<'a>(terminal: &Terminal, facts: &SessionFacts<'a>) -> Vec<&'a str> {
    let Some(step) = terminal.step_execution() else { return Vec::new() };
    let is_running = |id: &&str| facts.row(id).is_some_and(|row| row.execution.is_running() == Some(true));
    if let Some(row) = facts.row(step) {
        return Some(row.execution.id.as_str()).filter(is_running).into_iter().collect();
    }
    let container = facts.step(step).map(|step| &step.container.value);
    container.map_or_else(Vec::new, |container| {
        container.candidates().iter().copied().filter(is_running).collect()
    })
}
