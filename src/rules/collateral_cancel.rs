//! PLS005: a dying terminal took an independent run with it.

use std::collections::BTreeSet;

use super::hit::{Hit, count};
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::model::id::{self, IdKind};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::account::{self, Entry, EntryKind};
use crate::replay::episode::{Container, EndKind, Episode, Row};

rule! {
    /// # What it means
    /// A chat's main terminal died, sat on a usage wall or was killed, and the sweep over the chat's session id
    /// cancelled a full workflow run that the chat had only launched and was watching. One finding per run, its
    /// items with it.
    ///
    /// # Why it matters
    /// This is PLAT-171. The run has its own folder, group and life; nothing tied it to that terminal but a
    /// session id that means both "who is told" and "who may cancel". Its work is lost.
    ///
    /// # What to do now
    /// Run that group again, or resume it; nothing else under the session needs to be. Tell whoever waited for the
    /// run: its completion reached nobody. Before the next stop, `pulsectl plan` shows who would be hit.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/21 17:41:12 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt2wrr0g07 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 begin runtime cancel (reason="tmux pane disappeared unexpectedly" phase=failed)
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 background agents: canceled=1 no_cancel_func=0 already_done=0
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tracked execution marked canceled: id=workflow-full-mt2wrr0g07 kind=workflow_builder_task name="full-run [Asha Rao / iteration-0]"
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tracked executions marked canceled=1 (status only — see background agent counts for actual cancellation)
    /// 2026/08/21 18:11:54 [FINALIZE_EXEC] exec=workflow-full-mt2wrr0g07 step=full-workflow — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// A server of before 2026-08-18, without `[STOP]` lines:
    /// ```log,fires
    /// 2026/08/17 17:41:12 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt2wrr0g07 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/17 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/17 18:11:54 [FINALIZE_EXEC] exec=workflow-full-mt2wrr0g07 step=full-workflow — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/17 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// Only the turn itself was in flight:
    /// ```log,silent
    /// 2026/08/21 18:11:53 [TERMINAL RECONCILE] failing main session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 terminal=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70:main:b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 reason="tmux pane disappeared unexpectedly"
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 begin runtime cancel (reason="tmux pane disappeared unexpectedly" phase=failed)
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 active turn context canceled=true
    /// 2026/08/21 18:11:53 [STOP] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tracked execution marked canceled: id=query_1787315720771201000 kind=workflow_builder_task name="hello"
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    /// A person's stop takes everything on purpose:
    /// ```log,silent
    /// 2026/08/21 17:41:12 [BG AGENT] Recorded UI-only background start for agent workflow-full-mt2wrr0g07 in session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70
    /// 2026/08/21 18:11:53 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/21 18:11:54 [FINALIZE_EXEC] exec=workflow-full-mt2wrr0g07 step=full-workflow — context cancelled (err=context canceled), status=Cancelled, skipNotify=false (OnExecutionComplete will fire)
    /// 2026/08/21 18:15:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// In a scheduled session the run is the schedule's own: its loss is reported as medium. A detached step is no
    /// full run and is reported as medium, for review, and so is an agent of an ended turn; an item of a step is never
    /// listed under a run.
    COLLATERAL_CANCEL = "PLS005", "collateral-cancel", Critical, Preview;
    summary: "a dying terminal cancelled a run that the session was only watching";
    literals: ["[TERMINAL RECONCILE] failing main"];
    check: check
}

/// A run that was hit, with what the log says of it.
#[derive(Default)]
struct Victim<'a> {
    marked: Option<&'a SharedEvent>,
    inside: Vec<(&'a str, Option<&'a SharedEvent>)>,
    ended: Option<&'a SharedEvent>,
    /// Whether another run could be meant.
    ambiguous: bool,
}

fn check(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    let reconciled =
        episode.openers.iter().any(|line| matches!(line.kind, EventKind::MainTerminalFailing { .. }));
    let failed_sweep = episode.sweeps.iter().filter_map(|sweep| sweep.begin.as_ref()).any(
        |line| matches!(&line.kind, EventKind::BeginRuntimeCancel { phase, .. } if &**phase == "failed"),
    );
    // Later versions know more reasons of the same kind, such as a revoked token: the phase tells.
    if !(episode.cause.is_incidental() || reconciled || failed_sweep) || episode.cause.is_person_stop() {
        return Vec::new();
    }
    let victims = victims(episode, thresholds);
    let named: BTreeSet<&str> = victims
        .iter()
        .flat_map(|(run, victim)| std::iter::once(&**run).chain(victim.inside.iter().map(|(id, _)| *id)))
        .collect();
    let account = account::of_episode(episode, thresholds);
    let others = lost_besides(episode, &account, &named);
    let runs = victims.iter().map(|(run, victim)| victim_hit(episode, run, victim));
    runs.chain(others.iter().map(|(entry, inside)| other_hit(episode, entry, inside))).collect()
}

