//! `pulsectl graph`: what a session owns, what it only watches, and why.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgGroup, Args};

use crate::cli::exit::{Answer, CommandError, ExitStatus, Outcome};
use crate::cli::lookup::{Unnamed, find_session};
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::engine::graph::{Found, NodeKind, Selection, build, find, findable, select, upwards};
use crate::engine::resolve::{Resolution, resolve};
use crate::model::snapshot::Snapshot;
use crate::render::formats::{Subject, View};
use crate::render::graph::facts::Detail;
use crate::render::graph::view::GraphView;
use crate::wire::fetch::Scope;

/// Show what a session owns, what it only watches, and why
///
/// What it owns ends rightly with it. What it watches only reports to it and
/// must outlive it; the server's own sweeps do not know the difference. The
/// beginning of an id is enough. -v says the reason of every line.
///
/// Examples:
///   pulsectl graph 9c1be844
///   pulsectl graph --up msgseq-collect-invoices -o markdown
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment, group(ArgGroup::new("what").required(true).args(["session", "up"])))]
pub struct GraphArgs {
    /// The session
    #[arg(value_name = "SESSION")]
    pub session: Option<String>,
    /// Instead: who owns, watches or launched this execution, step or terminal
    #[arg(long, value_name = "ID")]
    pub up: Option<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Graph), help = output::HELP)]
    pub output: Vec<OutputTarget>,
    /// Only so many levels below the session
    #[arg(long, value_name = "LEVELS")]
    pub depth: Option<usize>,
    /// Only nodes of this kind and what leads to them; repeatable
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_parser())]
    pub kind: Vec<NodeKind>,
    /// Also what has ended; JSON holds it always
    #[arg(long)]
    pub all: bool,
    /// Show what people wrote instead of masking it
    #[arg(long)]
    pub show_content: bool,
}

fn kind_parser() -> impl clap::builder::TypedValueParser<Value = NodeKind> {
    PossibleValuesParser::new(NodeKind::ALL.iter().map(|kind| kind.name()))
        .try_map(|name| NodeKind::ALL.iter().copied().find(|kind| kind.name() == name).ok_or("no such kind"))
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, nothing has the id, or stdout cannot be written.
pub fn run(args: &GraphArgs, ui: &mut Ui) -> Outcome {
    let targets = ui.targets(Subject::Graph, &args.output, &args.source.inputs())?;
    let name = args.session.as_ref().or(args.up.as_ref()).cloned().unwrap_or_default();
    let snapshot = args.source.load(&Scope::Naming(name.clone()), ui)?;
    let resolution = resolve(&snapshot);
    let (graph, from) = if args.up.is_some() {
        let found = find_node(&snapshot, &resolution, &name)?;
        let graph = build(&snapshot, &resolution, found.session).and_then(|graph| upwards(graph, found.id));
        (graph, Some(found.id))
    } else {
        let session = session_named(&snapshot, &resolution, &name)?;
        (build(&snapshot, &resolution, session), None)
    };
    let Some(graph) = graph else {
        return Err(CommandError::new(ExitStatus::NotFound, format!("nothing is named `{name}`")));
    };
    let selection =
        |finished| Selection { depth: args.depth, kinds: args.kind.clone(), finished: finished || args.all };
    let whole = select(graph.clone(), &selection(true));
    let view = GraphView {
        snapshot: &snapshot,
        graph: &select(graph, &selection(args.up.is_some())),
        whole: &whole,
        from,
        detail: Detail { show_content: args.show_content, reasons: ui.verbose > 0 },
    };
    let shown = ui.show(&View::Graph(&view), &targets)?;
    let incomplete = !snapshot.is_complete();
    Ok(Answer { failed: shown.failed, incomplete, ..Answer::default() }.status())
}

/// The session that a text names; one that only rows name counts when it is named in full.
fn session_named<'a>(
    snapshot: &'a Snapshot,
    resolution: &Resolution<'a>,
    text: &str,
) -> Result<&'a str, CommandError> {
    if let Some(facts) = resolution.session(text) {
        return Ok(facts.id);
    }
    let failure = match find_session(snapshot, text) {
        Ok(session) => return Ok(&session.id),
        Err(failure) => failure,
    };
    let is_of_sessions = snapshot.sessions().iter().any(|session| session.id.starts_with(text));
    if is_of_sessions || find(&findable(resolution), text).is_empty() {
        return Err(failure);
    }
    Err(failure.hint(format!("it names an execution or terminal: pulsectl graph --up {text}")))
}

/// The one node that a text names.
fn find_node<'a>(
    snapshot: &Snapshot,
    resolution: &Resolution<'a>,
    text: &str,
) -> Result<Found<'a>, CommandError> {
    let all = findable(resolution);
    let found = find(&all, text);
    if let [one] = found.as_slice() {
        return Ok(*one);
    }
    let matching: Vec<&str> = found.iter().map(|found| found.id).collect();
    let nothing = format!("no execution, step or terminal is named `{text}`");
    let unnamed = Unnamed { snapshot, text, nothing, ids: "ids" };
    Err(unnamed.failure(&matching, all.iter().map(|found| found.id), || {
        String::from("`pulsectl sessions` and `pulsectl graph SESSION` show the ids")
    }))
}
