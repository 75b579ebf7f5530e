//! Puts the plan together: the sessions that are hit, each row's outcome, panes, counters, lines and warnings.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::action::Action;
use super::assumed::with_assumed_pane;
use super::behaviour::Behaviour;
use super::counters::Prediction;
use super::course::{Course, CourseRow};
use super::decide::Decision;
use super::known::Known;
use super::log_lines::ExpectedLine;
use super::policy::Policy;
use super::preflight::verdict;
use super::question::Question;
use super::revive::Revival;
use super::row::{Otherwise, Outcome, PlannedPane, PlannedRow};
use super::trigger::Trigger;
use super::verdict::{Refusal, Verdict};
use super::warning::{self, Warning};
use crate::engine::resolve::resolution::resolve_session;
use crate::engine::resolve::{Resolution, Row, SessionFacts, resolve};
use crate::model::confidence::Confidence;
use crate::model::fact::Judgement;
use crate::model::gap::GapCode;
use crate::model::id::RowKind;
use crate::model::server::ServerVersion;
use crate::model::snapshot::Snapshot;
use crate::model::terminal::Terminal;

/// What a trigger would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The trigger.
    pub trigger: Trigger,
    /// The session that it hits; `None` for a shutdown, or where nothing was found.
    pub session: Option<String>,
    /// By which policy.
    pub policy: Policy,
    /// On which server version.
    pub version: ServerVersion,
    /// The moment that it is about.
    pub as_of: Option<Timestamp>,
    /// What makes it less than certain; sorted.
    pub warnings: Vec<Warning>,
    /// Why the server refuses or does nothing.
    pub refused: Option<Refusal>,
    /// Every row of the sessions hit, by session and id.
    pub rows: Vec<PlannedRow>,
    /// Their panes, by session and id.
    pub panes: Vec<PlannedPane>,
    /// What could bring work back.
    pub revivals: Vec<Revival>,
    /// The counters to expect, by session.
    pub predicted: Vec<Prediction>,
    /// The log lines to expect.
    pub expected_log: Vec<ExpectedLine>,
    /// Whether everything that was asked for was read and decoded.
    pub complete: bool,
}

/// What the trigger would do, by what the snapshot tells and on the server version that it names.
#[must_use]
pub fn plan(snapshot: &Snapshot, trigger: &Trigger, policy: Policy) -> Plan {
    plan_as(snapshot, trigger, snapshot.server.version, policy)
}

/// The same on another server version.
#[must_use]
pub fn plan_as(snapshot: &Snapshot, trigger: &Trigger, version: ServerVersion, policy: Policy) -> Plan {
    let assumed = with_assumed_pane(snapshot, trigger);
    let snapshot = assumed.as_ref().unwrap_or(snapshot);
    let mut plan = Plan {
        trigger: trigger.clone(),
        session: None,
        policy,
        version,
        as_of: snapshot.as_of,
        warnings: Vec::new(),
        refused: None,
        rows: Vec::new(),
        panes: Vec::new(),
        revivals: Vec::new(),
        predicted: Vec::new(),
        expected_log: Vec::new(),
        complete: snapshot.is_complete(),
    };
    let sessions = sessions_hit(snapshot, trigger);
    if *trigger != Trigger::Shutdown {
        plan.session = sessions.first().map(|session| (*session).to_owned());
    }
    let everything = (*trigger == Trigger::Shutdown).then(|| resolve(snapshot));
    let named: Vec<SessionFacts<'_>> = sessions.iter().map(|id| resolve_session(snapshot, id)).collect();
    let facts = everything.as_ref().map_or(named.as_slice(), Resolution::sessions);
    if facts.is_empty() && *trigger != Trigger::Shutdown {
        plan.refused = Some(Refusal {
            status: matches!(trigger, Trigger::KillTerminal { .. }).then_some(404),
            reason: "nothing with this id is known".into(),
        });
    }
    for facts in facts {
        add_session(&mut plan, snapshot, facts, trigger);
    }
    plan.warnings.extend(warning::of_server(snapshot));
    plan.warnings.extend(warning::of_trigger(snapshot, trigger));
    plan.warnings.sort();
    plan.warnings.dedup();
    plan
}

/// The sessions that a trigger hits; all of them for a shutdown, which is the caller's to add.
fn sessions_hit<'a>(snapshot: &'a Snapshot, trigger: &'a Trigger) -> Vec<&'a str> {
    if let Some(session) = trigger.session() {
        return vec![session];
    }
    if let Some(terminal) = trigger.terminal() {
        let found = snapshot.terminals().iter().find(|known| known.id == terminal);
        return found.map(|terminal| terminal.session.as_str()).into_iter().collect();
    }
    let Some(target) = trigger.target() else { return Vec::new() };
    let found = snapshot.executions().iter().find(|known| known.id == target);
    found.map(|row| row.session.as_str()).into_iter().collect()
}

