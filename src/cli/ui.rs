//! The one place that writes to the terminal: stdout, stderr, colour, and how errors look.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::sync::Arc;

use super::exit::{CommandError, ExitStatus, Outcome};
use super::file_output::{self, Inputs, Output, Privacy};
use super::global::{ColorChoice, GlobalOptions};
use super::output::{OutputTarget, Targets};
use super::step_summary;
use super::watch::Watch;
use crate::audit::options::Progress;
use crate::config::env;
use crate::render::format::Format;
use crate::render::formats::{Subject, View};
use crate::render::machine::json;
use crate::render::text::sanitize::{sanitize, sanitize_lines};
use crate::render::text::style::Style;

/// Streams and how to write to them. Made once per run.
#[derive(Debug)]
pub struct Ui {
    /// Whether stdout gets colour.
    pub color: bool,
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
    /// What the thread that waits for signals knows too.
    watch: Arc<Watch>,
    /// Whether the reader of stdout has gone; the run then ends quietly.
    closed: bool,
}

impl Ui {
    /// Reads what the terminal and the environment allow.
    #[must_use]
    pub(super) fn new(options: &GlobalOptions, watch: Arc<Watch>) -> Self {
        let output_terminal = io::stdout().is_terminal();
        let color = match options.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let dumb = env::TERM.value().is_some_and(|value| value == "dumb");
                let forced = env::CLICOLOR_FORCE.is_set() || env::FORCE_COLOR.is_set();
                !env::NO_COLOR.is_set() && ((output_terminal && !dumb) || forced)
            }
        };
        let error_terminal = io::stderr().is_terminal();
        Self {
            color,
            progress: error_terminal && !options.quiet && !env::CI.is_present(),
            quiet: options.quiet,
            verbose: options.verbose,
            width: output_terminal.then(terminal_width),
            unicode: locale_is_utf8(env::Variable::value),
            watch,
            closed: false,
        }
    }

    /// How stdout is written to for a person.
    #[must_use]
    pub fn style(&self) -> Style {
        Style { color: self.color, unicode: self.unicode, width: self.width }
    }

    /// What is asked for by `-o`, with every file that is to be written checked. To be called before anything is
    /// read.
    ///
    /// # Errors
    /// When stdout cannot hold the formats together, or a file may not be written.
    pub(super) fn targets(
        &mut self,
        subject: Subject,
        asked: &[OutputTarget],
        inputs: &Inputs,
    ) -> Result<Targets, CommandError> {
        self.targets_and(subject, asked, inputs, None)
    }

    /// As [`Ui::targets`], for a command that writes a baseline too.
    ///
    /// # Errors
    /// The same, and where the baseline may not be written.
    pub(super) fn targets_and(
        &mut self,
        subject: Subject,
        asked: &[OutputTarget],
        inputs: &Inputs,
        baseline: Option<&Path>,
    ) -> Result<Targets, CommandError> {
        let targets = Targets::new(subject, asked)?;
        self.watch.set_machine_errors(targets.is_machine_on_stdout());
        let files = targets.files().map(|(path, _)| Output { path, is_baseline: false });
        let baseline = baseline.map(|path| Output { path, is_baseline: true });
        file_output::check(&files.chain(baseline).collect::<Vec<_>>(), inputs)?;
        Ok(targets)
    }

    /// Shows a view in every format that was asked for. Files come first, so that a reader of stdout that goes early
    /// costs nothing; a file that cannot be written is reported, and the rest is shown all the same.
    ///
    /// # Errors
    /// When the view cannot be encoded, or stdout not be written.
    pub(super) fn show(&mut self, view: &View<'_>, targets: &Targets) -> Result<Shown, CommandError> {
        let mut failures = Vec::new();
        let plain = Style { color: false, unicode: true, width: None };
        let privacy = if matches!(view, View::Snapshot(_)) { Privacy::Private } else { Privacy::Ordinary };
        for (path, format) in targets.files() {
            failures.extend(self.save(path, &rendered(view, format, &plain)?, privacy).err());
        }
        if targets.formats().any(|format| format == Format::Github) {
            failures.extend(step_summary::add(rendered(view, Format::Markdown, &plain)?).err());
        }
        for format in targets.on_stdout() {
            let text = rendered(view, format, &self.style())?;
            let text = if format.is_machine() { self.data(text) } else { text };
            self.print(&text)?;
        }
        for failure in &failures {
            self.report(failure);
        }
        Ok(Shown { failed: !failures.is_empty() })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save(&self, path: &Path, content: &str, privacy: Privacy) -> Result<(), CommandError> {
        file_output::write(path, content.as_bytes(), privacy)
            .map_err(|error| unwritten(&format!("`{}`", path.display()), &error))
    }

    /// Writes text to stdout. A reader that has gone (`| head`) is no failure: the run ends quietly.
    ///
    /// # Errors
    /// When stdout cannot be written for any other reason.
    pub fn print(&mut self, text: &str) -> Result<(), CommandError> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result.map_err(|error| unwritten("standard output", &error)),
        }
    }

    /// Does work that reads much, with a bar on stderr where one may be drawn.
    pub(super) fn with_bar<T>(&self, progress: &Progress, work: impl FnOnce() -> T) -> T {
        if self.progress { self.watch.with_bar(progress, work) } else { work() }
    }

    /// A machine format as it may go to stdout: on a terminal with everything that may steer it made visible,
    /// elsewhere as it is.
    fn data(&self, text: String) -> String {
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

    /// Writes a hint to stderr, unless quiet.
    pub(super) fn hint(&mut self, text: &str) {
        if !self.quiet {
            self.stderr(&format!("{text}\n"));
        }
    }

    /// Writes to stderr; a failure to do so cannot be reported anywhere and is dropped.
    pub fn stderr(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints the error of an outcome, if any, and returns the exit status.
    pub fn finish(&mut self, outcome: Outcome) -> ExitStatus {
        match outcome {
            Ok(status) if self.closed && status != ExitStatus::Failure => ExitStatus::Clean,
            Ok(status) => status,
            Err(error) => {
                self.report(&error);
                error.status
            }
        }
    }

    /// Writes an error to stderr, for a person or as the machine format.
    pub fn report(&mut self, error: &CommandError) {
        if self.watch.machine_errors() {
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

/// How a view was shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Whether a file could not be written.
    pub(super) failed: bool,
}

/// A view in a format.
pub(super) fn rendered(view: &View<'_>, format: Format, style: &Style) -> Result<String, CommandError> {
    let failed = || {
        CommandError::new(ExitStatus::Failure, format!("could not encode the report as {}", format.name()))
    };
    match view.render(format, style) {
        Some(Ok(text)) => Ok(text),
        Some(Err(error)) => Err(failed().detail(error.to_string())),
        // The parser of `-o` refuses what a subject does not have.
        None => Err(failed()),
    }
}

fn unwritten(place: &str, error: &io::Error) -> CommandError {
    CommandError::new(ExitStatus::Failure, format!("could not write {place}")).detail(error.to_string())
}

/// The terminal's width: as `COLUMNS` gives it, as the terminal says, else 80.
fn terminal_width() -> usize {
    env::COLUMNS
        .value()
        .and_then(|value| value.parse().ok())
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .filter(|&width| width >= 20)
        .unwrap_or(80)
}

/// Whether the locale's character set is UTF-8: the first variable that is set and not empty decides.
fn locale_is_utf8(value: impl Fn(env::Variable) -> Option<String>) -> bool {
    if cfg!(windows) {
        return true; // The console is written to as UTF-16.
    }
    let locale = [env::LC_ALL, env::LC_CTYPE, env::LANG]
        .into_iter()
        .filter_map(value)
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// An error as one line of `pulsectl.error/1`.
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

/// Whether a command line that could not be parsed asked for a machine format on stdout, as far as its words show.
pub(super) fn asks_for_machine_format(arguments: &[OsString]) -> bool {
    let machine = |text: &str| Format::from_name(text).is_some_and(Format::is_machine);
    arguments
        .windows(2)
        .any(|pair| (pair[0] == "-o" || pair[0] == "--output") && pair[1].to_str().is_some_and(machine))
        || arguments.iter().filter_map(|word| word.to_str()).any(|word| {
            word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o")).is_some_and(machine)
        })
}

/// Prints what the argument parser has to say: help and version to stdout, errors to stderr.
pub(super) fn report_usage(error: &clap::Error, machine: bool) -> ExitStatus {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().lock().flush());
        return match printed {
            // A reader that has gone leaves nobody to tell.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let _ =
                    writeln!(io::stderr().lock(), "error: could not write standard output\n  cause: {error}");
                ExitStatus::Failure
            }
            _ => ExitStatus::Clean,
        };
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
            locale_is_utf8(|variable| {
                pairs.iter().find(|(key, _)| *key == variable.name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(locale(&[("LANG", "en_GB.UTF-8")]));
        assert!(locale(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!locale(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!locale(&[]));
    }
}
