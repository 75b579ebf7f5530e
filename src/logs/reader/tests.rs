use crate::model::gap::GapCode;
use std::fmt::Write as _;
use std::io::{self, Cursor, Read, Write as _};

use proptest::prelude::*;

use super::*;
use crate::logs::probe::Probe;
use crate::logs::shape::Shape;
use crate::logs::source::Origin;
use crate::logs::tag::Tag;

const STOP: usize = 0;
const QUERY: usize = 1;
const SHUTDOWN: usize = 2;

fn tags() -> TagTable {
    let tag = |text, plain, raw_text| Tag { text, literals: &[], plain, raw_text };
    TagTable::new(&[
        tag("[STOP] ", false, false),
        tag("[QUERY] ", false, true),
        tag("🛑 Shutting down server...", true, false),
    ])
}

/// An owned copy of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    tag: usize,
    number: u64,
    offset: u64,
    length: u64,
    shape: Shape,
    text: Vec<u8>,
    cut: bool,
    context: String,
    message: String,
    quoted: bool,
    wall: Option<i64>,
    zone_offset: i32,
}

#[derive(Debug)]
struct Outcome {
    lines: Vec<Seen>,
    stats: Vec<InputStats>,
    gaps: Vec<ReadGap>,
}

impl Outcome {
    fn numbers(&self) -> Vec<u64> {
        self.lines.iter().map(|line| line.number).collect()
    }

    fn gap_codes(&self) -> Vec<(GapCode, bool)> {
        self.gaps.iter().map(|gap| (gap.code, gap.code.is_incomplete())).collect()
    }
}

/// Hands out at most `step` bytes per read.
struct SlowRead<R>(R, usize);

impl<R: Read> Read for SlowRead<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let length = target.len().min(self.1);
        self.0.read(&mut target[..length])
    }
}

fn run(files: Vec<LogFile>, options: ReadOptions, limits: Limits) -> Outcome {
    let tags = tags();
    let mut reader = Reader::with_limits(files, 0, &tags, options, limits);
    let mut lines = Vec::new();
    while let Some(line) = reader.next() {
        lines.push(Seen {
            tag: line.tag,
            number: line.place.line,
            offset: line.place.offset,
            length: line.place.length,
            shape: line.shape,
            text: line.text.to_vec(),
            cut: line.cut,
            context: String::from_utf8_lossy(line.context).into_owned(),
            message: String::from_utf8_lossy(line.message).into_owned(),
            quoted: line.quoted,
            wall: line.wall,
            zone_offset: line.zone_offset,
        });
    }
    let (stats, gaps) = reader.finish();
    Outcome { lines, stats, gaps }
}

fn stream(content: impl Read + 'static, head: &[u8]) -> LogFile {
    LogFile::new(
        "x.log".into(),
        Some(LogKind::ServerDebug),
        Origin::Stream(Box::new(content)),
        &Probe::of(head),
    )
}

fn read(content: impl AsRef<[u8]>) -> Outcome {
    let content = content.as_ref().to_vec();
    run(vec![LogFile::from_bytes("x.log", LogKind::ServerDebug, content)], ReadOptions::default(), LIMITS)
}

/// A stamped line. Without a zone its wall second is that of 2026-08-20 plus `second`.
fn line(second: u32, message: &str) -> String {
    format!("2026/08/20 09:{:02}:{:02} {message}\n", second / 60, second % 60)
}

/// A raw chunk whose text Go ends with a line end of its own.
fn chunk(second: u32, length: usize, text: &str) -> String {
    line(second, &format!("[AGENT DEBUG] raw chunk (len={length}): {text}"))
}

const MIDNIGHT: i64 = 1_787_184_000; // 2026-08-20 00:00:00
const NINE: i64 = MIDNIGHT + 9 * 3_600;

