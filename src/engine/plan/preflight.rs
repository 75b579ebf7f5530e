//! What a trigger does to one session at all, before any row is looked at: refused, nothing, or one of the
//! server's ways of ending work (server-behaviour.md#refused-and-without-effect).

use super::action::{Action, Cause};
use super::behaviour::Behaviour;
use super::known::Known;
use super::pane_loss::{kill, terminal_death};
use super::trigger::{PaneState, Trigger};
use super::verdict::{MEASURED, Verdict};
use crate::engine::resolve::{Pane, SessionFacts};
use crate::model::confidence::Confidence;
use crate::model::id::IdKind;
use crate::model::session::Session;
use crate::model::status::SessionStatus;

const PREFLIGHT: &str = "server-behaviour.md#refused-and-without-effect";
const TOOLS: &str = "server-behaviour.md#stops-by-an-agents-tool";

/// What the trigger does to this session.
pub(super) fn verdict<'a>(trigger: &'a Trigger, known: &Known<'a, '_>, behaviour: Behaviour) -> Verdict<'a> {
    let facts = known.facts;
    let sure = |action| Verdict::does(action, Confidence::High, PREFLIGHT);
    let not_listed = || {
        Verdict::refuses(Some(404), PREFLIGHT, "the server does not list this session among its active ones")
    };
    let is_active = facts.session.is_some_and(|session| session.is_made_up() != Some(true));
    match trigger {
        Trigger::Shutdown => sure(Action::Shutdown),
        Trigger::Dismiss { .. } => sure(Action::Dismiss),
        Trigger::Stop { .. } | Trigger::CancelTurn { .. } | Trigger::Clear { .. } if !is_active => {
            not_listed()
        }
        Trigger::Stop { agents, .. } => sure(Action::StopSession { agents: *agents }),
        Trigger::CancelTurn { .. } => sure(Action::CancelTurn),
        Trigger::Clear { .. } => clear(facts),
        Trigger::ScheduleStop { .. } => schedule_stop(facts),
        Trigger::StopAll { .. } => sure(Action::StopAll),
        Trigger::StopStep { target } => stop_step(target, facts),
        Trigger::TerminalDeath { terminal, pane, .. } => {
            let found = match terminal {
                None => facts.main_terminal,
                Some(id) => pane_of(facts, id).map(|pane| pane.terminal),
            };
            let Some(terminal) = found else {
                return Verdict::refuses(None, MEASURED, "no pane: the session has no such terminal");
            };
            if terminal.has_pane() == Some(false) {
                return Verdict::refuses(
                    None,
                    MEASURED,
                    "no pane: the terminal is only a display, no tmux behind it",
                );
            }
            let verdict = terminal_death(terminal, *pane, known, behaviour).losing(terminal);
            match pane {
                PaneState::Dead => Verdict { pane_reason: "tmux pane exited unexpectedly", ..verdict },
                PaneState::Missing | PaneState::Wall => verdict,
            }
        }
        Trigger::KillTerminal { terminal } => {
            let Some(pane) = pane_of(facts, terminal) else {
                return Verdict::refuses(
                    Some(404),
                    "server-behaviour.md#refused-and-without-effect",
                    "the server has no such terminal",
                );
            };
            if pane.terminal.has_pane() == Some(false) {
                return Verdict::refuses(
                    Some(400),
                    "server-behaviour.md#refused-and-without-effect",
                    "the terminal has no tmux session",
                );
            }
            kill(pane.terminal, known).losing(pane.terminal)
        }
    }
}

/// The terminal with this id; the part after the session's id will do.
fn pane_of<'a, 'b>(facts: &'b SessionFacts<'a>, id: &str) -> Option<&'b Pane<'a>> {
    let after_session = |pane: &&Pane<'_>| {
        pane.terminal.id.strip_prefix(facts.id).and_then(|rest| rest.strip_prefix(':')) == Some(id)
    };
    facts.panes.iter().find(|pane| pane.terminal.id == id).or_else(|| facts.panes.iter().find(after_session))
}

fn is_anything_running(facts: &SessionFacts<'_>) -> bool {
    facts
        .rows
        .iter()
        .any(|row| row.execution.is_running() == Some(true) && row.execution.kind != IdKind::Mirror)
}

fn clear<'a>(facts: &SessionFacts<'a>) -> Verdict<'a> {
    const RULE: &str = "server-behaviour.md#dismissing-and-clearing";
    let runtime = facts.session.and_then(|session| session.runtime.as_ref());
    let is_at_work = facts.rows.iter().any(|row| row.execution.is_running() == Some(true))
        || runtime.is_some_and(|runtime| {
            let foreground = runtime.foreground;
            foreground.busy
                || foreground.has_cancel
                || runtime.background_live == Some(true)
                || runtime.terminal_busy == Some(true)
        });
    if is_at_work {
        return Verdict::refuses(Some(409), RULE, "the session is still active; it has to be stopped first");
    }
    let knows_all = runtime.is_some() && facts.rows.iter().all(|row| row.execution.status.is_some());
    if knows_all {
        return Verdict::does(Action::Clear, Confidence::High, RULE);
    }
    Verdict::does(Action::Clear, Confidence::Low, RULE)
        .or(Action::Nothing, "something in it is still active, so that the server refuses with 409")
}

fn schedule_stop<'a>(facts: &SessionFacts<'a>) -> Verdict<'a> {
    if !facts.scheduled {
        return Verdict::refuses(Some(404), PREFLIGHT, "no schedule's job has this session");
    }
    if facts.frozen.is_yes() {
        let reason = "the job is not running, as far as its session shows: that was stopped before";
        return Verdict::refuses(Some(400), PREFLIGHT, reason);
    }
    let status = facts.session.and_then(Session::own_status);
    let action = Action::RuntimeCancel { cause: Cause::ScheduleStop };
    if status == Some(&SessionStatus::Running) || is_anything_running(facts) {
        return Verdict::does(action, Confidence::High, PREFLIGHT);
    }
    // Whether the job runs stands in the list of jobs, which must not be read. Between two of its messages nothing
    // runs in its session, and the server takes the stop all the same (recording schedule-stop-relaunch-window).
    Verdict::does(action, Confidence::Low, PREFLIGHT)
        .or(Action::Nothing, "the job is over, so that the server refuses with 400")
}

fn stop_step<'a>(target: &'a str, facts: &SessionFacts<'a>) -> Verdict<'a> {
    let refuses = |reason: &'static str| Verdict::refuses(None, TOOLS, reason);
    let Some(row) = facts.row(target) else {
        return refuses("the tool refuses: there is no such execution");
    };
    let own_cancel = match row.execution.kind {
        IdKind::Item | IdKind::Mirror => {
            return refuses(
                "the tool refuses: it has no cancel of its own and ends only with what it runs in",
            );
        }
        IdKind::Turn | IdKind::SyntheticTurn => {
            return refuses("the tool refuses: a turn is no execution of the workshop");
        }
        IdKind::SubAgent => {
            return refuses("the tool refuses: a sub-agent belongs to its todo step, not to the workshop");
        }
        IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent => Confidence::High,
        IdKind::Unknown => Confidence::Low,
    };
    match row.execution.is_running() {
        Some(true) => Verdict::does(Action::StopStep { target }, own_cancel, TOOLS),
        Some(false) => refuses("the tool refuses: it has ended"),
        None => Verdict::does(Action::StopStep { target }, Confidence::Low, TOOLS)
            .or(Action::Nothing, "it has ended"),
    }
}
