//! Which zone the wall clock of a log is in.
//!
//! Standard lines carry none. In this order it comes from `--tz`, from logrus lines (which print an offset),
//! from ids that carry nanoseconds, from the times of a wrapper, from the launcher's header, or it is assumed
//! to be UTC and said to be.

use jiff::tz::TimeZone;
use memchr::memmem;
use rustc_hash::FxHashSet;

use super::head::HeadLines;
use super::shape::LOGRUS_OPENING;
use super::time::{STAMP_LENGTH, Stamp, read_offset, read_rfc3339_stamp, read_standard_stamp};
use crate::model::words::words;

words! {
    /// How a zone is known, the surest first.
    #[derive(Default)]
    pub enum ZoneSource {
        /// The person said it.
        Option = "option" as "given by --tz",
        /// Logrus lines print the offset.
        Logrus = "logrus" as "from the lines that carry a zone",
        /// Ids carry the nanosecond at which they were made, and the lines that print them first a wall second.
        Ids = "ids" as "from the times in ids",
        /// A wrapper (Docker, journald) stamps the lines too, with a zone, and to the same second.
        Wrapper = "wrapper" as "from the times that Docker or journald gave the lines",
        /// The launcher's `$(date)` names it.
        Launcher = "launcher" as "from the launcher's header",
        /// Nothing told; taken to be UTC.
        #[default]
        Assumed = "assumed" as "assumed: use --tz to set it",
    }
}

/// The zone of a log's wall clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Zone {
    /// Seconds east of UTC, at the end of what was read.
    pub offset: i32,
    /// Its name where one is known: `Asia/Kolkata`, or the launcher's `IST`.
    pub name: Option<String>,
    /// How it is known.
    pub source: ZoneSource,
}

/// The offset at one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ZoneInForce {
    offset: i32,
    source: ZoneSource,
}

impl ZoneInForce {
    pub(crate) fn of(zone: &Zone) -> Self {
        Self { offset: zone.offset, source: zone.source }
    }

    pub(crate) fn offset(self) -> i32 {
        self.offset
    }

    pub(crate) fn source(self) -> ZoneSource {
        self.source
    }

    /// A logrus line printed an offset. What the person said stays.
    pub(crate) fn learn(&mut self, offset: i32) {
        if self.source != ZoneSource::Option {
            *self = Self { offset, source: ZoneSource::Logrus };
        }
    }

    /// The offset that the zone named by the person has now.
    pub(crate) fn set_named(&mut self, offset: i32) {
        *self = Self { offset, source: ZoneSource::Option };
    }
}

/// The offset of a zone at a wall second; of a wall second that occurs twice, the first one.
pub(crate) fn offset_in_zone(zone: &TimeZone, wall: i64) -> i32 {
    let Ok(moment) = jiff::Timestamp::from_second(wall) else { return 0 };
    let civil = TimeZone::UTC.to_datetime(moment);
    zone.to_ambiguous_zoned_datetime(civil).compatible().map_or(0, |zoned| zoned.offset().seconds())
}

/// The zone by what the first block of a file tells; raw chunks in it tell nothing.
pub(crate) fn zone_of_head(head: &[u8]) -> Zone {
    let mut votes = IdVotes::default();
    let mut launcher = None;
    for line in HeadLines::new(head) {
        if let Some(offset) = logrus_offset(line) {
            return Zone { offset, name: None, source: ZoneSource::Logrus };
        }
        match read_standard_stamp(line) {
            Stamp::Wall(wall) => votes.look_at(line, wall),
            _ => launcher = launcher.or_else(|| launcher_zone(line)),
        }
    }
    if let Some(offset) = votes.votes.decide() {
        return Zone { offset, name: None, source: ZoneSource::Ids };
    }
    launcher.map_or_else(Zone::default, |(name, offset)| Zone {
        offset,
        name: Some(name),
        source: ZoneSource::Launcher,
    })
}

fn logrus_offset(line: &[u8]) -> Option<i32> {
    let stamp = line.strip_prefix(LOGRUS_OPENING)?;
    let Stamp::Wall(_) = read_rfc3339_stamp(stamp) else { return None };
    read_offset(stamp.get(STAMP_LENGTH..)?).map(|(offset, _)| offset)
}

