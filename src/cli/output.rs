//! `-o FORMAT` and `-o FORMAT=FILE` of the audit: which formats go where.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::render::audit::view::AuditView;
use crate::render::audit::{concise, csv, findings, github, json_v1, junit, markdown, sarif, timeline};
use crate::render::text::style::Style;

use super::exit::{CommandError, ExitStatus};
use super::ui::Ui;

/// The formats of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditFormat {
    /// For a person: incidents, stops, summary.
    Text,
    /// One JSON document.
    Json,
    /// One finding per line, then the rest.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// GitHub annotations; the table goes to the step's summary.
    Github,
    /// Markdown.
    Markdown,
    /// CSV, one line per finding.
    Csv,
    /// One line per finding.
    Concise,
}

impl AuditFormat {
    /// Every format, in the order of the help.
    pub const ALL: [Self; 9] = [
        Self::Text,
        Self::Concise,
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Junit,
        Self::Github,
        Self::Markdown,
        Self::Csv,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Concise => "concise",
        }
    }

    /// Whether a program reads it as a whole, so that it must be alone on stdout.
    fn is_machine(self) -> bool {
        !matches!(self, Self::Text | Self::Concise | Self::Github | Self::Markdown)
    }
}

/// A format and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputTarget {
    /// The format.
    pub format: AuditFormat,
    /// The file, or `None` for stdout.
    pub file: Option<PathBuf>,
}

impl OutputTarget {
    /// Whether stdout holds a machine format, so that errors are written as JSON too.
    #[must_use]
    pub fn is_machine_on_stdout(&self) -> bool {
        self.file.is_none() && self.format.is_machine()
    }
}

impl FromStr for OutputTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err(String::from("the file after `=` is missing")),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format =
            AuditFormat::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(|| {
                let names = AuditFormat::ALL.map(AuditFormat::as_str).join(", ");
                format!("no such format; the audit knows {names}")
            })?;
        Ok(Self { format, file })
    }
}

/// The output options of the audit.
#[derive(Debug, Clone, Default, Args)]
pub struct OutputArgs {
    /// Format, and the file it goes to: text, concise, json, jsonl, sarif, junit, github, markdown, csv;
    /// repeatable [default: text]
    #[arg(short = 'o', long = "output", value_name = "FORMAT[=FILE]")]
    pub output: Vec<OutputTarget>,
}

impl OutputArgs {
    /// Where everything goes. Text goes to stdout where nothing else does.
    ///
    /// # Errors
    /// When stdout would hold two formats of which a program reads one.
    pub fn targets(&self) -> Result<Vec<OutputTarget>, CommandError> {
        let mut targets = self.output.clone();
        let stdout: Vec<&OutputTarget> = targets.iter().filter(|target| target.file.is_none()).collect();
        if stdout.len() > 1 && stdout.iter().any(|target| target.is_machine_on_stdout()) {
            let names: Vec<&str> = stdout.iter().map(|target| target.format.as_str()).collect();
            let error = format!("standard output can't hold {} together", names.join(" and "));
            return Err(CommandError::new(ExitStatus::Usage, error)
                .hint("give one of them a file: -o json=audit.json"));
        }
        if stdout.is_empty() {
            targets.push(OutputTarget { format: AuditFormat::Text, file: None });
        }
        Ok(targets)
    }
}

/// Writes every format to its place: files first, so that a reader of stdout that goes early costs nothing.
///
/// # Errors
/// When a file or stdout cannot be written.
pub fn write_all(targets: &[OutputTarget], view: &AuditView<'_>, ui: &mut Ui) -> Result<(), CommandError> {
    for target in targets {
        let Some(file) = &target.file else { continue };
        let plain = Style { color: false, unicode: true, width: None };
        let content = render(target.format, view, &plain)?;
        fs::write(file, content).map_err(|error| unwritten(&format!("`{}`", file.display()), &error))?;
    }
    if targets.iter().any(|target| target.format == AuditFormat::Github) {
        write_step_summary(view)?;
    }
    for target in targets.iter().filter(|target| target.file.is_none()) {
        let content = render(target.format, view, &ui.style())?;
        let content = if target.format.is_machine() { ui.data(content) } else { content };
        ui.print(&content).map_err(|error| unwritten("standard output", &error))?;
    }
    Ok(())
}

