//! `audit --explain-stops`: reads the audited logs again and has each stop foreseen from the state before it.

use crate::audit::finding::Report;
use crate::audit::options::{AuditError, AuditErrorKind, AuditOptions};
use crate::audit::{found, read_options};
use crate::check::explain_stops::{Explainer, Explanation};
use crate::source::rebuilt::{Logs, replay};

/// Standard input can be read only once.
///
/// # Errors
/// When it is among the logs.
pub(super) fn refuse_what_is_read_once(options: &AuditOptions) -> Result<(), AuditError> {
    if !options.paths.iter().any(|path| path.as_os_str() == "-") {
        return Ok(());
    }
    let error = "--explain-stops can't read standard input";
    Err(AuditError::new(AuditErrorKind::Usage, error).hint("it is read twice; name a file"))
}

/// One explanation per stop of the report, in its order.
///
/// # Errors
/// When the options cannot be read.
pub(super) fn explain(options: &AuditOptions, report: &Report) -> Result<Vec<Explanation>, AuditError> {
    let read = read_options(options)?;
    let mut explainer = Explainer::new(&report.stops);
    let mut cut = Vec::new();
    for group in found(options).groups {
        let logs = Logs { main: group.main, schedule: group.schedule };
        let rebuilt = replay(logs, cut.len(), &read, None, &mut |event, registries| {
            explainer.before(event.position.input, event.position.line, registries)
        });
        let is_cut = rebuilt.stats.iter().any(|stats| stats.begins_in_mid_process);
        cut.extend(rebuilt.stats.iter().map(|_| is_cut));
    }
    Ok(explainer.finish(|input| cut.get(input).copied().unwrap_or_default()))
}
