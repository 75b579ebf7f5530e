//! `pulsectl demo`: the real pipeline over an embedded log of the PLAT-171 incident.

use clap::Args;
use jiff::Timestamp;

use crate::audit::finding::{Fate, Report, StopRecord};
use crate::audit::notice::Hidden;
use crate::audit::options::{AuditOptions, Progress};
use crate::cli::exit::{CommandError, ExitStatus, Outcome};
use crate::cli::ui::{Ui, rendered};
use crate::engine::graph::{Selection, build, select};
use crate::engine::plan::{PaneState, Policy, Summary, Trigger, plan};
use crate::engine::resolve::resolve;
use crate::logs::{Discovered, Group, LogFile, LogKind, ReadOptions, Window};
use crate::model::snapshot::Snapshot;
use crate::render::audit::view::AuditView;
use crate::render::format::Format;
use crate::render::formats::View;
use crate::render::graph::facts::Detail;
use crate::render::plan::view::PlanView;
use crate::render::text::counters::counter_words;
use crate::render::text::mask::Content;
use crate::render::text::moment::{Clock, date_time};
use crate::render::text::source::described;
use crate::render::text::style::Style;
use crate::render::{graph, plan as plan_formats};
use crate::rules;
use crate::rules::meta::Severity;
use crate::source::log::snapshot_at;

/// Cut down from a recording of a real server: a chat's terminal dies and takes the run with it that the chat
/// only watched.
const LOG: &[u8] = include_bytes!("demo.log");
/// The name under which the log is shown.
const NAME: &str = "demo.log";

/// Audit an embedded log of a real incident, to see what pulsectl says
///
/// A chat launched a workflow run for another group and only watched it. The chat's terminal died, and
/// the sweep over the chat's session id cancelled the run (PLAT-171). Nothing is read but the program
/// itself; the exit status is 0.
#[derive(Debug, Args)]
pub struct DemoArgs {}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(_args: &DemoArgs, ui: &mut Ui) -> Outcome {
    let report = report()?;
    let rules: Vec<_> = rules::all().to_vec();
    let view = AuditView {
        report: &report,
        hidden: Hidden::default(),
        notices: &[],
        explanations: &[],
        rules: &rules,
        fail_on: Severity::High,
        fail_on_inconclusive: false,
        content: Content::Masked,
        clock: Clock::Utc,
    };
    let text = rendered(&View::Audit(&view), Format::Text, &ui.style())?;
    ui.print(&text)?;
    let Some(stop) = report.stops.first() else { return Ok(ExitStatus::Clean) };
    let snapshot = snapshot_before(stop)?;
    let style = ui.style();
    let text =
        [graph_before(stop, &snapshot, &style), plan_before(stop, &snapshot, &style), really(stop, &style)];
    ui.print(&text.concat())?;
    Ok(ExitStatus::Clean)
}

/// The state one second before the stop, rebuilt from the same log.
fn snapshot_before(stop: &StopRecord) -> Result<Snapshot, CommandError> {
    let files = Group { main: vec![log()], schedule: Vec::new() };
    let moment = Timestamp::from_second(stop.time.utc - 1).map_err(anyhow::Error::from)?.to_string();
    let window =
        Window::parse(None, Some(&moment), None, Timestamp::UNIX_EPOCH).map_err(anyhow::Error::from)?;
    Ok(snapshot_at(files, &ReadOptions { zone: None, window })?)
}

/// What the session owned and watched.
fn graph_before(stop: &StopRecord, snapshot: &Snapshot, style: &Style) -> String {
    let Some(graph) = build(snapshot, &resolve(snapshot), &stop.session) else {
        return String::new();
    };
    let graph = select(graph, &Selection::default());
    let detail = Detail { show_content: false, reasons: false };
    let tree = graph::tree::render(&graph, &described(snapshot), detail, style);
    let heading = style.bold("One second before the stop: pulsectl graph SESSION --log FILE --at TIME");
    format!("\n{heading}\n{tree}")
}

