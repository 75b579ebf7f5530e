//! `pulsectl plan`, `stop --dry-run` and `plan check` as programs: exit codes, formats, refusals, hints.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::Pulsectl;
use crate::common::recordings::captures;

/// The session of the recording `plat171`.
const CHAT: &str = "9c1be844-00b2-4793-9bc1-726bd3c6c0b3";

fn code(arguments: &[&str], folder: &Path) -> Option<i32> {
    answer(arguments, folder).code
}

fn answer(arguments: &[&str], folder: &Path) -> crate::common::Answer {
    Pulsectl::new(arguments).arg("--from").arg(folder).run()
}

// formats.md, section 5: 0; 10 with --fail-on, also for a refusal; 11 with --detailed-exitcode; 6; 2.
#[test]
fn exit_codes_answer_is_it_safe() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let death = ["plan", "terminal-death", CHAT];
    let with = |more: &[&'static str]| code(&[&death[..], more].concat(), &folder);
    assert_eq!(with(&[]), Some(0));
    assert_eq!(with(&["--fail-on", "collateral"]), Some(10));
    assert_eq!(with(&["--fail-on", "ineffective"]), Some(0));
    assert_eq!(with(&["--fail-on", "ineffective,unsafe"]), Some(10));
    assert_eq!(with(&["--detailed-exitcode"]), Some(11));
    assert_eq!(with(&["--detailed-exitcode", "--fail-on", "unsafe"]), Some(10));
    assert_eq!(with(&["--detailed-exitcode", "--fail-on", "unsafe", "--exit-zero"]), Some(0));
    assert_eq!(with(&["--fail-on", "nothing"]), Some(2));
    assert_eq!(with(&["--policy", "owner", "--fail-on", "collateral"]), Some(0));
    assert_eq!(code(&["plan", "stop", "no-such-session"], &folder), Some(6));
    assert_eq!(code(&["plan", "stop-step", "exec-nothing"], &folder), Some(6));
    assert_eq!(code(&["plan", "kill-terminal", "nothing"], &folder), Some(6));
    assert_eq!(code(&["plan", "schedule-stop", "no-job"], &folder), Some(6));
    // Refused: the session is still active (recording `refusals`).
    assert_eq!(code(&["plan", "clear", CHAT], &folder), Some(0));
    assert_eq!(code(&["plan", "clear", CHAT, "--fail-on", "unsafe"], &folder), Some(10));
    // One of the answers came from another moment, so the plan says that it is incomplete.
    let changed = captures.join("stop-agents-after-notification/http-before");
    assert_eq!(code(&["plan", "stop", "6f1b2c3d"], &changed), Some(7));
}

#[test]
fn stop_needs_the_dry_run() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let refused = answer(&["stop", CHAT], &folder);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--dry-run") && refused.stdout.is_empty(), "{refused:?}");
    let by_one_name = answer(&["stop", CHAT, "--dry-run", "--agents", "-o", "json"], &folder);
    let by_other = answer(&["plan", "stop", CHAT, "--agents", "-o", "json"], &folder);
    assert_eq!(by_one_name.code, Some(0));
    assert_eq!(by_one_name.stdout, by_other.stdout);
}

#[test]
fn every_trigger_and_format_has_an_answer() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let main = format!("{CHAT}:main:{CHAT}");
    let triggers: [&[&str]; 12] = [
        &["stop", "9c1be844"],
        &["stop", "9c1be844", "--agents"],
        &["cancel-turn", CHAT],
        &["terminal-death", CHAT, "--pane", "wall"],
        &["terminal-death", CHAT, "--terminal", &main],
        &["kill-terminal", &main],
        &["stop-step", "workflow-full-mx2p37yb01"],
        &["stop-step", "msgseq-collect"],
        &["stop-all", CHAT],
        &["shutdown"],
        &["dismiss", CHAT],
        &["clear", CHAT],
    ];
    for trigger in triggers {
        for format in ["text", "json", "yaml", "markdown", "table"] {
            let arguments = [&["plan"], trigger, &["--compare", "-o", format]].concat();
            let answer = answer(&arguments, &folder);
            assert_eq!(answer.code, Some(0), "{arguments:?}: {answer:?}");
            let text = String::from_utf8(answer.stdout).expect("it is UTF-8");
            assert!(text.contains("workflow-full-mx2p37yb01"), "{arguments:?}");
            assert!(!text.contains("[[sleep"), "{arguments:?} shows what a person wrote");
        }
    }
}

