use std::io::{self, Cursor, Read};

use proptest::prelude::*;

use super::kind::WrapperKind;
use super::tally::WrapperTally;
use super::*;

const KINDS: [WrapperKind; 6] = [
    WrapperKind::DockerJson,
    WrapperKind::Cri,
    WrapperKind::Stamped,
    WrapperKind::Compose,
    WrapperKind::JournalShort,
    WrapperKind::JournalExport,
];

/// Hands out at most `step` bytes per read.
struct SlowRead<R>(R, usize);

impl<R: Read> Read for SlowRead<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let length = target.len().min(self.1);
        self.0.read(&mut target[..length])
    }
}

/// The text of one service, read in steps, and what it cost.
fn text(kind: WrapperKind, label: &str, wrapped: &[u8], step: usize) -> (Vec<u8>, WrapperTally) {
    let layer = Layer { kind, label: label.into(), elsewhere: Vec::new() };
    let source = Box::new(SlowRead(Cursor::new(wrapped.to_vec()), step));
    let (mut content, tallies) = unwrap(source, &[layer]);
    let mut out = Vec::new();
    content.read_to_end(&mut out).expect("memory can be read");
    let tally = tallies[0].1.take();
    (out, tally)
}

/// A wrapped text, the same in steps of every size.
fn unwrapped(kind: WrapperKind, label: &str, wrapped: &[u8]) -> (String, WrapperTally) {
    let (whole, tally) = text(kind, label, wrapped, usize::MAX);
    for step in [1, 2, 3, 7, 64] {
        let (other, cost) = text(kind, label, wrapped, step);
        assert_eq!((&other, cost.damaged), (&whole, tally.damaged), "in steps of {step}");
    }
    (String::from_utf8(whole).expect("it is UTF-8"), tally)
}

#[test]
fn pieces_are_joined_per_stream() {
    let json = "{\"log\":\"one \",\"stream\":\"stderr\"}\n{\"log\":\"other\\n\",\"stream\":\"stdout\"}\n\
                {\"log\":\"line\\n\",\"stream\":\"stderr\"}\n{\"log\":\"no end\",\"stream\":\"stderr\"}\n";
    assert_eq!(unwrapped(WrapperKind::DockerJson, "", json.as_bytes()).0, "one line\nother\nno end");
    let cri = "2026-11-30T03:06:26Z stderr P one \n2026-11-30T03:06:26Z stdout P ot\n\
               2026-11-30T03:06:26Z stderr F line\n2026-11-30T03:06:26Z stdout F her\n";
    for wrapped in [cri.to_owned(), cri.replace('\n', "\r\n")] {
        let (text, _) = unwrapped(WrapperKind::Cri, "", wrapped.as_bytes());
        assert_eq!(text.replace("\r\n", "\n"), "one line\nother\n");
    }
    // A stream whose end never comes holds nothing back for good.
    let open = "2026-11-30T03:06:26Z stderr P one\n2026-11-30T03:06:26Z stdout F other\n";
    assert_eq!(unwrapped(WrapperKind::Cri, "", open.as_bytes()).0, "one\nother\n");
}

#[test]
fn a_line_that_never_ends_holds_back_no_more_than_its_bound() {
    let mut wrapped = b"2026-11-30T03:06:26Z stderr P one\n".to_vec();
    let other = format!("2026-11-30T03:06:26Z stdout F {}\n", "x".repeat(1_000));
    for _ in 0..10_000 {
        wrapped.extend(other.as_bytes());
    }
    let (text, tally) = text(WrapperKind::Cri, "", &wrapped, usize::MAX);
    assert_eq!(text.len(), 4 + 10_000 * 1_001);
    assert_eq!(tally.broken, 1);
    assert!(tally.losses(WrapperKind::Cri).iter().any(|loss| loss.code.is_incomplete()));
}

