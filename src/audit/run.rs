//! One audit: find the logs, read each server's two files side by side, judge, and report.

use std::cell::RefCell;
use std::sync::Arc;

use super::assemble::{self, Assembler, Filter};
use super::custom;
use super::finding::{Gap, Input, Moment, Report};
use super::ids::Ids;
use super::options::{AuditError, AuditErrorKind, AuditOptions, Progress};
use super::unjudged::UnjudgedLines;
use super::window;
use crate::events::server_log::{Reads, ServerLog};
use crate::events::{EventReader, Stream};
use crate::logs::{
    Discovered, Group, InputStats, ReadGap, ReadOptions, TagTable, WallWindow, Window, discover, parse_zone,
};
use crate::model::gap::GapCode;
use crate::model::id::is_schedule_session;
use crate::replay::{Limits, RegistryNow, Replay};
use crate::rules::custom::CustomRule;

/// Where logs lie when nobody says where.
const DEFAULT_FOLDER: &str = "./logs/";

/// A line with which a stop may begin, and the registries as they are before it.
pub struct BeforeStop<'a> {
    /// The session.
    pub session: Arc<str>,
    /// Its UTC second.
    pub second: i64,
    /// Number of the input, from 0, and of the line, from 1.
    pub line: (usize, u64),
    /// Whether it stands in `schedule.log`.
    pub is_of_schedule: bool,
    /// The registries.
    pub registry: RegistryNow<'a>,
}

/// Is shown each such line.
pub type Watch<'a> = &'a mut dyn FnMut(BeforeStop<'_>);

/// Runs an audit over files.
///
/// # Errors
/// When an option cannot be read, nothing could be read, or the session is not in the log.
pub fn run(options: &AuditOptions, progress: &Progress) -> Result<Report, AuditError> {
    run_files(options, progress, None)
}

/// The same while somebody looks on.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    options: &AuditOptions,
    progress: &Progress,
    watch: Watch<'_>,
) -> Result<Report, AuditError> {
    run_files(options, progress, Some(watch))
}

fn run_files(
    options: &AuditOptions,
    progress: &Progress,
    watch: Option<Watch<'_>>,
) -> Result<Report, AuditError> {
    let read = read_options(options)?;
    let found = found(options);
    if options.paths.is_empty() && found.groups.is_empty() {
        return Err(usage("no log was named and there is no `./logs/`")
            .hint("name a file or a folder: `pulsectl audit path/to/server_debug.log`"));
    }
    audit_logs(found, options, &read, progress, watch)
}

/// The logs that the options name.
fn found(options: &AuditOptions) -> Discovered {
    let paths: Vec<String> = if options.paths.is_empty() {
        vec![DEFAULT_FOLDER.to_owned()]
    } else {
        options.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
    };
    discover(&paths, options.siblings)
}

/// Runs an audit over logs that were found or that are in memory.
///
/// # Errors
/// As [`run`].
pub fn audit(
    found: Discovered,
    options: &AuditOptions,
    read: &ReadOptions,
    progress: &Progress,
) -> Result<Report, AuditError> {
    audit_logs(found, options, read, progress, None)
}

fn audit_logs(
    found: Discovered,
    options: &AuditOptions,
    read: &ReadOptions,
    progress: &Progress,
    watch: Option<Watch<'_>>,
) -> Result<Report, AuditError> {
    let mut gaps: Vec<Gap> = found
        .problems
        .iter()
        .map(|problem| Gap { code: GapCode::InputNotRead, message: problem.to_string() })
        .collect();
    gaps.extend(found.skipped.iter().map(|skipped| Gap {
        code: skipped.code,
        message: format!("`{}`: {}", skipped.path, skipped.message),
    }));
    if found.groups.is_empty() {
        let Some(first) = found.problems.first() else {
            return Err(nothing("no log was found"));
        };
        let others: Vec<String> = found.problems.iter().skip(1).map(ToString::to_string).collect();
        return Err(nothing(first.to_string()).hint(first.hint()).detail(others.join("; ")));
    }
    for file in found.groups.iter().flat_map(|group| group.main.iter().chain(&group.schedule)) {
        progress.expect(file.stored_bytes().unwrap_or_default());
    }
    let reader = EventReader::new();
    let mut tags = reader.tags();
    tags.extend(custom::tags(&options.custom_rules));
    let tags = TagTable::new(&tags);
    let filter = Filter {
        session: options.session.clone(),
        matching: options.matching.as_ref().map(|text| text.to_lowercase()),
    };
    let advance = |bytes| progress.advance(bytes);
    let mut audit = Audit {
        reads: Reads { events: &reader, tags: &tags, options: read, progress: &advance },
        custom_rules: &options.custom_rules,
        judging: options,
        filter,
        report: Report { gaps, ..Report::default() },
        has_matched: false,
        custom_cut: 0,
        outside_window: 0,
        lines_in_window: 0,
        ids: Ids::of(options.session.as_deref()),
        watch,
    };
    for group in found.groups {
        audit.read_group(group);
    }
    audit.finish(options)
}

