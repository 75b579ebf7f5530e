//! What can happen to a session that its rows do not show, and when; and what could not be seen.

use crate::engine::resolve::{Class, SessionFacts};
use crate::model::fact::Judgement;
use crate::model::gap::{Gap, GapCode};
use crate::model::snapshot::Snapshot;
use crate::model::words::wider_words;

wider_words! {
    /// What can happen to a session that its rows do not show.
    pub enum WarningCode {
        /// A healthy session may be cancelled by the next watchdog poll.
        LatentDeath = "latent_death",
        /// A row goes on saying "running" without a worker.
        RowLeftRunning = "row_left_running",
        /// The rows are as they were before a stop.
        FrozenSnapshot = "frozen_snapshot",
        /// The server does not list the session.
        NotListed = "not_listed",
        ..
        /// Something could not be seen.
        Gap(GapCode),
    }
}

impl WarningCode {
    /// Whether it only says what is not shown. Everything else is a warning: it says what can happen, or makes
    /// doubtful what is shown.
    #[must_use]
    pub fn is_note(self) -> bool {
        matches!(self, Self::Gap(code) if is_note(code))
    }
}

/// Whether a gap only hides names, parents, panes and browsers, and leaves true what is shown. This is the one
/// place that tells notes from warnings, for the list of sessions, the graph and the plan.
#[must_use]
pub fn is_note(code: GapCode) -> bool {
    matches!(code, GapCode::NoTree | GapCode::NoTerminals | GapCode::NoBrowsers)
}

/// One warning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// What kind.
    pub code: WarningCode,
    /// What can happen and when, as a sentence for a person.
    pub message: String,
}

/// The warnings about a session, the most dangerous first.
#[must_use]
pub fn warnings(snapshot: &Snapshot, facts: &SessionFacts<'_>) -> Vec<Warning> {
    let mut warnings: Vec<Warning> =
        [latent_death(facts), row_left_running(snapshot, facts), frozen(snapshot, facts), not_listed(facts)]
            .into_iter()
            .flatten()
            .collect();
    warnings.extend(gaps(snapshot, Some(facts.id)));
    warnings.sort();
    warnings.dedup();
    warnings
}

/// What could not be seen of the server as a whole and, where one is named, of this session.
pub(crate) fn gaps(snapshot: &Snapshot, session: Option<&str>) -> impl Iterator<Item = Warning> {
    let concerns = move |gap: &&Gap| gap.session.is_none() || gap.session.as_deref() == session;
    let warning = |gap: &Gap| Warning { code: WarningCode::Gap(gap.code), message: gap.message.clone() };
    snapshot.gaps.iter().filter(concerns).map(warning)
}

fn latent_death(facts: &SessionFacts<'_>) -> Option<Warning> {
    if !facts.latent_death.is_yes() {
        return None;
    }
    let pane = facts.main_terminal.and_then(|terminal| terminal.tmux.as_deref()).unwrap_or("a pane");
    let watched = facts
        .rows
        .iter()
        .filter(|row| {
            matches!(row.class.value, Class::Watched | Class::Detached)
                && row.container.value == crate::engine::resolve::Container::Session
                && row.execution.is_running() == Some(true)
        })
        .count();
    let reach = match watched {
        0 => String::new(),
        1 => String::from(", one that it does not own included"),
        several => format!(", {several} that it does not own included"),
    };
    let message = format!(
        "the main terminal's record names {pane}, an earlier pane, while a newer one works: the next watchdog \
         poll, within 30 s, may find the old one missing and cancel all work under this session{reach}"
    );
    Some(Warning { code: WarningCode::LatentDeath, message })
}

fn row_left_running(snapshot: &Snapshot, facts: &SessionFacts<'_>) -> Option<Warning> {
    let ids: Vec<&str> = facts.rows_left_running.iter().map(|row| row.id.as_str()).collect();
    let (first, others) = ids.split_first()?;
    let which = match others.len() {
        0 => format!("{first} still says"),
        1 => format!("{first} and one more row still say"),
        others => format!("{first} and {others} more rows still say"),
    };
    let busy: Vec<&str> = snapshot
        .running
        .iter()
        .flatten()
        .filter(|row| row.session == facts.id && ids.contains(&row.id.as_str()))
        .filter_map(|row| row.workflow_path.as_deref())
        .collect();
    let busy = busy.first().map_or_else(String::new, |path| format!(" and keep the workflow {path} busy"));
    let message = format!(
        "{which} running although the session was stopped; nothing works behind it. It can go on so for up to \
         12 h{busy}; a later turn in the session or the server's end settles a turn's row"
    );
    Some(Warning { code: WarningCode::RowLeftRunning, message })
}

fn frozen(snapshot: &Snapshot, facts: &SessionFacts<'_>) -> Option<Warning> {
    let reason = match facts.frozen {
        Judgement::Yes(reason) => reason,
        Judgement::No | Judgement::Unknown(_) => return None,
    };
    let instead = if snapshot.has_tree(facts.id) {
        "the rows are those of the execution tree"
    } else {
        "what ran then and is not in /workflow/running any more is shown as unknown"
    };
    let message = format!("the server shows this session's rows as before its stop ({reason}); {instead}");
    Some(Warning { code: WarningCode::FrozenSnapshot, message })
}

fn not_listed(facts: &SessionFacts<'_>) -> Option<Warning> {
    if facts.session.is_some() {
        return None;
    }
    let message = "the server does not list this session, although rows of it exist: it cannot be stopped";
    Some(Warning { code: WarningCode::NotListed, message: message.to_owned() })
}
