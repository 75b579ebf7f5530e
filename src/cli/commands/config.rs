//! `pulsectl config`: the settings of a run and where each came from.

use clap::{Args, Subcommand};

use crate::cli::exit::{ExitStatus, Outcome};
use crate::cli::settings;
use crate::cli::ui::Ui;
use crate::config::layers::{Origin, Settings};
use crate::config::schema::{KEYS, Kind};
use crate::render::text::sanitize::sanitize;

/// Show the settings and where they came from
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigCommand {
    /// Print every setting as TOML
    ///
    /// Environment (PULSECTL_FAIL_ON, …) goes before pulsectl.toml in the current folder, that before the
    /// user's pulsectl/pulsectl.toml in the config folder, that before the defaults.
    Show {
        /// Say behind each value where it came from
        #[arg(long)]
        origin: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// When a layer cannot be used, or stdout cannot be written.
pub fn run(args: &ConfigArgs, ui: &mut Ui) -> Outcome {
    let ConfigCommand::Show { origin } = args.command;
    let text = shown(&settings::load()?, origin);
    ui.print(&text)?;
    Ok(ExitStatus::Clean)
}

/// The settings as TOML, with comments for the origins.
fn shown(settings: &Settings, with_origin: bool) -> String {
    let comment =
        |origin: &Origin| if with_origin { format!("  # {}", words(origin)) } else { String::new() };
    let mut out = String::new();
    let mut table = "";
    for (at, value, origin) in settings.iter() {
        let key = KEYS[at];
        if key.table != table {
            let gap = if table.is_empty() { "" } else { "\n" };
            out.push_str(&format!("{gap}[{}]\n", key.table));
            table = key.table;
        }
        let value = match key.kind {
            Kind::Words => {
                let words = value.split(',').filter(|word| !word.is_empty()).map(quoted);
                format!("[{}]", words.collect::<Vec<_>>().join(", "))
            }
            _ => quoted(value),
        };
        out.push_str(&format!("{} = {value}{}\n", key.name, comment(origin)));
    }
    for (entry, origin) in &settings.suppress {
        out.push_str(&format!("\n[[suppress]]{}\n", comment(origin)));
        let fields = [
            ("rule", Some(&entry.rule)),
            ("session", entry.session.as_ref()),
            ("run", entry.run.as_ref()),
            ("reason", Some(&entry.reason)),
            ("expires", entry.expires.as_ref()),
        ];
        push_fields(&mut out, &fields);
    }
    for (entry, origin) in &settings.rules {
        out.push_str(&format!("\n[[rule]]{}\n", comment(origin)));
        let fields = [
            ("id", Some(&entry.id)),
            ("severity", Some(&entry.severity)),
            ("tag", Some(&entry.tag)),
            ("pattern", Some(&entry.pattern)),
            ("claim", Some(&entry.claim)),
        ];
        push_fields(&mut out, &fields);
    }
    out
}

fn push_fields(out: &mut String, fields: &[(&str, Option<&String>)]) {
    for (name, value) in fields {
        if let Some(value) = value {
            out.push_str(&format!("{name} = {}\n", quoted(value)));
        }
    }
}

/// A TOML text: the encoder escapes what the format forbids.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn words(origin: &Origin) -> String {
    match origin {
        Origin::Flag => String::from("command line"),
        Origin::Environment(variable) => format!("environment: {variable}"),
        Origin::File(path) => sanitize(&path.display().to_string(), true),
        Origin::Default => String::from("default"),
    }
}