/// What the launcher's header begins with, before `$(date)` (server-behaviour.md#files-of-a-log).
pub(crate) const LAUNCHER_HEADER: &str = "🚀 MCP Agent Server Session Started: ";

/// Abbreviations that mean one zone only in practice. `CST` is left out: it is one of three.
const ABBREVIATIONS: [(&str, i32); 27] = [
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("EET", 120),
    ("EEST", 180),
    ("SAST", 120),
    ("MSK", 180),
    ("PKT", 300),
    ("IST", 330),
    ("WIB", 420),
    ("HKT", 480),
    ("JST", 540),
    ("KST", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("AEDT", 660),
    ("NZST", 720),
    ("NZDT", 780),
    ("EDT", -240),
    ("EST", -300),
    ("MDT", -360),
    ("PDT", -420),
    ("PST", -480),
];

/// The zone in `Thu Aug 20 09:30:00 IST 2026`: its abbreviation, or the digits that `date` prints for a zone
/// that has none.
fn launcher_zone(line: &[u8]) -> Option<(String, i32)> {
    let date = std::str::from_utf8(line.strip_prefix(LAUNCHER_HEADER.as_bytes())?).ok()?;
    date.split_ascii_whitespace().find_map(|word| {
        let minutes = match ABBREVIATIONS.iter().find(|(name, _)| *name == word) {
            Some((_, minutes)) => *minutes,
            None => digits_as_zone(word)?,
        };
        Some((word.to_owned(), minutes * 60))
    })
}

/// `+05`, `-03` or `+0530`, in minutes.
fn digits_as_zone(word: &str) -> Option<i32> {
    let digits = word.strip_prefix(['+', '-'])?;
    if !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i32 = digits.parse().ok()?;
    let minutes = if digits.len() == 2 { number * 60 } else { number / 100 * 60 + number % 100 };
    Some(if word.starts_with('-') { -minutes } else { minutes })
}

/// Openings of ids that end in the nanosecond at which they were made (server-behaviour.md#ids).
const TIMED_IDS: [&[u8]; 5] = [b"query_", b"msgseq-", b"schedule-", b"session-group-", b"mlp-"];
/// An id of these is no longer than this.
const ID_REACH: usize = 200;
/// An id is printed within this many seconds after it was made, or it tells nothing.
const PRINT_DELAY: i64 = 2;

/// What ids say about the zone.
#[derive(Debug, Default)]
struct IdVotes {
    seen: FxHashSet<u64>,
    votes: OffsetVotes,
}

impl IdVotes {
    fn look_at(&mut self, line: &[u8], wall: i64) {
        for opening in TIMED_IDS {
            for at in memmem::find_iter(line, opening) {
                let id = line.get(at..).unwrap_or_default();
                let Some(nanoseconds) = nanoseconds_of_id(id.get(..ID_REACH).unwrap_or(id)) else { continue };
                if self.seen.insert(nanoseconds) {
                    self.vote(wall, nanoseconds);
                }
            }
        }
    }

    /// Only the first line that prints an id is near the moment at which it was made.
    fn vote(&mut self, wall: i64, nanoseconds: u64) {
        let made = i64::try_from(nanoseconds / 1_000_000_000).unwrap_or(0);
        self.votes.vote(wall - made, PRINT_DELAY);
    }
}

/// What moments that are known in UTC say about the offset of a wall clock.
#[derive(Debug, Default)]
pub(crate) struct OffsetVotes {
    /// Offsets in quarters of an hour, and how many moments say so.
    votes: std::collections::BTreeMap<i64, u32>,
}

impl OffsetVotes {
    /// A wall second and the UTC second of what it stamps differ by so much; the stamp may be late by `delay`
    /// seconds.
    pub(crate) fn vote(&mut self, difference: i64, delay: i64) {
        let quarters = (difference + 450).div_euclid(900);
        let late = difference - quarters * 900;
        if (0..=delay).contains(&late) && (-48..=56).contains(&quarters) {
            *self.votes.entry(quarters).or_default() += 1;
        }
    }

    /// At least two moments must agree, and none of the other offsets may have as many.
    pub(crate) fn decide(&self) -> Option<i32> {
        let (&quarters, &count) = self.votes.iter().max_by_key(|(_, count)| **count)?;
        let rivals = self.votes.values().filter(|&&other| other == count).count();
        if count < 2 || rivals > 1 {
            return None;
        }
        i32::try_from(quarters * 900).ok()
    }
}

/// The nineteen digits of an id that stand after `-` or `_`.
fn nanoseconds_of_id(id: &[u8]) -> Option<u64> {
    const DIGITS: usize = 19;
    let mut at = 0;
    while let Some(window) = id.get(at..at + DIGITS) {
        if matches!(id.get(at), Some(b'"' | b'\n' | b'[' | b']' | b'(' | b')' | b'=' | b',')) {
            return None;
        }
        let begins = at > 0 && matches!(id.get(at - 1), Some(b'-' | b'_'));
        let ends = !id.get(at + DIGITS).is_some_and(u8::is_ascii_digit);
        if begins && ends && window.iter().all(u8::is_ascii_digit) {
            return std::str::from_utf8(window).ok()?.parse().ok();
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logrus_lines_come_first() {
        let head = "🚀 MCP Agent Server Session Started: Thu Aug 20 09:30:00 UTC 2026\n\
                    2026/08/20 09:30:01 [X] y\n\
                    time=\"2026-08-20T09:30:02+05:30\" level=info msg=x\n";
        let zone = zone_of_head(head.as_bytes());
        assert_eq!((zone.offset, zone.source), (19_800, ZoneSource::Logrus));
    }

    #[test]
    fn two_ids_that_agree_tell_the_zone() {
        // Sample 01: `query_1787197360214500000` was made at 2026-08-20T03:42:40Z, printed at 09:12:40 in IST.
        let one = "2026/08/20 09:12:40 [A] session=schedule-cron--c41f7a02_1787197360214500000 x\n";
        let two = "2026/08/20 09:12:41 [B] query=query_1787197361000000001\n";
        assert_eq!(zone_of_head(one.as_bytes()).source, ZoneSource::Assumed, "one id may be chance");
        assert_eq!(zone_of_head(format!("{one}{one}").as_bytes()).source, ZoneSource::Assumed);
        let zone = zone_of_head(format!("{one}{two}").as_bytes());
        assert_eq!((zone.offset, zone.source), (19_800, ZoneSource::Ids));
        let late = "2026/08/20 09:12:59 [B] query=query_1787197361000000001\n";
        assert_eq!(zone_of_head(format!("{one}{late}").as_bytes()).source, ZoneSource::Assumed);
    }

    #[test]
    fn the_launcher_names_the_zone() {
        for (date, offset) in [
            ("Thu Aug 20 09:30:00 IST 2026", Some(19_800)),
            ("Thu Aug 20 09:30:00 UTC 2026", Some(0)),
            ("Thu Aug 20 09:30:00 -03 2026", Some(-10_800)),
            ("Thu Aug 20 09:30:00 +0530 2026", Some(19_800)),
            ("Thu Aug 20 09:30:00 CST 2026", None),
        ] {
            let zone = zone_of_head(format!("{LAUNCHER_HEADER}{date}\n").as_bytes());
            assert_eq!((zone.source == ZoneSource::Launcher).then_some(zone.offset), offset, "{date}");
        }
    }

    #[test]
    fn a_raw_chunk_tells_nothing() {
        let text = "time=\"2026-08-20T09:30:02+09:00\" level=info msg=x";
        let head = format!("2026/08/20 09:30:01 [AGENT DEBUG] raw chunk (len={}): {text}\n", text.len() + 2);
        let with_text_on_a_line_of_its_own = head.replace("): time", "): \n\ntime");
        assert_eq!(zone_of_head(with_text_on_a_line_of_its_own.as_bytes()).source, ZoneSource::Assumed);
    }

    #[test]
    fn a_named_zone_knows_summer_time() {
        let zone = TimeZone::get("Europe/Berlin").expect("the test machine has a time zone database");
        assert_eq!(offset_in_zone(&zone, 1_787_218_330), 7_200); // 2026-08-20
        assert_eq!(offset_in_zone(&zone, 1_796_000_000), 3_600); // 2026-11-29
    }
}
