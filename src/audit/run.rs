//! One audit: find the logs, read each server's two files side by side, judge, and report.

use std::cell::RefCell;

use super::assemble::{self, Assembler, Filter};
use super::custom;
use super::finding::{Gap, Input, Moment, Report};
use super::ids::Ids;
use super::options::{AuditError, AuditErrorKind, AuditOptions, Progress};
use super::window;
use crate::events::merged::{Merged, Reads};
use crate::events::{Event, EventKind, EventReader, Stream};
use crate::logs::{
    Discovered, Group, InputStats, ReadGap, ReadOptions, TagTable, Window, discover, parse_zone,
};
use crate::model::gap::GapCode;
use crate::model::id::is_schedule_session;
use crate::replay::{Limits, Replay};
use crate::rules::custom::CustomRule;

/// Where logs lie when nobody says where.
const DEFAULT_FOLDER: &str = "./logs/";

/// Runs an audit over files.
///
/// # Errors
/// When an option cannot be read, nothing could be read, or the session is not in the log.
pub fn run(options: &AuditOptions, progress: &Progress) -> Result<Report, AuditError> {
    let read = read_options(options)?;
    let found = found(options);
    if options.paths.is_empty() && found.groups.is_empty() {
        return Err(usage("no log was named and there is no `./logs/`")
            .hint("name a file or a folder: `pulsectl audit path/to/server_debug.log`"));
    }
    audit(found, options, &read, progress)
}

/// The logs that the options name.
#[must_use]
pub fn found(options: &AuditOptions) -> Discovered {
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

struct Audit<'a> {
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
}

impl Audit<'_> {
    fn read_group(&mut self, group: Group) {
        let has_main = !group.main.is_empty();
        let has_schedule = !group.schedule.is_empty();
        let main_begins = group.main.iter().filter_map(|file| file.first_wall).min();
        let rules = self.custom_rules;
        let found = RefCell::new(Vec::new());
        let mut assembler =
            Assembler::new(self.judging.thresholds, self.filter.clone(), self.judging.timeline);
        let first_input = self.report.inputs.len();
        let mut logs = Merged::new(self.reads, group.main, group.schedule, first_input, |line| {
            let findings = rules.iter().filter_map(|rule| custom::finding(rule, line));
            found.borrow_mut().extend(findings);
        });
        let mut replay = Replay::new(Limits::default(), self.judging.thresholds);
        let mut before_main = 0_u64;
        let mut schedule_sessions = false;
        while let Some(event) = logs.next() {
            self.ids.see(&event);
            schedule_sessions |= event.context.session.as_deref().is_some_and(is_schedule_session);
            if is_before(&event, main_begins) {
                before_main += 1;
                continue;
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
        let counted = logs.finish();
        let (unread, quoted) = (counted.unread, counted.quoted);
        let (main_stats, main_gaps) = counted.main;
        let (schedule_stats, schedule_gaps) = counted.schedule;
        // All times are UTC from here on; where the zone changed in between, that of the end stands for a hole.
        let last = main_stats.iter().max_by_key(|stats| stats.last_wall);
        let offset = last.map(|stats| i64::from(stats.zone.offset)).unwrap_or_default();
        let end = last.and_then(|stats| stats.last_wall).unwrap_or_default() - offset;
        let holes: Vec<i64> = main_gaps
            .iter()
            .filter(|gap| gap.code.is_incomplete())
            .map(|gap| gap.wall.map_or(end, |wall| wall - offset))
            .collect();
        for hole in &holes {
            replay.note_hole(*hole);
        }
        replay.finish(end);
        for case in replay.take_cases() {
            assembler.add(&case);
        }
        let cut_head = main_stats.iter().min_by_key(|stats| stats.first_wall);
        let cut_head =
            cut_head.filter(|stats| stats.begins_in_mid_process).and_then(|stats| stats.first_wall);
        assembler.close_group(end, &holes, cut_head.map(|wall| wall - offset));
        if replay.losses().sessions_evicted > 0 {
            assembler.lower_confidence();
        }
        self.report.sessions += replay.sessions_seen();
        self.note_losses(&replay, unread);
        if quoted > 0 {
            self.gap(
                GapCode::QuotedLines,
                format!("{quoted} lines are dated before both their neighbours: they were read as text that quotes a log, not as events"),
            );
        }
        self.take_over(assembler, &main_stats, &schedule_stats);
        if before_main > 0 {
            self.gap(GapCode::ScheduleBegins, format!(
                "schedule.log begins before server_debug.log: {before_main} of its events lie before and were not judged"
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
        for stats in main_stats.iter().chain(&schedule_stats) {
            self.note_input(stats);
        }
        self.note_gaps(main_gaps.into_iter().chain(schedule_gaps));
    }

    /// Adds what was judged of one server; its window is in its own wall clock.
    fn take_over(&mut self, assembler: Assembler, main: &[InputStats], schedule: &[InputStats]) {
        self.has_matched |= assembler.has_matched();
        self.custom_cut += assembler.custom_cut();
        let mut server = assembler.finish();
        let files = if main.is_empty() { schedule } else { main };
        if let (Some(window), Some(first)) = (&self.reads.options.window, files.first()) {
            let last = files.iter().filter_map(|stats| stats.last_wall).max();
            let window = window.resolve(&first.zone, self.reads.options.zone.as_ref(), last);
            self.outside_window += window::narrow(&mut server, &window);
        }
        assemble::merge(&mut self.report, server);
    }

    fn gap(&mut self, code: GapCode, message: String) {
        self.report.gaps.push(Gap { code, message });
    }

    fn note_losses(&mut self, replay: &Replay, unread: u64) {
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

    fn note_input(&mut self, stats: &InputStats) {
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

/// Whether an event of `schedule.log` lies before the begin of the other file. It is never truncated, so what
/// lies there can't be judged; which job ran in which session is still worth to know.
fn is_before(event: &Event, main_begins: Option<i64>) -> bool {
    event.stream == Stream::Schedule
        && main_begins.is_some_and(|begin| event.wall < begin)
        && !matches!(event.kind, EventKind::JobStarting { .. } | EventKind::JobSession { .. })
}

/// `+05:30`.
fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
