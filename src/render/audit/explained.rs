//! What the model foresaw of a stop beside what the log says: in words, and as part of `pulsectl.audit/1`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::explain_stops::Explanation;
use crate::check::plan_check::CheckedRow;
use crate::engine::plan::Outcome;
use crate::model::counters::Counters;
use crate::render::text::counters::counter_words;
use crate::render::text::style::counted;

/// What the model foresaw of one stop.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Explained<'a> {
    /// Whether the counters came out as foreseen; `null` where that cannot be told.
    pub agrees: Option<bool>,
    /// The counters foreseen.
    pub predicted: Option<Counters>,
    /// Those of the other side of a race.
    pub otherwise: Option<Counters>,
    /// The rows of which the log tells something else than was foreseen.
    pub rows: Vec<ExplainedRow<'a>>,
    /// Why.
    pub reason: &'a str,
}

/// A row that came out otherwise.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExplainedRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// What was foreseen.
    pub predicted: Option<Outcome>,
    /// What the log tells.
    pub observed: Option<&'static str>,
    /// What that means.
    pub reason: &'static str,
}

/// The machine format's shape.
pub(crate) fn document(explanation: &Explanation) -> Explained<'_> {
    Explained {
        agrees: explanation.agrees,
        predicted: explanation.predicted,
        otherwise: explanation.otherwise,
        rows: explanation.rows.iter().map(row).collect(),
        reason: &explanation.reason,
    }
}

fn row(row: &CheckedRow) -> ExplainedRow<'_> {
    ExplainedRow { id: &row.id, predicted: row.predicted, observed: row.observed, reason: row.reason }
}

/// `model agrees: the counters came out as foreseen (canceled=1 no_cancel_func=1)`; not yet sanitised.
pub(crate) fn words(explanation: &Explanation) -> String {
    let verdict = match explanation.agrees {
        Some(true) => "the model agrees",
        Some(false) => "the model differs",
        None => "the model is not tried",
    };
    let mut words = format!("{verdict}: {}", explanation.reason);
    if let Some(foreseen) = explanation.predicted.filter(|foreseen| *foreseen != Counters::default()) {
        words.push_str(&format!(" ({})", counter_words(foreseen)));
    }
    for row in &explanation.rows {
        let predicted = row.predicted.map_or("nothing", Outcome::name).replace('_', " ");
        words.push_str(&format!("; {} foreseen as {predicted}, yet {}", row.id, row.reason));
    }
    words
}

/// How many stops were tried and how many came out as foreseen.
pub(crate) fn summary(explanations: &[Explanation]) -> String {
    let count = |agrees| explanations.iter().filter(|of| of.agrees == agrees).count();
    let (agree, differ, untold) = (count(Some(true)), count(Some(false)), count(None));
    let agree = counted(agree as u64, "stop");
    format!("model against log: {agree} as foreseen, {differ} otherwise, {untold} cannot be told")
}