#[test]
fn every_format_is_read() {
    let content = "2026/08/20 09:00:01 [STOP] session=a x\n\
         2026/08/20 09:00:02 [workflow=w group=Asha Rao mode=workflow session=s] [QUERY] session=s\n\
         time=\"2026-08-20T09:00:03+05:30\" level=info msg=\"⚠️ [STOP] step \\\"x\\\"\" file=\"logger.go:177\" k=v\n\
         time=\"2026-08-20T09:00:04+05:30\" level=warning msg=started file=x\n\
         🛑 Shutting down server...\n\
         2026/08/20 09:00:05 ✅ [STOP] after an emoji\n";
    let outcome = read(content);
    let tags: Vec<_> = outcome.lines.iter().map(|line| (line.tag, line.shape)).collect();
    assert_eq!(
        tags,
        [
            (STOP, Shape::Standard),
            (QUERY, Shape::Standard),
            (STOP, Shape::Logrus),
            (SHUTDOWN, Shape::Plain),
            (STOP, Shape::Standard)
        ]
    );
    let context = &outcome.lines[1];
    assert_eq!(context.context, "workflow=w group=Asha Rao mode=workflow session=s");
    assert_eq!(context.message, "[QUERY] session=s");
    let logrus = &outcome.lines[2];
    assert_eq!(logrus.message, "[STOP] step \\\"x\\\"\" file=\"logger.go:177\" k=v");
    assert!(logrus.quoted);
    assert_eq!((logrus.number, logrus.wall), (3, Some(NINE + 3)));
    let start = usize::try_from(logrus.offset).expect("small");
    let length = usize::try_from(logrus.length).expect("small");
    assert_eq!(&content.as_bytes()[start..start + length], logrus.text);
    assert_eq!(outcome.lines[3].wall, Some(NINE + 4), "a banner has the time of the last stamp");
    assert!(outcome.lines.iter().all(|line| line.zone_offset == 19_800), "known from the first block");
    let stats = &outcome.stats[0];
    assert_eq!((stats.lines, stats.bytes, stats.unparsed_lines), (6, content.len() as u64, 0));
    assert_eq!((stats.first_wall, stats.last_wall), (Some(NINE + 1), Some(NINE + 5)));
    assert_eq!((stats.zone.offset, stats.zone.source), (19_800, ZoneSource::Logrus));
    assert!(stats.begins_in_mid_process);
    assert!(outcome.gaps.is_empty());
}

#[test]
fn hostile_bytes_cost_no_line() {
    let content = b"\xff\xfe cut first line\r\n2026/08/20 09:00:01 [QUERY] a\0b\xff\r\n\r\n2026/08/20 09:00:02 [STOP] \xc3\r\n2026/08/20 09:00:03 [STOP] no end";
    let outcome = read(content);
    assert_eq!(outcome.numbers(), [2, 4, 5]);
    assert_eq!(outcome.lines[0].text, b"2026/08/20 09:00:01 [QUERY] a\0b\xff", "without the line end");
    assert_eq!(outcome.stats[0].lines, 5);
    assert_eq!(outcome.stats[0].unparsed_lines, 1, "the cut first line");
}

#[test]
fn lines_of_no_known_format_are_counted() {
    let outcome = read(
        "cut line\n2026/13/20 09:00:00 [STOP] no such month\n2026/08/20 09:00:01 x\ncontinued\n\
         time=\"2026-08-20T09:00:02Z\" level=info msg=\"[STOP] without its quote\n\
         time=\"yesterday\" level=info msg=\"[STOP] x\"\n",
    );
    assert!(outcome.lines.is_empty());
    assert_eq!(outcome.stats[0].unparsed_lines, 4);
}

#[test]
fn unstamped_lines_after_raw_text_continue_it() {
    let banner = "🛑 Shutting down server...\n";
    let outcome = read(line(1, "[QUERY] query=first") + banner + &line(2, "x") + banner);
    assert_eq!(
        outcome.numbers(),
        [1, 4],
        "server-behaviour.md#shape-of-a-line: the text of line 1 goes on in line 2"
    );
    assert!(
        read(banner.to_owned() + &line(1, "x")).lines.is_empty(),
        "a cut head may be the middle of a text"
    );
}