#[test]
fn the_worst_comes_first() {
    let captures = captures();
    let answer =
        answer(&["plan", "terminal-death", CHAT, "--compare"], &captures.join("plat171/http-before"));
    let text = String::from_utf8(answer.stdout).expect("it is UTF-8");
    let places: Vec<usize> = [
        "nothing was changed",
        "Collateral: not the session's own, hit all the same (2)",
        "Ends (1)",
        "Had ended before (1)",
        "By policy",
        "Panes (2)",
        "What could bring work back",
        "background agents: canceled=1 no_cancel_func=1 already_done=0",
        "not safe:",
    ]
    .iter()
    .map(|part| text.find(part).unwrap_or_else(|| panic!("{part} is missing in\n{text}")))
    .collect();
    assert!(places.is_sorted(), "{places:?}\n{text}");
}

#[test]
fn a_saved_plan_is_checked_against_the_log() {
    let captures = captures();
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let plan = place.path().join("before.json");
    let made = answer(&["plan", "terminal-death", CHAT, "-o", "json"], &captures.join("plat171/http-before"));
    fs::write(&plan, &made.stdout).expect("the plan can be written");
    let check = |plan: &Path, recording: &str| {
        let log = captures.join(recording).join("server_debug.log.gz");
        Pulsectl::new(["plan", "check", "-o", "json"]).arg(plan).arg("--log").arg(log).run()
    };
    let agrees = check(&plan, "plat171");
    assert_eq!(agrees.code, Some(0), "{}", agrees.stderr);
    let document: Value = serde_json::from_slice(&agrees.stdout).expect("it is JSON");
    assert_eq!((&document["schema"], &document["agrees"]), (&"pulsectl.plan-check/1".into(), &true.into()));
    assert_eq!(document["counters"]["observed"]["canceled"], 1);

    // A version that prints no counters and other rows: not logged is no disagreement (formats, section 3).
    let silent = check(&plan, "old-plat171");
    let document: Value = serde_json::from_slice(&silent.stdout).expect("it is JSON");
    assert_eq!((silent.code, &document["counters"]["observed"]), (Some(0), &Value::Null));
    assert_eq!(check(&plan, "stop").code, Some(6), "another server's log never names the session");

    fs::write(&plan, "{\"schema\":\"pulsectl.graph/1\"}").expect("it can be written");
    let other = check(&plan, "plat171");
    assert_eq!(other.code, Some(3));
    assert!(other.stderr.contains("pulsectl.error/1"), "{}", other.stderr);
    assert_eq!(Pulsectl::new(["plan", "check", "nothing.json"]).run().code, Some(2), "a log is needed");
}

// formats.md: text of a server is hostile; nothing of it reaches the terminal as it is.
#[test]
fn hostile_text_never_reaches_the_terminal() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let answer = answer(&["plan", "stop", "\u{1b}[2J"], &folder);
    assert_eq!(answer.code, Some(6));
    assert!(!answer.stderr.contains('\u{1b}'), "{:?}", answer.stderr);
}

fn shown(arguments: &[&str], folder: &Path) -> String {
    String::from_utf8(answer(arguments, folder).stdout).expect("it is UTF-8")
}

/// The last line that says something.
fn last_line(text: &str) -> &str {
    text.lines().rfind(|line| !line.is_empty()).unwrap_or_default()
}

// formats.md, section 3: `safe` allows `intended_kill`, so the line that says it names what ends besides. In the
// recording `plat171` the run and its item are watched; a shutdown ends both.
#[test]
fn the_last_line_says_what_safe_means() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let shutdown = shown(&["plan", "shutdown"], &folder);
    let last = last_line(&shutdown);
    assert!(last.starts_with("as intended (safe): "), "{last}");
    assert!(last.ends_with("; also ends 2 that the session only watches"), "{last}");
    let stop = shown(&["plan", "stop", CHAT, "--agents"], &folder);
    assert!(last_line(&stop).ends_with("; also ends 2 that the session only watches"), "{stop}");
    // The run is what is asked for here, and what runs in it.
    let step = shown(&["plan", "stop-step", "workflow-full-mx2p37yb01"], &folder);
    assert!(!last_line(&step).contains("also ends"), "{step}");
    // What is collateral is counted as that, and not a second time.
    let death = shown(&["plan", "terminal-death", CHAT], &folder);
    assert!(
        last_line(&death).starts_with("not safe: ") && !last_line(&death).contains("also ends"),
        "{death}"
    );
}

