//! `pulsectl audit`: reads logs and names the incidents in them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use jiff::Timestamp;

use crate::audit::baseline::{self, Baseline};
use crate::audit::finding::{Report, Verdict};
use crate::audit::notice::Hidden;
use crate::audit::options::{AuditError, AuditErrorKind, AuditOptions, Progress};
use crate::audit::select::{RuleSelection, UnknownRule};
use crate::audit::suppress;
use crate::check::explain_stops::Explainer;
use crate::cli::exit::{Answer, CommandError, ExitStatus, Outcome};
use crate::cli::file_output::{Inputs, Privacy};
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::settings;
use crate::cli::ui::Ui;
use crate::config::layers::Settings;
use crate::model::gap::GapCode;
use crate::render::audit::view::AuditView;
use crate::render::formats::{Subject, View};
use crate::render::text::mask::Content;
use crate::render::text::moment::Clock;
use crate::rules::custom::CustomRule;
use crate::rules::meta::{RuleMeta, Severity};

/// Read a server's log and name the stop and cancel incidents in it
///
/// Reads server_debug.log and schedule.log: files, globs, directories, .gz,
/// or - for standard input. Without arguments it reads ./logs/. Each incident
/// comes with the lines that prove it.
///
/// What people wrote is masked in every format unless --show-content is given.
///
/// Examples:
///   pulsectl audit logs/server_debug.log
///   pulsectl audit --last 2h --session schedule-cron --timeline logs/
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct AuditArgs {
    /// Logs: files, globs, directories, or - for standard input [default: ./logs/]
    #[arg(value_name = "FILE")]
    pub paths: Vec<PathBuf>,
    /// Leave out a schedule.log that lies beside a named server_debug.log
    #[arg(long)]
    pub no_siblings: bool,
    /// The log's time zone: UTC, +05:30 or Asia/Kolkata [default: found in the log]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub tz: Option<String>,
    /// Only from this time on; without an offset it is in the log's zone
    #[arg(long, value_name = "TIME", help_heading = "Window", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Only up to this time
    #[arg(long, value_name = "TIME", help_heading = "Window", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Only the end of the log, counted back from its last time (30m, 2h)
    #[arg(long, value_name = "DURATION", help_heading = "Window", conflicts_with = "since")]
    pub last: Option<String>,
    /// Only this session: its id or a unique beginning
    #[arg(long, value_name = "ID", help_heading = "Window")]
    pub session: Option<String>,
    /// Only sessions with this run, group, workflow, schedule or title
    #[arg(long = "match", value_name = "TEXT", help_heading = "Window")]
    pub matching: Option<String>,
    /// Tell the incident second by second
    #[arg(long)]
    pub timeline: bool,
    /// Foresee each stop from the log just before it, and say whether its counters came out so (text and JSON)
    #[arg(long)]
    pub explain_stops: bool,
    /// Only these rules: codes, names or beginnings of codes (PLS03)
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub only: Vec<String>,
    /// All rules but these
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub skip: Vec<String>,
    /// Hide findings below this severity [default: info]
    #[arg(long, value_name = "SEVERITY", value_parser = severity_parser(), help_heading = "Rules")]
    pub min_severity: Option<Severity>,
    /// Exit with 10 on findings from this severity on, or with `inconclusive` on those from high on and on every
    /// stop that cannot be decided [default: high]
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on_parser(), help_heading = "Rules")]
    pub fail_on: Option<String>,
    /// Findings in this file are known: they are counted and do not fail
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub baseline: Option<PathBuf>,
    /// Write every finding into this file, for --baseline
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub write_baseline: Option<PathBuf>,
    /// Exit with 0 in spite of findings
    #[arg(long, help_heading = "Rules")]
    pub exit_zero: bool,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Audit), help = output::HELP)]
    pub output: Vec<OutputTarget>,
    /// Print what people wrote instead of masking it
    #[arg(long)]
    pub show_content: bool,
}

fn severity_parser() -> impl clap::builder::TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(Severity::worst_first().map(Severity::name))
        .try_map(|name| Severity::from_name(&name).ok_or("no such severity"))
}

fn fail_on_parser() -> PossibleValuesParser {
    let severities = Severity::worst_first().map(Severity::name);
    PossibleValuesParser::new(severities.into_iter().chain(["inconclusive"]))
}

