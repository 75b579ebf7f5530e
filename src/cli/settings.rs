//! The settings of a run: the layers read from where they lie, and their values as real types.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::exit::{CommandError, ExitStatus};
use super::file_output::Inputs;
use crate::audit::suppress::Suppression;
use crate::config::env::Variable;
use crate::config::layers::{FILE_NAME, LayerError, Origin, Settings};
use crate::config::schema::{ConfigError, RuleEntry, SuppressEntry, seconds};
use crate::model::spelling::did_you_mean;
use crate::model::thresholds::Thresholds;
use crate::rules::custom::CustomRule;
use crate::rules::meta::{RuleMeta, Severity};

/// Reads the layers: the environment, `pulsectl.toml` in the current folder, and the user's.
///
/// # Errors
/// When a layer cannot be used.
pub(crate) fn load() -> Result<Settings, CommandError> {
    Ok(Settings::load(Some(Path::new(FILE_NAME)), user_file().as_deref(), Variable::value)?)
}

/// The files that [`load`] reads.
pub(super) fn add_inputs(inputs: &mut Inputs) {
    inputs.add(Path::new(FILE_NAME));
    if let Some(user) = user_file() {
        inputs.add(&user);
    }
}

fn user_file() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("pulsectl").join(FILE_NAME))
}

impl From<LayerError> for CommandError {
    fn from(error: LayerError) -> Self {
        let (detail, hint) = match &error {
            LayerError::Unreadable { source, .. } => (source.to_string(), String::new()),
            LayerError::File { source, .. } | LayerError::Environment { source } => {
                let hint = match source {
                    ConfigError::UnknownKey { hint, .. } if !hint.is_empty() => hint.clone(),
                    _ => String::from("`pulsectl config show` lists every key"),
                };
                (source.to_string(), hint)
            }
        };
        Self::new(ExitStatus::Usage, error.to_string()).detail(detail).hint(hint)
    }
}

/// A severity of the settings; the layers have checked that it is one.
pub(crate) fn severity(settings: &Settings, name: &str) -> Result<Severity, CommandError> {
    Severity::from_name(settings.get("audit", name))
        .ok_or_else(|| CommandError::new(ExitStatus::Usage, format!("`audit.{name}` is no severity")))
}

/// The severity from which on findings fail, and whether a stop that is not decided fails too.
pub(crate) fn fail_on(settings: &Settings) -> Result<(Severity, bool), CommandError> {
    if settings.get("audit", "fail_on") == "inconclusive" {
        return Ok((Severity::High, true));
    }
    severity(settings, "fail_on").map(|severity| (severity, false))
}

/// The words of a list.
pub(crate) fn words(settings: &Settings, name: &str) -> Vec<String> {
    let words = settings.get("audit", name).split(',').map(str::trim);
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The time limits of the rules.
pub(crate) fn thresholds(settings: &Settings) -> Thresholds {
    let defaults = Thresholds::default();
    let limit = |name: &str, default: i64| seconds(settings.get("thresholds", name)).unwrap_or(default);
    Thresholds {
        stop_grace: limit("stop_grace", defaults.stop_grace),
        cancel_lag: limit("cancel_lag", defaults.cancel_lag),
        dead_pane_gap: limit("dead_pane_gap", defaults.dead_pane_gap),
        self_kill_window: limit("self_kill_window", defaults.self_kill_window),
    }
}

/// The custom rules, compiled.
///
/// # Errors
/// When one cannot be used, or two have one id.
pub(crate) fn custom_rules(settings: &Settings) -> Result<Vec<CustomRule>, CommandError> {
    let mut rules: Vec<CustomRule> = Vec::new();
    for (entry, origin) in &settings.rules {
        let rule = custom_rule(entry).map_err(|reason| refused(origin, &entry.id, &reason))?;
        if rules.iter().any(|known| known.id() == rule.id()) {
            return Err(refused(origin, &entry.id, "another rule has the same id"));
        }
        rules.push(rule);
    }
    Ok(rules)
}

fn custom_rule(entry: &RuleEntry) -> Result<CustomRule, String> {
    let severity =
        Severity::from_name(&entry.severity).ok_or_else(|| format!("`{}` is no severity", entry.severity))?;
    CustomRule::new(&entry.id, severity, &entry.tag, &entry.pattern, &entry.claim)
        .map_err(|error| error.to_string())
}

/// The suppressions, with their rules looked up and their patterns read.
///
/// # Errors
/// When one cannot be used.
pub(crate) fn suppressions(
    settings: &Settings,
    rules: &[RuleMeta],
    custom: &[CustomRule],
) -> Result<Vec<Suppression>, CommandError> {
    let read = |(entry, origin): &(SuppressEntry, Origin)| {
        suppression(entry, rules, custom).map_err(|reason| refused(origin, &entry.rule, &reason))
    };
    settings.suppress.iter().map(read).collect()
}

fn suppression(
    entry: &SuppressEntry,
    rules: &[RuleMeta],
    custom: &[CustomRule],
) -> Result<Suppression, String> {
    let built_in = rules.iter().find(|rule| rule.answers_to(&entry.rule)).map(|rule| rule.code);
    let own = custom.iter().map(CustomRule::id).find(|id| *id == entry.rule);
    let Some(rule) = built_in.or(own) else {
        let known =
            rules.iter().flat_map(|rule| [rule.code, rule.name]).chain(custom.iter().map(CustomRule::id));
        let hint = did_you_mean(&entry.rule, known).unwrap_or_default();
        return Err(format!("no rule is named `{}` {hint}", entry.rule).trim_end().to_owned());
    };
    if entry.reason.trim().is_empty() {
        return Err(String::from("the reason is empty"));
    }
    let pattern = |text: &Option<String>| match text {
        Some(text) => glob::Pattern::new(text)
            .map(Some)
            .map_err(|error| format!("`{text}` is no pattern: {}", error.msg)),
        None => Ok(None),
    };
    let expires = match &entry.expires {
        Some(day) => Some(day.parse().map_err(|_| format!("`{day}` is no day such as 2026-12-31"))?),
        None => None,
    };
    Ok(Suppression {
        rule: rule.to_owned(),
        session: pattern(&entry.session)?,
        run: pattern(&entry.run)?,
        reason: entry.reason.clone(),
        expires,
    })
}

fn refused(origin: &Origin, name: &str, reason: &str) -> CommandError {
    let place = match origin {
        Origin::File(path) => format!("in `{}` ", path.display()),
        _ => String::new(),
    };
    CommandError::new(ExitStatus::Usage, format!("the entry `{name}` {place}cannot be used")).detail(reason)
}