/// What was lost and belongs to no run: detached steps with their items, agents, and items of unknown containers.
fn lost_besides<'a>(
    episode: &Episode,
    account: &'a [Entry],
    named: &BTreeSet<&str>,
) -> Vec<(&'a Entry, Vec<&'a Entry>)> {
    let lost: Vec<&Entry> =
        account.iter().filter(|entry| entry.is_lost() && !named.contains(&*entry.id)).collect();
    let step_of = |entry: &Entry| match episode.row(&entry.id).map(|row| &row.container) {
        Some(Container::Step(step)) => Some(step.clone()),
        _ => None,
    };
    lost.iter()
        .filter(
            |entry| matches!(entry.kind, EntryKind::Row(kind) if !kind.is_turn() && kind != IdKind::Mirror),
        )
        .filter(|entry| step_of(entry).is_none_or(|step| !lost.iter().any(|other| other.id == step)))
        .map(|entry| {
            let inside = lost.iter().filter(|other| step_of(other).as_deref() == Some(&*entry.id)).copied();
            (*entry, inside.collect())
        })
        .collect()
}

fn other_hit(episode: &Episode, entry: &Entry, inside: &[&Entry]) -> Hit {
    let mut hit = Hit::new("PLS005", &episode.session, Severity::Medium, Certainty::Probable)
        .subject(Subject::execution(&*entry.id))
        .identified_by(&entry.id)
        .claim(format!(
            "a {} cancelled {} {}{}, which was not the work of the turn in the dead terminal",
            episode.cause.words(),
            entry.kind.name().replace('_', " "),
            entry.id,
            if inside.is_empty() {
                String::new()
            } else {
                format!(" and {} of it", count(inside.len(), "item"))
            }
        ))
        .proof(episode.opener(), "the main terminal is given up")
        .ruled_out("no person stopped the session")
        .next("look whether it was meant to outlive the terminal, and start it again if so");
    for other in inside {
        hit = hit.subject(Subject::execution(&*other.id));
    }
    for (line, role) in &entry.evidence {
        hit.add_proof(line, *role);
    }
    hit.doubted_by(episode)
}

/// The runs that were hit: those named by the sweep, and those whose own end shows the cancel.
fn victims<'a>(episode: &'a Episode, thresholds: &Thresholds) -> Vec<(String, Victim<'a>)> {
    let mut victims: Vec<(String, Victim<'a>)> = Vec::new();
    let mut marked: Vec<(&str, &SharedEvent)> = episode.marked().map(|row| (&*row.id, &row.event)).collect();
    marked.sort_unstable_by(|left, right| left.0.cmp(right.0));
    for (id, line) in &marked {
        if IdKind::of(id).is_run() {
            entry(&mut victims, id).marked = Some(line);
        }
    }
    for line in &episode.lines {
        let EventKind::Finalized { id, outcome: FinalOutcome::Cancelled } = &line.kind else { continue };
        let in_time = line.utc() - episode.first_second() <= thresholds.cancel_lag;
        if !(IdKind::of(id).is_run() && in_time) {
            continue;
        }
        let logged = !marked.is_empty();
        if !logged || victims.iter().any(|(run, _)| **run == **id) {
            entry(&mut victims, id).ended = Some(line);
        }
    }
    for (id, line) in &marked {
        match IdKind::of(id) {
            IdKind::Mirror => {
                if let Some(run) = id::container_of_mirror(id).filter(|run| IdKind::of(run).is_run()) {
                    entry(&mut victims, run).inside.push((id, Some(line)));
                }
            }
            IdKind::Item => add_item(episode, &mut victims, id, Some(line)),
            _ => {}
        }
    }
    if marked.is_empty() {
        for line in &episode.lines {
            let EventKind::CompleteIgnored { id, .. } = &line.kind else { continue };
            if IdKind::of(id) == IdKind::Item && line.utc() - episode.first_second() <= thresholds.cancel_lag
            {
                add_item(episode, &mut victims, id, Some(line));
            }
        }
    }
    victims.sort_by(|left, right| left.0.cmp(&right.0));
    victims
}

fn entry<'v, 'a>(victims: &'v mut Vec<(String, Victim<'a>)>, run: &str) -> &'v mut Victim<'a> {
    let at = victims.iter().position(|(known, _)| known == run).unwrap_or_else(|| {
        victims.push((run.to_owned(), Victim::default()));
        victims.len() - 1
    });
    &mut victims[at].1
}

