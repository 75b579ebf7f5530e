//! Counts the lines that no rule judges, by kind and minute, so that a time window can leave some out.

use std::collections::BTreeMap;

use crate::logs::WallWindow;
use crate::model::unjudged::Unjudged;

/// Minutes kept; beyond them a line counts as one of the last minute that is.
const KEPT: usize = 65_536;

/// The counts of one server.
#[derive(Debug, Default)]
pub(super) struct UnjudgedLines {
    /// By input, kind, and minute of the wall clock.
    counts: BTreeMap<(usize, Unjudged, i64), u64>,
}

impl UnjudgedLines {
    /// One line of this input at this wall second.
    pub(super) fn add(&mut self, input: usize, what: Unjudged, wall: i64) {
        let key = (input, what, wall.div_euclid(60));
        if self.counts.len() < KEPT || self.counts.contains_key(&key) {
            *self.counts.entry(key).or_default() += 1;
        } else if let Some((_, count)) = self.counts.range_mut(..key).next_back() {
            *count += 1;
        }
    }

    /// How many of each kind in the minutes that the window touches.
    pub(super) fn in_window(&self, window: &WallWindow) -> BTreeMap<Unjudged, u64> {
        let mut counts = BTreeMap::new();
        for ((_, what, minute), count) in &self.counts {
            if window.overlaps(minute * 60, minute * 60 + 59) {
                *counts.entry(*what).or_default() += count;
            }
        }
        counts
    }

    /// How many of an input, whatever the window.
    pub(super) fn of_input(&self, input: usize) -> u64 {
        self.counts.iter().filter(|((of, ..), _)| *of == input).map(|(_, count)| count).sum()
    }
}
