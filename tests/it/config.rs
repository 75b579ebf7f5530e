//! The config file, its layers, and `pulsectl config show`.

use std::fs;
use std::path::Path;

use pulsectl::testing::config::env::Variable;
use pulsectl::testing::config::layers::{Origin, Settings};
use pulsectl::testing::config::schema::{ConfigError, parse};

use crate::common::pulsectl;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

// Issue 6: flag > environment > project > user > default.
#[test]
fn each_layer_goes_before_the_next() {
    let folder = folder();
    let (project, user) = (folder.path().join("project.toml"), folder.path().join("user.toml"));
    fs::write(&project, "[audit]\nfail_on = \"medium\"\n[thresholds]\nstop_grace = \"20s\"\n")
        .expect("it is written");
    fs::write(&user, "[audit]\nfail_on = \"low\"\nmin_severity = \"low\"\n[thresholds]\nstop_grace = \"10s\"\ncancel_lag = \"1m\"\n")
        .expect("it is written");
    let load = |variable: fn(Variable) -> Option<String>| {
        Settings::load(Some(&project), Some(&user), variable).expect("the layers are right")
    };
    let mut settings = load(|variable| (variable.name == "PULSECTL_FAIL_ON").then(|| "critical".to_owned()));
    assert_eq!(settings.get("audit", "fail_on"), "critical");
    assert_eq!(settings.get("audit", "min_severity"), "low");
    assert_eq!(settings.get("thresholds", "stop_grace"), "20s");
    assert_eq!(settings.get("thresholds", "cancel_lag"), "1m");
    assert_eq!(settings.get("thresholds", "self_kill_window"), "120s");
    settings.set("audit", "fail_on", Some("info".to_owned()));
    let origins: Vec<Origin> = settings.iter().map(|(_, _, origin)| origin.clone()).collect();
    assert_eq!(origins[0], Origin::Flag);
    assert_eq!(origins[1], Origin::File(user.clone()));
    assert_eq!(origins[5], Origin::File(project.clone()));
    assert_eq!(origins[8], Origin::Default);
    assert_eq!(load(|_| None).get("audit", "fail_on"), "medium");
}

#[test]
fn wrong_keys_get_a_near_match_and_wrong_values_a_reason() {
    let hint = |text: &str| match parse(text) {
        Err(ConfigError::UnknownKey { hint, .. }) => hint,
        other => format!("{other:?}"),
    };
    assert_eq!(hint("[threshold]\n"), "did you mean `thresholds`?");
    assert_eq!(hint("[audit]\nfailon = \"high\"\n"), "did you mean `fail_on`?");
    for wrong in [
        "[audit]\nfail_on = \"dreadful\"\n",
        "[audit]\nonly = \"PLS005\"\n",
        "[thresholds]\nstop_grace = 15\n",
        "[thresholds]\nstop_grace = \"-15s\"\n",
        "audit = 1\n",
        "suppress = 1\n",
        "[[suppress]]\nrule = \"PLS005\"\n",
        "[[suppress]]\nrule = \"PLS005\"\nreason = \"x\"\nuntil = \"2026-12-31\"\n",
        "[[rule]]\nid = \"custom/a\"\n",
        "[audit\n",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = pulsectl()
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("PULSECTL_SKIP", "")
        .env("PULSECTL_CANCEL_LAG", "45s")
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_settings_are_shown_with_their_origins_and_read_back() {
    let folder = folder();
    let file = "[audit]\nfail_on = \"medium\"\nskip = []\n\n[[suppress]]\nrule = \"PLS005\"\nsession = \"schedule-*\"\nreason = \"say \\\"why\\\"\"\n\n[[rule]]\nid = \"custom/quota\"\nseverity = \"low\"\ntag = \"[QUOTA]\"\npattern = '(?<share>\\d+)%'\nclaim = \"at {share}\"\n";
    fs::write(folder.path().join("pulsectl.toml"), file).expect("it is written");
    let (code, shown, stderr) = run(folder.path(), &["config", "show", "--origin"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(shown.contains("fail_on = \"medium\"  # pulsectl.toml\n"), "{shown}");
    assert!(shown.contains("cancel_lag = \"45s\"  # environment: PULSECTL_CANCEL_LAG\n"), "{shown}");
    assert!(shown.contains("stop_grace = \"15s\"  # default\n"), "{shown}");
    let read = parse(&shown).expect("what is shown is a config file");
    let given = parse(file).expect("the file is right");
    assert_eq!((read.suppress, read.rules), (given.suppress, given.rules));
}

#[test]
fn a_wrong_config_file_is_wrong_usage() {
    let folder = folder();
    for (text, expected) in [
        ("[audit]\nfailon = \"high\"\n", "hint: did you mean `fail_on`?"),
        ("[[suppress]]\nrule = \"no-such-rule\"\nreason = \"x\"\n", "no rule is named `no-such-rule`"),
        (
            "[[rule]]\nid = \"PLS005\"\nseverity = \"low\"\ntag = \"[A]\"\npattern = \"x\"\nclaim = \"y\"\n",
            "must be `custom/`",
        ),
    ] {
        fs::write(folder.path().join("pulsectl.toml"), text).expect("it is written");
        let (code, stdout, stderr) = run(folder.path(), &["audit", "x.log"]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}
