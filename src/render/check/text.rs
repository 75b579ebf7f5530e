//! A plan held against a log, as a table for a person.

use super::view::CheckView;
use crate::check::plan_check::CheckedRow;
use crate::engine::plan::Outcome;
use crate::render::text::counters::counter_words;
use crate::render::text::style::Style;
use crate::render::text::table::table;

/// One line per row, the disagreements first, then the counters.
#[must_use]
pub fn render(view: CheckView<'_>, style: &Style) -> String {
    let mut rows: Vec<_> = view.check.rows.iter().collect();
    rows.sort_by_key(|row| row.agrees);
    let cells = rows
        .iter()
        .map(|row| {
            vec![
                String::from(match (row.agrees, row.told) {
                    (false, _) => "DIFFERS",
                    (true, true) => "agrees",
                    (true, false) => "not told",
                }),
                style.safe(&row.id),
                row.predicted.map_or("-", Outcome::name).to_owned(),
                row.observed.unwrap_or("-").to_owned(),
                row.reason.to_owned(),
            ]
        })
        .collect();
    let mut out = table(&["", "ROW", "FORESEEN", "LOG SAYS", "BECAUSE"], cells, true, style);
    for of in &view.check.counters {
        let verdict = match (&of.observed, of.agrees) {
            (None, _) => "no counters in the log, which is no disagreement",
            (Some(_), true) => "counters agree",
            (Some(_), false) => "counters DIFFER",
        };
        out.push_str(&format!("\n{}: {verdict}\n", style.safe(&of.session)));
        if let Some(observed) = of.observed.filter(|_| !of.agrees) {
            out.push_str(&format!(
                "  foreseen {}\n  log says {}\n",
                counter_words(of.predicted),
                counter_words(observed)
            ));
        }
    }
    let count = |holds: fn(&CheckedRow) -> bool| view.check.rows.iter().filter(|row| holds(row)).count();
    let agree = count(|row| row.agrees && row.told);
    let differ = count(|row| !row.agrees);
    let untold = count(|row| row.agrees && !row.told);
    let verdict = match (view.check.agrees, view.check.is_told()) {
        (false, _) => "the plan differs from the log",
        (true, true) => "the plan agrees with the log",
        (true, false) => "nothing was checked: the log tells nothing of the plan",
    };
    let rows = format!("rows: {agree} agree, {differ} differ, {untold} not told");
    out.push_str(&format!("\n{rows}\n{}\n", style.bold(verdict)));
    out
}
