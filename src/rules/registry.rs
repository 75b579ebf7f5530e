//! The rules as a list: their declarations, and judging a case by all of them.

use std::sync::LazyLock;

use super::hit::Hit;
use super::meta::{RuleMeta, Severity};
use crate::model::id::IdKind;
use crate::model::thresholds::Thresholds;
use crate::replay::Case;

/// A rule: what it says of itself, and its check.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The declaration; its text still has the doc comment's leading blanks.
    pub(super) meta: RuleMeta,
    /// Judges one case.
    pub(super) check: fn(&Case, &Thresholds) -> Vec<Hit>,
}

/// Declares a rule from its doc comment, so that `explain`, the README and rustdoc show the same words.
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $name:ident = $code:literal, $kebab:literal, $severity:ident, $status:ident;
        summary: $summary:literal;
        literals: [$($literal:literal),* $(,)?];
        $(context_only: $context:literal;)?
        $(since: $since:literal;)?
        check: $check:path
    ) => {
        $(#[doc = $line])+
        pub(super) const $name: $crate::rules::registry::Rule = $crate::rules::registry::Rule {
            meta: $crate::rules::meta::RuleMeta {
                code: $code,
                name: $kebab,
                summary: $summary,
                severity: $crate::rules::meta::Severity::$severity,
                status: $crate::rules::meta::Maturity::$status,
                since: [$($since,)? "0.1.0"][0],
                literals: &[$($literal),*],
                text: concat!($($line, "\n"),+),
                context_only: false $(|| $context)?,
            },
            check: $check,
        };
    };
}
pub(super) use rule;

/// The declarations, in the order of their codes, with clean texts.
#[must_use]
pub fn all() -> &'static [RuleMeta] {
    static ALL: LazyLock<Vec<RuleMeta>> = LazyLock::new(|| {
        super::RULES
            .iter()
            .map(|rule| {
                let text: String = rule
                    .meta
                    .text
                    .lines()
                    .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
                    .collect();
                // Made once and kept for the whole run, like the text that it comes from.
                RuleMeta { text: Box::leak(text.into_boxed_str()), ..rule.meta }
            })
            .collect()
    });
    &ALL
}

/// The declaration with this code or name, in any case.
#[must_use]
pub fn find(name: &str) -> Option<&'static RuleMeta> {
    all().iter().find(|meta| meta.answers_to(name))
}

/// Judges a case by every rule; rules that concern each other are reconciled.
#[must_use]
pub fn judge(case: &Case, thresholds: &Thresholds) -> Vec<Hit> {
    let mut hits: Vec<Hit> = super::RULES.iter().flat_map(|rule| (rule.check)(case, thresholds)).collect();
    raise_no_cancel_function(&mut hits);
    fold_reactivation(&mut hits);
    // A death that has a reason is not unexplained.
    if hits.iter().any(|hit| matches!(hit.code, "PLS018" | "PLS038")) {
        hits.retain(|hit| hit.code != "PLS036");
    }
    hits
}

/// PLS001 counts as high when work of the same episode really went on
/// (server-behaviour.md#reading-a-stop-from-a-log). A turn that ended late is none of the rows that nobody could tell.
fn raise_no_cancel_function(hits: &mut [Hit]) {
    let is_turn = |hit: &Hit| {
        !hit.subjects.is_empty() && hit.subjects.iter().all(|subject| IdKind::of(&subject.id).is_turn())
    };
    let went_on = hits.iter().any(|hit| {
        matches!(hit.code, "PLS002" | "PLS003" | "PLS004" | "PLS012")
            && hit.severity >= Severity::High
            && !is_turn(hit)
    });
    if went_on {
        for hit in hits.iter_mut().filter(|hit| hit.code == "PLS001") {
            hit.severity = hit.severity.max(Severity::High);
        }
    }
}

/// PLS009 is shown as evidence of PLS003 when both fire (server-behaviour.md#reading-a-stop-from-a-log).
fn fold_reactivation(hits: &mut Vec<Hit>) {
    if !hits.iter().any(|hit| hit.code == "PLS003" && hit.severity >= Severity::High) {
        return;
    }
    let (folded, kept): (Vec<Hit>, Vec<Hit>) =
        std::mem::take(hits).into_iter().partition(|hit| hit.code == "PLS009");
    *hits = kept;
    if let Some(main) = hits.iter_mut().find(|hit| hit.code == "PLS003") {
        for proof in folded.iter().flat_map(|hit| &hit.evidence) {
            if matches!(proof.event.kind, crate::events::EventKind::SessionTracked { .. }) {
                main.add_proof(&proof.event, "the stopped session was registered as active again");
            }
        }
    }
}