/// Puts an item under its run. An item of a detached step never goes under a run.
fn add_item<'a>(
    episode: &Episode,
    victims: &mut Vec<(String, Victim<'a>)>,
    id: &'a str,
    line: Option<&'a SharedEvent>,
) {
    match episode.row(id).map(|row| &row.container) {
        Some(Container::Run(run)) => entry(victims, run).inside.push((id, line)),
        Some(Container::Step(_)) => {}
        Some(Container::OneOf(runs)) => {
            for run in runs {
                let victim = entry(victims, run);
                victim.inside.push((id, line));
                victim.ambiguous = true;
            }
        }
        // The registration is missing: with one run and no detached step there is one place it can be.
        Some(Container::Unknown) | None => {
            let detached = episode.marked().any(|row| IdKind::of(&row.id) == IdKind::Step)
                || episode.rows.iter().any(|row| row.kind == IdKind::Step);
            if detached {
                return;
            }
            if let [(_, victim)] = victims.as_mut_slice() {
                victim.inside.push((id, line));
                victim.ambiguous = true;
            } else if victims.is_empty() {
                let victim = entry(victims, "");
                victim.inside.push((id, line));
                victim.ambiguous = true;
            }
        }
    }
}

fn victim_hit(episode: &Episode, run: &str, victim: &Victim<'_>) -> Hit {
    let own_schedule = id::is_schedule_session(&episode.session);
    let severity = if own_schedule { Severity::Medium } else { Severity::Critical };
    let reconcile =
        episode.openers.iter().find(|line| matches!(line.kind, EventKind::MainTerminalFailing { .. }));
    let begin = episode.sweeps.iter().find_map(|sweep| sweep.begin.as_ref());
    let recorded = episode.row(run).and_then(|row: &Row| row.recorded.as_ref());
    let ended_row = episode
        .row(run)
        .and_then(|row| row.end.as_ref())
        .filter(|end| matches!(end.kind, EndKind::Finalized(FinalOutcome::Cancelled)));
    let ended = victim.ended.or(ended_row.map(|end| &end.event));
    // A server of before 2026-08-18 prints no sweep; its registration line stands in
    // (server-behaviour.md#what-the-log-prints).
    let missing = if begin.is_some() || victim.marked.is_some() {
        [reconcile.is_none(), begin.is_none(), victim.marked.is_none(), ended.is_none()]
    } else {
        [reconcile.is_none(), recorded.is_none(), false, ended.is_none()]
    };
    let confidence = match missing.iter().filter(|&&missing| missing).count() {
        0 => Certainty::Confirmed,
        1 => Certainty::Probable,
        _ => Certainty::Candidate,
    };
    let mut hit = Hit::new("PLS005", &episode.session, severity, confidence);
    if let Some(line) = reconcile {
        hit.add_proof(line, "the main terminal is given up");
    }
    if let Some(line) = begin {
        hit.add_proof(line, "the sweep over the session id begins");
    } else if let Some(line) = recorded {
        hit.add_proof(line, "the run had been registered under this session");
    }
    if let Some(line) = victim.marked {
        hit.add_proof(line, "the run is marked canceled");
    }
    for (id, line) in &victim.inside {
        if let Some(line) = line {
            hit.add_proof(line, format!("{} of the run goes with it", SubjectKind::of_execution(id)));
        }
    }
    if let Some(line) = ended {
        hit.add_proof(line, "the run ends by a cancelled context");
    }
    if hit.evidence.is_empty() {
        hit.add_proof(episode.opener(), "the sweep");
    }
    let name = if run.is_empty() { "an unknown run".to_owned() } else { format!("run {run}") };
    if run.is_empty() {
        let items: Vec<&str> = victim.inside.iter().map(|(id, _)| *id).collect();
        hit = hit.identified_by(&items.join("+"));
    } else {
        hit = hit.identified_by(run).subject(Subject::execution(run));
    }
    for (id, _) in &victim.inside {
        hit = hit.subject(Subject::execution(*id));
    }
    let items = victim.inside.iter().filter(|(id, _)| IdKind::of(id) == IdKind::Item).count();
    let inside = match (items, victim.inside.len() - items) {
        (0, 0) => String::new(),
        (items, 0) => format!(" and {} of it", count(items, "item")),
        (0, rows) => format!(" and {} of it", count(rows, "progress row")),
        (items, rows) => format!(" and {} and {} of it", count(items, "item"), count(rows, "progress row")),
    };
    let relation = if own_schedule { "its own schedule's run" } else { "which the session only watched" };
    hit = hit
        .claim(format!("a {} cancelled {name}{inside}, {relation}", episode.cause.words()))
        .ruled_out("no person stopped the session")
        .next(if run.is_empty() {
            "find the run of these items, run its group again, and tell whoever waited for it".to_owned()
        } else {
            "run this group again or resume it, and tell whoever waited for it".to_owned()
        });
    if victim.ambiguous {
        hit.confidence = hit.confidence.lowered();
    }
    hit.doubted_by(episode)
}
