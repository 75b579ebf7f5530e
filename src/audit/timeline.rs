//! An incident second by second: what each line of an episode says, in words.

use super::evidence::{evidence, moment};
use super::finding::TimelineEntry;
use crate::events::{EventKind, FinalOutcome, SharedEvent};
use crate::replay::Episode;

/// The lines of an episode that a person would retell, in order.
pub(super) fn of_episode(episode: &Episode) -> Vec<TimelineEntry> {
    let swept = episode.sweeps.iter().flat_map(|sweep| {
        [
            sweep.begin.as_ref(),
            sweep.turn.as_ref().map(|(_, line)| line),
            sweep.orchestrator.as_ref().map(|(_, _, line)| line),
            sweep.agents.as_ref().map(|(.., line)| line),
            sweep.warning.as_ref(),
            sweep.total.as_ref().map(|(_, line)| line),
        ]
        .into_iter()
        .flatten()
        .chain(sweep.marked.iter().map(|row| &row.event))
    });
    let turns = episode.turns.iter().flat_map(|turn| {
        [
            Some(&turn.start),
            turn.request.as_ref(),
            turn.tool.as_ref(),
            turn.answer.as_ref(),
            turn.end.as_ref(),
        ]
        .into_iter()
        .flatten()
    });
    let rows = episode.rows.iter().filter_map(|row| row.recorded.as_ref());
    let panes = episode
        .panes
        .used
        .iter()
        .map(|used| &used.event)
        .chain(episode.panes.lost.iter().map(|(_, line)| line))
        .chain(&episode.panes.first_signs);
    let mut lines: Vec<&SharedEvent> = episode
        .openers
        .iter()
        .chain(swept)
        .chain(turns)
        .chain(rows)
        .chain(panes)
        .chain(&episode.lines)
        .collect();
    lines.sort_by_key(|line| (line.utc(), line.stream, line.position));
    lines.dedup_by_key(|line| (line.stream, line.position));
    lines
        .into_iter()
        .filter_map(|line| {
            let what = describe(&line.kind)?;
            Some(TimelineEntry {
                time: moment(line),
                session: episode.session.to_string(),
                what: what.clone(),
                evidence: evidence(line, &what),
            })
        })
        .collect()
}

