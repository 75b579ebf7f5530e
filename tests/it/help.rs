//! The help as it stands on a terminal of 80 columns.

use pulsectl::testing::cli::command;

/// The widest line of a source that is shown as it is written: what is wider is broken once more.
const WIDEST: usize = 78;

/// Calls the check with every command below this one, by its words.
fn each(command: &clap::Command, words: &str, check: &mut impl FnMut(&str, clap::Command)) {
    check(words, command.clone());
    for child in command.get_subcommands().filter(|child| child.get_name() != "help") {
        each(child, &format!("{words} {}", child.get_name()), check);
    }
}

/// The lines of a text that would be broken although their neighbours are lines of the same paragraph or list. A
/// paragraph on one line is prose, which may be broken anywhere.
fn broken_lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let is_text =
        |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| !line.trim().is_empty());
    let stands_alone = |at: usize| !is_text(at.checked_sub(1)) && !is_text(at.checked_add(1));
    let is_broken = |at: usize, line: &str| line.chars().count() > WIDEST && !stands_alone(at);
    lines.iter().enumerate().filter(|(at, line)| is_broken(*at, line)).map(|(_, line)| *line).collect()
}

#[test]
fn no_line_of_a_help_is_broken_in_the_middle() {
    assert_eq!(broken_lines(&format!("a\n{}", "x".repeat(79))), ["x".repeat(79)]);
    assert!(broken_lines(&format!("a\n\n{}\n", "x ".repeat(90))).is_empty());
    let mut broken = Vec::new();
    let mut seen = 0;
    each(&command(), "pulsectl", &mut |words, mut command| {
        seen += 1;
        for text in [command.get_long_about(), command.get_after_help(), command.get_after_long_help()] {
            let text = text.map(ToString::to_string).unwrap_or_default();
            broken.extend(broken_lines(&text).into_iter().map(|line| format!("{words}: {line}")));
        }
        let help = command.clone().term_width(80).render_long_help().to_string();
        let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        for line in about.lines().filter(|line| line.chars().count() <= WIDEST) {
            assert!(help.lines().any(|shown| shown.trim_end() == line.trim_end()), "{words}: {line}\n{help}");
        }
        command.build();
    });
    assert!(seen > 20, "only {seen} commands");
    assert_eq!(broken, Vec::<String>::new());
}

// formats.md, section 3: `safe` and the flags; what --fail-on takes must be explained where it is offered.
#[test]
fn the_help_of_plan_explains_its_words() {
    let mut command = command();
    let plan = command.find_subcommand_mut("plan").expect("there is such a command");
    let help = plan.clone().term_width(80).render_long_help().to_string();
    let options = plan.find_subcommand("stop").expect("there is such a trigger");
    let fail_on =
        options.get_arguments().find(|argument| argument.get_id() == "fail_on").expect("it is there");
    for value in fail_on.get_possible_values() {
        let name = value.get_name();
        assert!(help.contains(name), "{name} is not explained in\n{help}");
    }
    for words in ["Safe means: nothing beyond what the trigger is meant to end", "sweeps_only", "owner"] {
        assert!(help.contains(words), "{words}");
    }
}