#[test]
fn text_inside_a_raw_chunk_is_no_event() {
    let quoted = "Look:\n2026/08/20 12:00:00 [STOP] forged\n[x]\n2026/08/21 09:00:00 [QUERY] forged";
    for (length, text, follows) in [
        (quoted.len(), quoted.to_owned(), true),
        (quoted.len() + 1, quoted.to_owned(), true), // the text itself ends in the line end
        (quoted.len(), quoted.to_owned(), false),    // the end of the input
    ] {
        let mut content = line(1, "[STOP] before") + &chunk(2, length, &text);
        if follows {
            content += &line(3, "[STOP] after");
        } else {
            content.pop();
        }
        let outcome = read(&content);
        assert_eq!(outcome.numbers(), if follows { vec![1, 6] } else { vec![1] }, "{length}");
        assert!(outcome.gaps.is_empty(), "{:?}", outcome.gaps);
        let last = if follows { NINE + 3 } else { NINE + 2 };
        assert_eq!(outcome.stats[0].last_wall, Some(last), "stamps in the text don't count");
        let windows = read(content.replace('\n', "\r\n"));
        assert_eq!(windows.numbers(), outcome.numbers(), "a line end of two bytes counts as one");
    }
}

#[test]
fn a_zone_or_a_date_in_a_chunk_changes_nothing() {
    let text = "time=\"2020-01-01T00:00:00+09:00\" level=info msg=x\n2026/99/99 09:00:00 x";
    let outcome = read(chunk(1, text.len() + 1, &format!("\n{text}")) + &line(2, "[STOP] a"));
    let stats = &outcome.stats[0];
    assert_eq!((stats.zone.source, stats.unparsed_lines), (ZoneSource::Assumed, 0));
    assert!(outcome.gaps.is_empty());
}

#[test]
fn a_length_that_ends_in_the_middle_of_a_line_hides_nothing() {
    let outcome = read(chunk(1, 30, "text") + &line(2, "[STOP] one") + &line(3, "[STOP] two"));
    assert_eq!(outcome.numbers(), [2, 3]);
    assert_eq!(outcome.gap_codes(), [(GapCode::ChunkLengthRefused, false)]);
}

#[test]
fn a_forged_length_does_not_swallow_the_file() {
    for length in ["200000", "18446744073709551615", "99999999999999999999999999"] {
        let header = line(1, &format!("[AGENT DEBUG] raw chunk (len={length}): text"));
        let outcome = read(header + &line(2, "[STOP] one") + &line(3, "[STOP] two"));
        assert_eq!(outcome.numbers(), [2, 3], "{length}");
        assert_eq!(outcome.gap_codes(), [(GapCode::ChunkLengthRefused, false)]);
    }
}

#[test]
fn a_genuine_chunk_inside_a_forged_one_keeps_its_text() {
    let text = format!("a\n{}b", line(5, "[STOP] quoted"));
    let genuine = chunk(2, text.len(), &text);
    let outcome = read(chunk(1, 1_000_000, "forged") + &genuine + &line(3, "[STOP] real"));
    assert_eq!(outcome.numbers(), [5]);
    assert_eq!(outcome.gap_codes(), [(GapCode::ChunkLengthRefused, false)]);
}

#[test]
fn a_forged_chunk_inside_a_genuine_one_is_text() {
    // The forged length would end exactly at the end of the input and so hide the line after the chunk.
    let after = line(3, "[STOP] real");
    let forged = chunk(9, after.len() + 1, "");
    let text = format!("quote:\n{}", forged.trim_end_matches('\n'));
    let outcome = read(chunk(1, text.len(), &text) + &after);
    assert_eq!(outcome.numbers(), [3]);
    assert!(outcome.gaps.is_empty());
}

