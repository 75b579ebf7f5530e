//! A log as a source: a server's state as its log shows it at one moment.

use jiff::Timestamp;
use thiserror::Error;

use super::rebuilt::{Logs, replay};
use crate::events::EventReader;
use crate::logs::{Discovered, InputProblem, ReadOptions, Reader, TagTable, discover};
use crate::model::gap::{Gap, GapCode};
use crate::model::snapshot::{Origin, Snapshot};

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
    /// Standard input can be read only once.
    #[error("--log can't read standard input")]
    StandardInput,
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
            Self::StandardInput => String::from("it is read twice; name a file"),
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
        if self.paths.iter().any(|path| path == "-") {
            return Err(LogError::StandardInput);
        }
        let until = match &self.options.window {
            Some(_) => Some(last_second(find(&self.paths)?, &self.options)?),
            None => None,
        };
        snapshot_at(find(&self.paths)?, &self.options, until)
    }
}

/// The state that logs show at a wall second, or at their end.
///
/// # Errors
/// When no line could be read.
pub(crate) fn snapshot_at(
    logs: Logs,
    options: &ReadOptions,
    until: Option<i64>,
) -> Result<Snapshot, LogError> {
    let rebuilt = replay(logs, 0, options, until, &mut |_, _| {});
    if rebuilt.stats.iter().all(|stats| stats.lines == 0) {
        return Err(LogError::NoLine);
    }
    // Of a moment after the last line nothing is known.
    let is_later = until.zip(rebuilt.last_wall).is_some_and(|(until, last)| until > last);
    let shown = if is_later { rebuilt.last_wall } else { until.or(rebuilt.last_wall) };
    let as_of = shown.map(|wall| wall - i64::from(rebuilt.offset));
    let as_of = as_of.and_then(|second| Timestamp::from_second(second).ok());
    let paths = rebuilt.stats.iter().map(|stats| stats.path.clone()).collect();
    let mut snapshot = rebuilt.registries.snapshot(Origin::Log { paths }, as_of);
    snapshot.gaps.extend(rebuilt.gaps);
    if is_later {
        let message = String::from("the log ends before that time: this is the state at its last line");
        snapshot.gaps.push(Gap { code: GapCode::LogHole, session: None, message });
    }
    snapshot.gaps.sort();
    Ok(snapshot)
}

fn find(paths: &[String]) -> Result<Logs, LogError> {
    let Discovered { groups, problems, .. } = discover(paths, true);
    if let Some(problem) = problems.into_iter().next() {
        return Err(LogError::Problem(problem));
    }
    let count = groups.len();
    let mut groups = groups.into_iter();
    match (groups.next(), count) {
        (Some(group), 1) => Ok(Logs { main: group.main, schedule: group.schedule }),
        (None, _) => Err(LogError::NoLog),
        (Some(_), count) => Err(LogError::SeveralServers(count)),
    }
}

/// The wall second that `--at` means: it may need the log's zone and its last time.
fn last_second(logs: Logs, options: &ReadOptions) -> Result<i64, LogError> {
    let reader = EventReader::new();
    let tags = TagTable::new(&reader.tags());
    let mut lines = Reader::new(logs.main, 0, &tags, options.clone());
    while lines.next().is_some() {}
    let (stats, _) = lines.finish();
    let first = stats.iter().filter_map(|stats| stats.first_wall).min();
    let last = stats.iter().filter_map(|stats| stats.last_wall).max();
    let zone = stats.first().map(|stats| &stats.zone);
    let until = zone
        .zip(options.window.as_ref())
        .and_then(|(zone, window)| window.resolve(zone, options.zone.as_ref(), last).until);
    match (until, first) {
        (Some(until), Some(first)) if until >= first => Ok(until),
        _ => Err(LogError::BeforeFirst { first, last }),
    }
}
