//! How many lines stand at which moment, in bounded memory: what a time window is counted with.

/// Entries at most; beyond them neighbours are merged, so a very long log is counted more coarsely.
const ENTRIES: usize = 1 << 16;

/// The line at which each new stamp began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LineCounts {
    /// Wall second and the number of lines before its first line.
    entries: Vec<(i64, u64)>,
    total: u64,
}

impl LineCounts {
    /// A stamp that differs from the one before, on the line after `lines_before` others.
    pub(crate) fn begin(&mut self, wall: i64, lines_before: u64) {
        if self.entries.len() < 2 * ENTRIES {
            self.entries.push((wall, lines_before));
        }
    }

    /// Merges neighbours where there are too many entries. Not while a mark may still be used.
    pub(crate) fn settle(&mut self) {
        if self.entries.len() >= ENTRIES {
            let mut index = 0_usize;
            self.entries.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }

    /// A place that [`LineCounts::rewind`] goes back to.
    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Forgets every stamp after the mark; their lines count for the stamp before.
    pub(crate) fn rewind(&mut self, mark: usize) {
        self.entries.truncate(mark);
    }

    /// Sets how many lines there are in all.
    pub(crate) fn finish(&mut self, lines: u64) {
        self.total = lines;
    }

    /// Lines whose stamp lies between two wall seconds, both included. Lines before the first stamp belong
    /// to no moment.
    pub(crate) fn between(&self, since: Option<i64>, until: Option<i64>) -> u64 {
        let ends = self.entries.iter().skip(1).map(|&(_, line)| line).chain([self.total]);
        self.entries
            .iter()
            .zip(ends)
            .filter(|((wall, _), _)| {
                since.is_none_or(|since| *wall >= since) && until.is_none_or(|until| *wall <= until)
            })
            .map(|((_, begin), end)| end.saturating_sub(*begin))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_their_stamp() {
        let mut counts = LineCounts::default();
        counts.begin(100, 2);
        counts.begin(101, 5);
        let mark = counts.mark();
        counts.begin(999, 6);
        counts.rewind(mark);
        counts.begin(103, 9);
        counts.finish(10);
        assert_eq!(counts.between(None, None), 8, "two lines stand before the first stamp");
        assert_eq!(counts.between(Some(101), Some(101)), 4, "what was rewound belongs to the stamp before");
        assert_eq!(counts.between(Some(102), None), 1);
        assert_eq!(counts.between(None, Some(99)), 0);
    }

    #[test]
    fn memory_is_bounded_and_no_line_is_lost() {
        let mut counts = LineCounts::default();
        for second in 0..300_000 {
            counts.begin(second, second.unsigned_abs());
            counts.settle();
        }
        counts.finish(300_000);
        assert!(counts.entries.len() <= ENTRIES);
        assert_eq!(counts.between(None, None), 300_000);
    }
}
