//! `pulsectl explain`: what a rule means and what to do now.

use clap::Args;

use crate::cli::exit::{Answer, CommandError, ExitStatus, Outcome};
use crate::cli::file_output::Inputs;
use crate::cli::output::{self, OutputParser, OutputTarget};
use crate::cli::settings;
use crate::cli::ui::Ui;
use crate::model::spelling::did_you_mean;
use crate::render::formats::{Subject, View};
use crate::render::rules::json_v1::{Rule, list};
use crate::render::rules::view::RulesView;

/// Say what a rule means, why it matters and what to do now
///
/// Examples:
///   pulsectl explain PLS005
///   pulsectl explain collateral-cancel -o markdown
#[derive(Debug, Clone, Args)]
#[command(verbatim_doc_comment)]
pub struct ExplainArgs {
    /// Codes or names of rules
    #[arg(value_name = "RULE", required_unless_present = "all")]
    pub rules: Vec<String>,
    /// Every rule
    #[arg(long, conflicts_with = "rules")]
    pub all: bool,
    #[arg(short = 'o', long = "output", value_name = output::VALUE_NAME, value_parser = OutputParser(Subject::Explain), help = output::HELP)]
    pub output: Vec<OutputTarget>,
}

/// Runs the command.
///
/// # Errors
/// When no rule has the name, the settings cannot be used, or stdout cannot be written.
pub fn run(args: &ExplainArgs, ui: &mut Ui) -> Outcome {
    let mut inputs = Inputs::default();
    settings::add_inputs(&mut inputs);
    let targets = ui.targets(Subject::Explain, &args.output, &inputs)?;
    let custom = settings::custom_rules(&settings::load()?)?;
    let known = list(crate::rules::all(), &custom);
    let chosen = choose(args, &known)?;
    let shown = ui.show(&View::Explain(&RulesView { rules: &chosen }), &targets)?;
    Ok(Answer { failed: shown.failed, ..Answer::default() }.status())
}

/// The rules asked for, in the order given, each once.
fn choose<'a>(args: &ExplainArgs, known: &[Rule<'a>]) -> Result<Vec<Rule<'a>>, CommandError> {
    if args.all {
        return Ok(known.to_vec());
    }
    let mut chosen: Vec<Rule<'a>> = Vec::new();
    for name in &args.rules {
        let Some(rule) = known.iter().find(|rule| rule.answers_to(name)) else {
            let names = known.iter().flat_map(|rule| [rule.code, rule.name]);
            let hint =
                did_you_mean(name, names).unwrap_or_else(|| String::from("`pulsectl rules` lists them"));
            return Err(
                CommandError::new(ExitStatus::NotFound, format!("no rule is named `{name}`")).hint(hint)
            );
        };
        if !chosen.iter().any(|seen| seen.code == rule.code) {
            chosen.push(rule.clone());
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::rules;
    use crate::render::text::style::Style;
    use crate::rules::meta::{Maturity, RuleMeta, Severity};

    static RULES: [RuleMeta; 2] = [rule("PLS003", "work-after-stop"), rule("PLS005", "collateral-cancel")];

    const fn rule(code: &'static str, name: &'static str) -> RuleMeta {
        RuleMeta {
            code,
            name,
            summary: "Something happened",
            severity: Severity::Critical,
            status: Maturity::Stable,
            since: "0.1.0",
            literals: &[],
            text: "First.\n\n# What it means\n\nBad.\n\n# Fires on\n\n```log,fires\nline\n```\n",
            context_only: false,
        }
    }

    fn args(rules: &[&str], all: bool) -> ExplainArgs {
        let rules = rules.iter().map(|&rule| rule.to_owned()).collect();
        ExplainArgs { rules, all, output: Vec::new() }
    }

    fn codes(args: &ExplainArgs) -> Vec<&'static str> {
        choose(args, &list(&RULES, &[]))
            .map(|rules| rules.iter().map(|rule| rule.code).collect())
            .unwrap_or_default()
    }

    #[test]
    fn code_and_name_both_work_in_any_case() {
        assert_eq!(codes(&args(&["pls005", "Work-After-Stop", "PLS005"], false)), ["PLS005", "PLS003"]);
        assert_eq!(codes(&args(&[], true)), ["PLS003", "PLS005"]);
    }

    // README, exit codes: 6 is "no such rule".
    #[test]
    fn a_wrong_name_gets_near_matches_and_its_own_exit_code() {
        let error = choose(&args(&["colateral-cancel"], false), &list(&RULES, &[])).err();
        let error = error.map(|error| (error.status.code(), error.hint));
        assert_eq!(error, Some((6, String::from("did you mean `collateral-cancel`?"))));
    }

    #[test]
    fn an_example_stands_apart_and_a_heading_loses_its_mark() {
        let style = Style { color: false, unicode: true, width: None };
        let text = rules::text::render(&Rule::from(&RULES[1]), &style);
        assert!(text.contains("\nWhat it means\n") && text.contains("\n    line\n") && !text.contains("```"));
        assert!(rules::markdown::render(&Rule::from(&RULES[1])).contains("\n## What it means\n"));
    }
}