#[test]
fn what_is_held_back_is_bounded() {
    let mut content = line(1, "[AGENT DEBUG] raw chunk (len=900000000): forged");
    let filler = "y".repeat(100_000);
    for second in 2..200 {
        content += &line(second, &format!("[STOP] {filler}"));
    }
    let outcome = read(content);
    assert_eq!(outcome.lines.len(), 198, "nothing is lost");
    assert_eq!(outcome.gap_codes(), [(GapCode::ChunkNotChecked, true)]);
    let many: String =
        (0..5_000).map(|_| line(1, "[AGENT DEBUG] raw chunk (len=900000000): forged")).collect();
    let outcome = read(many + &line(2, "[STOP] x"));
    assert_eq!(outcome.numbers(), [5_001]);
    assert_eq!(outcome.gap_codes(), [(GapCode::ChunkLengthRefused, false), (GapCode::ChunkNotChecked, true)]);
}

#[test]
fn a_long_line_is_kept_by_its_beginning() {
    for length in [LIMITS.line - 27, LIMITS.line - 26, 1 << 20, 3 << 20] {
        let long = line(1, &format!("[STOP] {}", "z".repeat(length)));
        let outcome = read(long.clone() + &line(2, "[STOP] next"));
        assert_eq!(outcome.numbers(), [1, 2]);
        let first = &outcome.lines[0];
        assert_eq!(first.length, long.len() as u64 - 1);
        assert_eq!(first.text.len(), (long.len() - 1).min(LIMITS.line));
        assert_eq!(first.cut, long.len() - 1 > LIMITS.line);
        assert_eq!(outcome.lines[1].offset, long.len() as u64);
    }
}

#[test]
fn a_line_of_300_megabytes_needs_no_memory_of_that_size() {
    let head = line(1, "[STOP] begin");
    let length = 300_u64 << 20;
    let content = Cursor::new(head.clone().into_bytes())
        .chain(Cursor::new(b"2026/08/20 09:00:02 [STOP] ".to_vec()))
        .chain(io::repeat(b'x').take(length))
        .chain(Cursor::new(b"\n2026/08/20 09:00:03 [STOP] end".to_vec()));
    let outcome = run(vec![stream(content, head.as_bytes())], ReadOptions::default(), LIMITS);
    assert_eq!(outcome.numbers(), [1, 2, 3]);
    assert_eq!(outcome.lines[1].length, length + 27);
    assert_eq!(
        outcome.lines[1].text.len(),
        LIMITS.line,
        "the buffers have fixed sizes; this is all that is kept"
    );
}

#[test]
fn the_offset_of_later_lines_follows_the_end_of_summer_time() {
    let logrus = |wall: &str| format!("time=\"2026-10-25T{wall}\" level=info msg=x\n");
    let content = logrus("02:59:58+02:00")
        + "2026/10/25 02:59:59 [STOP] summer\n2026/10/25 02:00:01 [STOP] not known yet\n"
        + &logrus("02:00:02+01:00")
        + "2026/10/25 02:00:03 [STOP] winter\n";
    let outcome = read(content);
    let offsets: Vec<_> = outcome.lines.iter().map(|line| line.zone_offset).collect();
    assert_eq!(offsets, [7_200, 7_200, 3_600]);
    assert!(outcome.gaps.is_empty(), "no jump of the clock: {:?}", outcome.gaps);
    assert_eq!(outcome.stats[0].zone.offset, 3_600);
}

#[test]
fn a_named_zone_wins() {
    let options =
        ReadOptions { zone: Some(TimeZone::get("Europe/Berlin").expect("a known zone")), window: None };
    let content = "time=\"2026-03-29T01:59:59+09:00\" level=info msg=x\n2026/03/29 01:59:59 [STOP] winter\n\
         2026/03/29 03:00:00 [STOP] summer\n";
    let file = LogFile::from_bytes("x.log", LogKind::ServerDebug, content.as_bytes().to_vec());
    let outcome = run(vec![file], options, LIMITS);
    let offsets: Vec<_> = outcome.lines.iter().map(|line| line.zone_offset).collect();
    assert_eq!(offsets, [3_600, 7_200]);
    let zone = &outcome.stats[0].zone;
    assert_eq!((zone.source, zone.name.as_deref()), (ZoneSource::Option, Some("Europe/Berlin")));
}

