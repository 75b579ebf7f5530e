//! `-o FORMAT[=FILE]`, the same in every command: which formats go where.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::exit::{CommandError, ExitStatus};
use crate::render::format::Format;
use crate::render::formats::Subject;

/// The help of `-o`; the formats are listed below it.
pub const HELP: &str = "Format [default: the first], and the file it goes to; repeatable";

/// What stands for its value in the help.
pub const VALUE_NAME: &str = "FORMAT[=FILE]";

/// A format and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputTarget {
    /// The format.
    pub format: Format,
    /// The file, or `None` for stdout.
    pub file: Option<PathBuf>,
}

/// Reads `FORMAT[=FILE]` with the formats of a subject.
#[derive(Debug, Clone, Copy)]
pub struct OutputParser(pub Subject);

impl OutputParser {
    fn values(self) -> impl Iterator<Item = PossibleValue> {
        self.0.formats().iter().map(|offer| PossibleValue::new(offer.format.name()).help(offer.meaning))
    }
}

impl TypedValueParser for OutputParser {
    type Value = OutputTarget;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<OutputTarget, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (text.as_str(), None),
        };
        let name = PossibleValuesParser::new(self.values()).parse_ref(command, argument, OsStr::new(name))?;
        let format = Format::from_name(&name).filter(|_| file != Some(""));
        let Some(format) = format else {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            if let Some(argument) = argument {
                error.insert(ContextKind::InvalidArg, ContextValue::String(argument.to_string()));
            }
            error.insert(ContextKind::InvalidValue, ContextValue::String(text));
            error.insert(
                ContextKind::Suggested,
                ContextValue::StyledStrs(vec!["the file after `=` is missing".into()]),
            );
            return Err(error);
        };
        Ok(OutputTarget { format, file: file.map(PathBuf::from) })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values()))
    }
}

/// Where everything goes, in the order in which it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    list: Vec<OutputTarget>,
}

impl Targets {
    /// The targets that were asked for. The subject's first format goes to stdout where nothing else does.
    ///
    /// # Errors
    /// When stdout would hold two formats of which a program reads one.
    pub fn new(subject: Subject, asked: &[OutputTarget]) -> Result<Self, CommandError> {
        let mut list = asked.to_vec();
        let stdout: Vec<&OutputTarget> = list.iter().filter(|target| target.file.is_none()).collect();
        if stdout.len() > 1 && stdout.iter().any(|target| target.format.is_machine()) {
            let names: Vec<&str> = stdout.iter().map(|target| target.format.name()).collect();
            let error = format!("standard output can't hold {} together", names.join(" and "));
            return Err(CommandError::new(ExitStatus::Usage, error)
                .hint("give one of them a file: -o json=audit.json"));
        }
        if stdout.is_empty()
            && let Some(first) = subject.formats().first()
        {
            list.push(OutputTarget { format: first.format, file: None });
        }
        Ok(Self { list })
    }

    /// The files, each with its format.
    pub fn files(&self) -> impl Iterator<Item = (&PathBuf, Format)> {
        self.list.iter().filter_map(|target| Some((target.file.as_ref()?, target.format)))
    }

    /// The formats of stdout.
    pub fn on_stdout(&self) -> impl Iterator<Item = Format> {
        self.list.iter().filter(|target| target.file.is_none()).map(|target| target.format)
    }

    /// Every format.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        self.list.iter().map(|target| target.format)
    }

    /// Whether stdout holds a machine format.
    #[must_use]
    pub fn is_machine_on_stdout(&self) -> bool {
        self.on_stdout().any(Format::is_machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(subject: Subject, outputs: &[&str]) -> Option<Vec<String>> {
        let command = clap::Command::new("pulsectl");
        let parsed: Result<Vec<OutputTarget>, clap::Error> = outputs
            .iter()
            .map(|text| OutputParser(subject).parse_ref(&command, None, OsStr::new(text)))
            .collect();
        let name = |target: &OutputTarget| match &target.file {
            Some(file) => format!("{}={}", target.format.name(), file.display()),
            None => target.format.name().to_owned(),
        };
        Some(Targets::new(subject, &parsed.ok()?).ok()?.list.iter().map(name).collect())
    }

    // Issue 6: one run annotates, prints and leaves an artefact; issue "fewer concepts", D: in every command.
    #[test]
    fn formats_go_where_they_are_sent() {
        let list = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        let audit = |outputs: &[&str]| names(Subject::Audit, outputs);
        assert_eq!(audit(&[]), list(&["text"]));
        assert_eq!(audit(&["sarif=a=b.sarif"]), list(&["sarif=a=b.sarif", "text"]));
        assert_eq!(audit(&["github", "text", "sarif=a.sarif"]), list(&["github", "text", "sarif=a.sarif"]));
        for wrong in [&["json", "text"][..], &["json", "sarif"], &["yaml"], &["json="]] {
            assert_eq!(audit(wrong), None, "{wrong:?}");
        }
        assert_eq!(names(Subject::Graph, &["json=a.json"]), list(&["json=a.json", "tree"]));
        assert_eq!(names(Subject::Sessions, &["csv=a", "wide"]), list(&["csv=a", "wide"]));
        assert_eq!(names(Subject::Graph, &["dot", "tree"]), None);
    }
}
