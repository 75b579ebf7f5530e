//! The registries of a server, rebuilt from its logs.

use crate::events::merged::{Counted, Merged, Reads};
use crate::events::{Event, EventReader};
use crate::logs::{InputStats, LogFile, ReadGap, ReadOptions, TagTable};
use crate::model::gap::{Gap, GapCode};
use crate::model::thresholds::Thresholds;
use crate::replay::{Limits, RegistryReplay};

/// The logs of one server: `server_debug.log` and, where there is one, `schedule.log`.
pub(crate) struct Logs {
    pub(crate) main: Vec<LogFile>,
    pub(crate) schedule: Vec<LogFile>,
}

/// What came of the logs.
pub(crate) struct Rebuilt {
    pub(super) registries: RegistryReplay,
    pub(crate) stats: Vec<InputStats>,
    pub(super) gaps: Vec<Gap>,
    pub(super) last_wall: Option<i64>,
    /// Seconds east of UTC of the last event's wall clock.
    pub(super) offset: i32,
}

/// Applies the events of both files up to a wall second; within one second those of `schedule.log` come first.
/// `before` sees each event and the registries as they are before it. The inputs are numbered from `first_input`.
pub(crate) fn replay(
    logs: Logs,
    first_input: usize,
    options: &ReadOptions,
    until: Option<i64>,
    before: &mut dyn FnMut(&Event, &RegistryReplay),
) -> Rebuilt {
    let events = EventReader::new();
    let tags = TagTable::new(&events.tags());
    let reads = Reads { events: &events, tags: &tags, options, progress: &|_| {} };
    let mut merged = Merged::new(reads, logs.main, logs.schedule, first_input, |_| {});
    let mut registries = RegistryReplay::new(Limits::default(), Thresholds::default());
    let mut offset = None;
    while let Some(event) = merged.next() {
        if until.is_some_and(|until| event.wall > until) {
            continue;
        }
        offset = Some(event.zone_offset);
        before(&event, &registries);
        registries.apply(event);
    }
    let Counted {
        main: (mut stats, mut read_gaps),
        schedule: (schedule_stats, schedule_gaps),
        unread,
        quoted: _,
    } = merged.finish();
    let last_wall = stats.iter().filter_map(|stats| stats.last_wall).max();
    // Where no event was applied, the zone is that of the file.
    let offset = offset.or(stats.first().map(|stats| stats.zone.offset)).unwrap_or_default();
    stats.extend(schedule_stats);
    read_gaps.extend(schedule_gaps);
    let gaps = gaps(read_gaps, unread);
    Rebuilt { registries, stats, gaps, last_wall, offset }
}

fn gaps(read_gaps: Vec<ReadGap>, unread: u64) -> Vec<Gap> {
    let gap = |code, message| Gap { code, session: None, message };
    let mut gaps = Vec::new();
    for found in read_gaps {
        let code = if found.code.is_incomplete() { GapCode::UnreadableAnswer } else { GapCode::LogHole };
        gaps.push(gap(code, found.message));
    }
    if unread > 0 {
        let message = format!("{unread} lines began like a known one and went on otherwise");
        gaps.push(gap(GapCode::LogHole, message));
    }
    gaps
}