#[test]
fn a_clock_that_goes_back_is_a_gap() {
    let outcome = read(line(10, "x") + &line(8, "x") + &line(20, "x") + &line(17, "[STOP] x"));
    assert_eq!(outcome.gap_codes(), [(GapCode::ClockWentBack, false)]);
    assert!(outcome.gaps[0].message.contains("once"), "two seconds are the server's own disorder");
    let second = LogFile::from_bytes("b.log", LogKind::ServerDebug, line(1, "x").into_bytes());
    let first = LogFile::from_bytes("a.log", LogKind::ServerDebug, line(10, "x").into_bytes());
    let outcome = run(vec![first, second], ReadOptions::default(), LIMITS);
    assert_eq!(outcome.gap_codes(), [(GapCode::FilesOverlap, false)]);
    assert_eq!(outcome.gaps[0].input, 1);
}

#[test]
fn lines_are_counted_inside_the_window() {
    let text = "2026/08/20 10:00:00 x\n";
    let content = line(1, "x") + &chunk(2, text.len(), text) + &line(3, "x") + "continued\n" + &line(4, "x");
    let now = jiff::Timestamp::UNIX_EPOCH;
    for (since, until, last, lines) in [
        (Some("09:00:02"), Some("09:00:03"), None, 4),
        (Some("2026-08-20 09:00:04"), None, None, 1),
        (Some("2026-08-20 09:30"), None, None, 0),
        (None, None, Some("1s"), 3),
    ] {
        let window = Window::parse(since, until, last, now).expect("valid");
        let file = LogFile::from_bytes("x.log", LogKind::ServerDebug, content.clone().into_bytes());
        let outcome = run(vec![file], ReadOptions { zone: None, window }, LIMITS);
        assert_eq!(outcome.stats[0].lines_in_window, lines, "{since:?} {until:?} {last:?}");
    }
    assert_eq!(read(content).stats[0].lines_in_window, 6);
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

#[test]
fn compressed_logs_are_known_by_their_content() {
    let (first, second) = (line(1, "[STOP] one") + "2026/08/20 09:00:02 [ST", "OP] two\n".to_owned());
    let members = [gzip(first.as_bytes()), gzip(second.as_bytes())].concat();
    let zstd = zstd::encode_all((first.clone() + &second).as_bytes(), 1).expect("memory takes all");
    for stored in [members, zstd] {
        let head = first.as_bytes();
        let outcome = run(vec![stream(Cursor::new(stored), head)], ReadOptions::default(), LIMITS);
        assert_eq!(outcome.numbers(), [1, 2]);
        assert_eq!(outcome.stats[0].bytes, (first.len() + second.len()) as u64);
        assert!(outcome.gaps.is_empty());
    }
}

#[test]
fn what_was_readable_of_a_damaged_file_is_used() {
    let mut content = String::new();
    for second in 0..3_000 {
        writeln!(content, "2026/08/20 09:{:02}:{:02} [STOP] {}", second / 60, second % 60, second * 7_919)
            .expect("a string takes all");
    }
    let mut stored = gzip(content.as_bytes());
    stored.truncate(stored.len() / 2);
    let outcome = run(vec![stream(Cursor::new(stored), b"")], ReadOptions::default(), LIMITS);
    assert_eq!(outcome.gap_codes(), [(GapCode::CannotDecompress, true)]);
    assert!(outcome.lines.len() > 100, "{} lines", outcome.lines.len());
    let whole = |line: &Seen| content.lines().any(|other| other.as_bytes() == line.text);
    assert!(outcome.lines.iter().all(whole), "the piece of a line at the end is not handed out");
}

/// A log on the disk that is changed after its first line was read.
fn changed_while_reading(change: impl FnOnce(&std::path::Path)) -> Vec<(GapCode, bool)> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("server_debug.log");
    let content: String = (0..1_000).map(|second| line(second % 3_600, "[STOP] x")).collect();
    std::fs::write(&path, content).expect("the folder is writable");
    let mut found = crate::logs::discover(&[path.to_string_lossy().into_owned()], false);
    let group = found.groups.pop().expect("one log");
    let tags = tags();
    let limits = Limits { block: 8_192, line: 4_096 };
    let mut reader = Reader::with_limits(group.main, 0, &tags, ReadOptions::default(), limits);
    assert!(reader.next().is_some());
    change(&path);
    while reader.next().is_some() {}
    reader.finish().1.iter().map(|gap| (gap.code, gap.code.is_incomplete())).collect()
}

