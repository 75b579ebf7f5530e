//! The one place that writes to the terminal: stdout, stderr, colour, and how errors look.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};

use clap::ValueEnum;

use super::exit::{CommandError, ExitStatus};
use super::{GlobalOptions, Outcome};
use crate::render::machine::json;
use crate::render::text::sanitize::{sanitize, sanitize_lines};
use crate::render::text::style::Style;

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
    /// Whether the locale is UTF-8, so that other characters than ASCII can be shown.
    pub unicode: bool,
    /// Whether errors are written as one JSON object (formats.md, section 4).
    pub machine_errors: bool,
    /// Whether the reader of stdout has gone; the run then ends quietly.
    closed: bool,
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
            unicode: locale_is_utf8(|name| std::env::var(name).ok()),
            machine_errors: false,
            closed: false,
        }
    }

    /// How stdout is written to for a person.
    #[must_use]
    pub fn style(&self) -> Style {
        Style { color: self.color, unicode: self.unicode, width: self.width }
    }

    /// Writes data to stdout. A reader that has gone (`| head`) is no failure: the run ends quietly.
    ///
    /// # Errors
    /// When stdout cannot be written for any other reason.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// A machine format as it may go to stdout: on a terminal with everything that may steer it made visible,
    /// elsewhere as it is.
    #[must_use]
    pub fn data(&self, text: String) -> String {
        if self.width.is_some() { sanitize_lines(&text, self.unicode) } else { text }
    }

    /// Writes a warning to stderr, unless quiet.
    pub fn warn(&mut self, text: &str) {
        if !self.quiet {
            let text = sanitize(text, self.unicode);
            self.stderr(&format!("warning: {text}\n"));
        }
    }

    /// Writes a note to stderr, unless quiet: something that need not worry anyone.
    pub fn note(&mut self, text: &str) {
        if !self.quiet {
            let text = sanitize(text, self.unicode);
            self.stderr(&format!("note: {text}\n"));
        }
    }

    /// Writes to stderr; a failure to do so cannot be reported anywhere and is dropped.
    pub fn stderr(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints the error of an outcome, if any, and returns the exit status.
    pub fn finish(&mut self, outcome: Outcome) -> ExitStatus {
        match outcome {
            Ok(_) if self.closed => ExitStatus::Clean,
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
            self.stderr(&machine_error(error));
            return;
        }
        let safe = |text: &str| sanitize(text, self.unicode);
        let mut text = format!("error: {}\n", safe(&error.error));
        if !error.detail.is_empty() {
            text.push_str(&format!("  cause: {}\n", safe(&error.detail)));
        }
        if !error.hint.is_empty() {
            text.push_str(&format!("  hint: {}\n", safe(&error.hint)));
        }
        self.stderr(&text);
    }
}

/// The terminal's width: as `COLUMNS` gives it, as the terminal says, else 80.
fn terminal_width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|value| value.parse().ok())
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .filter(|&width| width >= 20)
        .unwrap_or(80)
}

/// Whether the locale's character set is UTF-8: the first variable that is set and not empty decides.
fn locale_is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    if cfg!(windows) {
        return true; // The console is written to as UTF-16.
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// An error as one line of `pulsectl.error/1` (formats.md, section 4).
fn machine_error(error: &CommandError) -> String {
    let object = serde_json::json!({
        "schema": "pulsectl.error/1",
        "tool": { "name": "pulsectl", "version": env!("CARGO_PKG_VERSION") },
        "code": error.status.code(),
        "error": error.error,
        "detail": error.detail,
        "hint": error.hint,
    });
    json::escaped(format!("{object}\n"))
}

/// Whether a command line that could not be parsed asked for JSON, as far as its words show.
pub fn asks_for_json(arguments: &[OsString]) -> bool {
    let json = |text: &str| text == "json" || text == "jsonl";
    arguments
        .windows(2)
        .any(|pair| (pair[0] == "-o" || pair[0] == "--output") && pair[1].to_str().is_some_and(json))
        || arguments
            .iter()
            .filter_map(|word| word.to_str())
            .any(|word| word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o")).is_some_and(json))
}

/// Prints what the argument parser has to say: help and version to stdout, errors to stderr.
pub fn report_usage(error: &clap::Error, machine: bool) -> ExitStatus {
    if !error.use_stderr() {
        // A closed stdout leaves nobody to tell.
        let _ = error.print();
        return ExitStatus::Clean;
    }
    if machine {
        let text = error.to_string();
        let (message, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let error = CommandError::new(ExitStatus::Usage, message).hint(rest);
        let _ = io::stderr().lock().write_all(machine_error(&error).as_bytes());
    } else {
        let _ = error.print();
    }
    ExitStatus::Usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let locale = |pairs: &'static [(&str, &str)]| {
            locale_is_utf8(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(locale(&[("LANG", "en_GB.UTF-8")]));
        assert!(locale(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!locale(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!locale(&[]));
    }
}
