//! One stream of a server's logs: files in the order of their content, read as one.
//!
//! Owns what is counted about each file and what could not be read. A read error is a gap, never the end of
//! the audit.

use std::collections::VecDeque;
use std::rc::Rc;

use jiff::tz::TimeZone;

use super::block::{LIMITS, Limits};
use super::clock::LineCounts;
use super::examine::FileStart;
use super::gap::ReadGap;
use super::inside::Tally;
use super::line::Line;
use super::name::LogKind;
use super::scan::Scan;
use super::source::{Compression, LogFile, OpenLog, Origin};
use super::tag::TagTable;
use super::time::describe_wall;
use super::window::Window;
use super::wrapper::{Tallies, unwrap};
use super::zone::{Zone, ZoneInForce, ZoneSource};
use crate::model::gap::GapCode;

/// How logs are to be read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The zone that the person named; it wins over what the log tells.
    pub zone: Option<TimeZone>,
    /// The time window. Lines outside of it are handed out too, since state is built from them; it decides
    /// `InputStats::lines_in_window`.
    pub window: Option<Window>,
}

/// What was counted about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputStats {
    /// The path as shown to people.
    pub path: String,
    /// Which log it is.
    pub kind: LogKind,
    /// Bytes of decompressed content.
    pub bytes: u64,
    /// Lines, a last one without an end included.
    pub lines: u64,
    /// Lines of no known format: unstamped ones before the first stamp that are no known banner, stamps that
    /// are no date, broken logrus lines.
    pub unparsed_lines: u64,
    /// The first stamp, as a wall second; stamps inside raw chunks don't count.
    pub first_wall: Option<i64>,
    /// The last stamp.
    pub last_wall: Option<i64>,
    /// The zone of its wall clock.
    pub zone: Zone,
    /// Lines inside the window; all stamped lines and what follows them where there is no window. A window
    /// that counts from the log's last time counts from the last time of this stream.
    pub lines_in_window: u64,
    /// The log does not begin with the start of a process. Never so for `schedule.log`, which is appended to
    /// over restarts.
    pub begins_in_mid_process: bool,
    counts: LineCounts,
}

impl InputStats {
    /// Lines whose stamp lies between two wall seconds, both included.
    #[must_use]
    pub fn lines_between(&self, since: Option<i64>, until: Option<i64>) -> u64 {
        self.counts.between(since, until)
    }
}

/// The file that is being read.
struct Current {
    path: String,
    kind: LogKind,
    zone: Zone,
    begins_with_process: bool,
    is_backwards: bool,
    /// `None`: it could not be opened, or has been read to its end.
    log: Option<OpenLog>,
    /// What its wrappers cost.
    wrappers: Tallies,
}

/// One stream: an ordered list of files.
pub struct Reader<'t> {
    files: VecDeque<LogFile>,
    input: usize,
    options: ReadOptions,
    scan: Scan<'t>,
    current: Option<Current>,
    progress: Option<Box<dyn FnMut(u64) + 't>>,
    /// Stored bytes of the files that are done.
    consumed: u64,
    stats: Vec<InputStats>,
    gaps: Vec<ReadGap>,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reader").field("input", &self.input).finish_non_exhaustive()
    }
}

impl<'t> Reader<'t> {
    /// A reader of some files, which are numbered from `first_input` on.
    #[must_use]
    pub fn new(files: Vec<LogFile>, first_input: usize, tags: &'t TagTable, options: ReadOptions) -> Self {
        Self::with_limits(files, first_input, tags, options, LIMITS)
    }