#[test]
fn a_file_that_changes_under_the_reader_is_noticed() {
    use std::fs::OpenOptions;
    let changed = [(GapCode::FileChanged, true)];
    let open = |path: &std::path::Path| OpenOptions::new().write(true).open(path).expect("it is there");
    assert_eq!(changed_while_reading(|path| open(path).set_len(9_000).expect("writable")), changed);
    let rewritten = changed_while_reading(|path| {
        let mut content = line(0, "another process").repeat(2_000);
        content.truncate(40_000);
        open(path).write_all(content.as_bytes()).expect("writable");
    });
    assert_eq!(rewritten.first(), changed.first());
    let appended = changed_while_reading(|path| {
        let mut file = OpenOptions::new().append(true).open(path).expect("it is there");
        file.write_all(line(3_599, "[STOP] later").as_bytes()).expect("writable");
    });
    assert!(appended.is_empty(), "a log that grows is a log: {appended:?}");
}

#[test]
fn progress_counts_stored_bytes() {
    let content: String = (0..100).map(|second| line(second, "[STOP] x")).collect();
    let stored = gzip(content.as_bytes());
    let expected = stored.len() as u64;
    let tags = tags();
    let last = std::cell::Cell::new(0);
    let files = vec![stream(Cursor::new(stored), content.as_bytes())];
    let mut reader = Reader::new(files, 0, &tags, ReadOptions::default());
    reader.set_progress(Box::new(|bytes| last.set(bytes)));
    while reader.next().is_some() {}
    drop(reader);
    assert_eq!(last.get(), expected);
}

/// Pieces of logs, so that random contents reach the interesting places.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let text = |text: &'static str| Just(text.as_bytes().to_vec());
    prop_oneof![
        4 => (0_u32..100).prop_map(|second| line(second, "[STOP] session=x").into_bytes()),
        4 => (0_usize..160).prop_map(|length| chunk(1, length, "text").into_bytes()),
        2 => text("2026/08/20 09:00:09 [mode=x session=s] [QUERY] raw"),
        2 => text("time=\"2026-08-20T09:00:10+05:30\" level=info msg=\"[STOP] x\\\"\" f=1"),
        1 => text("🛑 Shutting down server..."),
        1 => text("2026/13/20 09:00:09 [STOP] x"),
        1 => text("\r"),
        3 => text("\n"),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => (1_usize..300).prop_map(|length| vec![b'w'; length]),
    ]
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
        1 => proptest::collection::vec(any::<u8>(), 0..2_000),
    ]
}