/// Runs the command.
///
/// # Errors
/// When the arguments are wrong, nothing could be read, or output cannot be written.
pub fn run(args: &AuditArgs, ui: &mut Ui) -> Outcome {
    let rules = crate::rules::all();
    let targets =
        ui.targets_and(Subject::Audit, &args.output, &inputs(args), args.write_baseline.as_deref())?;
    let settings = with_flags(settings::load()?, args);
    let custom = settings::custom_rules(&settings)?;
    let suppressions = settings::suppressions(&settings, rules, &custom)?;
    let (only, skip) = (settings::words(&settings, "only"), settings::words(&settings, "skip"));
    let selection =
        RuleSelection::new(&only, &skip, settings::severity(&settings, "min_severity")?, rules, &custom)?;
    let (fail_on, fail_on_inconclusive) = settings::fail_on(&settings)?;
    let selected: Vec<RuleMeta> =
        rules.iter().filter(|rule| selection.includes(rule.code)).copied().collect();

    // A baseline that cannot be read must not cost the time of an audit.
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;

    let options = AuditOptions { now: Timestamp::now(), ..options(args, &settings, custom) };
    let zone_is_given = options.time_zone.is_some();
    let progress = Progress::default();
    let mut explainer = args.explain_stops.then(Explainer::default);
    let mut report = ui.with_bar(&progress, || match &mut explainer {
        Some(explainer) => crate::audit::run_watched(&options, &progress, &mut |line| explainer.before(line)),
        None => crate::audit::run(&options, &progress),
    })?;
    let explanations = explainer.map(|explainer| explainer.finish(&report.stops)).unwrap_or_default();

    let unwritten = match &args.write_baseline {
        Some(file) => ui.save(file, &written_baseline(&report)?, Privacy::Ordinary).err(),
        None => None,
    };
    // What vanished is asked of the whole report: a suppressed finding is still there.
    let mut notices = baseline.as_ref().map_or_else(Vec::new, |baseline| baseline.vanished(&report));
    let mut hidden = Hidden::default();
    let (suppressed, tidy) = suppress::apply(&mut report, &suppressions, today());
    hidden.suppressed = suppressed;
    notices.extend(tidy);
    if let Some(baseline) = baseline {
        hidden.known = baseline.apply(&mut report);
    }
    hidden.by_selection = selection.apply(&mut report);
    let view = AuditView {
        report: &report,
        hidden,
        notices: &notices,
        explanations: &explanations,
        rules: &selected,
        fail_on,
        fail_on_inconclusive,
        content: if args.show_content { Content::Shown } else { Content::Masked },
        clock: if zone_is_given { Clock::Log } else { Clock::Utc },
    };
    let shown = ui.show(&View::Audit(&view), &targets)?;
    if let Some(error) = &unwritten {
        ui.report(error);
    }
    let failed = shown.failed || unwritten.is_some();
    Ok(Answer { failed, ..answer(&view, args.exit_zero) }.status())
}

/// The day in UTC, so that a suppression ends for everyone at once.
fn today() -> jiff::civil::Date {
    jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date()
}

fn read_baseline(file: &Path) -> Result<Baseline, CommandError> {
    let unread = |error: String| {
        CommandError::new(ExitStatus::Usage, format!("could not read the baseline `{}`", file.display()))
            .detail(error)
            .hint("`--write-baseline FILE` writes one")
    };
    let text = fs::read_to_string(file).map_err(|error| unread(error.to_string()))?;
    Baseline::parse(&text).map_err(|error| unread(error.to_string()))
}

fn written_baseline(report: &Report) -> Result<String, CommandError> {
    Ok(baseline::write(report, &jiff::Timestamp::now().to_string()).map_err(anyhow::Error::from)?)
}

/// The files that the command reads.
fn inputs(args: &AuditArgs) -> Inputs {
    let mut inputs = Inputs::default();
    settings::add_inputs(&mut inputs);
    if let Some(baseline) = &args.baseline {
        inputs.add(baseline);
    }
    if args.paths.is_empty() {
        inputs.add_log(Path::new("logs"));
    }
    for path in &args.paths {
        inputs.add_log(path);
    }
    inputs
}

/// The settings with what the command line says on top.
fn with_flags(mut settings: Settings, args: &AuditArgs) -> Settings {
    let severity = |severity: Option<Severity>| severity.map(|severity| severity.name().to_owned());
    let words = |words: &[String]| (!words.is_empty()).then(|| words.join(","));
    settings.set("audit", "fail_on", args.fail_on.clone());
    settings.set("audit", "min_severity", severity(args.min_severity));
    settings.set("audit", "time_zone", args.tz.clone());
    settings.set("audit", "only", words(&args.only));
    settings.set("audit", "skip", words(&args.skip));
    settings
}

fn options(args: &AuditArgs, settings: &Settings, custom_rules: Vec<CustomRule>) -> AuditOptions {
    AuditOptions {
        paths: args.paths.clone(),
        siblings: !args.no_siblings,
        time_zone: Some(settings.get("audit", "time_zone"))
            .filter(|zone| !zone.is_empty())
            .map(str::to_owned),
        since: args.since.clone(),
        until: args.until.clone(),
        last: args.last.clone(),
        session: args.session.clone(),
        matching: args.matching.clone(),
        timeline: args.timeline,
        thresholds: settings::thresholds(settings),
        custom_rules,
        ..AuditOptions::default()
    }
}

