//! The `[STOP]` lines that the log is expected to print, without their time stamps
//! (server-behaviour.md#counters). Names may be what a person wrote, so the renderer puts them in.

use super::action::{Action, Cause};
use super::course::Course;
use super::verdict::Verdict;
use crate::model::counters::Counters;
use crate::model::fact::Label;

/// One expected line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedLine {
    /// A line as it stands.
    Text(String),
    /// The line of one tracked row.
    Marked {
        /// The session.
        session: String,
        /// The row.
        id: String,
        /// Its kind as the registry stores it; `None` is unknown.
        kind: Option<String>,
        /// Its name; `None` is unknown.
        name: Option<Label>,
    },
}

impl<'a> Course<'a, '_> {
    /// The lines, in the order in which the server prints them; the rows' lines come in no fixed order.
    pub(super) fn expected_lines(&self, verdict: &Verdict<'a>, counters: &Counters) -> Vec<ExpectedLine> {
        if !self.question.behaviour.prints_stop_lines {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let session = self.question.facts().id;
        let mut say = |text: String| lines.push(ExpectedLine::Text(text));
        match self.question.action {
            Action::RuntimeCancel { cause } => {
                let job =
                    self.question.facts().session.and_then(crate::model::session::Session::schedule_run);
                if *cause == Cause::ScheduleStop {
                    let job = job.as_ref().map_or("…", |run| run.job.as_str());
                    say(format!("[STOP] ===== stop requested: schedule={job} run=… session={session} ====="));
                }
                let phase = if *cause == Cause::ScheduleStop { "canceled" } else { "failed" };
                let reason = reason(*cause, verdict);
                say(format!(
                    "[STOP] session={session} begin runtime cancel (reason=\"{reason}\" phase={phase})"
                ));
                if let Some(canceled) = counters.turn_canceled {
                    say(format!("[STOP] session={session} active turn context canceled={canceled}"));
                }
                if let (Some(queries), Some(canceled)) =
                    (counters.orchestrator_queries, counters.orchestrator_canceled)
                {
                    say(format!(
                        "[STOP] session={session} orchestrator contexts: queries={queries} canceled={canceled}"
                    ));
                }
                lines.extend(agents(session, counters));
                lines.extend(self.marked_lines(counters));
                if *cause == Cause::ScheduleStop {
                    let job = job.as_ref().map_or("…", |run| run.job.as_str());
                    lines.push(ExpectedLine::Text(format!(
                        "[STOP] ===== stop teardown complete: schedule={job} session={session} ====="
                    )));
                }
            }
            Action::StopSession { agents: with_agents } => {
                lines.extend(agents(session, counters));
                if *with_agents
                    && counters.tracked_marked.is_some()
                    && self.question.behaviour.sweeps_agents_twice
                {
                    let again = Counters {
                        canceled: Some(0),
                        no_cancel_func: Some(0),
                        already_done: Some(0),
                        ..Counters::default()
                    };
                    lines.extend(agents(session, &again));
                }
                lines.extend(self.marked_lines(counters));
            }
            Action::Shutdown => {
                lines.extend(agents(session, counters));
                lines.extend(self.marked_lines(counters));
            }
            _ => {}
        }
        lines
    }

    fn marked_lines(&self, counters: &Counters) -> Vec<ExpectedLine> {
        let Some(count) = counters.tracked_marked else { return Vec::new() };
        let session = self.question.facts().id;
        let mut lines: Vec<ExpectedLine> = self
            .rows
            .iter()
            .filter(|row| self.marks_tracked(row))
            .map(|row| row.known.row)
            .map(|row| ExpectedLine::Marked {
                session: session.to_owned(),
                id: row.execution.id.clone(),
                kind: row.execution.tracked_kind().map(str::to_owned),
                name: row.execution.name.as_ref().map(|name| name.value.clone()),
            })
            .collect();
        lines.push(ExpectedLine::Text(format!(
            "[STOP] session={session} tracked executions marked canceled={count} (status only — see background \
             agent counts for actual cancellation)"
        )));
        lines
    }
}

/// The line of the agents' sweep, and its warning.
fn agents(session: &str, counters: &Counters) -> Vec<ExpectedLine> {
    let (Some(canceled), Some(without), Some(done)) =
        (counters.canceled, counters.no_cancel_func, counters.already_done)
    else {
        return Vec::new();
    };
    let mut lines = vec![ExpectedLine::Text(format!(
        "[STOP] session={session} background agents: canceled={canceled} no_cancel_func={without} \
         already_done={done}"
    ))];
    if without > 0 {
        lines.push(ExpectedLine::Text(format!(
            "[STOP] session={session} WARNING {without} background agent(s) had no cancel func — marked canceled \
             but never told to stop (PLAT-130 shape)"
        )));
    }
    lines
}

/// The reason that the server gives.
fn reason(cause: Cause, verdict: &Verdict<'_>) -> &'static str {
    match cause {
        Cause::ScheduleStop => "scheduled job stopped by user",
        Cause::OperatorKill => "killed by operator",
        Cause::UsageWall => "… has reached its usage limit …",
        Cause::PaneLost => verdict.pane_reason,
    }
}