/// The numbers of the lines that begin with a stamp and `[STOP] `, and are in no raw chunk: the whole content in
/// memory, one header after the other.
fn stops_by_rereading(content: &[u8]) -> Vec<u64> {
    let mut numbers = Vec::new();
    let (mut start, mut number) = (0, 0);
    let mut carriage_returns = None;
    while start < content.len() {
        number += 1;
        let end =
            content[start..].iter().position(|&byte| byte == b'\n').map_or(content.len(), |at| start + at);
        let text = &content[start..end];
        let stamped =
            |line: &[u8]| line.len() > 20 && line.starts_with(b"2026/08/20 09:") && line[19] == b' ';
        if stamped(text) {
            carriage_returns = carriage_returns.or(Some(text.ends_with(b"\r")));
        }
        if stamped(text) && text[20..].starts_with(b"[STOP] ") {
            numbers.push(number);
        }
        let header = stamped(text).then(|| crate::logs::chunk::read_claim(&text[20..])).flatten();
        start = end + 1;
        let Some((mut left, text_at)) = header else { continue };
        let mut line_start = start - 1 - text.len() + 20 + text_at;
        let mut skipped = 0;
        loop {
            let line_end = content[line_start.min(content.len())..]
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(content.len(), |at| line_start + at);
            let line = &content[line_start.min(content.len())..line_end];
            let ended = line_end < content.len();
            let counted =
                (line.len() - usize::from(carriage_returns == Some(true) && line.ends_with(b"\r"))) as u64;
            if left == counted || (left == counted + 1 && ended) {
                start = line_end + 1;
                number += skipped;
                break;
            }
            if left <= counted || !ended {
                break;
            }
            left -= counted + 1;
            line_start = line_end + 1;
            skipped += 1;
            if line_start == content.len() {
                break;
            }
        }
    }
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_size_of_reads_and_blocks_changes_nothing(
        content in content(), block in 1_usize..300, step in 1_usize..50, line in 40_usize..200,
    ) {
        let whole = run(
            vec![stream(Cursor::new(content.clone()), &content)],
            ReadOptions::default(),
            Limits { block: 1 << 16, line },
        );
        let pieces = run(
            vec![stream(SlowRead(Cursor::new(content.clone()), step), &content)],
            ReadOptions::default(),
            Limits { block, line },
        );
        prop_assert_eq!(&whole.lines, &pieces.lines);
        prop_assert_eq!(&whole.stats, &pieces.stats);
        prop_assert_eq!(&whole.gaps, &pieces.gaps);
        prop_assert_eq!(whole.stats[0].bytes, content.len() as u64);
        let ends = content.iter().filter(|&&byte| byte == b'\n').count();
        let open_end = usize::from(content.last().is_some_and(|&byte| byte != b'\n'));
        prop_assert_eq!(whole.stats[0].lines, (ends + open_end) as u64);
    }

    #[test]
    fn one_pass_finds_what_rereading_finds(
        pieces in proptest::collection::vec(
            prop_oneof![
                (0_u32..100).prop_map(|second| line(second, "[STOP] session=x")),
                (0_usize..250).prop_map(|length| chunk(1, length, "text")),
                Just("some text\n".to_owned()),
                Just("\n".to_owned()),
                (1_usize..90).prop_map(|length| "w".repeat(length)),
            ],
            0..30,
        ),
        windows in any::<bool>(),
    ) {
        let content = if windows { pieces.concat().replace('\n', "\r\n") } else { pieces.concat() };
        let outcome = read(&content);
        prop_assert_eq!(outcome.numbers(), stops_by_rereading(content.as_bytes()), "{}", content);
    }
}

/// Issue 12, A.3: what NULs replaced is missing, and a line that holds some names a wrong id.
#[test]
fn nul_runs_are_a_gap_with_their_length() {
    let nuls = "\0".repeat(20);
    let hidden =
        [line(1, "[API] x"), nuls.clone(), line(2, "[STOP] hidden"), line(3, "[STOP] seen")].concat();
    let outcome = read(&hidden);
    assert_eq!(outcome.numbers(), [3]);
    assert_eq!(outcome.gap_codes(), [(GapCode::NulRuns, true), (GapCode::LostLineEnd, true)]);
    assert!(outcome.gaps[0].message.contains("20 NUL bytes"), "{}", outcome.gaps[0].message);
    assert!(outcome.gaps[0].message.contains("line 2"), "{}", outcome.gaps[0].message);
    let swallowed = line(1, &format!("[API] x{nuls}1 [STOP] y"));
    assert_eq!(read(&swallowed).gap_codes(), [(GapCode::NulRuns, true)]);
    let in_an_event = line(1, "[STOP] session=ab\0\0");
    let outcome = read(&in_an_event);
    assert_eq!((outcome.numbers(), outcome.gap_codes()), (vec![], vec![(GapCode::NulRuns, true)]));
    let text = format!("a{nuls}b\n{nuls}");
    let chunk = line(1, &format!("[AGENT DEBUG] raw chunk (len={}): {text}", text.len()));
    assert_eq!(read(&chunk).gap_codes(), [], "a model may write any byte");
}