/// What a shown report means for the exit status.
fn answer(view: &AuditView<'_>, exit_zero: bool) -> Answer {
    Answer {
        unread: (view.lines() == 0).then_some(ExitStatus::NothingChecked),
        found: view.report.findings.iter().any(|finding| finding.severity >= view.fail_on)
            || (view.fail_on_inconclusive
                && view.report.stops.iter().any(|stop| stop.verdict == Verdict::Inconclusive)),
        nothing_matched: view.report.gaps.iter().any(|gap| gap.code == GapCode::NothingMatched),
        incomplete: !view.report.complete(),
        exit_zero,
        ..Answer::default()
    }
}

impl From<AuditError> for CommandError {
    fn from(error: AuditError) -> Self {
        let status = match error.kind {
            AuditErrorKind::Usage => ExitStatus::Usage,
            AuditErrorKind::NothingChecked => ExitStatus::NothingChecked,
            AuditErrorKind::NoSuchSession => ExitStatus::NotFound,
        };
        Self::new(status, error.error).detail(error.detail).hint(error.hint)
    }
}

impl From<UnknownRule> for CommandError {
    fn from(error: UnknownRule) -> Self {
        Self::new(ExitStatus::Usage, error.to_string()).hint(error.hint)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::audit::finding::{Gap, Input, LogKind, ZoneSource};
    use crate::cli::arguments::{Cli, Command};
    use crate::model::gap::GapCode;

    fn parsed(arguments: &[&str]) -> Option<AuditArgs> {
        let all = ["pulsectl", "audit"].into_iter().chain(arguments.iter().copied());
        match Cli::try_parse_from(all).ok()?.command {
            Command::Audit(args) => Some(*args),
            _ => None,
        }
    }

    fn status(report: Report, arguments: &[&str]) -> Option<u8> {
        let args = parsed(arguments)?;
        let view = AuditView {
            report: &report,
            hidden: Hidden::default(),
            notices: &[],
            explanations: &[],
            rules: &[],
            fail_on: args.fail_on.as_deref().and_then(Severity::from_name).unwrap_or(Severity::High),
            fail_on_inconclusive: args.fail_on.as_deref() == Some("inconclusive"),
            content: Content::Masked,
            clock: Clock::Utc,
        };
        Some(answer(&view, args.exit_zero).status().code())
    }

    fn read() -> Report {
        let input = Input {
            path: String::from("a.log"),
            kind: LogKind::ServerDebug,
            bytes: 9,
            lines: 1,
            unparsed_lines: 0,
            unjudged: 0,
            first_time: None,
            last_time: None,
            time_zone: String::from("UTC"),
            time_zone_source: ZoneSource::Assumed,
        };
        Report { inputs: vec![input], ..Report::default() }
    }

    // README, exit codes: a log without stops is 0; nothing read is 3; a gap that is no hole is no 7.
    #[test]
    fn the_status_follows_what_was_read() {
        assert_eq!(status(read(), &[]), Some(0));
        assert_eq!(status(Report::default(), &[]), Some(3));
        for (gap, code) in [(GapCode::NoScheduleLog, 0), (GapCode::CannotRead, 7)] {
            let gaps = vec![Gap { code: gap, message: String::from("y") }];
            assert_eq!(status(Report { gaps, ..read() }, &[]), Some(code));
        }
    }

    #[test]
    fn arguments_become_options() {
        let args = parsed(&["a.log", "--no-siblings", "--tz", "-03:00", "--match", "Mira", "--last", "2h"]);
        let expected = AuditOptions {
            paths: vec![PathBuf::from("a.log")],
            siblings: false,
            time_zone: Some(String::from("-03:00")),
            last: Some(String::from("2h")),
            matching: Some(String::from("Mira")),
            ..AuditOptions::default()
        };
        let settings = Settings::load(None, None, |_| None).ok();
        let made = args.zip(settings).map(|(args, settings)| {
            let settings = with_flags(settings, &args);
            let severities = ["fail_on", "min_severity"].map(|name| settings.get("audit", name).to_owned());
            (options(&args, &settings, Vec::new()), severities)
        });
        assert_eq!(made, Some((expected, [String::from("high"), String::from("info")])));
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in [
            &["--fail-on", "bad"][..],
            &["-o", "yaml"],
            &["-o", "json="],
            &["--last", "1h", "--since", "2026-11-30"],
        ] {
            assert!(parsed(wrong).is_none(), "{wrong:?}");
        }
    }
}
