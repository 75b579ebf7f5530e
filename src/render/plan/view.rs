//! A plan as it is shown: what every format says about it, in the words and order for a person. Writes no format.

use crate::engine::plan::{
    ExpectedLine, Flag, Outcome, Plan, PlannedRow, Policy, Summary, Trigger, WarningCode,
};
use crate::engine::resolve::Class;
use crate::model::confidence::Confidence;
use crate::model::id;
use crate::model::id::RowKind;
use crate::model::snapshot::Snapshot;
use crate::render::text::source::described;

/// A plan and what is shown with it.
#[derive(Debug, Clone)]
pub struct PlanView<'a> {
    /// What it was made from.
    pub snapshot: &'a Snapshot,
    /// The plan.
    pub plan: &'a Plan,
    /// The plans under the three policies, where they are to be compared, in the order of [`Policy::ALL`].
    pub compared: &'a [Plan],
    /// Its counts.
    pub summary: Summary,
    /// Show what people wrote.
    pub show_content: bool,
    /// Show all rows of a long group.
    pub everything: bool,
}

/// One row under every policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its session.
    pub session: &'a str,
    /// What it is.
    pub kind: RowKind,
    /// Outcome per policy, in the order of [`Policy::ALL`].
    pub outcomes: Vec<(Policy, Outcome)>,
    /// What would still kill or mute it if only the sweeps were mended.
    pub blocked_by: Vec<Flag>,
}

impl ComparedRow<'_> {
    fn by(&self, policy: Policy) -> Option<Outcome> {
        self.outcomes.iter().find(|(of, _)| *of == policy).map(|(_, outcome)| *outcome)
    }

    /// Whether the owner's policy would save it from the server.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.by(Policy::Server).is_some_and(Outcome::is_hit)
            && self.by(Policy::Owner) == Some(Outcome::Survives)
    }
}

impl<'a> PlanView<'a> {
    /// The rows that still run, under every policy; `None` where that was not asked for.
    #[must_use]
    pub fn compared(&self) -> Option<Vec<ComparedRow<'a>>> {
        let first = self.compared.first()?;
        let rows = first.rows.iter().enumerate().filter(|(_, row)| row.outcome != Outcome::AlreadyDone);
        Some(
            rows.map(|(at, row)| {
                let all = self.compared.iter().filter_map(|plan| Some((plan.policy, plan.rows.get(at)?)));
                ComparedRow {
                    id: &row.id,
                    session: &row.session,
                    kind: row.kind,
                    outcomes: all.clone().map(|(policy, row)| (policy, row.outcome)).collect(),
                    blocked_by: all
                        .flat_map(|(_, row)| row.flags.iter().copied())
                        .filter(|flag| flag.name().starts_with("blocked_by:"))
                        .collect(),
                }
            })
            .collect(),
        )
    }
}

/// Whether a warning of a plan only says what is not shown.
#[must_use]
pub fn is_note(code: WarningCode) -> bool {
    matches!(code, WarningCode::State(code) if code.is_note())
}

/// What is assumed to happen, in words.
#[must_use]
pub fn trigger_words(plan: &Plan) -> String {
    let session = plan.trigger.session().or(plan.session.as_deref()).unwrap_or("?");
    match &plan.trigger {
        Trigger::Stop { agents: true, .. } => format!("stop of {session} with its agents"),
        Trigger::Stop { agents: false, .. } => format!("stop of {session} without agents (a closed tab)"),
        Trigger::CancelTurn { .. } => format!("cancel of the turn of {session}"),
        Trigger::ScheduleStop { .. } => format!("stop of the schedule's job in {session}"),
        Trigger::TerminalDeath { terminal, pane, .. } => {
            let which = terminal.as_ref().map_or_else(
                || format!("the main pane of {session}"),
                |terminal| format!("the pane of {terminal}"),
            );
            match pane.name() {
                "wall" => format!("usage wall in {which}"),
                "dead" => format!("death of the process in {which}"),
                _ => format!("loss of {which}"),
            }
        }
        Trigger::KillTerminal { terminal } => format!("kill of the terminal {terminal}"),
        Trigger::StopStep { target } => {
            format!("stop of the execution {target} in {session} by an agent's tool")
        }
        Trigger::StopAll { .. } => format!("stop of all executions in {session} by an agent's tool"),
        Trigger::Shutdown => String::from("shutdown of the server"),
        Trigger::Dismiss { .. } => format!("dismissal of {session}"),
        Trigger::Clear { .. } => format!("clearing of {session}"),
    }
}

/// A part of the plan, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Hit although the session does not own it.
    Collateral,
    /// Not told to stop.
    Ineffective,
    /// It cannot be told.
    Unknown,
    /// Works on for a while, or looks as if it did, or is taken for completed.
    WorkingOn,
    /// Ends, rightly.
    Ended,
    /// Lives on.
    Survivors,
    /// Had ended before.
    EndedBefore,
}

impl Group {
    /// Every group, the worst first.
    pub const ALL: [Self; 7] = [
        Self::Collateral,
        Self::Ineffective,
        Self::Unknown,
        Self::WorkingOn,
        Self::Ended,
        Self::Survivors,
        Self::EndedBefore,
    ];

