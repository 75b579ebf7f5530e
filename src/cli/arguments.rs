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
    Audit(Box<commands::audit::AuditArgs>),
    Demo(commands::demo::DemoArgs),
    Sessions(Box<commands::sessions::SessionsArgs>),
    Graph(Box<commands::graph::GraphArgs>),
    #[command(after_long_help = render::plan::flags::help())]
    Plan(Box<commands::plan::PlanArgs>),
    Stop(Box<commands::stop::StopArgs>),
    Rules(commands::rules::RulesArgs),
    Explain(commands::explain::ExplainArgs),
    Status(Box<commands::status::StatusArgs>),
    Snapshot(Box<commands::snapshot::SnapshotArgs>),
    Config(commands::config::ConfigArgs),
    #[command(hide = true)]
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
