//! Where the reading commands take a server's state from: one set of arguments, one function.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use secrecy::SecretString;

use super::exit::{CommandError, ExitStatus};
use super::interrupt::Signals;
use super::log_source::{LogArgs, from_log};
use super::ui::Ui;
use crate::engine::graph::warning::is_note;
use crate::model::fact::Gap;
use crate::model::server::{ServerVersion, VersionSource};
use crate::model::snapshot::{Origin, Snapshot};
use crate::render::text::style::counted;
use crate::wire::address::Address;
use crate::wire::client::ClientOptions;
use crate::wire::convert::convert;
use crate::wire::error::{AnswerError, TlsFault, WireError};
use crate::wire::fetch::{Extras, Scope, fetch};
use crate::wire::recorded::{self, RecordedError};
use crate::wire::saved;

/// The server to read, unless `--server` names one.
const SERVER_VARIABLE: &str = "PULSECTL_SERVER";

/// The token for that server, unless `--token-file` names one.
const TOKEN_VARIABLE: &str = "PULSECTL_TOKEN";

/// The largest file that is taken for a snapshot, a token or certificates.
const LARGEST_FILE: u64 = 600 * 1024 * 1024;

/// How many gaps are written out for a person; the rest is counted.
const GAPS_SHOWN: usize = 8;

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
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = timeout, help_heading = "Source")]
    pub timeout: Duration,
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
    #[expect(missing_docs, reason = "the arguments carry the help text")]
    pub log: LogArgs,
}

fn version_parser() -> impl clap::builder::TypedValueParser<Value = ServerVersion> {
    PossibleValuesParser::new(ServerVersion::ALL.map(ServerVersion::name)).try_map(|name| {
        ServerVersion::ALL.into_iter().find(|version| version.name() == name).ok_or("no such version")
    })
}