    /// The group of a row.
    #[must_use]
    pub fn of(row: &PlannedRow) -> Self {
        let left_over = [Flag::WorksOn, Flag::OrphanTracked, Flag::FalseCompletion, Flag::HalfStopped];
        if row.has(Flag::Collateral) {
            Self::Collateral
        } else if row.has(Flag::Ineffective) {
            Self::Ineffective
        } else if row.outcome == Outcome::Unknown {
            Self::Unknown
        } else if left_over.iter().any(|flag| row.has(*flag)) {
            Self::WorkingOn
        } else {
            match row.outcome {
                Outcome::AlreadyDone => Self::EndedBefore,
                Outcome::Survives => Self::Survivors,
                _ => Self::Ended,
            }
        }
    }

    /// The heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Collateral => "Collateral: not the session's own, hit all the same",
            Self::Ineffective => "Ineffective: called stopped, but not told to stop",
            Self::Unknown => "Unknown: cannot be told",
            Self::WorkingOn => "Works on, stays listed or is taken for completed",
            Self::Ended => "Ends",
            Self::Survivors => "Lives on",
            Self::EndedBefore => "Had ended before",
        }
    }

    /// The rows of a plan in this group, containers before what runs in them.
    #[must_use]
    pub fn rows(self, plan: &Plan) -> Vec<&PlannedRow> {
        let rank = |row: &PlannedRow| {
            use RowKind::{Agent, Evaluation, Item, Mirror, Run, Step, SubAgent, Turn};
            const ORDER: [RowKind; 8] = [Run, Evaluation, Step, Agent, SubAgent, Item, Mirror, Turn];
            ORDER.iter().position(|kind| *kind == row.kind)
        };
        let mut rows: Vec<&PlannedRow> = plan.rows.iter().filter(|row| Self::of(row) == self).collect();
        rows.sort_by(|left, right| {
            (&left.session, rank(left), &left.id).cmp(&(&right.session, rank(right), &right.id))
        });
        rows
    }
}

/// A line of the log to expect; what people wrote is masked unless asked for.
#[must_use]
pub fn expected_line(line: &ExpectedLine, show_content: bool) -> String {
    match line {
        ExpectedLine::Text(text) => text.clone(),
        ExpectedLine::Marked { session, id, kind, name } => {
            // A turn that a log does not name has an id of our own, which no server prints.
            let id = if id::is_made_up_turn(id) { "…" } else { id };
            let kind = kind.as_deref().unwrap_or("…");
            let name = name.as_ref().map_or_else(|| "…".into(), |name| name.shown(show_content));
            format!(
                "[STOP] session={session} tracked execution marked canceled: id={id} kind={kind} name=\"{name}\""
            )
        }
    }
}

/// What is said of a row in a few words: its outcome, then its name, class and confidence where they tell something.
#[must_use]
pub fn row_facts(row: &PlannedRow, show_content: bool) -> Vec<String> {
    let mut facts = vec![row.outcome.words().to_owned()];
    if let Some(name) = &row.name {
        facts.push(name.shown(show_content).into_owned());
    }
    if row.class != Class::Owned {
        facts.push(row.class.name().to_owned());
    }
    if row.confidence != Confidence::High {
        facts.push(format!("{} confidence", row.confidence.name()));
    }
    facts
}

/// The last line: counts, and the answer to "is it safe?".
#[must_use]
pub fn summary_words(view: &PlanView<'_>) -> String {
    let mut parts: Vec<String> = view
        .summary
        .outcomes
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(outcome, count)| format!("{count} {}", outcome.name().replace('_', " ")))
        .collect();
    if parts.is_empty() {
        parts.push(String::from("no rows"));
    }
    parts.extend(
        view.summary.flags.iter().map(|(flag, count)| format!("{count} {}", flag.name().replace('_', " "))),
    );
    let answer = match view.summary.safe {
        Some(true) => String::from("as intended (safe)"),
        Some(false) => String::from("not safe"),
        None => refusal_words(view.plan).unwrap_or_default(),
    };
    let others = ended_besides(view.plan);
    let others =
        if others.is_empty() { String::new() } else { format!("; also ends {}", others.join(" and ")) };
    format!("{answer}: {}{others}", parts.join(", "))
}

/// That the server refuses, or does nothing; `None` where it does neither.
#[must_use]
pub fn refusal_words(plan: &Plan) -> Option<String> {
    let refused = plan.refused.as_ref()?;
    Some(match refused.status {
        Some(status) => format!("refused with {status}"),
        None => String::from("no effect"),
    })
}

/// The rows that end on request although they are not the session's own. They are no collateral, but whoever
/// stops a session should know of them. A trigger that names one execution or pane ends that, and nothing besides.
fn ended_besides(plan: &Plan) -> Vec<String> {
    if matches!(
        plan.trigger,
        Trigger::StopStep { .. } | Trigger::TerminalDeath { .. } | Trigger::KillTerminal { .. }
    ) {
        return Vec::new();
    }
    let count = |class| {
        plan.rows
            .iter()
            .filter(|row| row.class == class && row.outcome.ends() && !row.has(Flag::Collateral))
            .count()
    };
    [
        (count(Class::Watched), "that the session only watches"),
        (count(Class::Detached), "detached from it"),
        (count(Class::Unknown), "that may not be its own"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect()
}

/// The first line.
#[must_use]
pub fn header_words(view: &PlanView<'_>) -> String {
    let source = described(view.snapshot);
    format!(
        "{} \u{b7} {source} \u{b7} policy {} \u{b7} nothing was changed",
        trigger_words(view.plan),
        view.plan.policy.name(),
    )
}