/// formats.md, section 3: `refused.status` is null where the server would just do nothing; nothing refuses then.
#[test]
fn only_a_status_is_called_a_refusal() {
    let captures = captures();
    let mut kinds = [0, 0];
    for recording in ["plat171", "stop-idle-main", "refusals", "stop-mixed"] {
        let folder = captures.join(recording).join("http-before");
        let list: Value = serde_json::from_slice(
            &Pulsectl::new(["sessions", "-o", "json", "--from"]).arg(&folder).run().stdout,
        )
        .expect("it is JSON");
        let sessions: Vec<&str> =
            list["sessions"].as_array().expect("a list").iter().filter_map(|of| of["id"].as_str()).collect();
        for trigger in ["clear", "dismiss", "cancel-turn", "terminal-death", "stop-all", "schedule-stop"] {
            for session in &sessions {
                let document: Value = serde_json::from_slice(
                    &answer(&["plan", trigger, session, "-o", "json"], &folder).stdout,
                )
                .expect("it is JSON");
                let refused = &document["refused"];
                if refused.is_null() {
                    continue;
                }
                let (words, kind) = match refused["status"].as_u64() {
                    Some(status) => (format!("refused with {status}: "), 0),
                    None => (String::from("no effect: "), 1),
                };
                kinds[kind] += 1;
                let text = shown(&["plan", trigger, session], &folder);
                assert!(last_line(&text).starts_with(&words), "{words}: {text}");
                assert_eq!(text.matches(&words).count(), 2, "{text}");
                assert_eq!(text.contains("refused"), kind == 0, "{text}");
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 0), "refused and without effect: {kinds:?}");
}

/// Every trigger has a heading in plain words, the tools of an agent too.
#[test]
fn headings_name_no_tool() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    let step = shown(&["plan", "stop-step", "workflow-full-mx2p37yb01"], &folder);
    assert!(step.starts_with("stop of the execution workflow-full-mx2p37yb01 in 9c1be844"), "{step}");
    let all = shown(&["plan", "stop-all", CHAT], &folder);
    assert!(all.starts_with("stop of all executions in 9c1be844"), "{all}");
    assert!(![step, all].concat().contains("stop_"), "no name of a machine");
}

/// What the list, the graph and the plan call a note and what a warning: one rule. A log never tells all, and with
/// it nothing is safe (formats.md, section 3), so it is a warning everywhere; what the closed gate hides is a note.
#[test]
fn notes_and_warnings_are_the_same_everywhere() {
    let captures = captures();
    let log = captures.join("plat171/server_debug.log.gz");
    for command in [&["sessions"][..], &["graph", CHAT], &["plan", "stop", CHAT]] {
        let answer = Pulsectl::new(command).arg("--log").arg(&log).args(["--at", "03:15:09"]).run();
        let text = String::from_utf8(answer.stdout).expect("it is UTF-8") + &answer.stderr;
        assert!(text.contains("warning: not_logged: "), "{command:?}: {text}");
        assert!(text.contains("note: no_terminals: "), "{command:?}: {text}");
    }
    let closed = crate::common::recordings::with_closed_gate(&captures.join("plat171/http-before"));
    for command in [&["graph", CHAT][..], &["plan", "stop", CHAT]] {
        let text = shown(command, closed.path());
        assert!(text.contains("note: no_tree: ") && text.contains("note: no_terminals: "), "{text}");
        assert!(text.contains("names of finished rows"), "{text}");
    }
}

/// YAML 1.1 reads dates, times, numbers and `yes` where JSON has strings: no such string stands unquoted. The
/// document is the JSON's.
#[test]
fn yaml_is_the_same_as_json_for_every_reader() {
    let captures = captures();
    let folder = captures.join("plat171/http-before");
    for trigger in
        [&["plan", "terminal-death", CHAT, "--compare"][..], &["plan", "shutdown"], &["plan", "clear", CHAT]]
    {
        let yaml = shown(&[trigger, &["-o", "yaml"]].concat(), &folder);
        let json = shown(&[trigger, &["-o", "json"]].concat(), &folder);
        let json: Value = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(yaml_serde::from_str::<Value>(&yaml).expect("it is YAML"), json);
        assert!(yaml.starts_with("schema: pulsectl.plan/1\n"), "{yaml}");
        // Plain scalars that begin with a digit, a sign or a dot are numbers of the JSON, never its strings.
        for line in yaml.lines() {
            let line = line.trim_start_matches([' ', '-']);
            let scalar = line.split_once(": ").map_or(line, |(_, scalar)| scalar);
            if scalar.starts_with(|first: char| first.is_ascii_digit() || "+.~".contains(first)) {
                assert!(scalar.parse::<i64>().is_ok(), "{line}");
            }
            let is_word =
                ["yes", "no", "on", "off", "y", "n"].contains(&scalar.to_ascii_lowercase().as_str());
            assert!(!is_word, "{line}");
        }
        assert!(yaml.contains("server_version: \"2026-08-22\"\n"), "{yaml}");
        assert!(yaml.contains("as_of: \"2026-11-30T"), "{yaml}");
    }
}
