//! What a config file may hold: the keys, their kinds and defaults, and the lists.
//!
//! Reads one file's text. Knows nothing of other layers.

use serde::Deserialize;

use super::env::{self, Variable};
use crate::model::duration::Length;
use crate::model::spelling::did_you_mean;
use crate::model::thresholds::LONGEST;

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A length of time, `15s`, in whole seconds, at most [`LONGEST`].
    Duration,
    /// A list of words.
    Words,
}

/// One key of the config file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The table in the file.
    pub table: &'static str,
    /// The key in its table.
    pub name: &'static str,
    /// The environment variable that sets it too.
    pub variable: Variable,
    /// What it must be.
    pub kind: Kind,
    /// The value where no layer sets it.
    pub default: &'static str,
}

const SEVERITIES: &[&str] = &["critical", "high", "medium", "low", "info"];
/// What an audit may fail on: a severity, or `inconclusive` for `high` and every stop that is not decided.
const FAIL_ON: &[&str] = &["critical", "high", "medium", "low", "info", "inconclusive"];

/// Every key, in the order in which it is shown.
pub const KEYS: [Key; 9] = [
    key("audit", "fail_on", env::FAIL_ON, Kind::OneOf(FAIL_ON), "high"),
    key("audit", "min_severity", env::MIN_SEVERITY, Kind::OneOf(SEVERITIES), "info"),
    key("audit", "time_zone", env::TIME_ZONE, Kind::Text, ""),
    key("audit", "only", env::ONLY, Kind::Words, ""),
    key("audit", "skip", env::SKIP, Kind::Words, ""),
    key("thresholds", "stop_grace", env::STOP_GRACE, Kind::Duration, "15s"),
    key("thresholds", "cancel_lag", env::CANCEL_LAG, Kind::Duration, "30s"),
    key("thresholds", "dead_pane_gap", env::DEAD_PANE_GAP, Kind::Duration, "60s"),
    key("thresholds", "self_kill_window", env::SELF_KILL_WINDOW, Kind::Duration, "120s"),
];

const fn key(
    table: &'static str,
    name: &'static str,
    variable: Variable,
    kind: Kind,
    default: &'static str,
) -> Key {
    Key { table, name, variable, kind, default }
}

/// Why a config file, or a variable, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML.
    #[error("it is not TOML: {0}")]
    Syntax(String),
    /// A key that does not exist.
    #[error("there is no key `{key}`")]
    UnknownKey {
        /// The key with its table.
        key: String,
        /// What it may have meant, or an empty string.
        hint: String,
    },
    /// A value of the wrong kind.
    #[error("`{key}` must be {expected}")]
    Value {
        /// The key with its table, or the variable.
        key: String,
        /// What it must be, in words.
        expected: String,
    },
    /// An entry of a list that cannot be used.
    #[error("entry {number} of `{list}` cannot be used: {reason}")]
    Entry {
        /// The list.
        list: &'static str,
        /// Which of its entries, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
}

/// An entry of `[[suppress]]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuppressEntry {
    /// Code or name of the rule.
    pub rule: String,
    /// Pattern of the session's id.
    pub session: Option<String>,
    /// Pattern of the id of a run or another subject.
    pub run: Option<String>,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it holds, `2026-12-31`.
    pub expires: Option<String>,
}

/// An entry of `[[rule]]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleEntry {
    /// The id, `custom/quota`.
    pub id: String,
    /// How bad.
    pub severity: String,
    /// What the message begins with, `[QUOTA]`.
    pub tag: String,
    /// The regular expression.
    pub pattern: String,
    /// The sentence, with groups in braces.
    pub claim: String,
}

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSettings {
    /// Values in the order of [`KEYS`], with the key's place in it.
    pub values: Vec<(usize, String)>,
    /// The suppressions.
    pub suppress: Vec<SuppressEntry>,
    /// The custom rules.
    pub rules: Vec<RuleEntry>,
}

