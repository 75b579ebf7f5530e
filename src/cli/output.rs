//! `-o FORMAT` and `-o FORMAT=FILE` of the audit: which formats go where.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::render::audit_view::AuditView;
use crate::render::style::Style;
use crate::render::{findings, json_v1, timeline};

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
}

impl AuditFormat {
    /// Every format, in the order of the help.
    pub const ALL: [Self; 3] = [Self::Text, Self::Json, Self::Jsonl];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
        }
    }

    /// Whether other programs read it, so that it must be alone on stdout.
    fn is_machine(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
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
    /// Format, and the file it goes to: text, json, jsonl; repeatable [default: text]
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
    let unwritten = |place: String, error: std::io::Error| {
        CommandError::new(ExitStatus::Failure, format!("could not write {place}")).detail(error.to_string())
    };
    for target in targets {
        let Some(file) = &target.file else { continue };
        let plain = Style { color: false, unicode: true, width: None };
        let content = render(target.format, view, &plain)?;
        fs::write(file, content).map_err(|error| unwritten(format!("`{}`", file.display()), error))?;
    }
    for target in targets.iter().filter(|target| target.file.is_none()) {
        let content = render(target.format, view, &ui.style())?;
        ui.print(&content).map_err(|error| unwritten(String::from("standard output"), error))?;
    }
    Ok(())
}

fn render(format: AuditFormat, view: &AuditView<'_>, style: &Style) -> Result<String, CommandError> {
    let encoded = |result: serde_json::Result<String>| {
        result.map_err(|error| {
            CommandError::new(ExitStatus::Failure, "could not encode the report").detail(error.to_string())
        })
    };
    match format {
        AuditFormat::Text => Ok(timeline::render(view, style) + &findings::render(view, style)),
        AuditFormat::Json => encoded(json_v1::render(view)),
        AuditFormat::Jsonl => encoded(json_v1::render_lines(view)),
    }
}
