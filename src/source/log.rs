//! A log as a source: a server's state as its log shows it at one moment.

use jiff::Timestamp;
use thiserror::Error;

use crate::events::server_log::{ReadThrough, Reads, ServerLog};
use crate::events::{Event, EventReader};
use crate::logs::{
    Bound, DAY, Discovered, Group, InputProblem, ReadGap, ReadOptions, TagTable, Window, discover,
};
use crate::model::gap::{Gap, GapCode};
use crate::model::snapshot::{Origin, Snapshot};
use crate::model::thresholds::Thresholds;
use crate::replay::{Limits, Replay};

/// The logs of one server, and the moment.
#[derive(Debug, Clone)]
pub struct LogAtTime {
    /// Files, globs or folders.
    pub paths: Vec<String>,
    /// The zone, and a window whose end is the moment; without one it is the log's last line.
    pub options: ReadOptions,
}

/// Why a log shows no state.
#[derive(Debug, Error)]
pub enum LogError {
    /// A path leads to no log.
    #[error("{0}")]
    Problem(InputProblem),
    /// No path leads to a log.
    #[error("no log was found")]
    NoLog,
    /// The files are those of several servers.
    #[error("these are the logs of {0} servers")]
    SeveralServers(usize),
    /// The files are empty.
    #[error("no line could be read")]
    NoLine,
    /// The moment lies before the first line.
    #[error("the log has no line before that time")]
    BeforeFirst {
        /// The first line's wall second.
        first: Option<i64>,
        /// The last line's wall second.
        last: Option<i64>,
    },
}

impl LogError {
    /// The next step; empty where there is none.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Problem(problem) => problem.hint(),
            Self::SeveralServers(_) => String::from("name the files of one"),
            Self::NoLog | Self::NoLine => String::new(),
            Self::BeforeFirst { first, last } => {
                let shown = |wall: &Option<i64>| {
                    let moment = wall.and_then(|wall| Timestamp::from_second(wall).ok());
                    moment.map_or_else(
                        || "?".to_owned(),
                        |moment| moment.strftime("%Y-%m-%d %H:%M:%S").to_string(),
                    )
                };
                format!("its lines are from {} to {}, in its own zone", shown(first), shown(last))
            }
        }
    }
}

impl LogAtTime {
    /// The state at that moment.
    ///
    /// # Errors
    /// When no log is there, no line could be read, or the moment lies before the first.
    pub fn read(&self) -> Result<Snapshot, LogError> {
        snapshot_at(find(&self.paths)?, &self.options)
    }
}

/// The state that a log shows at the end of the window, or at its own end; read once.
///
/// # Errors
/// When no line could be read, or the moment lies before the first.
pub(crate) fn snapshot_at(files: Group, options: &ReadOptions) -> Result<Snapshot, LogError> {
    let at = options.window.as_ref().and_then(Window::until);
    let events = EventReader::new();
    let tags = TagTable::new(&events.tags());
    let reads = Reads { events: &events, tags: &tags, options, progress: &|_| {} };
    let mut log = ServerLog::new(reads, files, 0, |_| {});
    // Nothing is judged here, so no limit of time counts.
    let mut replay = Replay::with_registry(Limits::default(), Thresholds::default());
    let mut daily = DailyMoment::default();
    let mut offset = None;
    while let Some(event) = log.next() {
        match at {
            Some(Bound::Instant(until)) if event.utc() > until => continue,
            Some(Bound::Wall(until)) if event.wall > until => continue,
            Some(Bound::TimeOfDay(time)) => daily.see(&event, time, offset, &replay),
            _ => {}
        }
        offset = Some(event.zone_offset);
        replay.apply(event);
        drop(replay.take_cases());
    }
    let read = log.finish();
    let shown = Shown::of(at, &read, options, offset)?;
    let kept = daily.kept.filter(|kept| at.is_some() && kept.due == shown.wall);
    let (mut snapshot, offset) = match kept {
        Some(kept) => (kept.snapshot, kept.offset.or(offset)),
        None => (state(&replay), offset),
    };
    let offset = offset.map_or(read.offset(), i64::from);
    snapshot.as_of = Timestamp::from_second(shown.utc.unwrap_or(shown.wall - offset)).ok();
    let paths = read.main.iter().chain(&read.schedule).map(|stats| stats.path.clone()).collect();
    snapshot.origin = Origin::Log { paths };
    snapshot.gaps.extend(gaps(read));
    if shown.is_later {
        let message = String::from("the log ends before that time: this is the state at its last line");
        snapshot.gaps.push(Gap { code: GapCode::LogEndsBefore, session: None, message });
    }
    snapshot.gaps.sort();
    Ok(snapshot)
}

