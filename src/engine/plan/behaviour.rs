//! What the versions of the server do differently, one row for each (server-behaviour.md#versions). No other file
//! of the plan asks for the version.

use crate::model::server::ServerVersion;

/// What one version does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Behaviour {
    /// Its log has `[STOP]` lines, and with them counters.
    pub(super) prints_stop_lines: bool,
    /// Every stop marks the session's tracked rows; else only one that finds a run in orchestrator mode does.
    pub(super) sweeps_tracked_at_every_stop: bool,
    /// A stop that marks tracked rows counts the agents a second time, when its first sweep has left none.
    pub(super) sweeps_agents_twice: bool,
    /// A step that a background agent started belongs to that agent and ends with it (PLAT-361).
    pub(super) agents_own_their_steps: bool,
    /// Where the pane of a turn with a cancel is missing, the watchdog leaves the recovery to the turn.
    pub(super) leaves_lost_pane_to_turn: bool,
}

impl Behaviour {
    /// The row of this version.
    pub(super) const fn of(version: ServerVersion) -> Self {
        const AUGUST: Behaviour = Behaviour {
            prints_stop_lines: true,
            sweeps_tracked_at_every_stop: false,
            sweeps_agents_twice: true,
            agents_own_their_steps: false,
            leaves_lost_pane_to_turn: false,
        };
        match version {
            ServerVersion::August17 => Self { prints_stop_lines: false, ..AUGUST },
            ServerVersion::August20 | ServerVersion::August22 => AUGUST,
            ServerVersion::Later => Self {
                prints_stop_lines: true,
                sweeps_tracked_at_every_stop: true,
                sweeps_agents_twice: false,
                agents_own_their_steps: true,
                leaves_lost_pane_to_turn: true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // server-behaviour.md#versions: the oldest version prints no lines and stops like the other two of August;
    // the later one differs from those in all that the page names, and prints lines.
    #[test]
    fn the_versions_differ_in_what_the_page_names() {
        let [oldest, middle, newest, later] =
            [ServerVersion::August17, ServerVersion::August20, ServerVersion::August22, ServerVersion::Later]
                .map(Behaviour::of);
        assert_eq!(middle, newest);
        assert!(!oldest.prints_stop_lines && newest.prints_stop_lines && later.prints_stop_lines);
        assert_eq!(Behaviour { prints_stop_lines: true, ..oldest }, newest);
        assert!(!newest.sweeps_tracked_at_every_stop && later.sweeps_tracked_at_every_stop);
        assert!(newest.sweeps_agents_twice && !later.sweeps_agents_twice);
        assert!(!newest.agents_own_their_steps && later.agents_own_their_steps);
        assert!(!newest.leaves_lost_pane_to_turn && later.leaves_lost_pane_to_turn);
    }
}
