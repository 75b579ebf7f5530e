//! The program as a whole: exit codes, streams, and readers that go early.

use std::process::{Output, Stdio};

use crate::common::pulsectl;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        pulsectl().args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

// formats.md, section 5: 6 is "no such rule", 2 is wrong usage.
#[test]
fn a_wrong_rule_name_is_an_error_of_its_own() {
    let (code, stdout, stderr) = run(&["explain", "no-such-rule"]);
    assert_eq!((code, stdout.as_str()), (Some(6), ""));
    assert!(stderr.starts_with("error: no rule is named `no-such-rule`\n"), "{stderr}");
    assert_eq!(run(&["explain"]).0, Some(2));
    assert_eq!(run(&["audit", "--only", "no-such-rule"]).0, Some(2));
}

// formats.md, section 4: an error with a machine format is one object on stderr, stdout stays empty.
#[test]
fn errors_of_a_machine_format_are_json() {
    for arguments in [&["explain", "no-such-rule", "-o", "json"][..], &["audit", "-o", "json", "--nonsense"]]
    {
        let (code, stdout, stderr) = run(arguments);
        let error: serde_json::Value = serde_json::from_str(&stderr).expect("it is JSON");
        assert_eq!(error["schema"], "pulsectl.error/1");
        assert_eq!(error["code"].as_i64().map(|code| code as i32), code);
        assert_eq!(stdout, "");
    }
}

#[test]
fn two_formats_on_one_stream_are_refused() {
    let (code, _, stderr) = run(&["audit", "-o", "json", "-o", "text", "x.log"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("-o json=audit.json"), "{stderr}");
}

// anchors.md, section 3: a broken pipe ends quietly with 0.
#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_ends_the_run_quietly() {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let output = pulsectl().arg("rules").stdout(writer).output().expect("the program starts");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
