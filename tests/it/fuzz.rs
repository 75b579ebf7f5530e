//! A short run of every fuzz target of `fuzz/`: the same inputs in every run, made of recordings and of the seeds in
//! `fuzz/corpus` by a small generator of damage (issue 12, E). `PULSECTL_FUZZ_SECONDS` makes each target run that long
//! instead, from another seed each time; the number of inputs is printed.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pulsectl::testing::fuzzing;

use crate::common::material;
use crate::transform::random::Random;

/// How many damaged inputs each target gets.
const ROUNDS: usize = 400;

/// The longest input, so that one never costs more than a moment.
const LONGEST: usize = 24 * 1024;

/// Texts that parsers trip over.
const TOKENS: [&[u8]; 34] = [
    b"18446744073709551615",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"9223372036854775807",
    b"1e999",
    b"-1",
    b"0",
    b"null",
    b"{}",
    b"[]",
    b"[[[[[[[[",
    b"\"\"",
    b"\"\\ud800\"",
    b"\\u0000",
    b"\x1b]0;pwn\x07",
    b"\xe2\x80\xae",
    b"\xff\xfe",
    b"\0\0\0\0",
    b"\r\n",
    b"\n\n",
    b"9999-12-31T23:59:59.999999999Z",
    b"0001-01-01T00:00:00Z",
    b"-009999-01-02T01:59:59Z",
    b"9999/12/31 23:59:59 ",
    b"0000/00/00 00:00:00 ",
    b"1970/01/01 00:00:00 ",
    b"=1+1",
    b"[STOP] session=",
    b" canceled=18446744073709551615 no_cancel_func=18446744073709551615 already_done=18446744073709551615",
    b"[AGENT DEBUG] raw chunk (len=18446744073709551615): ",
    b"workflow-full-",
    b"msgseq-a-9223372036854775807",
    b"schedule-cron--x_9223372036854775807",
    b"\xcc\x81",
];

/// The seeds of a target: the files of its corpus, cut to size.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has seeds");
    paths.iter().map(|path| fs::read(path).expect("a seed can be read")).collect()
}

/// A recorded moment as one input of the target for answers.
fn recorded(folder: &Path) -> Vec<u8> {
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    let beginning = |start: &str| {
        let mut names: Vec<PathBuf> = fs::read_dir(folder)
            .expect("the folder can be listed")
            .map(|entry| entry.expect("an entry can be read").path())
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start)))
            .collect();
        names.sort();
        names.first().map(|path| fs::read(path).expect("an answer can be read")).unwrap_or_default()
    };
    [
        read("sessions-active.json"),
        read("workflow-running.json"),
        read("terminals.json"),
        read("browser-sessions.json"),
        read("health.json"),
        read("capabilities.json"),
        beginning("execution-tree"),
        beginning("main-terminal"),
    ]
    .join(&fuzzing::SEPARATOR)
}

/// Changes an input in one to six places.
fn damaged(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    if input.len() > LONGEST {
        // A stretch of whole lines, else of bytes.
        let from = random.below(input.len() - LONGEST);
        let from = memchr::memchr(b'\n', &input[from..]).map_or(from, |line| from + line + 1);
        input = input[from..input.len().min(from + LONGEST)].to_vec();
    }
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        let end = (at + random.below(120)).min(input.len());
        match random.below(9) {
            0 => drop(input.drain(at..end)),
            1 => {
                let copy = input[at..end].to_vec();
                let to = random.below(input.len() + 1);
                drop(input.splice(to..to, copy));
            }
            2 | 3 => {
                let token = TOKENS[random.below(TOKENS.len())];
                drop(input.splice(at..at, token.iter().copied()));
            }
            // A number, a text or a line becomes something else.
            4 => {
                let digits = |byte: &u8| byte.is_ascii_digit();
                let from = input[at..].iter().position(digits).map_or(at, |found| at + found);
                let length = input[from..].iter().take_while(|byte| digits(byte)).count();
                let token = TOKENS[random.below(8)];
                drop(input.splice(from..from + length, token.iter().copied()));
            }
            5 => {
                let quote = |from: usize| memchr::memchr(b'"', &input[from..]).map(|found| from + found + 1);
                if let Some(from) = quote(at)
                    && let Some(to) = quote(from)
                {
                    let token = TOKENS[random.below(TOKENS.len())];
                    drop(input.splice(from..to - 1, token.iter().copied()));
                }
            }
            6 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(2_000)).min(other.len());
                drop(input.splice(at..end, other[from..to].iter().copied()));
            }
            7 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = u8::try_from(random.below(256)).expect("it is below 256");
                }
            }
        }
    }
    input
}