    pub(crate) fn with_limits(
        files: Vec<LogFile>,
        first_input: usize,
        tags: &'t TagTable,
        options: ReadOptions,
        limits: Limits,
    ) -> Self {
        Self {
            files: files.into(),
            input: first_input,
            options,
            scan: Scan::new(tags, limits),
            current: None,
            progress: None,
            consumed: 0,
            stats: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Sets what is called after each block with the stored (compressed) bytes consumed so far.
    pub fn set_progress(&mut self, callback: Box<dyn FnMut(u64) + 't>) {
        self.progress = Some(callback);
    }

    /// The next line whose message begins with a tag; `None` at the end of the last file. What can't be read
    /// becomes a gap.
    #[expect(clippy::should_implement_trait, reason = "an iterator can't lend its items")]
    pub fn next(&mut self) -> Option<Line<'_>> {
        loop {
            if self.current.is_none() {
                let file = self.files.pop_front()?;
                self.begin(file);
            }
            if let Some(log) = self.current.as_mut().and_then(|current| current.log.as_mut()) {
                let before = self.consumed;
                let progress = &mut self.progress;
                let consumed = Rc::clone(&log.consumed);
                let mut after_block = || {
                    if let Some(callback) = progress {
                        callback(before + consumed.get());
                    }
                };
                if let Some(position) = self.scan.advance(&mut *log.content, &mut after_block) {
                    return Some(self.scan.line(&position));
                }
            }
            self.end();
        }
    }

    /// What was counted, per file, and what is missing. Files that were not read to their end are counted as
    /// far as they were read.
    #[must_use]
    pub fn finish(mut self) -> (Vec<InputStats>, Vec<ReadGap>) {
        self.end();
        if let Some(window) = &self.options.window {
            let last_wall = self.stats.iter().filter_map(|stats| stats.last_wall).max();
            for stats in &mut self.stats {
                let wall = window.resolve(&stats.zone, self.options.zone.as_ref(), last_wall);
                stats.lines_in_window = stats.counts.between(wall.since, wall.until);
            }
        }
        (self.stats, self.gaps)
    }

    fn begin(&mut self, file: LogFile) {
        let zone = match &self.options.zone {
            Some(_) => Zone { offset: 0, name: None, source: ZoneSource::Option },
            None => file.zone.clone(),
        };
        self.scan.begin(
            self.input,
            FileStart {
                zone: ZoneInForce::of(&zone),
                named_zone: self.options.zone.clone(),
                begins_with_process: file.begins_with_process,
                backwards: file.backwards,
            },
        );
        let mut wrappers = Vec::new();
        let opened = match (&file.origin, file.backwards) {
            (Origin::File(path), Some(_)) => OpenLog::open_backwards(path),
            _ => OpenLog::open(file.origin),
        };
        let log = match opened {
            Ok(mut log) => {
                (log.content, wrappers) = unwrap(log.content, &file.layers);
                Some(log)
            }
            Err(error) => {
                self.gaps.push(ReadGap {
                    input: self.input,
                    code: GapCode::CannotOpen,
                    message: format!("`{}` could not be opened: {error}", file.path),
                    wall: file.first_wall,
                });
                None
            }
        };
        self.current = Some(Current {
            path: file.path,
            kind: file.kind,
            zone,
            begins_with_process: file.begins_with_process,
            is_backwards: file.backwards.is_some(),
            log,
            wrappers,
        });
    }

    /// Closes the current file: its counts and its gaps.
    fn end(&mut self) {
        let Some(mut current) = self.current.take() else { return };
        let known = *self.scan.knowledge();
        self.note_overlap(&current.path, known.first_wall);
        if let Some(log) = &mut current.log {
            self.consumed += log.consumed.get();
            let failure = self.scan.take_failure();
            let change = log.change();
            if let Some(change) = change {
                self.gap(GapCode::FileChanged, format!("`{}`: {change}", current.path), known.wall);
            } else if let Some(error) = failure {
                let (code, verb) = match log.compression {
                    Compression::None => (GapCode::CannotRead, "read"),
                    Compression::Gzip | Compression::Zstd => (GapCode::CannotDecompress, "decompressed"),
                };
                let after = self.scan.bytes();
                let message = format!("`{}` can't be {verb} after {after} bytes: {error}", current.path);
                self.gap(code, message, known.wall);
            }
        }
        drop(current.log.take());
        self.note_wrappers(&current.path, &current.wrappers, known.wall);
        if current.is_backwards {
            let message = format!(
                "`{}`: its newest line comes first, so it was read from its last line to its first",
                current.path
            );
            self.gap(GapCode::ReadBackwards, message, known.first_wall);
        }
        self.note_clock(&current.path);
        self.note_damage(&current.path);
        self.note_refusals(&current.path);
        let zone = self.final_zone(&current.zone, known.zone);
        let counts = self.scan.take_counts();
        self.stats.push(InputStats {
            path: current.path,
            kind: current.kind,
            bytes: self.scan.bytes(),
            lines: self.scan.lines(),
            unparsed_lines: known.unparsed,
            first_wall: known.first_wall,
            last_wall: known.wall,
            zone,
            lines_in_window: counts.between(None, None),
            begins_in_mid_process: !current.begins_with_process && current.kind != LogKind::Schedule,
            counts,
        });
        self.input += 1;
    }

    fn final_zone(&self, begun_with: &Zone, now: ZoneInForce) -> Zone {
        let name = match (now.source(), &self.options.zone) {
            (ZoneSource::Option, Some(zone)) => zone.iana_name().map(str::to_owned),
            (ZoneSource::Launcher, _) => begun_with.name.clone(),
            _ => None,
        };
        Zone { offset: now.offset(), name, source: now.source() }
    }

    /// Whether a block of lines that fell back in time, of the file that is read now, was quoted text.
    #[must_use]
    pub fn was_quoted(&self, block: u64) -> bool {
        self.scan.knowledge().low.was_quoted(block) == Some(true)
    }

    fn gap(&mut self, code: GapCode, message: String, wall: Option<i64>) {
        self.gaps.push(ReadGap { input: self.input, code, message, wall });
    }

    fn note_overlap(&mut self, path: &str, first_wall: Option<i64>) {
        let Some(before) = self.stats.last() else { return };
        let (Some(ended), Some(begins)) = (before.last_wall, first_wall) else { return };
        if begins + 2 < ended {
            let message = format!(
                "`{path}` begins at {}, before `{}` ends at {}: the files overlap, so a line may count twice",
                describe_wall(begins),
                before.path,
                describe_wall(ended)
            );
            self.gap(GapCode::FilesOverlap, message, Some(begins));
        }
    }

    fn note_clock(&mut self, path: &str) {
        let known = self.scan.knowledge();
        let (jumps, stamps, wall) = (known.jumps, known.stamps, known.wall);
        if jumps.are_common() {
            let message = format!(
                "`{path}`: the time of its lines goes back again and again, and it was read as it stands: what came \
                 after what cannot be told"
            );
            return self.gap(GapCode::OrderUnknown, message, wall);
        }
        let Some((line, wall)) = jumps.first else { return };
        let line = self.scan.line_number(line);
        if jumps.are_shuffled(stamps) {
            let message = format!(
                "`{path}`: the time goes back {}, first to {} at line {line}: its lines are out of order, and what \
                 came after what cannot be told",
                times(jumps.count),
                describe_wall(wall)
            );
            return self.gap(GapCode::OrderUnknown, message, Some(wall));
        }
        let message = format!(
            "`{path}`: the clock went back {}, first to {} at line {line}: lines may be missing or out of order",
            times(jumps.count),
            describe_wall(wall)
        );
        self.gap(GapCode::ClockWentBack, message, Some(wall));
    }

    /// A record that can't be taken out of its wrapper may hold any line.
    fn note_wrappers(&mut self, path: &str, wrappers: &Tallies, last_wall: Option<i64>) {
        for (kind, tally) in wrappers {
            for loss in tally.borrow().losses(*kind) {
                let message = format!("`{path}`: {}", loss.message);
                self.gap(loss.code, message, loss.wall.or(last_wall));
            }
        }
    }

    /// What a power loss or a lost line end hides.
    fn note_damage(&mut self, path: &str) {
        let damage = self.scan.knowledge().damage;
        if let Tally { count, first: Some((line, wall)) } = damage.nuls {
            let line = self.scan.line_number(line);
            let message = format!(
                "`{path}`: {count} NUL {} in its lines, first at line {line}, as a computer leaves them that lost \
                 power: what stood there was not read",
                if count == 1 { "byte" } else { "bytes" }
            );
            self.gap(GapCode::NulRuns, message, wall);
        }
        if let Tally { count, first: Some((line, wall)) } = damage.joined {
            let line = self.scan.line_number(line);
            let message = format!(
                "`{path}`: {} with a second one inside, first line {line}: the line end between them was lost, and \
                 the second one was not read",
                if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
            );
            self.gap(GapCode::LostLineEnd, message, wall);
        }
    }

    fn note_refusals(&mut self, path: &str) {
        let refusals = self.scan.refusals();
        if let Tally { count, first: Some((line, wall)) } = refusals.false_claims {
            let line = self.scan.line_number(line);
            let message = format!(
                "`{path}`: {} with a length that does not end at a line, first known at line {line}: nothing was \
                 skipped for them, so their text was read as log lines",
                chunks(count)
            );
            self.gap(GapCode::ChunkLengthRefused, message, wall);
        }
        if let Tally { count, first: Some((line, wall)) } = refusals.given_up {
            let line = self.scan.line_number(line);
            let message = format!(
                "`{path}`: {} too long to be checked, first known at line {line}: nothing was skipped for them, \
                 so a model's text may have been read as log lines",
                chunks(count)
            );
            self.gap(GapCode::ChunkNotChecked, message, wall);
        }
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn chunks(count: u64) -> String {
    if count == 1 { "1 raw chunk".to_owned() } else { format!("{count} raw chunks") }
}

#[cfg(test)]
mod tests;
