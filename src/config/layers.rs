//! The layers of settings: flag > environment > project file > user file > default. Opens the files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::env::Variable;
use super::schema::{ConfigError, FileSettings, KEYS, RuleEntry, SuppressEntry, check, parse};

/// The file's name in a project and in the user's config folder.
pub const FILE_NAME: &str = "pulsectl.toml";

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// This environment variable.
    Environment(&'static str),
    /// This file.
    File(PathBuf),
    /// No layer sets it.
    Default,
}

/// A layer that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    /// The file is there and cannot be read.
    #[error("could not read the config file `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in the file is wrong.
    #[error("the config file `{}` cannot be used", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What.
        source: ConfigError,
    },
    /// A variable is wrong.
    #[error("the environment cannot be used")]
    Environment {
        /// What.
        source: ConfigError,
    },
}

/// All settings, each with its origin.
#[derive(Debug, Clone)]
pub struct Settings {
    values: Vec<(String, Origin)>,
    /// Suppressions of both files, the project's first.
    pub suppress: Vec<(SuppressEntry, Origin)>,
    /// Custom rules of both files, the project's first.
    pub rules: Vec<(RuleEntry, Origin)>,
}

impl Settings {
    /// Reads every layer below the command line. A file that is not there is no layer.
    ///
    /// # Errors
    /// When a file or a variable cannot be used.
    pub fn load(
        project: Option<&Path>,
        user: Option<&Path>,
        variable: impl Fn(Variable) -> Option<String>,
    ) -> Result<Self, LayerError> {
        let defaults = KEYS.iter().map(|key| (key.default.to_owned(), Origin::Default)).collect();
        let mut settings = Self { values: defaults, suppress: Vec::new(), rules: Vec::new() };
        for path in [user, project].into_iter().flatten() {
            if let Some(file) = read(path)? {
                settings.add(file, path);
            }
        }
        for (at, key) in KEYS.iter().enumerate() {
            let Some(value) = variable(key.variable).filter(|value| !value.is_empty()) else { continue };
            check(key.variable.name, key.kind, &value)
                .map_err(|source| LayerError::Environment { source })?;
            settings.values[at] = (value, Origin::Environment(key.variable.name));
        }
        Ok(settings)
    }

    fn add(&mut self, file: FileSettings, path: &Path) {
        let origin = || Origin::File(path.to_path_buf());
        for (at, value) in file.values {
            self.values[at] = (value, origin());
        }
        self.suppress.splice(0..0, file.suppress.into_iter().map(|entry| (entry, origin())));
        self.rules.splice(0..0, file.rules.into_iter().map(|entry| (entry, origin())));
    }

    /// Sets a value from the command line, where it was given.
    pub fn set(&mut self, table: &str, name: &str, value: Option<String>) {
        let at = KEYS.iter().position(|key| key.table == table && key.name == name);
        if let (Some(at), Some(value)) = (at, value) {
            self.values[at] = (value, Origin::Flag);
        }
    }

    /// A value; empty where there is no such key.
    #[must_use]
    pub fn get(&self, table: &str, name: &str) -> &str {
        let at = KEYS.iter().position(|key| key.table == table && key.name == name);
        at.map_or("", |at| self.values[at].0.as_str())
    }

    /// Every key's place in [`KEYS`], value and origin.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str, &Origin)> {
        self.values.iter().enumerate().map(|(at, (value, origin))| (at, value.as_str(), origin))
    }
}

fn read(path: &Path) -> Result<Option<FileSettings>, LayerError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(LayerError::Unreadable { path: path.to_path_buf(), source }),
    };
    parse(&text).map(Some).map_err(|source| LayerError::File { path: path.to_path_buf(), source })
}
