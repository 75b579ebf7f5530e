//! What could bring work back after the trigger (server-behaviour.md#panes-after-a-stop,
//! server-behaviour.md#work-after-a-stop and server-behaviour.md#latent-death).

use super::action::Action;
use super::course::Course;
use super::decide::Decision;
use super::nature::Nature;
use super::row::Outcome;
use crate::model::id::IdKind;
use crate::model::words::words;

words! {
    /// What could bring work back.
    pub enum RevivalKind {
        /// A message that is on its way into a turn.
        QueuedMessage = "queued_message",
        /// The completion of something that works on.
        Notification = "notification",
        /// A schedule.
        Schedule = "schedule",
        /// A person's next message.
        UserMessage = "user_message",
        /// The watchdog.
        Watchdog = "watchdog",
    }
}

/// One way in which work could come back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revival {
    /// By what.
    pub kind: RevivalKind,
    /// The session.
    pub session: String,
    /// What comes back.
    pub what: String,
    /// When.
    pub when: &'static str,
    /// The record, or the heading of `docs/server-behaviour.md`, that says so.
    pub evidence: String,
}

impl Course<'_, '_> {
    /// What could bring work back.
    pub(super) fn revivals(&self) -> Vec<Revival> {
        let mut found = Vec::new();
        let session = self.question.facts().id;
        let mut add = |kind, what: String, when, evidence: String| {
            found.push(Revival { kind, session: session.to_owned(), what, when, evidence });
        };
        let rows = || self.rows.iter().map(|row| (row.known, &row.decision));
        let goes_on = |decision: &Decision<'_>| {
            matches!(decision.outcome, Outcome::Survives | Outcome::MarkedOnly | Outcome::Unknown)
        };
        if self.question.action.sets_guard() {
            for (known, _) in rows().filter(|(_, decision)| goes_on(decision)) {
                if known.turn().is_some_and(|turn| turn.nature == Nature::Preparing) {
                    let row = known.row;
                    let what =
                        format!("{} begins to work although the server says stopped", row.execution.id);
                    add(
                        RevivalKind::QueuedMessage,
                        what,
                        "within seconds, when its preparation ends",
                        row.cancel.reason.evidence.to_string(),
                    );
                }
            }
            let has_pane =
                self.question.facts().main_terminal.is_some_and(|main| main.has_pane() == Some(true));
            add(
                RevivalKind::UserMessage,
                String::from("a person's message clears the mark \"stopped\" and starts a turn"),
                if has_pane {
                    "after the next watchdog poll, within 30 s; until then it gets 409"
                } else {
                    "at once"
                },
                String::from("server-behaviour.md#panes-after-a-stop"),
            );
            if self.question.facts().scheduled && self.question.facts().running_turns.is_empty() {
                add(
                    RevivalKind::Schedule,
                    String::from(
                        "if the job is between two messages, the next one begins to work all the same",
                    ),
                    "within seconds",
                    String::from("server-behaviour.md#work-after-a-stop"),
                );
            }
            if self.question.facts().scheduled {
                add(
                    RevivalKind::Schedule,
                    String::from("the schedule starts its next run in a session of its own"),
                    "at its next time",
                    String::from("server-behaviour.md#stops-by-a-person"),
                );
            }
        }
        let is_root = |kind| matches!(kind, IdKind::Run | IdKind::Evaluation | IdKind::Step | IdKind::Agent);
        match self.question.action {
            Action::Dismiss => {
                let running = rows()
                    .filter(|(known, decision)| is_root(known.row.execution.kind) && goes_on(decision))
                    .count();
                if running > 0 {
                    add(
                        RevivalKind::Notification,
                        match running {
                            1 => {
                                String::from("the completion of a running execution shows the session again")
                            }
                            _ => format!(
                                "the completion of {running} running executions shows the session again"
                            ),
                        },
                        "when the first of them, or an item of it, ends",
                        String::from("server-behaviour.md#panes-after-a-stop"),
                    );
                }
            }
            Action::FailChild { targets, .. } if targets.is_empty() => add(
                RevivalKind::Watchdog,
                String::from("the item is taken for completed and the next one starts in a new pane"),
                "about 35 s later (60 s for a dead pane)",
                String::from("server-behaviour.md#a-lost-step-pane"),
            ),
            Action::CancelTurn if self.question.facts().scheduled => add(
                RevivalKind::Schedule,
                String::from("the schedule's run goes on and says stopped only when it ends"),
                "when the run ends, or after 3 h",
                String::from("server-behaviour.md#stops-by-a-person"),
            ),
            Action::StopStep { .. } | Action::StopAll
                if rows().any(|(_, decision)| decision.outcome.ends()) =>
            {
                add(
                    RevivalKind::Notification,
                    String::from("the failure of what ends is told to the session and starts a turn"),
                    "within seconds",
                    String::from("server-behaviour.md#what-the-log-prints"),
                );
            }
            _ => {}
        }
        found
    }
}
