//! An audit as a person sees it.

use pulsectl::testing::audit::finding::{Gap, Report, Verdict};
use pulsectl::testing::model::gap::GapCode;
use pulsectl::testing::render::audit::{findings, timeline};
use pulsectl::testing::render::text::mask::Content;
use pulsectl::testing::render::text::style::Style;
use pulsectl::testing::rules::meta::Severity;

use crate::common::report::{PRIVATE, clean, full, full_with, view};

const PIPE: Style = Style { color: false, unicode: true, width: None };

fn last_line(report: &Report) -> String {
    findings::render(&view(report), &PIPE).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_narrow_ascii_terminal_shows_every_part() {
    let style = Style { color: false, unicode: false, width: Some(80) };
    insta::assert_snapshot!(findings::render(&view(&full()), &style));
}

#[test]
fn a_pipe_shows_whole_lines() {
    let report = full();
    let text = findings::render(&view(&report), &PIPE);
    let line = text.lines().find(|line| line.contains("1345 │")).expect("the second line of evidence");
    assert!(
        line.contains("[workflow=w group=Mira Devi session=6f1b2c3d-0000-4a5e-8000-000000000001] [STOP]")
    );
    assert!(line.ends_with("name=\"<masked 26 bytes>\""), "{line}");
}

#[test]
fn a_timeline_says_each_second_once() {
    let style = Style { color: false, unicode: true, width: Some(80) };
    insta::assert_snapshot!(timeline::render(&view(&full()), &style));
}

#[test]
fn what_people_wrote_shows_only_when_asked_for() {
    let report = full();
    let mut shown = view(&report);
    for text in [findings::render(&shown, &PIPE), timeline::render(&shown, &PIPE)] {
        assert!(!text.contains(PRIVATE));
    }
    shown.content = Content::Shown;
    assert!(findings::render(&shown, &PIPE).contains(PRIVATE));
}

// anchors.md, finding 7: text of a log must never steer the terminal.
#[test]
fn hostile_ids_do_not_reach_the_terminal() {
    let report = full_with("s\u{1b}[2J\u{202e}\rx", "run\u{9b}31m\n--> forged.log:1");
    for text in [findings::render(&view(&report), &PIPE), timeline::render(&view(&report), &PIPE)] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert!(!text.contains('\u{202e}'));
        assert!(!text.lines().any(|line| line.trim_start().starts_with("--> forged")));
    }
}

#[test]
fn colour_adds_nothing_but_colour() {
    let report = full();
    let coloured = findings::render(&view(&report), &Style { color: true, ..PIPE });
    assert!(coloured.contains("\u{1b}["));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), findings::render(&view(&report), &PIPE));
}

// The brief's rule: the closing line never says "clean" of something incomplete or not checked.
#[test]
fn the_closing_line_is_clean_only_when_all_is_known() {
    assert_eq!(last_line(&clean()), "Clean: 1 stop, everything that was open at them is accounted for.");
    let mut without_stops = clean();
    without_stops.stops.clear();
    assert_eq!(last_line(&without_stops), "Clean: 13,494 lines read, no stop and no finding in them.");

    // Under findings that are listed it does not say that there are none.
    let mut told = full();
    told.stops.clear();
    told.gaps.clear();
    told.findings.truncate(1);
    told.findings[0].severity = Severity::Info;
    assert_eq!(last_line(&told), "No stop, and nothing above info in 13,494 lines.");

    let mut undecided = clean();
    undecided.stops[0].verdict = Verdict::Inconclusive;
    let gap = |code| Gap { code, message: "y".into() };
    let (mut unsure, mut incomplete, mut empty, mut unread) = (clean(), clean(), clean(), clean());
    unsure.gaps.push(gap(GapCode::NoScheduleLog));
    incomplete.gaps.push(gap(GapCode::CannotRead));
    empty.inputs[0].lines = 0;
    unread.inputs.clear();
    for report in [Report::default(), undecided, unsure, incomplete, empty, unread, full()] {
        let line = last_line(&report);
        assert!(!line.to_lowercase().contains("clean"), "{line}");
    }
    let report = clean();
    let mut hiding = view(&report);
    hiding.hidden.known = 2;
    assert!(!findings::render(&hiding, &PIPE).to_lowercase().contains("clean: "));
    let report = full();
    let mut lenient = view(&report);
    lenient.fail_on = Severity::Critical;
    assert!(findings::render(&lenient, &PIPE).contains("1 finding at or above critical."));
}
