//! What an audit found. The inner types: machine formats have frozen structs of their own in `render`.

use std::collections::BTreeMap;

pub use crate::logs::{LogKind, ZoneSource};
use crate::model::confidence::Confidence;
use crate::model::counters::Counters;
use crate::model::gap::GapCode;
pub use crate::model::subject::{Subject, SubjectKind};
use crate::model::unjudged::Unjudged;
use crate::model::words::words;
pub use crate::replay::Cause;
pub use crate::replay::account::{EntryKind, Fate, Reached, Right};
use crate::rules::meta::{Certainty, Severity};

/// A moment of a log.
///
/// The log writes local whole seconds; `utc` needs the zone, which may be assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub utc: i64,
    /// The log's zone at that moment: seconds east of UTC.
    pub offset: i32,
}

/// One line of a log that proves something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Index into [`Report::inputs`].
    pub input: usize,
    /// Line number, from 1.
    pub line: u64,
    /// Where the line starts, in bytes of the decompressed content.
    pub byte_offset: u64,
    /// The line's whole length in bytes, without its end.
    pub byte_length: u64,
    /// The line's first 4 KiB at most, as it stands in the log: not masked, perhaps not UTF-8.
    pub text: Vec<u8>,
    /// What the line shows, in words.
    pub role: String,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's code.
    pub rule: String,
    /// The rule's name.
    pub name: String,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Certainty,
    /// The session it is about; empty where the log does not say.
    pub session: String,
    /// What it is about, main subjects first.
    pub subjects: Vec<Subject>,
    /// When it began.
    pub first_time: Moment,
    /// When it ended, as far as the log shows.
    pub last_time: Moment,
    /// What happened, in one sentence.
    pub claim: String,
    /// The lines that prove it.
    pub evidence: Vec<Evidence>,
    /// Harmless readings that were looked at and do not apply.
    pub ruled_out: Vec<String>,
    /// What to do now.
    pub next_action: String,
    /// Stable across files, cuts and compression.
    pub fingerprint: String,
    /// The id of the incident it belongs to.
    pub incident: String,
}

/// Findings that belong together: all of one stop episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// Stable id.
    pub id: String,
    /// One line for a person.
    pub title: String,
    /// The session.
    pub session: String,
    /// When it began.
    pub first_time: Moment,
    /// When it ended.
    pub last_time: Moment,
    /// The worst of its findings.
    pub severity: Severity,
    /// Fingerprints of its findings.
    pub findings: Vec<String>,
}

/// A row that a stop marked canceled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// Its id.
    pub id: String,
    /// Its kind as the log gives it.
    pub kind: String,
    /// Its name as the log gives it: what people wrote, so masked in every format by default.
    pub name: String,
}

/// One thing that was open when a stop came, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Its id; of a turn that the log never names a made-up one.
    pub id: String,
    /// Its name as the log gives it: what people wrote, so masked in every format by default; mostly empty.
    pub name: String,
    /// Whose it was.
    pub right: Right,
    /// Whether the stop was meant to end it.
    pub meant: bool,
    /// How the stop reached it.
    pub reached: Reached,
    /// What became of it.
    pub fate: Fate,
    /// How sure that is.
    pub confidence: Confidence,
    /// Whether its row goes on saying "running" although it has ended.
    pub stays_listed: bool,
    /// Seconds between the stop and its end, less the time that the host slept; `None` where no end is seen.
    pub after: Option<i64>,
    /// The lines that prove it.
    pub evidence: Vec<Evidence>,
}

words! {
    /// What is to be said of one stop.
    pub enum Verdict {
        /// No finding above info, and of everything that was open it is proved what became of it.
        Clean = "clean",
        /// Something of it is not known: the log ends or has a hole too early, or a row's end is not seen.
        Inconclusive = "inconclusive",
        /// There are findings above info.
        Findings = "findings",
    }
}

/// One stop episode, the harmless ones too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopRecord {
    /// The session.
    pub session: String,
    /// When it began.
    pub time: Moment,
    /// Index into [`Report::inputs`] of the log that holds its opening line.
    pub input: usize,
    /// Number of that line, from 1.
    pub line: u64,
    /// Why it happened.
    pub cause: Cause,
    /// The reason as the log gives it; empty where it gives none.
    pub reason: String,
    /// What it reached; `None` where the server logged no counters.
    pub counters: Option<Counters>,
    /// Rows marked canceled.
    pub marked: Vec<Marked>,
    /// One entry per thing that was open when the stop came.
    pub account: Vec<AccountEntry>,
    /// How many further entries were counted and not kept.
    pub account_omitted: u64,
    /// Later lines of its session that no rule judges.
    pub unjudged: u64,
    /// What is to be said of it.
    pub verdict: Verdict,
    /// One clause for a person: "1 cancelled, 1 through its container".
    pub note: String,
    /// Incident of its findings; empty where there are none.
    pub incident: String,
}

/// Something that was not read, not understood or not kept. Every gap is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// What kind.
    pub code: GapCode,
    /// What is missing, in words.
    pub message: String,
}

/// What one input was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path as given, `-` for standard input.
    pub path: String,
    /// Which log it is.
    pub kind: LogKind,
    /// Bytes of decompressed content.
    pub bytes: u64,
    /// Lines, the last one without an end included.
    pub lines: u64,
    /// Lines that belong to no known line format.
    pub unparsed_lines: u64,
    /// Lines that no rule judges.
    pub unjudged: u64,
    /// The first time stamp.
    pub first_time: Option<Moment>,
    /// The last time stamp.
    pub last_time: Option<Moment>,
    /// The zone, `UTC` or `+05:30` or an IANA name.
    pub time_zone: String,
    /// How the zone is known.
    pub time_zone_source: ZoneSource,
}

/// One line of the timeline of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// When.
    pub time: Moment,
    /// The session.
    pub session: String,
    /// What happened, in words.
    pub what: String,
    /// The line.
    pub evidence: Evidence,
}

/// The whole result of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What was read.
    pub inputs: Vec<Input>,
    /// Worst first, then by time.
    pub findings: Vec<Finding>,
    /// Worst first, then by time.
    pub incidents: Vec<Incident>,
    /// By time.
    pub stops: Vec<StopRecord>,
    /// How many further stops were judged and are not listed.
    pub stops_omitted: u64,
    /// What was not read or not kept.
    pub gaps: Vec<Gap>,
    /// How many lines of which kind no rule judges.
    pub unjudged: BTreeMap<Unjudged, u64>,
    /// How many sessions the log names.
    pub sessions: u64,
    /// By time; only filled where a timeline was asked for.
    pub timeline: Vec<TimelineEntry>,
}

impl Report {
    /// Whether everything was read: no gap that makes the answer incomplete.
    #[must_use]
    pub fn complete(&self) -> bool {
        !self.gaps.iter().any(|gap| gap.code.is_incomplete())
    }

    /// Findings per severity; every severity has an entry.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Severity, usize> {
        let mut counts: BTreeMap<_, _> = Severity::ALL.into_iter().map(|severity| (severity, 0)).collect();
        for finding in &self.findings {
            *counts.entry(finding.severity).or_default() += 1;
        }
        counts
    }
}
