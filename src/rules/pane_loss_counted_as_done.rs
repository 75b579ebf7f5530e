//! PLS039: a step's pane was lost and its item counted as done.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;

rule! {
    /// # What it means
    /// The pane of a step was lost while one of its items worked. No row matched the pane, so nobody was told; about
    /// half a minute later the item was reported as completed with whatever stood on the screen, and the run went
    /// on with the next one.
    ///
    /// # Why it matters
    /// The run's record says success. The item's work was cut off, and everything after it builds on a fragment.
    ///
    /// # What to do now
    /// Do not trust the result of the item named here; run the step again.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/11/30 03:15:00 [BG AGENT] Recorded UI-only background start for agent workflow-full-mx2p37yb01 in session c73f2415-a00b-4603-aac7-16e0389d767a
    /// 2026/11/30 03:15:00 [BG AGENT] Recorded UI-only background start for agent msgseq-collect-fetch-1796008500111877186 in session c73f2415-a00b-4603-aac7-16e0389d767a
    /// 2026/11/30 03:15:00 [SHELL] Set default working dir for session msgseq-iteration-0-group-1-group-1-step-1-collect: Workflow/w/runs/iteration-0/group-1/execution
    /// 2026/11/30 03:15:26 [TERMINAL RECONCILE] no current child owner matched session=c73f2415-a00b-4603-aac7-16e0389d767a terminal=c73f2415-a00b-4603-aac7-16e0389d767a:workflow-step:exec-collect-1796008500111869424:collect execution_candidates=[exec-collect-1796008500111869424]
    /// 2026/11/30 03:15:47 [BG AGENT] Recorded UI-only background start for agent msgseq-collect-post-1796008547777105734 in session c73f2415-a00b-4603-aac7-16e0389d767a
    /// 2026/11/30 03:15:47 [SHELL] Set default working dir for session msgseq-iteration-0-group-1-group-1-step-1-collect: Workflow/w/runs/iteration-0/group-1/execution
    /// 2026/11/30 03:20:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// Nothing went on:
    /// ```log,silent
    /// 2026/11/30 03:15:00 [BG AGENT] Recorded UI-only background start for agent workflow-full-mx2p37yb01 in session c73f2415-a00b-4603-aac7-16e0389d767a
    /// 2026/11/30 03:15:00 [BG AGENT] Recorded UI-only background start for agent msgseq-collect-fetch-1796008500111877186 in session c73f2415-a00b-4603-aac7-16e0389d767a
    /// 2026/11/30 03:15:26 [TERMINAL RECONCILE] no current child owner matched session=c73f2415-a00b-4603-aac7-16e0389d767a terminal=c73f2415-a00b-4603-aac7-16e0389d767a:workflow-step:exec-collect-1796008500111869424:collect execution_candidates=[exec-collect-1796008500111869424]
    /// 2026/11/30 03:15:40 [FINALIZE_EXEC] exec=workflow-full-mx2p37yb01 step=full-workflow — failed (err=step failed)
    /// 2026/11/30 03:20:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A new item of another group or run proves nothing and is not counted. Two loss lines of a usage wall are one
    /// finding.
    PANE_LOSS_COUNTED_AS_DONE = "PLS039", "pane-loss-counted-as-done", High, Preview;
    summary: "a step's pane was lost and its item was counted as done";
    literals: ["workflow-step:exec-"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::PaneLoss(loss) = case else { return Vec::new() };
    if loss.stopped {
        return Vec::new();
    }
    let (Some((continued, what)), Some(first)) = (&loss.continued, loss.losses.first()) else {
        return Vec::new();
    };
    let mut hit = Hit::new("PLS039", &loss.session, Severity::High, Certainty::Probable);
    for item in &loss.items {
        hit = hit.subject(Subject::execution(&*item.id)).identified_by(&item.id);
    }
    hit = hit
        .subject(Subject::new(SubjectKind::Terminal, &*loss.terminal))
        .proof(first, "the step's pane is lost; no row matches it")
        .proof(continued, *what);
    for item in &loss.items {
        if let Some(recorded) = &item.recorded {
            hit.add_proof(recorded, "the item was at work in it");
        }
    }
    let hit = hit
        .claim(format!(
            "a step's pane was lost, and {} s later its item counted as done: {what}",
            continued.utc() - first.utc()
        ))
        .ruled_out("no stop of the session stands in between")
        .next("do not trust this item's result; run the step again");
    vec![hit]
}
