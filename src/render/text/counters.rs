//! The counters of a stop in words.

use crate::model::counters::Counters;

/// `canceled=1 no_cancel_func=1`, or `nothing`.
pub(crate) fn counter_words(counters: Counters) -> String {
    let number = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
    let parts: Vec<String> = [
        counters.turn_canceled.map(|canceled| format!("turn={canceled}")),
        number("queries", counters.orchestrator_queries),
        number("orchestrator_canceled", counters.orchestrator_canceled),
        number("canceled", counters.canceled),
        number("no_cancel_func", counters.no_cancel_func),
        number("already_done", counters.already_done),
        number("tracked", counters.tracked_marked),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { String::from("nothing") } else { parts.join(" ") }
}
