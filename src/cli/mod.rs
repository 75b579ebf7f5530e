//! Arguments, dispatch and exit codes. May use every other part; nothing may use this one.

pub mod commands;
pub mod exit;
mod explain_stops;
mod gaps;
mod interrupt;
mod lookup;
pub mod output;
mod settings;
pub mod source;
mod source_failure;
pub mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

use self::exit::{CommandError, ExitStatus};
use self::ui::{ColorChoice, Ui};

/// What a command hands back: how it ended, or why it could not.
pub type Outcome = Result<ExitStatus, CommandError>;

/// See, foresee and find what a stop or a terminal death cancels on a Pulse server
///
/// Pulse (AgentWorks) uses one session id for two things: who is told, and who
/// may cancel. pulsectl shows who owns and who only watches what, says
/// beforehand what a stop would take with it, and names the incidents in a
/// server's log. It never changes the server.
#[derive(Debug, Parser)]
#[command(name = "pulsectl", version, propagate_version = true, max_term_width = 80, verbatim_doc_comment, after_help = exit_code_help())]
pub struct Cli {
    /// Options that every command takes.
    #[command(flatten)]
    pub global: GlobalOptions,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that mean the same in every command.
#[derive(Debug, Clone, Args)]
pub struct GlobalOptions {
    /// Colour in the output
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN", help_heading = "Global options")]
    pub color: ColorChoice,
    /// No progress bar, no hints on stderr
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// More detail on stderr (-vv: still more)
    #[arg(long, short, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub verbose: u8,
}

/// The commands. Each lives in one file of `commands/`.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Audit(Box<commands::audit::AuditArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Demo(commands::demo::DemoArgs),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Sessions(Box<commands::sessions::SessionsArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Graph(Box<commands::graph::GraphArgs>),
    #[command(after_long_help = crate::render::plan::flags::help())]
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Plan(Box<commands::plan::PlanArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Stop(Box<commands::stop::StopArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Rules(commands::rules::RulesArgs),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Explain(commands::explain::ExplainArgs),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Status(Box<commands::status::StatusArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Snapshot(Box<commands::snapshot::SnapshotArgs>),
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Config(commands::config::ConfigArgs),
    #[command(hide = true)]
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    Generate(commands::generate::GenerateArgs),
}

/// The exit codes as a help section, from the one table.
fn exit_code_help() -> String {
    let mut text = String::from("Exit codes:\n");
    for (status, meaning) in exit::TABLE {
        text.push_str(&format!("  {:>3}  {meaning}\n", status.code()));
    }
    text
}

/// Runs the program with these arguments (the first is the program's name) and returns its exit code.
///
/// Writes to the process's stdout and stderr; reads the environment and, where a command asks for it, stdin.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let machine = ui::asks_for_json(&arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return ui::report_usage(&error, machine).into(),
    };
    let mut ui = Ui::new(&cli.global);
    let outcome = dispatch(cli.command, &mut ui);
    ui.finish(outcome).into()
}

fn dispatch(command: Command, ui: &mut Ui) -> Outcome {
    match command {
        Command::Audit(args) => commands::audit::run(&args, ui),
        Command::Demo(args) => commands::demo::run(&args, ui),
        Command::Sessions(args) => commands::sessions::run(&args, ui),
        Command::Graph(args) => commands::graph::run(&args, ui),
        Command::Plan(args) => commands::plan::run(&args, ui),
        Command::Stop(args) => commands::stop::run(&args, ui),
        Command::Rules(args) => commands::rules::run(&args, ui),
        Command::Explain(args) => commands::explain::run(&args, ui),
        Command::Status(args) => commands::status::run(&args, ui),
        Command::Snapshot(args) => commands::snapshot::run(&args, ui),
        Command::Config(args) => commands::config::run(&args, ui),
        Command::Generate(args) => commands::generate::run(&args, ui),
    }
}

/// The whole command line, for generated documents.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}
