//! What is around the rows of a saved snapshot. The rows are the model's own (`pulsectl.snapshot/1`): keys may be
//! added; none is renamed or removed without a new number.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::model::document::{DocumentSource, TOOL, Tool};
use crate::model::execution::Execution;
use crate::model::fact::Source;
use crate::model::gap::Gap;
use crate::model::server::Server;
use crate::model::session::Session;
use crate::model::snapshot::{Browser, EventNode, Origin, RunningRow, Snapshot};
use crate::model::terminal::Terminal;

/// Name and version of the format.
pub(super) const SCHEMA: &str = "pulsectl.snapshot/1";

/// What is never in a saved snapshot.
const REMOVED: [&str; 4] = [
    "what people wrote: messages, names of turns, titles of chats, questions to people (their length is kept)",
    "words of failures (their length is kept)",
    "contents of panes, results, prompts",
    "tokens",
];

/// A snapshot as a document.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "pulsectl.snapshot/1")]
pub struct Document<'a> {
    /// Always `pulsectl.snapshot/1`.
    #[schemars(extend("const" = "pulsectl.snapshot/1"))]
    pub schema: Cow<'a, str>,
    /// Who wrote it.
    pub tool: Tool,
    /// Whether everything that was asked for was read and decoded.
    pub complete: bool,
    /// What was not read, not decoded or not certain.
    pub gaps: Cow<'a, [Gap]>,
    /// What the snapshot was made from.
    pub source: DocumentSource<'a>,
    /// The moment, by the server's clock.
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Timestamp>,
    /// When each source was read.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub read_at: Cow<'a, BTreeMap<Source, Timestamp>>,
    /// What was taken out.
    pub removed: Vec<Cow<'a, str>>,
    /// The server itself.
    pub server: Cow<'a, Server>,
    /// Sessions, by id.
    pub sessions: Vec<ListedSession<'a>>,
    /// Executions, by session and id.
    pub executions: Cow<'a, [Execution]>,
    /// Terminals, by session and id.
    pub terminals: Cow<'a, [Terminal]>,
    /// Rows of `/workflow/running`; null where that was not read.
    pub running: Option<Cow<'a, [RunningRow]>>,
    /// Headless browsers; null where they were not read.
    pub browsers: Option<Cow<'a, [Browser]>>,
    /// Nodes that only the server's tree shows.
    pub event_nodes: Cow<'a, [EventNode]>,
    /// Sessions whose tree was read.
    pub trees_read: Cow<'a, [String]>,
}

/// In the order of the names, in which every other map of a document is.
fn by_name<S: Serializer>(read_at: &BTreeMap<Source, Timestamp>, output: S) -> Result<S::Ok, S::Error> {
    let named: BTreeMap<String, &Timestamp> =
        read_at.iter().map(|(source, at)| (source.to_string(), at)).collect();
    named.serialize(output)
}

/// A session, and what follows from its facts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Session")]
pub struct ListedSession<'a> {
    /// The session.
    #[serde(flatten)]
    pub session: Cow<'a, Session>,
    /// Whether the runtime snapshot is frozen by a stop; null where that is not known. For readers only.
    pub frozen: Option<bool>,
}

impl<'a> Document<'a> {
    /// The document of a snapshot.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let mut source = DocumentSource::of(snapshot);
        if let Origin::Log { paths } = &snapshot.origin {
            source.paths = Cow::Borrowed(paths);
        }
        let listed = |session: &'a Session| ListedSession {
            session: Cow::Borrowed(session),
            frozen: session.frozen().as_option(),
        };
        Self {
            schema: SCHEMA.into(),
            tool: TOOL,
            complete: snapshot.is_complete(),
            gaps: Cow::Borrowed(&snapshot.gaps),
            source,
            as_of: snapshot.as_of,
            read_at: Cow::Borrowed(&snapshot.read_at),
            removed: REMOVED.map(Cow::Borrowed).to_vec(),
            server: Cow::Borrowed(&snapshot.server),
            sessions: snapshot.sessions().iter().map(listed).collect(),
            executions: Cow::Borrowed(snapshot.executions()),
            terminals: Cow::Borrowed(snapshot.terminals()),
            running: snapshot.running.as_deref().map(Cow::Borrowed),
            browsers: snapshot.browsers.as_deref().map(Cow::Borrowed),
            event_nodes: Cow::Borrowed(&snapshot.event_nodes),
            trees_read: Cow::Borrowed(&snapshot.trees_read),
        }
    }
}