// moby's log stream puts the time before each message, and a piece of 16 KiB is a message.
#[test]
fn the_times_before_the_pieces_of_a_long_line_are_taken_out() {
    let piece = "p".repeat(16 << 10);
    let time = "2026-11-30T03:06:26.123456789Z ";
    let wrapped = format!("{time}{piece}{time}{piece}{time}rest\n{time}{piece}\n{time}{piece}q\n");
    let (text, _) = unwrapped(WrapperKind::Stamped, "", wrapped.as_bytes());
    assert_eq!(text, format!("{piece}{piece}rest\n{piece}\n{piece}q\n"));
}

#[test]
fn a_field_of_the_journal_may_hold_anything() {
    let message = "a\n\nMESSAGE=b\n=";
    let wrapped = [
        b"__CURSOR=x\n__REALTIME_TIMESTAMP=1796007986000000\nMESSAGE\n".as_slice(),
        &(message.len() as u64).to_le_bytes(),
        message.as_bytes(),
        b"\nSYSLOG_IDENTIFIER=pulse\n\nMESSAGE=one \n_LINE_BREAK=line-max\nSYSLOG_IDENTIFIER=pulse\n\n",
        b"MESSAGE=line\nSYSLOG_IDENTIFIER=pulse\n\nMESSAGE=no\nSYSLOG_IDENTIFIER=other\n\n",
        b"no field\nMESSAGE=lost\n\nMESSAGE=last\nSYSLOG_IDENTIFIER=pulse",
    ]
    .concat();
    let (text, tally) = unwrapped(WrapperKind::JournalExport, "pulse", &wrapped);
    assert_eq!(text, format!("{message}\none line\nlast\n"));
    assert_eq!(tally.damaged, 1);
    // A forged length can't take the memory of its size.
    let forged = [b"MESSAGE\n".as_slice(), &u64::MAX.to_le_bytes(), b"text\n"].concat();
    let (text, tally) = unwrapped(WrapperKind::JournalExport, "", &forged);
    assert_eq!((text.as_str(), tally.damaged + u64::from(tally.begins_inside_a_record)), ("", 1));
}

#[test]
fn a_plain_log_that_quotes_a_wrapper_is_plain() {
    let quoted = "{\"log\":\"2026/11/30 03:06:26 [STOP] x\\n\",\"stream\":\"stderr\"}\n".repeat(500);
    let chunk = format!("2026/11/30 03:06:26 [AGENT DEBUG] raw chunk (len={}): {quoted}", quoted.len());
    let plain = format!("{chunk}2026/11/30 03:06:27 [API] x\n");
    assert!(recognise(plain.as_bytes()).is_none());
    assert!(recognise(quoted.as_bytes()).is_some());
    assert!(recognise(b"{\"log\":\"of another program\\n\"}\n").is_none());
    assert!(recognise(b"").is_none());
}

proptest! {
    #[test]
    fn any_bytes_in_any_steps_give_the_same(
        bytes in prop::collection::vec(prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"MESSAGE".to_vec()),
            Just(b"MESSAGE=x".to_vec()),
            Just(b"2026-11-30T03:06:26Z stderr P x".to_vec()),
            Just(b"2026-11-30T03:06:26Z stdout F x".to_vec()),
            Just(b"svc-1  | x".to_vec()),
            Just(b"Nov 30 03:06:26 host pulse[1]: x".to_vec()),
            Just(b"{\"log\":\"x\\n\"}".to_vec()),
            Just(vec![3, 0, 0, 0, 0, 0, 0, 0]),
            prop::collection::vec(any::<u8>(), 0..12),
        ], 0..40),
        step in 1_usize..9,
    ) {
        let wrapped = bytes.concat();
        recognise(&wrapped);
        for kind in KINDS {
            let whole = text(kind, "", &wrapped, usize::MAX);
            let slow = text(kind, "", &wrapped, step);
            prop_assert_eq!(whole.0, slow.0);
            prop_assert_eq!(whole.1.damaged, slow.1.damaged);
        }
    }
}