/// The input with every number of one kind in it made extreme: counters, times within ids, lengths.
fn extremes(input: &[u8]) -> Vec<Vec<u8>> {
    const VALUES: [&str; 5] = [
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775807",
        "-9223372036854775808",
        "4294967296",
    ];
    // A counter of a line or a field of JSON, a number between blanks, the time in an id, a number in brackets.
    const PLACES: [&str; 4] =
        [r"(?-u)([a-z_]=|: ?)\d+\b", r"(?-u)( )\d+\b", r"(?-u)()\d{13,19}", r"(?-u)([(:\[])\d+\b"];
    let replaced = |place: &str, value: &str| {
        let place = regex::bytes::Regex::new(place).expect("the pattern is sound");
        place.replace_all(input, format!("${{1}}{value}").as_bytes()).into_owned()
    };
    PLACES.iter().flat_map(|place| VALUES.iter().map(move |value| replaced(place, value))).collect()
}

/// Feeds a target with its seeds and with what damage makes of them.
#[expect(clippy::print_stdout, reason = "how many inputs a long run tried is what it is for")]
fn run(target: &str, mut seeds: Vec<Vec<u8>>, law: fn(&[u8])) {
    seeds.extend(self::seeds(target));
    let tried = |number: usize, input: &[u8]| {
        let outcome = catch_unwind(AssertUnwindSafe(|| law(input)));
        if outcome.is_err() {
            let path = std::env::temp_dir().join(format!("pulsectl-fuzz-{target}-{number}"));
            fs::write(&path, input).expect("the input can be kept");
            panic!("{target}: input {number} breaks a law; it is kept in {}", path.display());
        }
    };
    let mut number = 0;
    for seed in &seeds {
        for input in std::iter::once(seed.clone()).chain(extremes(seed)) {
            tried(number, &input);
            number += 1;
        }
    }
    let undamaged = number;
    let seconds = std::env::var("PULSECTL_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let salt = until.map_or(0, |_| jiff::Timestamp::now().as_nanosecond() as u64);
    let mut random = Random::of_text(salt, target.as_bytes());
    while until.map_or(number < undamaged + ROUNDS, |until| Instant::now() < until) {
        number += 1;
        tried(number, &damaged(&mut random, &seeds));
    }
    println!("{target}: {undamaged} seeds and extremes, {} damaged inputs", number - undamaged);
}

#[test]
fn logs_keep_the_laws() {
    run("log", Vec::new(), fuzzing::log);
}

#[test]
fn answers_keep_the_laws() {
    let moments = crate::common::recordings::moments("before");
    let recorded = moments.iter().step_by(12).map(|moment| recorded(&moment.folder)).collect();
    run("answers", recorded, fuzzing::answers);
}

#[test]
fn saved_files_keep_the_laws() {
    run("saved", Vec::new(), fuzzing::saved);
}

#[test]
fn settings_keep_the_laws() {
    run("config", Vec::new(), fuzzing::config);
}

#[test]
fn wrapped_logs_keep_the_laws() {
    let log = fs::read(material::root().join("captures/plat171/server_debug.log"))
        .unwrap_or_else(|_| include_bytes!("../fixtures/logs/plat171.log").to_vec());
    let log = &log[..log.len().min(12 * 1024)];
    let wrapped = crate::common::wrappers::WRAPPERS.iter().map(|(_, wrap)| wrap(log)).collect();
    run("wrapped", wrapped, |input| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let write = |(number, part): (usize, &&[u8])| {
            let path = folder.path().join(format!("server_debug.log.{number}"));
            fs::write(&path, part).expect("a temporary file can be written");
            path
        };
        fuzzing::wrapped(fuzzing::parts(input).iter().enumerate().map(write).collect());
    });
}

// Issue 12, E: a counter of u64::MAX overflowed. What the server counted is said as it is, and judged.
#[test]
fn a_counter_that_no_sum_holds_is_said_as_it_is() {
    let log = include_bytes!("../fixtures/logs/plat171.log");
    let counters =
        regex::bytes::Regex::new(r"( canceled=| no_cancel_func=)\d+").expect("the pattern is sound");
    let log = counters.replace_all(log, &b"${1}18446744073709551615"[..]);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("server_debug.log");
    fs::write(&path, log).expect("a temporary file can be written");
    let answer = crate::common::Pulsectl::audit(&path).run();
    assert_eq!(answer.code, Some(10), "{}", answer.stderr);
    let report: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("it is JSON");
    let counters = &report["stops"][0]["counters"];
    assert_eq!((&counters["canceled"], &counters["no_cancel_func"]), (&u64::MAX.into(), &u64::MAX.into()));
    let gaps = report["gaps"].as_array().expect("a list");
    assert!(gaps.iter().any(|gap| gap["code"] == "counters_disagree"), "{gaps:?}");
}
