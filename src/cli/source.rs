//! Where the reading commands take a server's state from: one set of arguments, one function.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use jiff::Timestamp;
use secrecy::SecretString;

use super::exit::{CommandError, ExitStatus};
use super::file_output::Inputs;
use super::ui::Ui;
use crate::config::env;
use crate::logs::{ReadOptions, Window, parse_zone};
use crate::model::duration::Length;
use crate::model::server::{ServerVersion, VersionSource};
use crate::model::snapshot::Snapshot;
use crate::source::file;
use crate::source::log::LogAtTime;
use crate::source::read::Source;
use crate::source::server::RunningServer;
use crate::wire::address::Address;
use crate::wire::client::ClientOptions;
use crate::wire::fetch::{Extras, Scope};

/// Where a server's state is taken from.
#[derive(Debug, Clone, Args)]
pub struct SourceArgs {
    /// The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]
    #[arg(long, value_name = "URL", help_heading = "Source", conflicts_with = "from")]
    pub server: Option<String>,
    /// File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default:
    /// single-user login]
    #[arg(long, value_name = "FILE", help_heading = "Source", conflicts_with = "from")]
    pub token_file: Option<PathBuf>,
    /// CA certificates in PEM form instead of the system's
    #[arg(long, value_name = "FILE", help_heading = "Source", conflicts_with = "from")]
    pub ca_cert: Option<PathBuf>,
    /// How long one request may take (500ms, 10s, 1m)
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = patience, help_heading = "Source")]
    pub timeout: Length,
    /// How long all requests together may take
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = patience, help_heading = "Source")]
    pub deadline: Length,
    /// Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json
    #[arg(long, value_name = "PATH", help_heading = "Source")]
    pub from: Option<PathBuf>,
    /// Behind a closed debug gate, also read names and parents from the event streams; heavy
    #[arg(long, help_heading = "Source", conflicts_with = "from")]
    pub names: bool,
    /// Version of the server [default: by its features, else assumed]
    #[arg(long, value_name = "VERSION", value_parser = version_parser(), help_heading = "Source")]
    pub server_version: Option<ServerVersion>,
    #[command(flatten)]
    pub log: LogArgs,
}

/// A log instead of a server.
#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Source", conflicts_with_all = ["server", "from", "names"])]
    pub log: Vec<PathBuf>,
    /// The moment in the log [default: its last line]
    #[arg(long, value_name = "TIME", requires = "log", help_heading = "Source")]
    pub at: Option<String>,
    /// Zone of the log [default: as the log tells]
    #[arg(long, value_name = "ZONE", requires = "log", help_heading = "Source")]
    pub tz: Option<String>,
}

impl LogArgs {
    fn source(&self) -> Result<LogAtTime, CommandError> {
        let zone = self.tz.as_deref().map(parse_zone).transpose()?;
        // A time such as `5m` counts back from now, as everywhere else.
        let window = Window::parse(None, self.at.as_deref(), None, Timestamp::now())?;
        let paths = self.log.iter().map(|path| path.display().to_string()).collect();
        Ok(LogAtTime { paths, options: ReadOptions { zone, window } })
    }
}

fn version_parser() -> impl clap::builder::TypedValueParser<Value = ServerVersion> {
    PossibleValuesParser::new(ServerVersion::ALL.map(ServerVersion::name)).try_map(|name| {
        ServerVersion::ALL.into_iter().find(|version| version.name() == name).ok_or("no such version")
    })
}

/// A length of time; a plain number is seconds.
fn patience(text: &str) -> Result<Length, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = if is_number { format!("{text}s") } else { text.to_owned() };
    let time: Length = text.parse().map_err(|_| "a time such as 500ms, 10s or 1m is needed")?;
    if time.duration().is_zero() || time.duration() > Duration::from_secs(3600) {
        return Err("it must be more than nothing and at most an hour".to_owned());
    }
    Ok(time)
}

impl SourceArgs {
    /// The snapshot that these arguments ask for. Warnings about the source go to stderr; gaps are the
    /// caller's to show.
    ///
    /// # Errors
    /// When nothing could be read; the status says why.
    pub fn load(&self, scope: &Scope, ui: &mut Ui) -> Result<Snapshot, CommandError> {
        let source = self.source(ui)?;
        let reading = source.read(scope);
        if ui.verbose >= 2 {
            for note in &reading.notes {
                ui.stderr(&format!("{}\n", ui.style().safe(note)));
            }
        }
        if reading.token_exposed {
            ui.warn("the token travels unencrypted to another machine; use https");
        }
        if reading.token_withheld {
            ui.warn(
                "the token was not sent, since the server was found and not named; name it with --server",
            );
        }
        let mut snapshot = reading.snapshot?;
        if let Some(version) = self.server_version {
            snapshot.server.version = version;
            snapshot.server.version_source = VersionSource::Option;
        }
        Ok(snapshot)
    }

    /// The files that these arguments make the command read.
    pub(super) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for path in [&self.token_file, &self.ca_cert].into_iter().flatten() {
            inputs.add(path);
        }
        if let Some(path) = &self.from {
            inputs.add_with_content(path);
        }
        for path in &self.log.log {
            inputs.add_log(path);
        }
        inputs
    }

    /// The source that these arguments name.
    fn source(&self, ui: &mut Ui) -> Result<Source, CommandError> {
        if let Some(path) = &self.from {
            return Ok(Source::at(path.clone()));
        }
        if !self.log.log.is_empty() {
            return Ok(Source::Log(self.log.source()?));
        }
        let extras = Extras { names: self.names };
        Ok(Source::Server(RunningServer {
            options: self.client_options(ui)?,
            extras,
            deadline: self.deadline,
        }))
    }

    fn client_options(&self, ui: &mut Ui) -> Result<ClientOptions, CommandError> {
        let address = match self.server.clone().or_else(|| env::SERVER.value()) {
            Some(text) => Some(Address::parse(&text)?),
            None => None,
        };
        let token = match &self.token_file {
            Some(path) => Some(file::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?),
            None => match env::TOKEN.value() {
                Some(_) if self.leaves_the_variables_server(address.as_ref()) => {
                    ui.warn(&format!(
                        "{} was not sent, since {} names another server; give this one's token by --token-file",
                        env::TOKEN.name,
                        env::SERVER.name
                    ));
                    None
                }
                token => token,
            },
        };
        let token = match token.as_deref().map(str::trim) {
            None => None,
            // What cannot stand in a header is no token; the library would fail in the middle of a read.
            Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Some(SecretString::from(text))
            }
            Some(_) => {
                let place = match &self.token_file {
                    Some(path) => format!("`{}`", path.display()),
                    None => env::TOKEN.name.to_owned(),
                };
                return Err(CommandError::new(ExitStatus::Usage, format!("there is no token in {place}")));
            }
        };
        let ca = self.ca_cert.as_deref().map(file::read).transpose()?;
        Ok(ClientOptions { address, token, ca, timeout: self.timeout.duration() })
    }

    /// Whether `--server` names another server than the environment does. A token of the environment belongs to
    /// the server of the environment.
    fn leaves_the_variables_server(&self, address: Option<&Address>) -> bool {
        let (Some(_), Some(address), Some(usual)) = (&self.server, address, env::SERVER.value()) else {
            return false;
        };
        !Address::parse(&usual).is_ok_and(|usual| usual.has_origin_of(address))
    }
}