/// What a line says, in words; `None` for lines that nobody would retell.
fn describe(kind: &EventKind) -> Option<String> {
    use EventKind as K;
    Some(match kind {
        K::StopRequested { schedule, .. } => format!("a person stops the schedule {schedule}"),
        K::StopTeardownComplete { .. } => "the schedule's teardown is complete".into(),
        K::BeginRuntimeCancel { reason, .. } => format!("the sweep over the session begins: {reason}"),
        K::TurnContextCanceled { canceled: true, .. } => "the running turn is cancelled".into(),
        K::TurnContextCanceled { .. } => "no turn has a cancel".into(),
        K::OrchestratorContexts { queries, canceled, .. } => {
            format!("orchestrator contexts: {canceled} of {queries} cancelled")
        }
        K::BackgroundAgents { canceled, no_cancel_func, already_done, .. } => format!(
            "agents: {canceled} cancelled, {no_cancel_func} without a cancel function, {already_done} already done"
        ),
        K::NoCancelFunctionWarning { count, .. } => {
            format!("the server warns: {count} marked canceled but never told to stop")
        }
        K::TrackedMarked { id, .. } => format!("marked canceled: {id}"),
        K::TrackedTotal { count, .. } => format!("{count} marked canceled in all"),
        K::ItemRefused { item, .. } => format!("the gate refuses to start item {item}"),
        K::StepRefused { title } => format!("the gate refuses to start step {title}"),
        K::TurnCanceledByStop { .. } => "a person stops the session; the running turn is cancelled".into(),
        K::RegistryCleared { .. } => "the session's registry is emptied".into(),
        K::WorkshopClosed { .. } => "the workshop is closed, all its work cancelled".into(),
        K::MainPaneClosedByStop { .. } => "the main pane is closed".into(),
        K::StepPaneClosedByStop { owner, .. } => format!("the pane of {owner} is closed"),
        K::StatusUpdated { status, .. } => format!("status: {status}"),
        K::SessionTracked { .. } => "a request enters the session".into(),
        K::CompletionPreserved { status, .. } => format!("the turn has ended; the status stays {status}"),
        K::CompletionGuarded { .. } => "the turn has ended; the guard keeps the status".into(),
        K::QueryReceived { .. } => "a message is taken in".into(),
        K::StreamStarting { .. } => "a turn begins to stream".into(),
        K::StreamCompleted { chunks, duration_milliseconds, .. } => {
            format!("the turn's stream ends after {duration_milliseconds} ms, {chunks} chunks")
        }
        K::ToolStarted { tool, .. } => format!("the agent calls {tool}"),
        K::AskReturned { succeeded: true, .. } => "the model's answer is good".into(),
        K::AskReturned { canceled: true, .. } => "the model's call ends by the cancel".into(),
        K::LiveInputDelivered { .. } => "a person's message is typed into the live pane".into(),
        K::LiveInputFailed { lost_pane: Some(tmux), .. } => format!("a message finds the pane {tmux} gone"),
        K::SyntheticTurnStarting { .. } => "a notification turn begins".into(),
        K::SyntheticTurnEnded { .. } => "the notification turn ends".into(),
        K::ExecutionRecorded { id, .. } => format!("registered: {id}"),
        K::StartIgnored { id, .. } => format!("refused by the registry: {id}"),
        K::CompleteIgnored { id, .. } => format!("ended, nobody is told: {id}"),
        K::CompleteSkipped { id } => format!("ended after it was cancelled: {id}"),
        K::EndedFromContextLoss { id } => format!("lost its context: {id}"),
        K::ResultSkipped { id } => format!("succeeded although it was cancelled: {id}"),
        K::SteerFailed { id, .. } => format!("the completion of {id} could not be delivered into the pane"),
        K::CompletionDropped { id, .. } => format!("the completion of {id} is dropped"),
        K::Finalized { id, outcome } => match outcome {
            FinalOutcome::Done => format!("done: {id}"),
            FinalOutcome::Cancelled => format!("ended by a cancelled context: {id}"),
            FinalOutcome::StoppedByTool => format!("stopped by the agent's tool: {id}"),
            FinalOutcome::TimedOut => format!("timed out: {id}"),
            FinalOutcome::Failed => format!("failed: {id}"),
        },
        K::MainTerminalFailing { reason, .. } => format!("the main terminal is given up: {reason}"),
        K::MainPaneParked { .. } => "the main pane sits on a usage limit".into(),
        K::PaneReaped { tmux, reason, .. } => format!("the pane sweep closes {tmux}: {reason}"),
        K::PaneTagFailed { tmux } => format!("the pane {tmux} can't be tagged"),
        K::PaneExecuting { tmux, .. } => format!("the CLI works in pane {tmux}"),
        K::PaneLost { tmux } => format!("the pane {tmux} is lost"),
        K::PaneClosedByAdapter { tmux, reason, .. } => format!("the platform closes pane {tmux}: {reason}"),
        K::AutoResume { .. } | K::MaterializeRelaunch { .. } => {
            "the pane is gone; it is launched again".into()
        }
        K::RelaunchRefused { .. } => "the guard refuses to launch the pane again".into(),
        K::RelaunchRegistered { tmux, .. } => format!("relaunched pane is live: {tmux}"),
        K::WorkshopRefused { .. } => "the guard refuses to create a workshop".into(),
        K::ScheduledTurnSent { number } => format!("the scheduler sends message {number}"),
        K::InternalSessionStarted { query, .. } => format!("an internal turn is started: {query}"),
        K::JobStopping { schedule, .. } => format!("the schedule {schedule} is being stopped"),
        K::JobStoppedByUser { .. } => "the schedule's waiter reacts to the stop".into(),
        _ => return None,
    })
}