/// What the dry run would have said of the terminal's death.
fn plan_before(stop: &StopRecord, snapshot: &Snapshot, style: &Style) -> String {
    let trigger =
        Trigger::TerminalDeath { session: stop.session.clone(), terminal: None, pane: PaneState::Missing };
    let plan = plan(snapshot, &trigger, Policy::Server);
    let summary = Summary::of(&plan);
    let view =
        PlanView { snapshot, plan: &plan, compared: &[], summary, show_content: false, everything: false };
    let text = plan_formats::text::render(&view, style);
    let heading =
        style.bold("The dry run at that second: pulsectl plan terminal-death SESSION --log FILE --at TIME");
    format!("\n{heading}\n{text}")
}

/// What the log says really happened.
fn really(stop: &StopRecord, style: &Style) -> String {
    let ended = stop.account.iter().filter(|row| row.fate == Fate::Ended);
    let ended: String = ended.map(|row| format!("  {}\n", style.safe(&row.id))).collect();
    let counters = stop.counters.map_or_else(|| String::from("no counters"), counter_words);
    let sentence = format!(
        "What the log says really happened: at {} UTC the sweep counted {counters}, and these ended with it:",
        date_time(stop.time)
    );
    format!("\n{}\n{ended}", style.bold(&sentence))
}

/// The embedded log.
fn log() -> LogFile {
    LogFile::from_bytes(NAME, LogKind::ServerDebug, LOG.to_vec())
}

/// The audit of the embedded log.
fn report() -> Result<Report, CommandError> {
    let main = vec![log()];
    let found = Discovered { groups: vec![Group { main, schedule: Vec::new() }], ..Discovered::default() };
    let options = AuditOptions::default();
    let read = crate::audit::read_options(&options)?;
    Ok(crate::audit::audit(found, &options, &read, &Progress::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The entry of the recording `plat171` in the captures' index: PLS005 with this run and this item.
    #[test]
    fn the_demo_shows_the_incident() {
        let report = report().expect("the embedded log can be read");
        let found = report.findings.iter().find(|finding| finding.rule == "PLS005").expect("it is named");
        let ids: Vec<&str> = found.subjects.iter().map(|subject| subject.id.as_str()).collect();
        assert_eq!(ids, ["workflow-full-mx2p37yb01", "msgseq-collect-invoices-fetch-1796008500334093566"]);
        assert!(report.complete());
    }

    const PLAIN: Style = Style { color: false, unicode: false, width: None };

    // What the recording's registries held before the death: the run of an earlier turn, and its item.
    #[test]
    fn the_graph_before_the_stop_shows_what_was_only_watched() {
        let report = report().expect("the embedded log can be read");
        let stop = report.stops.first().expect("there is a stop");
        let text = graph_before(stop, &snapshot_before(stop).expect("it is rebuilt"), &PLAIN);
        let watched = text.split("\nwatches\n").nth(1).expect("something is watched");
        assert!(watched.starts_with("`- run workflow-full-mx2p37yb01, running"), "{text}");
        assert!(watched.contains("`- item msgseq-collect-invoices-fetch-1796008500334093566"), "{text}");
    }

    // The recording's truth.json: the run and its item end, the turn ends with its pane; its log printed
    // canceled=1 no_cancel_func=1.
    #[test]
    fn the_dry_run_foresees_what_the_log_says() {
        let report = report().expect("the embedded log can be read");
        let stop = report.stops.first().expect("there is a stop");
        let text = plan_before(stop, &snapshot_before(stop).expect("it is rebuilt"), &PLAIN);
        for expected in [
            "Collateral: not the session's own, hit all the same (2)\n  run workflow-full-mx2p37yb01 - cancelled",
            "background agents: canceled=1 no_cancel_func=1 already_done=0",
            "not safe: 1 cancelled, 1 cancelled by ancestor, 1 ends with pane",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let text = really(stop, &PLAIN);
        assert!(text.contains("canceled=1 no_cancel_func=1"), "{text}");
        assert!(text.contains("\n  workflow-full-mx2p37yb01\n"), "{text}");
        assert!(text.contains("\n  msgseq-collect-invoices-fetch-1796008500334093566\n"), "{text}");
    }
}
