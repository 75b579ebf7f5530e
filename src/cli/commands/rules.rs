//! `pulsectl rules`: the list of rules.

use clap::Args;

use crate::cli::exit::{Answer, Outcome};
use crate::cli::file_output::Inputs;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::settings;
use crate::cli::ui::Ui;
use crate::render::formats::{Subject, View};
use crate::render::rules::json_v1::list;
use crate::render::rules::view::RulesView;

/// List the rules that the audit knows, those of the settings too
///
/// Example:
///   pulsectl rules -o json
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct RulesArgs {
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Rules), help = output::HELP)]
    pub output: Vec<OutputTarget>,
}

/// Runs the command.
///
/// # Errors
/// When the settings cannot be used or stdout cannot be written.
pub fn run(args: &RulesArgs, ui: &mut Ui) -> Outcome {
    let mut inputs = Inputs::default();
    settings::add_inputs(&mut inputs);
    let targets = ui.targets(Subject::Rules, &args.output, &inputs)?;
    let custom = settings::custom_rules(&settings::load()?)?;
    let rules = list(crate::rules::all(), &custom);
    let shown = ui.show(&View::Rules(&RulesView { rules: &rules }), &targets)?;
    Ok(Answer { failed: shown.failed, ..Answer::default() }.status())
}
