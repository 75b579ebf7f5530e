//! `pulsectl demo`: the real pipeline over an embedded log of the PLAT-171 incident.

use clap::Args;

use crate::audit::finding::Report;
use crate::audit::notice::Hidden;
use crate::audit::options::{AuditOptions, Progress};
use crate::cli::Outcome;
use crate::cli::exit::{CommandError, ExitStatus};
use crate::cli::output::{self, AuditFormat, OutputTarget};
use crate::cli::ui::Ui;
use crate::logs::{Discovered, Group, LogFile, LogKind};
use crate::render::audit_view::AuditView;
use crate::render::mask::Content;
use crate::render::moment::Clock;
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
    Ok(ExitStatus::Clean)
}

/// The audit of the embedded log.
fn report() -> Result<Report, CommandError> {
    let main = vec![LogFile::from_bytes(NAME, LogKind::ServerDebug, LOG.to_vec())];
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
}