/// What the options say of zone and window.
///
/// # Errors
/// When a zone, time or duration cannot be read.
pub fn read_options(options: &AuditOptions) -> Result<ReadOptions, AuditError> {
    let zone = options.time_zone.as_deref().map(parse_zone).transpose();
    let zone = zone.map_err(|error| usage(error.to_string()).hint(error.hint()))?;
    let window = Window::parse(
        options.since.as_deref(),
        options.until.as_deref(),
        options.last.as_deref(),
        options.now,
    );
    let window = window.map_err(|error| usage(error.to_string()).hint(error.hint()))?;
    Ok(ReadOptions { zone, window })
}

fn usage(error: impl Into<String>) -> AuditError {
    AuditError::new(AuditErrorKind::Usage, error)
}

fn nothing(error: impl Into<String>) -> AuditError {
    AuditError::new(AuditErrorKind::NothingChecked, error)
}

struct Audit<'a, 'w> {
    reads: Reads<'a>,
    custom_rules: &'a [CustomRule],
    judging: &'a AuditOptions,
    filter: Filter,
    /// What was found so far, server by server.
    report: Report,
    has_matched: bool,
    custom_cut: u64,
    /// Stops and findings that lie outside the time window.
    outside_window: usize,
    lines_in_window: u64,
    ids: Ids,
    watch: Option<Watch<'w>>,
}

impl Audit<'_, '_> {
    fn read_group(&mut self, group: Group) {
        let has_main = !group.main.is_empty();
        let has_schedule = !group.schedule.is_empty();
        let rules = self.custom_rules;
        let found = RefCell::new(Vec::new());
        let mut assembler =
            Assembler::new(self.judging.thresholds, self.filter.clone(), self.judging.timeline);
        let first_input = self.report.inputs.len();
        let mut log = ServerLog::new(self.reads, group, first_input, |line| {
            let findings = rules.iter().filter_map(|rule| custom::finding(rule, line));
            found.borrow_mut().extend(findings);
        });
        let thresholds = self.judging.thresholds;
        let mut replay = match self.watch {
            Some(_) => Replay::with_registry(Limits::default(), thresholds),
            None => Replay::new(Limits::default(), thresholds),
        };
        let mut schedule_sessions = false;
        let mut unjudged = UnjudgedLines::default();
        while let Some(event) = log.next() {
            self.ids.see(&event);
            if let Some(what) = event.kind.unjudged()
                && self.filter.wants_session(replay.session_of(&event).as_deref())
            {
                unjudged.add(event.position.input, what, event.wall);
            }
            schedule_sessions |= event.context.session.as_deref().is_some_and(is_schedule_session);
            if let (Some(watch), Some(registry)) = (&mut self.watch, replay.registry())
                && event.kind.may_open_stop()
                && let Some(session) = replay.session_of(&event)
            {
                watch(BeforeStop {
                    session,
                    second: event.utc(),
                    line: (event.position.input, event.position.line),
                    is_of_schedule: event.stream == Stream::Schedule,
                    registry,
                });
            }
            replay.apply(event);
            for case in replay.take_cases() {
                assembler.add(&case);
            }
            for finding in found.take() {
                assembler.add_custom(finding);
            }
        }
        for finding in found.take() {
            assembler.add_custom(finding);
        }
        let read = log.finish();
        let (end, holes) = (read.end(), read.holes());
        for hole in &holes {
            replay.note_hole(*hole);
        }
        replay.finish(end);
        for case in replay.take_cases() {
            assembler.add(&case);
        }
        assembler.close_group(end, &holes, read.cut_head());
        if replay.losses().sessions_evicted > 0 {
            assembler.lower_confidence();
        }
        self.report.sessions += replay.sessions_seen();
        let (stops_omitted, lines_dropped) = assembler.omitted();
        self.note_losses(&replay, read.unread, lines_dropped);
        if stops_omitted > 0 {
            self.report.stops_omitted += stops_omitted;
            self.gap(
                GapCode::StopsOmitted,
                format!("{stops_omitted} further stops were judged, but are not listed"),
            );
        }
        if read.quoted > 0 {
            self.gap(
                GapCode::QuotedLines,
                format!("{} lines are dated before both their neighbours: they were read as text that quotes a log, not as events", read.quoted),
            );
        }
        self.take_over(assembler, &unjudged, &read.main, &read.schedule);
        if read.before_main > 0 {
            self.gap(GapCode::ScheduleBegins, format!(
                "schedule.log begins before server_debug.log: {} of its events lie before and were not judged", read.before_main
            ));
        }
        if has_main && !has_schedule && schedule_sessions {
            self.gap(
                GapCode::NoScheduleLog,
                "no schedule.log was read: an old server's schedule stops show only there".into(),
            );
        }
        if !has_main && has_schedule {
            self.gap(
                GapCode::NoServerLog,
                "no server_debug.log was read: what a stop reached can't be told".into(),
            );
        }
        for (at, stats) in read.main.iter().chain(&read.schedule).enumerate() {
            self.note_input(stats, unjudged.of_input(first_input + at));
        }
        self.note_gaps(read.main_gaps.into_iter().chain(read.schedule_gaps));
    }

