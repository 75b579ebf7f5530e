//! The one place that writes to the terminal: stdout, stderr, colour, and how errors look.

use std::io::{self, IsTerminal as _, Write};

use clap::ValueEnum;

use super::exit::{CommandError, ExitStatus};
use super::{GlobalOptions, Outcome};

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Streams and how to write to them. Made once per run.
#[derive(Debug)]
pub struct Ui {
    /// Whether stdout gets colour.
    pub color: bool,
    /// Whether stderr gets colour.
    pub error_color: bool,
    /// Whether a progress bar may be drawn on stderr.
    pub progress: bool,
    /// Whether hints and warnings are held back.
    pub quiet: bool,
    /// How often `-v` was given.
    pub verbose: u8,
    /// The terminal's width in columns, or `None` where stdout is not a terminal.
    pub width: Option<usize>,
    /// Whether errors are written as one JSON object (formats.md, section 4).
    pub machine_errors: bool,
}

impl Ui {
    /// Reads what the terminal and the environment allow.
    #[must_use]
    pub fn new(options: &GlobalOptions) -> Self {
        let wants = |terminal: bool| match options.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                !set("NO_COLOR") && ((terminal && !dumb) || set("CLICOLOR_FORCE") || set("FORCE_COLOR"))
            }
        };
        let error_terminal = io::stderr().is_terminal();
        let output_terminal = io::stdout().is_terminal();
        Self {
            color: wants(output_terminal),
            error_color: wants(error_terminal),
            progress: error_terminal && !options.quiet && std::env::var_os("CI").is_none(),
            quiet: options.quiet,
            verbose: options.verbose,
            width: output_terminal.then(terminal_width),
            machine_errors: false,
        }
    }

    /// Writes data to stdout.
    ///
    /// # Errors
    /// When stdout cannot be written; a closed pipe is no error for the caller of [`Ui::finish`].
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes a warning to stderr, unless quiet.
    pub fn warn(&mut self, text: &str) {
        if !self.quiet {
            self.stderr(&format!("warning: {text}\n"));
        }
    }

    /// Writes to stderr; a failure to do so cannot be reported anywhere and is dropped.
    pub fn stderr(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints the error of an outcome, if any, and returns the exit status.
    pub fn finish(&mut self, outcome: Outcome) -> ExitStatus {
        match outcome {
            Ok(status) => status,
            Err(error) => {
                self.report(&error);
                error.status
            }
        }
    }

    /// Writes an error to stderr, for a person or as the machine format.
    pub fn report(&mut self, error: &CommandError) {
        if self.machine_errors {
            let object = serde_json::json!({
                "schema": "pulsectl.error/1",
                "tool": { "name": "pulsectl", "version": env!("CARGO_PKG_VERSION") },
                "code": error.status.code(),
                "error": error.error,
                "detail": error.detail,
                "hint": error.hint,
            });
            self.stderr(&format!("{object}\n"));
            return;
        }
        let mut text = format!("error: {}\n", error.error);
        if !error.detail.is_empty() {
            text.push_str(&format!("  cause: {}\n", error.detail));
        }
        if !error.hint.is_empty() {
            text.push_str(&format!("  hint: {}\n", error.hint));
        }
        self.stderr(&text);
    }
}

/// The terminal's width as `COLUMNS` gives it, else 80.
fn terminal_width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|value| value.parse().ok())
        .filter(|&width| width >= 20)
        .unwrap_or(80)
}

/// Prints what the argument parser has to say: help and version to stdout, errors to stderr.
pub fn report_usage(error: &clap::Error) -> ExitStatus {
    // A closed stdout or stderr leaves nobody to tell.
    let _ = error.print();
    if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Clean }
}