/// Issue 12, A.4.
#[test]
fn a_second_line_inside_a_line_is_no_event_but_a_gap() {
    let join = |first: &str, second: &str| format!("{}{}", first.trim_end(), second);
    let after_other = join(&line(1, "[API] x"), &line(2, "[STOP] second"));
    let outcome = read(&after_other);
    assert_eq!((outcome.numbers(), outcome.gap_codes()), (vec![], vec![(GapCode::LostLineEnd, true)]));
    let after_known = join(&line(1, "[STOP] session=s1"), &line(2, "[API] second"));
    let outcome = read(&after_known);
    assert_eq!(outcome.gap_codes(), [(GapCode::LostLineEnd, true)]);
    assert_eq!(outcome.lines[0].message, "[STOP] session=s1", "its last id is whole");
    let quoted = line(1, &format!("[API] query=\"{}\"", line(2, "[STOP] x").trim_end()));
    assert_eq!(read(&quoted).gap_codes(), []);
    let text = line(2, "[STOP] x");
    let chunk = line(1, &format!("[AGENT DEBUG] raw chunk (len={}): see {text}> {text}", text.len() * 2 + 6));
    assert_eq!(read(&chunk).gap_codes(), [], "a true length covers what it quotes");
    let lost = format!("2026/08/20 09:00:01 [AGENT DEBUG] raw chunk (len=3): abc{}", line(2, "[STOP] x"));
    assert!(read(&lost).gap_codes().contains(&(GapCode::LostLineEnd, true)));
}

/// Issue 12, A.5: in no order of time. A clock that was set back once, or with a new process, is no disorder.
#[test]
fn lines_in_no_order_are_a_gap() {
    let shuffled: String = (0..200).map(|number| line(number * 37 % 200, "[API] x")).collect();
    assert_eq!(read(&shuffled).gap_codes(), [(GapCode::OrderUnknown, true)]);
    let once = [line(60, "[API] x"), line(1, "[API] x"), line(2, "[API] x")].concat();
    assert_eq!(read(&once).gap_codes(), [(GapCode::ClockWentBack, false)]);
    let start = "[SERVER DEBUG] Using MCP config file: x";
    let restarts: String = (0..4)
        .flat_map(|number| [line(0, start), line(100 + number, "[API] x"), line(200, "[API] y")])
        .collect();
    assert_eq!(read(&restarts).gap_codes(), [(GapCode::ClockWentBack, false)]);
    let newest_first: String = (0..9).rev().map(|number| line(number, "[API] x")).collect();
    assert_eq!(
        read(&newest_first).gap_codes(),
        [(GapCode::OrderUnknown, true)],
        "a stream is read as it stands"
    );
}

/// Issue 12, A.5: line numbers and places are those of the file.
#[test]
fn a_file_with_its_newest_line_first_is_read_from_its_end() {
    let lines: Vec<String> = (0..9).map(|number| line(number, &format!("[STOP] number {number}"))).collect();
    let reversed: String = lines.iter().rev().map(String::as_str).collect();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("server_debug.log");
    for content in [reversed.as_str(), reversed.trim_end()] {
        std::fs::write(&path, content).expect("the folder is writable");
        let found = crate::logs::discover(&[path.to_string_lossy().into_owned()], true);
        let files = found.groups.into_iter().flat_map(|group| group.main).collect();
        let outcome = run(files, ReadOptions::default(), LIMITS);
        assert_eq!(outcome.gap_codes(), [(GapCode::ReadBackwards, false)]);
        assert_eq!(outcome.numbers(), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
        for seen in &outcome.lines {
            let begins = usize::try_from(seen.offset).expect("a small file");
            assert_eq!(content.as_bytes()[begins..][..seen.text.len()], seen.text[..]);
        }
        assert_eq!(outcome.stats[0].first_wall.map(|wall| wall + 8), outcome.stats[0].last_wall);
    }
}