fn add_session<'a>(plan: &mut Plan, snapshot: &Snapshot, facts: &SessionFacts<'a>, trigger: &'a Trigger) {
    let known = Known::of(facts);
    let behaviour = Behaviour::of(plan.version);
    let verdict = verdict(trigger, &known, behaviour);
    let question = Question {
        known: &known,
        action: &verdict.action,
        policy: plan.policy,
        behaviour,
        main_pane_lost: verdict.lost.is_some_and(Terminal::is_main),
    };
    let course = Course::of(question);
    let other = verdict
        .otherwise
        .as_ref()
        .map(|(action, condition)| (Course::of(Question { action, ..question }), *condition));
    let other = other.as_ref().map(|(course, condition)| (course, *condition));
    let freshness = freshness(snapshot, facts);

    let mut races = BTreeSet::new();
    let rows = course.rows.iter().zip(course.flags()).enumerate();
    plan.rows.extend(rows.map(|(at, (CourseRow { known, decision, .. }, flags))| {
        let row = known.row;
        let otherwise = other
            .and_then(|(course, condition)| {
                let outcome = course.rows.get(at)?.decision.outcome;
                (outcome != decision.outcome).then(|| Otherwise { outcome, condition: condition.into() })
            })
            .or_else(|| question.race_of(known, decision));
        if let Some(otherwise) = &otherwise {
            races.insert(otherwise.condition.clone());
        }
        let confidence = row_confidence(row, decision, &verdict).min(freshness);
        let planned = planned_row(row, decision, flags, otherwise, confidence);
        if verdict.action == Action::Nothing && decision.outcome == Outcome::Survives {
            return PlannedRow { reason: nothing_words(&verdict).to_owned(), rule: verdict.rule, ..planned };
        }
        planned
    }));
    plan.panes.extend(course.planned_panes(&verdict, other));
    plan.revivals.extend(course.revivals());
    let prediction = course.prediction(other);
    plan.expected_log.extend(course.expected_lines(&verdict, &prediction.counters));
    plan.predicted.push(prediction);
    plan.warnings.extend(warning::of_session(snapshot, facts, &verdict));
    plan.warnings.extend(races.iter().map(|condition| warning::race(condition)));
    if plan.refused.is_none() {
        plan.refused = verdict.refused;
    }
}

/// Why nothing happens to a row.
fn nothing_words<'b>(verdict: &'b Verdict<'_>) -> &'b str {
    verdict.refused.as_ref().map_or("the pane is closed, but no work is cancelled", |refused| &refused.reason)
}

/// How fresh the rows of a session are.
fn freshness(snapshot: &Snapshot, facts: &SessionFacts<'_>) -> Confidence {
    let disagree = snapshot.gaps.iter().any(|gap| {
        gap.code == GapCode::RevisionsDisagree && gap.session.as_deref().is_none_or(|id| id == facts.id)
    });
    match facts.frozen {
        Judgement::Yes(_) => Confidence::Low,
        _ if disagree => Confidence::Low,
        Judgement::No => Confidence::High,
        Judgement::Unknown(_) => Confidence::Medium,
    }
}

/// The least sure of what a row's outcome rests on (server-behaviour.md#what-a-stop-does-to-a-row).
fn row_confidence(row: &Row<'_>, decision: &Decision<'_>, verdict: &Verdict<'_>) -> Confidence {
    let sure = decision.confidence;
    match decision.outcome {
        Outcome::AlreadyDone => sure,
        Outcome::Survives => sure.min(verdict.confidence),
        _ => sure.min(verdict.confidence).min(row.class.reason.confidence),
    }
}

fn planned_row(
    row: &Row<'_>,
    decision: &Decision<'_>,
    flags: Vec<super::row::Flag>,
    otherwise: Option<Otherwise<Outcome>>,
    confidence: Confidence,
) -> PlannedRow {
    let execution = row.execution;
    PlannedRow {
        id: execution.id.clone(),
        session: execution.session.clone(),
        kind: RowKind::of(execution.kind),
        name: execution.name.as_ref().map(|name| name.value.clone()),
        class: row.class.value,
        status: execution.status.as_ref().map(|status| status.value.as_str().to_owned()),
        outcome: decision.outcome,
        via: decision.via.iter().map(|id| (*id).to_owned()).collect(),
        dropped: decision.dropped,
        stays_listed: decision.stays_listed,
        flags,
        reason: decision.words.to_string(),
        evidence: row.cancel.reason.evidence.to_string(),
        rule: decision.rule,
        confidence,
        otherwise,
    }
}
