//! Which reads a question needs, in which order, and reading again what changed meanwhile.

use std::collections::BTreeSet;

use super::answers::{Answer, Answers};
use super::client::{Client, ClientOptions};
use super::convert::convert;
use super::error::WireError;
use super::routes::{EventStream, ListedSession, Route, listed};
use super::types::SessionRow;
use crate::model::snapshot::{Origin, Snapshot};

/// How often a round of reads is made before answers that disagree are taken as they are.
const ROUNDS: u32 = 3;

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// The server itself, and whom it takes the caller for.
    Server,
    /// Every session as the list shows it, with its panes and running rows, without trees.
    Sessions,
    /// In full the sessions that this text names: by the beginning of their id, or by that of one of their
    /// executions or terminals. Of all others what the list shows.
    Naming(String),
    /// Every session in full.
    All,
}

/// What is read beyond the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras {
    /// Names and true parents from the event streams of the sessions that are read in full, where no tree tells
    /// them. Heavy.
    pub names: bool,
}

/// What a fetch gave, with what the client did for it.
pub struct Fetched {
    /// The snapshot, or why there is none.
    pub snapshot: Result<Snapshot, WireError>,
    /// One line per request, for `-vv`.
    pub notes: Vec<String>,
    /// Whether a token went in the clear to another machine.
    pub token_exposed: bool,
    /// Whether a token was not sent because the server was found by probing.
    pub token_withheld: bool,
}

/// Fetches a snapshot from a running server.
pub async fn fetch(options: ClientOptions, scope: &Scope, extras: Extras) -> Fetched {
    let mut answers = Answers::default();
    let token_withheld = options.address.is_none() && options.token.is_some();
    let mut client = match Client::connect(options, &mut answers).await {
        Ok(client) => client,
        Err(error) => {
            return Fetched { snapshot: Err(error), notes: Vec::new(), token_exposed: false, token_withheld };
        }
    };
    let read = read_all(&mut client, scope, extras, &mut answers).await;
    let origin = Origin::Server { address: client.address().to_string() };
    Fetched {
        snapshot: read.map(|()| convert(answers, origin)),
        notes: client.notes().to_vec(),
        token_exposed: client.exposes_token(),
        token_withheld,
    }
}

async fn read_all(
    client: &mut Client,
    scope: &Scope,
    extras: Extras,
    answers: &mut Answers,
) -> Result<(), WireError> {
    client.read(Route::Capabilities, answers).await;
    client.authenticate(answers).await?;
    if *scope == Scope::Server {
        for route in [Route::Identity, Route::SchedulerConfig, Route::ExternalTools] {
            client.read(route, answers).await;
        }
    }
    for round in 1..=ROUNDS {
        read_once(client, scope, answers).await?;
        if round == ROUNDS || answers.disagreeing().is_empty() {
            break;
        }
    }
    if matches!(scope, Scope::Naming(_) | Scope::All) {
        for route in [Route::Browsers, Route::SchedulerConfig] {
            client.read(route, answers).await;
        }
        if extras.names {
            for session in chosen(scope, answers) {
                if answers.trees.get(session.id()).is_none_or(|tree| tree.value().is_none()) {
                    client.read_names(EventStream(session), answers).await;
                }
            }
        }
    }
    Ok(())
}

/// One round: the list first, since only it tells which sessions may be asked about.
async fn read_once(client: &mut Client, scope: &Scope, answers: &mut Answers) -> Result<(), WireError> {
    client.read(Route::Sessions, answers).await;
    if let Answer::Failed(error) = &answers.sessions {
        return Err(WireError::Answer(error.clone()));
    }
    client.read(Route::Running, answers).await;
    // The gate hides its routes behind the same 404 as an unknown one; asking is then of no use.
    let gate_open = answers.gate_open() != Some(false);
    if gate_open {
        client.read(Route::Terminals, answers).await;
    }
    answers.trees.clear();
    answers.main_terminals.clear();
    let in_full = matches!(scope, Scope::Naming(_) | Scope::All);
    let chosen = chosen(scope, answers);
    answers.is_overview = !in_full;
    answers.asked_about =
        (*scope != Scope::All).then(|| chosen.iter().map(|session| session.id().to_owned()).collect());
    for session in chosen {
        if gate_open && in_full {
            client.read(Route::ExecutionTree(session.clone()), answers).await;
        }
        if answers.terminals.value().is_none() {
            client.read(Route::MainTerminal(session), answers).await;
        }
    }
    Ok(())
}

/// The sessions to ask about.
fn chosen(scope: &Scope, answers: &Answers) -> Vec<ListedSession> {
    let Some(list) = answers.sessions.value() else { return Vec::new() };
    let running = answers.running.value().map(|list| &*list.running).unwrap_or_default();
    let wanted = |row: &SessionRow| match scope {
        Scope::Server => false,
        Scope::All => true,
        Scope::Sessions => has_live_main_pane(row),
        Scope::Naming(text) => {
            names(row, text)
                || running
                    .iter()
                    .any(|run| run.session_id == row.session_id && run.query_id.starts_with(text))
        }
    };
    let wanted: BTreeSet<&str> =
        list.active_sessions.iter().filter(|row| wanted(row)).map(|row| row.session_id.as_str()).collect();
    listed(list).0.into_iter().filter(|session| wanted.contains(session.id())).collect()
}

/// Whether a session's main terminal may hide a latent death, which only its record shows.
fn has_live_main_pane(row: &SessionRow) -> bool {
    row.runtime_state.as_ref().is_some_and(|state| {
        state.terminals.iter().any(|terminal| {
            let main = terminal.execution_id.as_deref().is_some_and(|id| id.starts_with("main:"));
            main && terminal.active == Some(true) && terminal.has_tmux == Some(true)
        })
    })
}

/// Whether the text is the beginning of the session's id or of an id in it.
fn names(row: &SessionRow, text: &str) -> bool {
    let begins = |id: &str| id.starts_with(text);
    begins(&row.session_id)
        || row.runtime_state.as_ref().is_some_and(|state| {
            state.child_executions.iter().any(|execution| begins(&execution.execution_id))
                || state.background_agents.iter().any(|agent| begins(&agent.agent_id))
                || state.terminals.iter().any(|terminal| begins(&terminal.terminal_id))
        })
}
