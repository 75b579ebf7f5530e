//! `pulsectl sessions`: what exists on a server.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::cli::exit::{Answer, Outcome};
use crate::cli::gaps::tell_gaps;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::source::SourceArgs;
use crate::cli::ui::Ui;
use crate::engine::graph::warning::is_note;
use crate::engine::overview::{RegistryStatus, SessionSummary, overview};
use crate::render::formats::{Subject, View};
use crate::render::sessions::columns::{Column, sort};
use crate::render::sessions::view::SessionsView;
use crate::wire::fetch::Scope;

/// List the sessions of a server and what is at work in each
///
/// Shows the status as the server says it and as its registries say it; where
/// these two disagree, the list says so. What the source cannot tell is `?`.
/// An empty list is no failure.
///
/// Examples:
///   pulsectl sessions --status running
///   pulsectl sessions -o csv --columns id,turn,flags --no-headers
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct SessionsArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Sessions), help = output::HELP)]
    pub output: Vec<OutputTarget>,
    /// Columns of table and CSV, in this order
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = column_parser())]
    pub columns: Vec<Column>,
    /// Order by this column
    #[arg(long, value_name = "NAME", value_parser = column_parser(), default_value = "id")]
    pub sort_by: Column,
    /// No line of headings
    #[arg(long)]
    pub no_headers: bool,
    /// Only sessions with this status, as the server or its registries say it
    #[arg(long, value_name = "STATUS")]
    pub status: Option<String>,
    /// Only sessions whose workflow holds this text
    #[arg(long, value_name = "TEXT")]
    pub workflow: Option<String>,
    /// Only sessions that hold this text in id, title or workflow
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// Show what people wrote instead of masking it
    #[arg(long)]
    pub show_content: bool,
}

fn column_parser() -> impl clap::builder::TypedValueParser<Value = Column> {
    PossibleValuesParser::new(Column::ALL.map(Column::name))
        .try_map(|name| Column::ALL.into_iter().find(|column| column.name() == name).ok_or("no such column"))
}

/// Runs the command.
///
/// # Errors
/// When nothing could be read, or stdout cannot be written.
pub fn run(args: &SessionsArgs, ui: &mut Ui) -> Outcome {
    let targets = ui.targets(Subject::Sessions, &args.output, &args.source.inputs())?;
    let snapshot = args.source.load(&Scope::Sessions, ui)?;
    let mut sessions = overview(&snapshot);
    sessions.retain(|session| is_wanted(session, args));
    sort(&mut sessions, args.sort_by);
    let view = SessionsView {
        snapshot: &snapshot,
        sessions: &sessions,
        columns: &args.columns,
        headings: !args.no_headers,
        show_content: args.show_content,
    };
    let shown = ui.show(&View::Sessions(&view), &targets)?;
    if !targets.is_machine_on_stdout() || !snapshot.is_complete() {
        // What a closed debug gate hides is explained by `pulsectl status`, and is not what this list is about.
        let is_gate_closed = snapshot.server.debug_gate_open.is_some_and(|open| !open.value);
        tell_gaps(snapshot.gaps.iter().filter(|gap| !(is_gate_closed && is_note(gap.code))), ui);
    }
    if sessions.is_empty() {
        ui.hint("no sessions");
    }
    let incomplete = !snapshot.is_complete();
    Ok(Answer { failed: shown.failed, incomplete, ..Answer::default() }.status())
}

fn is_wanted(session: &SessionSummary, args: &SessionsArgs) -> bool {
    let holds = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let has_status = |status: &String| {
        [
            session.status.as_deref(),
            session.display_status.as_deref(),
            session.registry_status.map(RegistryStatus::name),
        ]
        .into_iter()
        .flatten()
        .any(|known| known.eq_ignore_ascii_case(status))
    };
    let in_workflow = |part: &str| session.workflow.as_deref().is_some_and(|text| holds(text, part));
    let in_title = |part: &str| session.title.as_ref().is_some_and(|title| holds(&title.shown(true), part));
    args.status.as_ref().is_none_or(has_status)
        && args.workflow.as_deref().is_none_or(in_workflow)
        && args
            .matching
            .as_deref()
            .is_none_or(|part| holds(&session.id, part) || in_title(part) || in_workflow(part))
}
