//! A plan as `pulsectl.plan/1`, in JSON and in YAML.

use std::borrow::Cow;

use super::view::{ComparedRow, PlanView, expected_line};
use crate::engine::plan;
use crate::engine::plan::document::{
    Compared, Counts, Document, OtherCounters, Pane, Predicted, Refused, Revives, Row, SCHEMA, Trigger, Via,
    Warning,
};
use crate::engine::plan::{Flag, Plan, Summary};
use crate::model::document::{DocumentSource, TOOL};
use crate::render::machine::{json, yaml};

/// The document as one indented JSON object, with a line end.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render(view: &PlanView<'_>) -> serde_json::Result<String> {
    json::document(&document(view))
}

/// The document as YAML, the same for every reader.
///
/// # Errors
/// Never for these shapes; the encoder's error is passed on.
pub fn render_yaml(view: &PlanView<'_>) -> yaml_serde::Result<String> {
    Ok(yaml::document(&yaml_serde::to_value(document(view))?))
}

fn document<'a>(view: &'a PlanView<'a>) -> Document<'a> {
    let plan = view.plan;
    Document {
        schema: SCHEMA.into(),
        tool: TOOL,
        complete: plan.complete,
        gaps: Cow::Borrowed(&view.snapshot.gaps),
        trigger: trigger(plan),
        policy: plan.policy,
        source: DocumentSource::of(view.snapshot),
        as_of: view.snapshot.as_of,
        warnings: plan
            .warnings
            .iter()
            .map(|warning| Warning { code: warning.code.name().into(), message: text(&warning.message) })
            .collect(),
        refused: plan
            .refused
            .as_ref()
            .map(|refused| Refused { status: refused.status, reason: text(&refused.reason) }),
        rows: plan.rows.iter().map(|of| row(of, view.show_content)).collect(),
        panes: plan.panes.iter().map(pane).collect(),
        revives: plan.revivals.iter().map(revives).collect(),
        predicted: plan.predicted.iter().map(predicted).collect(),
        expected_log: plan
            .expected_log
            .iter()
            .map(|line| expected_line(line, view.show_content).into())
            .collect(),
        compare: view.compared().map(|rows| rows.iter().map(compared).collect()),
        summary: counts(&view.summary),
    }
}

fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

fn trigger(plan: &Plan) -> Trigger<'_> {
    let trigger = &plan.trigger;
    let (agents, pane) = match trigger {
        plan::Trigger::Stop { agents, .. } => (Some(*agents), None),
        plan::Trigger::TerminalDeath { pane, .. } => (None, Some(*pane)),
        _ => (None, None),
    };
    Trigger {
        kind: trigger.kind(),
        session: trigger.session().or(plan.session.as_deref()).map(text),
        agents,
        terminal: trigger.terminal().map(text),
        target: trigger.target().map(text),
        pane,
    }
}

fn row(row: &plan::PlannedRow, show_content: bool) -> Row<'_> {
    Row {
        id: text(&row.id),
        session: text(&row.session),
        kind: row.kind,
        name: row.name.as_ref().map(|name| name.shown(show_content)),
        class: row.class,
        status: row.status.as_deref().map(text),
        outcome: row.outcome,
        via: match row.via.as_slice() {
            [] => None,
            [one] => Some(Via::One(text(one))),
            several => Some(Via::Several(several.iter().map(|id| text(id)).collect())),
        },
        dropped: row.dropped,
        stays_listed: row.stays_listed,
        flags: Cow::Borrowed(&row.flags),
        reason: text(&row.reason),
        evidence: text(&row.evidence),
        rule: text(row.rule),
        confidence: row.confidence,
        otherwise: row.otherwise.clone(),
    }
}

fn pane(pane: &plan::PlannedPane) -> Pane<'_> {
    let flags: &[Flag] = if pane.is_collateral { &[Flag::Collateral] } else { &[] };
    Pane {
        terminal: text(&pane.terminal),
        session: text(&pane.session),
        owner: pane.owner.as_deref().map(text),
        tmux: pane.tmux.as_deref().map(text),
        class: pane.class,
        outcome: pane.outcome,
        flags: Cow::Borrowed(flags),
        reason: text(pane.reason),
        otherwise: pane.otherwise.clone(),
    }
}

fn revives(revival: &plan::Revival) -> Revives<'_> {
    Revives {
        kind: revival.kind,
        session: text(&revival.session),
        what: text(&revival.what),
        when: text(revival.when),
        evidence: text(&revival.evidence),
    }
}

fn predicted(prediction: &plan::Prediction) -> Predicted<'_> {
    Predicted {
        session: text(&prediction.session),
        counters: prediction.counters,
        otherwise: prediction
            .otherwise
            .as_ref()
            .map(|other| OtherCounters { counters: other.outcome, condition: text(&other.condition) }),
    }
}

fn compared<'a>(row: &ComparedRow<'a>) -> Compared<'a> {
    Compared {
        id: text(row.id),
        session: text(row.session),
        outcomes: row.outcomes.iter().map(|(policy, outcome)| (text(policy.name()), *outcome)).collect(),
        saved: row.is_saved(),
        blocked_by: row.blocked_by.clone(),
    }
}

fn counts(summary: &Summary) -> Counts<'_> {
    Counts {
        outcomes: summary.outcomes.iter().map(|(outcome, count)| (text(outcome.name()), *count)).collect(),
        flags: summary.flags.iter().map(|(flag, count)| (text(flag.name()), *count)).collect(),
        collateral: summary.collateral.iter().map(|id| text(id)).collect(),
        safe: summary.safe,
    }
}
