//! `pulsectl demo`: the real pipeline over an embedded log of the PLAT-171 incident.

use clap::Args;

use crate::audit::finding::Report;
use crate::audit::notice::Hidden;
use crate::audit::options::{AuditOptions, Progress};
use crate::cli::Outcome;
use crate::cli::exit::CommandError;
use crate::cli::log_source::{Logs, snapshot_at};
use crate::cli::output::{self, AuditFormat, OutputTarget};
use crate::cli::ui::Ui;
use crate::engine::graph::{Selection, build, select};
use crate::engine::resolve::resolve;
use crate::logs::{Discovered, Group, LogFile, LogKind, ReadOptions};
use crate::render::audit_view::AuditView;
use crate::render::graph_facts::{Detail, described};
use crate::render::graph_tree;
use crate::render::mask::Content;
use crate::render::moment::Clock;
use crate::render::style::Style;
use crate::rules;
use crate::rules::meta::Severity;

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
        rules: &rules,
        fail_on: Severity::High,
        content: Content::Masked,
        clock: Clock::Utc,
    };
    let target = OutputTarget { format: AuditFormat::Text, file: None };
    output::write_all(&[target], &view, ui)?;
    let graph = graph_before(&report, &ui.style())?;
    super::rules::print(&graph, ui)
}

/// What the session owned and watched one second before the stop, rebuilt from the same log.
fn graph_before(report: &Report, style: &Style) -> Result<String, CommandError> {
    let Some(stop) = report.stops.first() else { return Ok(String::new()) };
    let logs = Logs { main: vec![log()], schedule: Vec::new() };
    let second = stop.time.utc + i64::from(stop.time.offset) - 1;
    let snapshot = snapshot_at(logs, &ReadOptions::default(), Some(second))?;
    let Some(graph) = build(&snapshot, &resolve(&snapshot), &stop.session) else {
        return Ok(String::new());
    };
    let graph = select(graph, &Selection::default());
    let detail = Detail { show_content: false, reasons: false };
    let tree = graph_tree::render(&graph, &described(&snapshot), detail, style);
    let heading = style.bold("One second before the stop: pulsectl graph SESSION --log FILE --at TIME");
    Ok(format!("\n{heading}\n{tree}"))
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

    // What the recording's registries held before the death: the run of an earlier turn, and its item.
    #[test]
    fn the_graph_before_the_stop_shows_what_was_only_watched() {
        let style = Style { color: false, unicode: false, width: None };
        let text = graph_before(&report().expect("the log can be read"), &style).expect("it is rebuilt");
        let watched = text.split("\nwatches\n").nth(1).expect("something is watched");
        assert!(watched.starts_with("`- run workflow-full-mx2p37yb01, running"), "{text}");
        assert!(watched.contains("`- item msgseq-collect-invoices-fetch-1796008500334093566"), "{text}");
    }
}
