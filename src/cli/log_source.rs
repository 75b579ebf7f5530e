//! `--log FILE… [--at TIME]`: a server's state as its log shows it at one moment.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use super::exit::{CommandError, ExitStatus};
use crate::events::merged::{Counted, Merged, Reads};
use crate::events::{Event, EventReader};
use crate::logs::{
    Discovered, InputStats, LogFile, ReadGap, ReadOptions, Reader, TagTable, TimeError, Window, discover,
    parse_zone,
};
use crate::model::fact::{Gap, GapCode};
use crate::model::snapshot::{Origin, Snapshot};
use crate::replay::{Limits, RegistryReplay};

/// A log instead of a server.
#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Source", conflicts_with_all = ["server", "from", "names"])]
    pub log: Vec<PathBuf>,
    /// The moment in the log [default: its last line]
    #[arg(long, value_name = "TIME", requires = "log", help_heading = "Source")]
    pub at: Option<String>,
    /// Zone of the log [default: as the log tells]
    #[arg(long, value_name = "ZONE", requires = "log", help_heading = "Source")]
    pub tz: Option<String>,
}

impl From<TimeError> for CommandError {
    fn from(error: TimeError) -> Self {
        Self::new(ExitStatus::Usage, error.to_string().replace("--until", "--at")).hint(error.hint())
    }
}

fn nothing(error: impl Into<String>) -> CommandError {
    CommandError::new(ExitStatus::NothingChecked, error)
}

/// The state that the arguments' logs show.
///
/// # Errors
/// When no log is there, no line could be read, or the time lies before the first.
pub(super) fn from_log(args: &LogArgs) -> Result<Snapshot, CommandError> {
    let zone = args.tz.as_deref().map(parse_zone).transpose()?;
    // A time such as `5m` counts back from now, as everywhere else.
    let window = Window::parse(None, args.at.as_deref(), None, Timestamp::now())?;
    let options = ReadOptions { zone, window };
    let paths: Vec<String> = args.log.iter().map(|path| path.display().to_string()).collect();
    if paths.iter().any(|path| path == "-") {
        return Err(CommandError::new(ExitStatus::Usage, "--log can't read standard input")
            .hint("it is read twice; name a file"));
    }
    let until = match &options.window {
        Some(_) => Some(last_second(find(&paths)?, &options)?),
        None => None,
    };
    snapshot_at(find(&paths)?, &options, until)
}

/// The state that logs show at a wall second, or at their end.
///
/// # Errors
/// When no line could be read.
pub(super) fn snapshot_at(
    logs: Logs,
    options: &ReadOptions,
    until: Option<i64>,
) -> Result<Snapshot, CommandError> {
    let rebuilt = replay(logs, 0, options, until, &mut |_, _| {});
    if rebuilt.stats.iter().all(|stats| stats.lines == 0) {
        return Err(nothing("no line could be read"));
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

/// The logs of one server: `server_debug.log` and, where there is one, `schedule.log`.
pub(super) struct Logs {
    pub(super) main: Vec<LogFile>,
    pub(super) schedule: Vec<LogFile>,
}

fn find(paths: &[String]) -> Result<Logs, CommandError> {
    let Discovered { groups, problems, .. } = discover(paths, true);
    if let Some(problem) = problems.first() {
        return Err(nothing(problem.to_string()).hint(problem.hint()));
    }
    let count = groups.len();
    let mut groups = groups.into_iter();
    match (groups.next(), count) {
        (Some(group), 1) => Ok(Logs { main: group.main, schedule: group.schedule }),
        (None, _) => Err(nothing("no log was found")),
        (Some(_), count) => {
            let error = format!("these are the logs of {count} servers");
            Err(CommandError::new(ExitStatus::Usage, error).hint("name the files of one"))
        }
    }
}

/// The wall second that `--at` means: it may need the log's zone and its last time.
fn last_second(logs: Logs, options: &ReadOptions) -> Result<i64, CommandError> {
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
        _ => {
            let shown = |wall: Option<i64>| {
                let moment = wall.and_then(|wall| Timestamp::from_second(wall).ok());
                moment
                    .map_or_else(|| "?".to_owned(), |moment| moment.strftime("%Y-%m-%d %H:%M:%S").to_string())
            };
            Err(nothing("the log has no line before that time").hint(format!(
                "its lines are from {} to {}, in its own zone",
                shown(first),
                shown(last)
            )))
        }
    }
}

/// What came of the logs.
pub(super) struct Rebuilt {
    registries: RegistryReplay,
    pub(super) stats: Vec<InputStats>,
    gaps: Vec<Gap>,
    last_wall: Option<i64>,
    /// Seconds east of UTC of the last event's wall clock.
    offset: i32,
}

/// Applies the events of both files up to a wall second; within one second those of `schedule.log` come first.
/// `before` sees each event and the registries as they are before it. The inputs are numbered from `first_input`.
pub(super) fn replay(
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
    let mut registries = RegistryReplay::new(Limits::default());
    let mut offset = None;
    while let Some(event) = merged.next() {
        if until.is_some_and(|until| event.wall > until) {
            continue;
        }
        offset = Some(event.zone_offset);
        before(&event, &registries);
        registries.apply(event);
    }
    let Counted { main: (mut stats, mut read_gaps), schedule: (schedule_stats, schedule_gaps), unread } =
        merged.finish();
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
        let code = if found.incomplete { GapCode::UnreadableAnswer } else { GapCode::LogHole };
        gaps.push(gap(code, found.message));
    }
    if unread > 0 {
        let message = format!("{unread} lines began like a known one and went on otherwise");
        gaps.push(gap(GapCode::LogHole, message));
    }
    gaps
}