fn state(replay: &Replay) -> Snapshot {
    let registry = replay.registry();
    registry.map(|registry| registry.snapshot(Origin::default(), None)).unwrap_or_default()
}

/// A time of day is meant on the day of the log's last line, which only its end tells: of each day on which the log
/// goes on after that time the state before is kept, and the newest counts.
#[derive(Default)]
struct DailyMoment {
    /// The newest wall second so far.
    latest: Option<i64>,
    kept: Option<Kept>,
}

struct Kept {
    /// The wall second of that time on its day.
    due: i64,
    snapshot: Snapshot,
    /// Seconds east of UTC of the last event before.
    offset: Option<i32>,
}

impl DailyMoment {
    /// This event is about to be applied.
    fn see(&mut self, event: &Event, time: i64, offset: Option<i32>, replay: &Replay) {
        let due = event.wall - event.wall.rem_euclid(DAY) + time;
        if event.wall > due && self.latest.is_none_or(|latest| latest <= due) {
            self.kept = Some(Kept { due, snapshot: state(replay), offset });
        }
        self.latest = self.latest.max(Some(event.wall));
    }
}

/// The moment that is shown.
struct Shown {
    wall: i64,
    /// The same in UTC, where that was asked for.
    utc: Option<i64>,
    /// What was asked for lies after the last line, of which nothing is known.
    is_later: bool,
}

impl Shown {
    fn of(
        at: Option<Bound>,
        read: &ReadThrough,
        options: &ReadOptions,
        offset: Option<i32>,
    ) -> Result<Self, LogError> {
        if read.main.iter().chain(&read.schedule).all(|stats| stats.lines == 0) {
            return Err(LogError::NoLine);
        }
        let (first, last) = (read.first_wall(), read.last_wall());
        let end = last.unwrap_or_default();
        let (Some(at), Some(window)) = (at, &options.window) else {
            return Ok(Self { wall: end, utc: None, is_later: false });
        };
        let until = read.main.first().and_then(|stats| {
            let mut zone = stats.zone.clone();
            zone.offset = offset.unwrap_or(zone.offset);
            window.resolve(&zone, options.zone.as_ref(), last).until
        });
        match (until, first) {
            (Some(until), Some(first)) if until >= first => {
                let is_later = until > end;
                let utc = match at {
                    Bound::Instant(instant) if !is_later => Some(instant),
                    _ => None,
                };
                Ok(Self { wall: until.min(end), utc, is_later })
            }
            _ => Err(LogError::BeforeFirst { first, last }),
        }
    }
}

fn gaps(read: ReadThrough) -> Vec<Gap> {
    let gap = |code, message| Gap { code, session: None, message };
    let told = |found: ReadGap| {
        gap(
            if found.code.is_incomplete() { GapCode::UnreadableAnswer } else { GapCode::LogHole },
            found.message,
        )
    };
    let mut gaps: Vec<Gap> = read.main_gaps.into_iter().chain(read.schedule_gaps).map(told).collect();
    if read.unread > 0 {
        let message = format!("{} lines began like a known one and went on otherwise", read.unread);
        gaps.push(gap(GapCode::LogHole, message));
    }
    gaps
}

fn find(paths: &[String]) -> Result<Group, LogError> {
    let Discovered { groups, problems, .. } = discover(paths, true);
    if let Some(problem) = problems.into_iter().next() {
        return Err(LogError::Problem(problem));
    }
    let count = groups.len();
    let mut groups = groups.into_iter();
    match (groups.next(), count) {
        (Some(group), 1) => Ok(group),
        (None, _) => Err(LogError::NoLog),
        (Some(_), count) => Err(LogError::SeveralServers(count)),
    }
}
