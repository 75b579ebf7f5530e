//! Which of many spans of time hold a moment, without looking at all of them.

use jiff::Timestamp;

/// One span; an unknown start or end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span<'a> {
    /// When it began; `Timestamp::MIN` where that is not known.
    pub(super) start: Timestamp,
    /// When it ended; `Timestamp::MAX` where it runs or that is not known.
    pub(super) end: Timestamp,
    /// Id of the row.
    pub(super) id: &'a str,
}

/// Spans ordered by start, with a tree of the latest end over each part.
#[derive(Debug, Default)]
pub(super) struct Intervals<'a> {
    spans: Vec<Span<'a>>,
    /// Latest end per node of a full binary tree; the leaves begin at `width`.
    latest: Vec<Timestamp>,
    width: usize,
}

impl<'a> Intervals<'a> {
    pub(super) fn new(mut spans: Vec<Span<'a>>) -> Self {
        spans.sort_by(|left, right| (left.start, left.id).cmp(&(right.start, right.id)));
        let width = spans.len().next_power_of_two();
        let mut latest = vec![Timestamp::MIN; 2 * width];
        for (leaf, span) in latest.iter_mut().skip(width).zip(&spans) {
            *leaf = span.end;
        }
        for node in (1..width).rev() {
            latest[node] = latest[2 * node].max(latest[2 * node + 1]);
        }
        Self { spans, latest, width }
    }

    /// Ids of the spans that hold the moment, both ends included, in the order of their starts; at most `limit`.
    pub(super) fn holding(&self, moment: Timestamp, limit: usize) -> Vec<&'a str> {
        let started = self.spans.partition_point(|span| span.start <= moment);
        let mut found = Vec::new();
        // Node, first leaf below it, number of leaves below it.
        let mut stack = vec![(1_usize, 0_usize, self.width)];
        while let Some((node, first, leaves)) = stack.pop() {
            let ends_before = self.latest.get(node).is_none_or(|latest| *latest < moment);
            if first >= started || ends_before || found.len() >= limit {
                continue;
            }
            if leaves == 1 {
                found.extend(self.spans.get(first).map(|span| span.id));
                continue;
            }
            let half = leaves / 2;
            stack.push((2 * node + 1, first + half, half));
            stack.push((2 * node, first, half));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("the test's time is in range")
    }

    // Held against a look at every span, for every moment around them.
    #[test]
    fn the_same_spans_as_by_looking_at_all() {
        let ids: Vec<String> = (0..37).map(|number| format!("run-{number:02}")).collect();
        let spans: Vec<Span<'_>> = ids
            .iter()
            .zip(0_i64..)
            .map(|(id, number)| {
                let start = number * 7 % 23;
                Span { start: at(start), end: at(start + number * 5 % 11), id }
            })
            .collect();
        let intervals = Intervals::new(spans.clone());
        for moment in (-1..40).map(at) {
            let mut expected: Vec<&str> = spans
                .iter()
                .filter(|span| span.start <= moment && moment <= span.end)
                .map(|span| span.id)
                .collect();
            let mut found = intervals.holding(moment, usize::MAX);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{moment}");
            assert_eq!(intervals.holding(moment, 2).len(), expected.len().min(2));
        }
        assert!(Intervals::new(Vec::new()).holding(at(0), 9).is_empty());
    }
}
