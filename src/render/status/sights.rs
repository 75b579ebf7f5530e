//! What can be seen of a server, what is lost without it, and how to see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::gap::GapCode;
use crate::model::snapshot::Snapshot;

/// What has to be done so that trees and terminals can be seen (server-behaviour.md#requests-and-answers).
const OPEN_THE_GATE: &str = "start the server with AGENTWORKS_RUNTIME_DEBUG=1";

/// One kind of thing that may be seen.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sight {
    /// What.
    pub what: &'static str,
    /// Whether it can be seen; null where that was not tried.
    pub visible: Option<bool>,
    /// How many there are; null where they cannot be counted.
    pub count: Option<u64>,
    /// What is unknown without it; null where it can be seen.
    pub lost: Option<&'static str>,
    /// How to enable it; null where nothing can be done or nothing is needed.
    pub enable: Option<&'static str>,
}

/// What can be seen of the server, always in the same order.
pub(super) fn sights(snapshot: &Snapshot) -> Vec<Sight> {
    let count = |length: usize| u64::try_from(length).ok();
    let gate = snapshot.server.debug_gate_open.map(|open| open.value);
    let enable = (gate == Some(false)).then_some(OPEN_THE_GATE);
    let has_gap = |code| snapshot.gaps.iter().any(|gap| gap.code == code);
    let trees = match gate {
        Some(false) => Some(false),
        _ if !snapshot.trees_read.is_empty() => Some(true),
        Some(true) => Some(true),
        None => None,
    };
    let terminals = match gate {
        Some(false) => Some(false),
        _ if has_gap(GapCode::NoTerminals) => None,
        _ => Some(true),
    };
    let running = snapshot.running.as_ref();
    let mut sights = vec![
        seen("sessions", count(snapshot.sessions().len())),
        Sight {
            what: "executions",
            visible: Some(true),
            count: count(snapshot.executions().len()),
            lost: None,
            enable: None,
        },
        Sight {
            what: "running executions as the server lists them",
            visible: Some(running.is_some()),
            count: running.and_then(|rows| count(rows.len())),
            lost: running.is_none().then_some("which rows a stop left running"),
            enable: None,
        },
        Sight {
            what: "execution trees",
            visible: trees,
            count: None,
            lost: (trees == Some(false)).then_some("names of finished rows, parents, groups, folders"),
            enable,
        },
        Sight {
            what: "terminals in full",
            visible: terminals,
            count: if terminals == Some(true) { count(snapshot.terminals().len()) } else { None },
            lost: (terminals == Some(false)).then_some("tmux names and ages of step panes"),
            enable,
        },
    ];
    if snapshot.server.multi_user.is_some_and(|multi_user| multi_user.value) {
        sights.push(Sight {
            what: "other people's sessions",
            visible: Some(false),
            count: None,
            lost: Some("what other people run; the server lists to each only their own"),
            enable: None,
        });
    }
    sights
}

fn seen(what: &'static str, count: Option<u64>) -> Sight {
    Sight { what, visible: Some(true), count, lost: None, enable: None }
}
