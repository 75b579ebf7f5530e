//! One run of the program: arguments in, exit code out.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;

use super::arguments::{Cli, Command};
use super::commands;
use super::exit::{CommandError, ExitStatus, Outcome};
use super::file_output;
use super::ui::{self, Ui};
use super::watch::{Ended, Watch, until_signal};

/// Runs the program with these arguments (the first is the program's name) and returns its exit code.
///
/// Writes to the process's stdout and stderr; reads the environment and, where a command asks for it, stdin.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let machine = ui::asks_for_machine_format(&arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return ui::report_usage(&error, machine).into(),
    };
    let watch = Arc::new(Watch::default());
    let global = cli.global.clone();
    let ended = until_signal(&watch, move |watch| {
        let mut ui = Ui::new(&cli.global, watch);
        let outcome = dispatch(cli.command, &mut ui);
        ui.finish(outcome)
    });
    let failure = match ended {
        Ok(Ended::Finished(status)) => return status.into(),
        Ok(Ended::Interrupted) => CommandError::new(ExitStatus::Interrupted, "interrupted"),
        Err(error) => CommandError::new(ExitStatus::Failure, "the command could not run to its end")
            .detail(error.to_string()),
    };
    watch.clear_bar();
    file_output::abandon();
    Ui::new(&global, watch).finish(Err(failure)).into()
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
        Command::Generate(args) => commands::generate::run(&args, &super::arguments::command()),
    }
}