/// A length of time; a plain number is seconds.
fn timeout(text: &str) -> Result<Duration, String> {
    let time = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => text
            .parse::<jiff::SignedDuration>()
            .ok()
            .and_then(|time| Duration::try_from(time).ok())
            .ok_or("a time such as 500ms, 10s or 1m is needed")?,
    };
    if time.is_zero() || time > Duration::from_secs(3600) {
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
        let mut snapshot = match &self.from {
            Some(path) => from_path(path)?,
            None if !self.log.log.is_empty() => from_log(&self.log)?,
            None => self.fetch(scope, ui)?,
        };
        if let Some(version) = self.server_version {
            snapshot.server.version = version;
            snapshot.server.version_source = VersionSource::Option;
        }
        Ok(snapshot)
    }

    fn fetch(&self, scope: &Scope, ui: &mut Ui) -> Result<Snapshot, CommandError> {
        let options = self.client_options(ui)?;
        let failed = |error: std::io::Error| {
            CommandError::new(ExitStatus::Failure, "the client could not be set up").detail(error.to_string())
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let fetched = runtime.block_on(async {
            let mut signals = Signals::new()?;
            tokio::select! {
                fetched = fetch(options, scope, Extras { names: self.names }) => Ok(Some(fetched)),
                () = signals.received() => Ok(None),
            }
        });
        let Some(fetched) = fetched.map_err(failed)? else {
            return Err(CommandError::new(ExitStatus::Interrupted, "interrupted"));
        };
        if ui.verbose >= 2 {
            for note in &fetched.notes {
                ui.stderr(&format!("{}\n", ui.style().safe(note)));
            }
        }
        if fetched.token_exposed {
            ui.warn("the token travels unencrypted to another machine; use https");
        }
        if fetched.token_withheld {
            ui.warn(
                "the token was not sent, since the server was found and not named; name it with --server",
            );
        }
        fetched.snapshot.map_err(wire_error)
    }

    fn client_options(&self, ui: &mut Ui) -> Result<ClientOptions, CommandError> {
        let address = match self.server.clone().or_else(|| variable(SERVER_VARIABLE)) {
            Some(text) => Some(Address::parse(&text).map_err(wire_error)?),
            None => None,
        };
        let token = match &self.token_file {
            Some(path) => Some(read_file(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?),
            None => match variable(TOKEN_VARIABLE) {
                Some(_) if self.leaves_the_variables_server(address.as_ref()) => {
                    ui.warn(&format!(
                        "{TOKEN_VARIABLE} was not sent, since {SERVER_VARIABLE} names another server; give this \
                         one's token by --token-file"
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
                    None => TOKEN_VARIABLE.to_owned(),
                };
                return Err(CommandError::new(ExitStatus::Usage, format!("there is no token in {place}")));
            }
        };
        let ca = self.ca_cert.as_deref().map(read_file).transpose()?;
        Ok(ClientOptions { address, token, ca, timeout: self.timeout })
    }

    /// Whether `--server` names another server than the environment does. A token of the environment belongs to
    /// the server of the environment.
    fn leaves_the_variables_server(&self, address: Option<&Address>) -> bool {
        let (Some(_), Some(address), Some(usual)) = (&self.server, address, variable(SERVER_VARIABLE)) else {
            return false;
        };
        !Address::parse(&usual).is_ok_and(|usual| usual.has_origin_of(address))
    }
}

/// A variable of the environment; an empty one is none.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A snapshot from a folder of recorded answers or from a saved snapshot.
fn from_path(path: &Path) -> Result<Snapshot, CommandError> {
    let name = path.display().to_string();
    if path.is_dir() {
        let answers = recorded::read(path).map_err(|error| recorded_error(path, &error))?;
        return Ok(convert(answers, Origin::Recorded { path: name }));
    }
    let text = read_file(path)?;
    saved::load(&text, &name).map_err(|error| {
        CommandError::new(ExitStatus::NothingChecked, format!("could not load `{name}`"))
            .detail(error.to_string())
            .hint("`pulsectl snapshot save FILE` writes such a file")
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::new(ExitStatus::NothingChecked, format!("could not read `{}`", path.display()))
            .detail(error.to_string())
    };
    let mut bytes = Vec::new();
    fs::File::open(path).map_err(failed)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let error = format!("`{}` is larger than {} MiB", path.display(), LARGEST_FILE / 1024 / 1024);
        return Err(CommandError::new(ExitStatus::NothingChecked, error));
    }
    Ok(bytes)
}

fn recorded_error(folder: &Path, error: &RecordedError) -> CommandError {
    let status = match error {
        RecordedError::SessionsFailed(answer) => answer_status(answer),
        RecordedError::Unreadable { .. }
        | RecordedError::TooLarge { .. }
        | RecordedError::BadIndex { .. }
        | RecordedError::FileOutside { .. }
        | RecordedError::NoSessions { .. } => ExitStatus::NothingChecked,
    };
    let failure = CommandError::new(status, error.to_string());
    match error {
        // The words of the error hold the cause already.
        RecordedError::Unreadable { path, .. } if path.parent() == Some(folder) => {
            failure.hint("--from takes a saved snapshot, or a folder of recorded answers with an index.json")
        }
        RecordedError::BadIndex { .. } => {
            failure.hint("an index is a list of `file`, `request`, `status` and `content_type`")
        }
        RecordedError::NoSessions { .. } => failure.hint("record at least `GET /api/sessions/active`"),
        _ => failure,
    }
}

/// What a person is told about a server that gave nothing, and the exit status (formats, section 5).
fn wire_error(error: WireError) -> CommandError {
    let text = error.to_string();
    match error {
        WireError::BadAddress { .. } | WireError::BadCertificates { .. } => {
            CommandError::new(ExitStatus::Usage, text)
        }
        WireError::NoneFound { tried } => CommandError::new(ExitStatus::Unreachable, text)
            .detail(tried.join("; "))
            .hint("name the server with --server or PULSECTL_SERVER"),
        WireError::Unreachable { cause, .. } => CommandError::new(ExitStatus::Unreachable, text)
            .detail(cause)
            .hint("is the server running, and is it reachable from here?"),
        WireError::Tls { fault, .. } => {
            let failure = CommandError::new(ExitStatus::Unreachable, text).detail(fault.to_string());
            match tls_hint(&fault) {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
        WireError::NotPulse { cause, .. } => {
            CommandError::new(ExitStatus::Unreachable, text).detail(cause).hint(
                "the address must be that of the Pulse server itself, not of its workspace or a login page",
            )
        }
        WireError::NeedsToken { withheld: false, .. } => CommandError::new(ExitStatus::AuthRefused, text)
            .hint("log in with a browser and give its token by --token-file or PULSECTL_TOKEN"),
        WireError::NeedsToken { withheld: true, .. } => CommandError::new(ExitStatus::AuthRefused, text)
            .hint("a token is sent only to a server that is named; use --server or PULSECTL_SERVER"),
        WireError::LoginRefused(answer) => {
            let status = match answer_status(&answer) {
                ExitStatus::Unreachable => ExitStatus::Unreachable,
                _ => ExitStatus::AuthRefused,
            };
            CommandError::new(status, text)
                .detail(answer.to_string())
                .hint("give a token by --token-file or PULSECTL_TOKEN")
        }
        WireError::Answer(answer) => {
            let failure = CommandError::new(answer_status(&answer), text);
            match answer_hint(&answer) {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
    }
}

fn answer_status(error: &AnswerError) -> ExitStatus {
    match error {
        AnswerError::Unauthorized { .. } | AnswerError::Forbidden { .. } => ExitStatus::AuthRefused,
        AnswerError::NoConnection { .. }
        | AnswerError::Broken { .. }
        | AnswerError::NoSecureConnection { .. }
        | AnswerError::Slow { .. }
        | AnswerError::GivenUp { .. } => ExitStatus::Unreachable,
        AnswerError::Html { .. }
        | AnswerError::NotJson { .. }
        | AnswerError::NoStream { .. }
        | AnswerError::Undecodable { .. }
        | AnswerError::NoRoute { .. }
        | AnswerError::NotFound { .. }
        | AnswerError::Conflict { .. }
        | AnswerError::TooManyRequests { .. }
        | AnswerError::Redirect { .. }
        | AnswerError::ServerFailed { .. }
        | AnswerError::Cut { .. }
        | AnswerError::TooLarge { .. }
        | AnswerError::UnexpectedStatus { .. } => ExitStatus::Incomplete,
    }
}

fn answer_hint(error: &AnswerError) -> Option<&'static str> {
    match error {
        AnswerError::Unauthorized { .. } => {
            Some("tokens run out after seven days; log in again for a new one")
        }
        AnswerError::Forbidden { .. } => {
            Some("an access token (aw_pat_…) opens only the external tools; a login token is needed")
        }
        AnswerError::Html { .. } => {
            Some("a login page or another web application may stand in front of the server")
        }
        AnswerError::Redirect { .. } => Some("name the final address with --server"),
        AnswerError::Slow { .. } | AnswerError::GivenUp { .. } => Some("--timeout grants more time"),
        AnswerError::TooManyRequests { .. } => Some("wait a while before the next try"),
        _ => None,
    }
}

fn tls_hint(fault: &TlsFault) -> Option<&'static str> {
    match fault {
        TlsFault::UnknownAuthority => Some("--ca-cert FILE trusts a private authority"),
        TlsFault::OtherName { .. } => Some("name the server as its certificate does"),
        TlsFault::Expired | TlsFault::NotYetValid => {
            Some("if this machine's clock is right, the server needs a new certificate")
        }
        TlsFault::NoTls => Some("a server without encryption is named with http://"),
        TlsFault::Other(_) => None,
    }
}

/// Writes gaps of a snapshot to stderr, each once, as notes or warnings.
pub fn tell_gaps<'a>(gaps: impl Iterator<Item = &'a Gap>, ui: &mut Ui) {
    let mut lines: Vec<(bool, String)> = gaps.map(|gap| (is_note(gap.code), line(gap))).collect();
    // Warnings first, so that none of them is among those that are only counted.
    lines.sort();
    lines.dedup();
    for (is_note, line) in lines.iter().take(GAPS_SHOWN) {
        if *is_note {
            ui.note(line);
        } else {
            ui.warn(line);
        }
    }
    let hidden = lines.len().saturating_sub(GAPS_SHOWN);
    if hidden > 0 {
        ui.warn(&format!("{}; -o json lists them all", counted(hidden as u64, "more gap")));
    }
}

fn line(gap: &Gap) -> String {
    let code = gap.code.name();
    match &gap.session {
        Some(session) => format!("{code}: {session} - {}", gap.message),
        None => format!("{code}: {}", gap.message),
    }
}
