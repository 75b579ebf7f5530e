//! PLS041: a stop abandoned a shell command, which runs on.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::{EventKind, SharedEvent};
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::episode::Shell;
use crate::replay::{Case, Cause};

rule! {
    /// # What it means
    /// A shell command was running in the file service when its turn or step was cut. Only the request was cut: the
    /// command was abandoned, not stopped. It runs to its own end, at most to its limit (an hour where none was set).
    ///
    /// # Why it matters
    /// The session says "stopped" while the command still writes files, sends requests or holds locks. No stop reaches
    /// it, and no registry of the server lists it.
    ///
    /// # What to do now
    /// Look for the command on the file service's host and end it there. Then check what it wrote since the stop.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:31:00 [STREAMING_LIFECYCLE] T+3ms | Starting StreamWithEvents | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 query=x
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// time="2026-08-20T09:32:10Z" level=error msg="[TOOL_ERROR] custom tool failed" file="logger.go:189" args="{command=make all}" duration=9.6s error="execute request: Post \"http://127.0.0.1:8081/api/execute\": context canceled" layer=custom_tool_handler session_id=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tool=execute_shell_command
    /// 2026/08/20 09:32:10 [STREAMING_LIFECYCLE] StreamWithEvents completed | session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 chunks=1 duration=70000ms
    /// 2026/08/20 09:36:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// The command itself failed:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// time="2026-08-20T09:32:10Z" level=error msg="[TOOL_ERROR] custom tool failed" file="logger.go:189" args="{command=make all}" duration=9.6s error="execute request: Post \"http://127.0.0.1:8081/api/execute\": connection refused" layer=custom_tool_handler session_id=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 tool=execute_shell_command
    /// 2026/08/20 09:36:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// A command that ended in the same moment looks the same. Without a stop that encloses it, it is medium: a client
    /// that gave up cuts the request too. In a shutdown it is part of the restart and not reported.
    SHELL_OUTLIVES_STOP = "PLS041", "shell-outlives-stop", High, Preview;
    summary: "a shell command was abandoned by a stop and runs on";
    literals: ["/api/execute"];
    since: "0.2.0";
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    match case {
        Case::Stop(episode) => {
            let stop = (episode.cause.words(), episode.opener());
            episode.shells.iter().map(|shell| hit(&episode.session, shell, Some(stop))).collect()
        }
        Case::Minor(minor) if minor.cause != Cause::Shutdown => {
            let stop = (minor.cause.words(), &minor.opener);
            minor.shells.iter().map(|shell| hit(&minor.session, shell, Some(stop))).collect()
        }
        Case::ShellLoss(loss) => vec![hit(&loss.session, &loss.shell, None)],
        _ => Vec::new(),
    }
}

fn hit(session: &str, shell: &Shell, stop: Option<(&'static str, &SharedEvent)>) -> Hit {
    let line = &shell.event;
    let duration = match &line.kind {
        EventKind::ShellAbandoned { duration_seconds, .. } => *duration_seconds,
        _ => None,
    };
    let since = duration.map_or_else(String::new, |seconds| {
        let start = jiff::Timestamp::from_second(line.utc() - seconds).map(|time| time.to_string());
        format!(" that had run for {seconds} s, since {},", start.unwrap_or_default())
    });
    let severity = if stop.is_some() { Severity::High } else { Severity::Medium };
    let by = stop.map_or_else(|| "no stop is seen".to_owned(), |(cause, _)| format!("by a {cause}"));
    // A step's sub-agent session that several chats have used names no one of them.
    let severity = if shell.or_of.is_empty() { severity } else { severity.min(Severity::Medium) };
    let mut hit = Hit::new("PLS041", session, severity, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, session))
        .identified_by(&line.utc().to_string())
        .claim(format!(
            "a shell command{since} was abandoned, not stopped ({by}): it runs to its own end, at most to its limit"
        ))
        .next("look for it on the file service's host, end it there, and check what it wrote since");
    for id in &shell.runs_for {
        hit = hit.subject(Subject::execution(&**id));
    }
    for other in &shell.or_of {
        hit = hit.subject(Subject::new(SubjectKind::Session, &**other));
    }
    if let Some((_, opener)) = stop {
        hit.add_proof(opener, "the stop");
    }
    hit.add_proof(line, "only the request was cut, the command was not");
    hit
}
