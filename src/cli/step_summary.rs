//! The table of findings in the summary of a GitHub step: added to the file that GitHub names, as it asks.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use super::exit::{CommandError, ExitStatus};
use crate::config::env;

/// GitHub refuses a larger summary of a step.
const SUMMARY_LIMIT: usize = 1024 * 1024;

/// Adds the Markdown report to the step's summary, where GitHub gives a file for it.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn add(report: String) -> Result<(), CommandError> {
    let Some(path) = env::GITHUB_STEP_SUMMARY.value().map(PathBuf::from) else {
        return Ok(());
    };
    let text = fitting(report, SUMMARY_LIMIT);
    // Steps before this one have written into the file; it is added to and never replaced.
    let added = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    added.map_err(|error| {
        CommandError::new(ExitStatus::Failure, format!("could not write `{}`", path.display()))
            .detail(error.to_string())
    })
}

/// The text cut before a heading, else at a line end, so that it fits; with a note that it was cut.
fn fitting(mut text: String, limit: usize) -> String {
    const NOTE: &str = "\n\n**The rest was cut: the summary of a step has a limit.**\n";
    if text.len() > limit {
        let begin = &text[..text.floor_char_boundary(limit.saturating_sub(NOTE.len()))];
        // No example is open before a heading; the table of findings, which comes first, holds none.
        let end = begin.rfind("\n### ").or_else(|| begin.rfind('\n')).unwrap_or(0);
        text.truncate(end);
        text.push_str(NOTE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_summary_is_cut_where_no_example_is_open() {
        let text = format!(
            "## a\n\n### one\n\n```text\n{}\n```\n\n### two\n\n```text\n{}\n```\n",
            "x".repeat(50),
            "y".repeat(200)
        );
        assert_eq!(fitting(text.clone(), 1000), text);
        let cut = fitting(text, 250);
        assert!(cut.len() <= 250 && cut.contains("### one") && !cut.contains("### two"), "{cut}");
        assert!(cut.ends_with("has a limit.**\n"));
    }
}