    /// Adds what was judged of one server; its window is in its own wall clock.
    fn take_over(
        &mut self,
        assembler: Assembler,
        unjudged: &UnjudgedLines,
        main: &[InputStats],
        schedule: &[InputStats],
    ) {
        self.has_matched |= assembler.has_matched();
        self.custom_cut += assembler.custom_cut();
        let mut server = assembler.finish();
        let files = if main.is_empty() { schedule } else { main };
        if let (Some(window), Some(first)) = (&self.reads.options.window, files.first()) {
            let last = files.iter().filter_map(|stats| stats.last_wall).max();
            let window = window.resolve(&first.zone, self.reads.options.zone.as_ref(), last);
            self.outside_window += window::narrow(&mut server, &window);
            server.unjudged = unjudged.in_window(&window);
        } else {
            server.unjudged = unjudged.in_window(&WallWindow::default());
        }
        assemble::merge(&mut self.report, server);
    }

    fn gap(&mut self, code: GapCode, message: String) {
        self.report.gaps.push(Gap { code, message });
    }

    fn note_losses(&mut self, replay: &Replay, unread: u64, lines_dropped: u64) {
        let losses = replay.losses().clone();
        if unread > 0 {
            self.gap(
                GapCode::KnownLinesNotUnderstood,
                format!("{unread} lines begin like a known line and go on otherwise; they were not used"),
            );
        }
        if losses.sessions_evicted > 0 {
            self.gap(
                GapCode::SessionsEvicted,
                format!(
                    "{} sessions were forgotten to bound memory; findings are less sure",
                    losses.sessions_evicted
                ),
            );
        }
        let lines = losses.lines_dropped + lines_dropped;
        if lines > 0 {
            self.gap(
                GapCode::LinesDropped,
                format!("{lines} lines about stops, jobs and panes were too many to be kept; they may prove something"),
            );
        }
        if losses.rows_dropped > 0 {
            self.gap(
                GapCode::ExecutionsDropped,
                format!("{} open executions were forgotten to bound memory", losses.rows_dropped),
            );
        }
        if losses.counter_mismatches > 0 {
            self.gap(GapCode::CountersDisagree, format!(
                "at {} of {} stops the server's counters differ from what the log shows; findings there are less sure",
                losses.counter_mismatches, losses.counters_compared
            ));
        }
        if losses.false_shutdowns > 0 {
            self.gap(GapCode::ShutdownWithoutEnd, format!(
                "{} times the server worked on after a shutdown banner; what stood in between was not judged",
                losses.false_shutdowns
            ));
        }
    }

    fn note_gaps(&mut self, gaps: impl Iterator<Item = ReadGap>) {
        let gaps = gaps.map(|gap| Gap { code: gap.code, message: gap.message });
        self.report.gaps.extend(gaps);
    }

    fn note_input(&mut self, stats: &InputStats, unjudged: u64) {
        let at = |wall: i64| Moment { utc: wall - i64::from(stats.zone.offset), offset: stats.zone.offset };
        let time_zone = match (&stats.zone.name, stats.zone.offset) {
            (Some(name), _) => name.clone(),
            (None, 0) => "UTC".to_owned(),
            (None, offset) => offset_text(offset),
        };
        self.report.inputs.push(Input {
            path: stats.path.clone(),
            kind: stats.kind,
            bytes: stats.bytes,
            lines: stats.lines,
            unparsed_lines: stats.unparsed_lines,
            unjudged,
            first_time: stats.first_wall.map(at),
            last_time: stats.last_wall.map(at),
            time_zone,
            time_zone_source: stats.zone.source,
        });
        self.lines_in_window += stats.lines_in_window;
        if stats.begins_in_mid_process {
            let message = format!(
                "`{}` begins in mid-process: what ran before its first line is not known",
                stats.path
            );
            self.gap(GapCode::LogBegins, message);
        }
    }

    fn finish(mut self, options: &AuditOptions) -> Result<Report, AuditError> {
        if self.report.inputs.iter().all(|input| input.lines == 0) {
            return Err(nothing("no line could be read"));
        }
        if self.reads.options.window.is_some() && self.lines_in_window == 0 {
            return Err(
                nothing("no line lies in the time window").hint(window::time_range(&self.report.inputs))
            );
        }
        self.ids.check()?;
        if self.custom_cut > 0 {
            let message =
                format!("{} further findings of your own rules were counted and not kept", self.custom_cut);
            self.gap(GapCode::CustomFindingsCut, message);
        }
        if let Some(text) = options.matching.as_ref().filter(|_| !self.has_matched) {
            self.gap(GapCode::NothingMatched, format!("no stop or finding belongs to `{text}`"));
        }
        if self.outside_window > 0 {
            let message = format!(
                "{} stops and findings lie outside the time window and are not shown",
                self.outside_window
            );
            self.gap(GapCode::OutsideWindow, message);
        }
        assemble::sort(&mut self.report);
        Ok(self.report)
    }
}

/// `+05:30`.
fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