fn render(format: AuditFormat, view: &AuditView<'_>, style: &Style) -> Result<String, CommandError> {
    let unencoded = |error: String| {
        CommandError::new(ExitStatus::Failure, format!("could not encode the report as {}", format.as_str()))
            .detail(error)
    };
    match format {
        AuditFormat::Text => Ok(timeline::render(view, style) + &findings::render(view, style)),
        AuditFormat::Concise => Ok(concise::render(view, style)),
        AuditFormat::Github => Ok(github::render(view)),
        AuditFormat::Markdown => Ok(markdown::render(view)),
        AuditFormat::Json => json_v1::render(view).map_err(|error| unencoded(error.to_string())),
        AuditFormat::Jsonl => json_v1::render_lines(view).map_err(|error| unencoded(error.to_string())),
        AuditFormat::Sarif => sarif::render(view).map_err(|error| unencoded(error.to_string())),
        AuditFormat::Junit => junit::render(view).map_err(|error| unencoded(error.to_string())),
        AuditFormat::Csv => csv::render(view).map_err(|error| unencoded(error.to_string())),
    }
}

/// GitHub refuses a larger summary of a step.
const SUMMARY_LIMIT: usize = 1024 * 1024;

/// Appends the Markdown table to the step's summary, where GitHub gives a file for it.
fn write_step_summary(view: &AuditView<'_>) -> Result<(), CommandError> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = PathBuf::from(path);
    let text = fitting_summary(markdown::render(view), SUMMARY_LIMIT);
    let appended = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    appended.map_err(|error| unwritten(&format!("`{}`", path.display()), &error))
}

/// The text cut before a heading, else at a line end, so that it fits; with a note that it was cut.
fn fitting_summary(mut text: String, limit: usize) -> String {
    const NOTE: &str = "\n\n**The rest was cut: the summary of a step has a limit.**\n";
    if text.len() > limit {
        let fitting = &text[..text.floor_char_boundary(limit.saturating_sub(NOTE.len()))];
        // No example is open before a heading; the table of findings, which comes first, holds none.
        let end = fitting.rfind("\n### ").or_else(|| fitting.rfind('\n')).unwrap_or(0);
        text.truncate(end);
        text.push_str(NOTE);
    }
    text
}

fn unwritten(place: &str, error: &std::io::Error) -> CommandError {
    CommandError::new(ExitStatus::Failure, format!("could not write {place}")).detail(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(outputs: &[&str]) -> Option<Vec<OutputTarget>> {
        let output = outputs.iter().map(|text| text.parse()).collect::<Result<_, String>>().ok()?;
        OutputArgs { output }.targets().ok()
    }

    fn names(outputs: &[&str]) -> Option<Vec<String>> {
        let name = |target: &OutputTarget| match &target.file {
            Some(file) => format!("{}={}", target.format.as_str(), file.display()),
            None => target.format.as_str().to_owned(),
        };
        targets(outputs).map(|targets| targets.iter().map(name).collect())
    }

    // Issue 6: one run annotates, prints and leaves an artefact.
    #[test]
    fn formats_go_where_they_are_sent() {
        let list = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&[]), list(&["text"]));
        assert_eq!(names(&["sarif=a=b.sarif"]), list(&["sarif=a=b.sarif", "text"]));
        assert_eq!(names(&["github", "text", "sarif=a.sarif"]), list(&["github", "text", "sarif=a.sarif"]));
        assert_eq!(names(&["json", "text"]), None);
        assert_eq!(names(&["json", "sarif"]), None);
        assert_eq!(names(&["yaml"]), None);
    }

    #[test]
    fn a_long_summary_is_cut_where_no_example_is_open() {
        let text = format!(
            "## a\n\n### one\n\n```text\n{}\n```\n\n### two\n\n```text\n{}\n```\n",
            "x".repeat(50),
            "y".repeat(200)
        );
        assert_eq!(fitting_summary(text.clone(), 1000), text);
        let cut = fitting_summary(text, 250);
        assert!(cut.len() <= 250 && cut.contains("### one") && !cut.contains("### two"), "{cut}");
        assert!(cut.ends_with("has a limit.**\n"));
    }
}
