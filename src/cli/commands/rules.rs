//! `pulsectl rules`: the list of rules.

use clap::{Args, ValueEnum};

use crate::cli::exit::{CommandError, ExitStatus};
use crate::cli::ui::Ui;
use crate::cli::{Outcome, settings};
use crate::render::rules;

/// List the rules that the audit knows, those of the settings too
///
/// Example:
///   pulsectl rules -o json
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct RulesArgs {
    /// Format
    #[arg(short = 'o', long = "output", value_enum, default_value_t = RulesFormat::Text, value_name = "FORMAT")]
    pub output: RulesFormat,
}

/// Formats of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// A table
    Text,
    /// One JSON document, `pulsectl.rules/1`
    Json,
}

/// Runs the command.
///
/// # Errors
/// When the settings cannot be used or stdout cannot be written.
pub fn run(args: &RulesArgs, ui: &mut Ui) -> Outcome {
    ui.machine_errors = args.output == RulesFormat::Json;
    let custom = settings::custom_rules(&settings::load()?)?;
    let all = rules::json_v1::list(crate::rules::all(), &custom);
    let text = match args.output {
        RulesFormat::Text => rules::table::render(&all, &ui.style()),
        RulesFormat::Json => rules::json_v1::render(&all).map_err(anyhow::Error::from)?,
    };
    print(&text, ui)
}

/// Prints a text that is the whole answer.
pub(super) fn print(text: &str, ui: &mut Ui) -> Outcome {
    ui.print(text).map_err(|error| {
        CommandError::new(ExitStatus::Failure, "could not write standard output").detail(error.to_string())
    })?;
    Ok(ExitStatus::Clean)
}