/// Reads a config file's text.
///
/// # Errors
/// When it is not TOML, or a key or a value is wrong.
pub fn parse(text: &str) -> Result<FileSettings, ConfigError> {
    let document: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| ConfigError::Syntax(error.to_string().trim().to_owned()))?;
    let mut settings = FileSettings::default();
    for (table, value) in document {
        match table.as_str() {
            "suppress" => settings.suppress = entries("suppress", value)?,
            "rule" => settings.rules = entries("rule", value)?,
            "audit" | "thresholds" => {
                let toml::Value::Table(keys) = value else {
                    return Err(ConfigError::Value { key: table, expected: String::from("a table") });
                };
                for (name, value) in keys {
                    settings.values.push(self::value(&table, &name, value)?);
                }
            }
            _ => {
                let hint =
                    did_you_mean(&table, ["audit", "thresholds", "suppress", "rule"]).unwrap_or_default();
                return Err(ConfigError::UnknownKey { key: table, hint });
            }
        }
    }
    settings.values.sort();
    Ok(settings)
}

fn value(table: &str, name: &str, value: toml::Value) -> Result<(usize, String), ConfigError> {
    let full = format!("{table}.{name}");
    let Some(at) = KEYS.iter().position(|key| key.table == table && key.name == name) else {
        // The table's name is the same on both sides and would make everything look alike.
        let names = KEYS.iter().filter(|key| key.table == table).map(|key| key.name);
        let hint = did_you_mean(name, names).unwrap_or_default();
        return Err(ConfigError::UnknownKey { key: full, hint });
    };
    let kind = KEYS[at].kind;
    let text = match value {
        toml::Value::String(text) if kind != Kind::Words => text,
        toml::Value::Array(words) if kind == Kind::Words => {
            let words: Option<Vec<String>> =
                words.into_iter().map(|word| word.as_str().map(str::to_owned)).collect();
            words.ok_or_else(|| wrong(&full, kind))?.join(",")
        }
        _ => return Err(wrong(&full, kind)),
    };
    check(&full, kind, &text)?;
    Ok((at, text))
}

/// Whether a text can be a value of the kind.
///
/// # Errors
/// When it cannot.
pub fn check(key: &str, kind: Kind, text: &str) -> Result<(), ConfigError> {
    let fits = match kind {
        Kind::Text | Kind::Words => true,
        Kind::OneOf(words) => words.contains(&text),
        Kind::Duration => seconds(text).is_some_and(|seconds| seconds <= LONGEST),
    };
    if fits { Ok(()) } else { Err(wrong(key, kind)) }
}

fn wrong(key: &str, kind: Kind) -> ConfigError {
    let expected = match kind {
        Kind::Text => String::from("a text"),
        Kind::OneOf(words) => format!("one of {}", words.join(", ")),
        Kind::Duration => {
            String::from("a length of time in quotes, such as \"15s\" or \"2m\", of at most 1h")
        }
        Kind::Words => String::from("a list of texts"),
    };
    ConfigError::Value { key: key.to_owned(), expected }
}

/// A length of time in whole seconds; `None` where the text is none, or negative.
#[must_use]
pub fn seconds(text: &str) -> Option<i64> {
    text.parse::<Length>().ok()?.whole_seconds()
}

fn entries<T: serde::de::DeserializeOwned>(
    list: &'static str,
    value: toml::Value,
) -> Result<Vec<T>, ConfigError> {
    let toml::Value::Array(values) = value else {
        return Err(ConfigError::Value { key: list.to_owned(), expected: format!("a list: [[{list}]]") });
    };
    let entry = |(at, value): (usize, toml::Value)| {
        value.try_into().map_err(|error: toml::de::Error| ConfigError::Entry {
            list,
            number: at + 1,
            reason: error.message().to_owned(),
        })
    };
    values.into_iter().enumerate().map(entry).collect()
}
