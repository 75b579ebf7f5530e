//! The counts of a plan, and whether it is safe.

use std::collections::BTreeMap;

use super::assemble::Plan;
use super::row::{Flag, Outcome, PaneOutcome};
use crate::model::confidence::Confidence;

/// The counts of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Rows per outcome; every outcome has an entry.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Rows per flag; only flags that occur.
    pub flags: BTreeMap<Flag, usize>,
    /// The rows that are collateral, sorted.
    pub collateral: Vec<String>,
    /// How many panes are collateral.
    pub collateral_panes: usize,
    /// Whether nothing speaks against it; `None` where the trigger is refused.
    pub safe: Option<bool>,
}

impl Summary {
    /// The counts of this plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let mut summary =
            Self { outcomes: Outcome::ALL.iter().map(|outcome| (*outcome, 0)).collect(), ..Self::default() };
        for row in &plan.rows {
            *summary.outcomes.entry(row.outcome).or_default() += 1;
            for flag in &row.flags {
                *summary.flags.entry(*flag).or_default() += 1;
            }
            if row.has(Flag::Collateral) {
                summary.collateral.push(row.id.clone());
            }
        }
        summary.collateral_panes = plan.panes.iter().filter(|pane| pane.is_collateral).count();
        summary.collateral.sort_unstable();
        summary.safe = plan.refused.is_none().then(|| is_safe(plan, &summary));
        summary
    }

    /// Whether this flag is on a row, or collateral a pane.
    #[must_use]
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains_key(&flag) || flag == Flag::Collateral && self.collateral_panes > 0
    }

    /// Whether the outcome of some row cannot be told.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.outcomes.get(&Outcome::Unknown).is_some_and(|count| *count > 0)
    }
}

fn is_safe(plan: &Plan, summary: &Summary) -> bool {
    plan.complete
        && plan.warnings.iter().all(|warning| warning.code.is_harmless())
        && summary.flags.keys().all(|flag| flag.is_harmless())
        && summary.collateral_panes == 0
        && plan.panes.iter().all(|pane| pane.outcome != PaneOutcome::Unknown)
        && plan.rows.iter().all(|row| {
            row.confidence != Confidence::Low && row.outcome != Outcome::Unknown && row.otherwise.is_none()
        })
}
