//! The command line as a whole: the commands, and what the help says below them.

use clap::{CommandFactory, Parser, Subcommand};

use super::commands;
use super::exit;
use super::global::GlobalOptions;
use crate::config::env;
use crate::render;

/// See, foresee and find what a stop or a terminal death cancels on a Pulse server
///
/// Pulse (AgentWorks) uses one session id for two things: who is told, and who
/// may cancel. pulsectl shows who owns and who only watches what, says
/// beforehand what a stop would take with it, and names the incidents in a
/// server's log. It never changes the server.
#[derive(Debug, Parser)]
#[command(name = "pulsectl", version, propagate_version = true, max_term_width = 80, verbatim_doc_comment, after_help = exit_code_help(), after_long_help = long_help())]
pub struct Cli {
    /// Options that every command takes.
    #[command(flatten)]
    pub global: GlobalOptions,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
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
    #[command(after_long_help = render::plan::flags::help())]
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

/// The exit codes and the environment, for the long help and the manual page.
fn long_help() -> String {
    format!("{}\n{}", exit_code_help(), env::help())
}

/// The whole command line, for generated documents.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}
