//! What can go wrong between pulsectl and a server, each with its own words.

use std::time::Duration;

use thiserror::Error;

/// How much of a server's own words goes into a message.
const QUOTED_CHARACTERS: usize = 200;

/// An answer came, but not the one that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// A page instead of JSON: the endpoint does not exist on this server, or a login page stands in front.
    #[error("`{request}` was answered with a web page instead of JSON")]
    Html {
        /// Path and query.
        request: String,
    },
    /// Something else instead of JSON.
    #[error("`{request}` was answered with `{content_type}` instead of JSON")]
    NotJson {
        /// Path and query.
        request: String,
        /// As the server named it.
        content_type: String,
    },
    /// Something else instead of a stream of events.
    #[error("`{request}` was answered with `{content_type}` instead of a stream of events")]
    NoStream {
        /// Path and query.
        request: String,
        /// As the server named it.
        content_type: String,
    },
    /// JSON that cannot be decoded, or that ends early.
    #[error("the answer to `{request}` cannot be decoded: {cause}")]
    Undecodable {
        /// Path and query.
        request: String,
        /// The decoder's words.
        cause: String,
    },
    /// 404 of a route that does not exist, or that the debug gate hides.
    #[error("this server has no `{request}`")]
    NoRoute {
        /// Path and query.
        request: String,
    },
    /// 404 of a thing that does not exist, or not for this caller.
    #[error("`{request}` was not found: {message}")]
    NotFound {
        /// Path and query.
        request: String,
        /// The server's words.
        message: String,
    },
    /// 401.
    #[error("the server refused the token: {message}")]
    Unauthorized {
        /// The server's words.
        message: String,
    },
    /// 403.
    #[error("the server does not allow `{request}`: {message}")]
    Forbidden {
        /// Path and query.
        request: String,
        /// The server's words.
        message: String,
    },
    /// 409.
    #[error("`{request}` conflicts with the server's state: {message}")]
    Conflict {
        /// Path and query.
        request: String,
        /// The server's words.
        message: String,
    },
    /// 429.
    #[error("the server asks to come back later (429): {message}")]
    TooManyRequests {
        /// The server's words.
        message: String,
    },
    /// A redirect, which is never followed: it could lead to a request that changes something.
    #[error("`{request}` was redirected to `{location}`, and redirects are not followed")]
    Redirect {
        /// Path and query.
        request: String,
        /// The target, as the server names it.
        location: String,
    },
    /// 5xx.
    #[error("the server failed on `{request}` with status {status}: {message}")]
    ServerFailed {
        /// Path and query.
        request: String,
        /// The status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// No connection.
    #[error("no answer to `{request}`: {cause}")]
    NoConnection {
        /// Path and query.
        request: String,
        /// What the network said.
        cause: String,
    },
    /// A connection that broke before an answer came, or over which something else than HTTP came.
    #[error("the connection broke before an answer to `{request}` came: {cause}")]
    Broken {
        /// Path and query.
        request: String,
        /// What the HTTP library said.
        cause: String,
    },
    /// No secure connection.
    #[error("no secure connection for `{request}`: {fault}")]
    NoSecureConnection {
        /// Path and query.
        request: String,
        /// Why.
        fault: TlsFault,
    },
    /// No answer in time.
    #[error("no answer to `{request}` within {}", written(*.granted))]
    Slow {
        /// Path and query.
        request: String,
        /// The time that was granted.
        granted: Duration,
    },
    /// It was not asked: the server had let several reads in a row wait in vain.
    #[error("`{request}` was not asked, since {waits} answers in a row did not come in time")]
    GivenUp {
        /// Path and query.
        request: String,
        /// How many.
        waits: u32,
    },
    /// The body ended early.
    #[error("the answer to `{request}` was cut off")]
    Cut {
        /// Path and query.
        request: String,
    },
    /// The body is larger than pulsectl reads.
    #[error("the answer to `{request}` is larger than {mebibytes} MiB")]
    TooLarge {
        /// Path and query.
        request: String,
        /// The limit.
        mebibytes: u64,
    },
    /// The body has more rows than pulsectl keeps.
    #[error("the answer to `{request}` has more than {most} rows")]
    TooManyRows {
        /// Path and query.
        request: String,
        /// The limit.
        most: usize,
    },
    /// Any other status.
    #[error("`{request}` was answered with status {status}: {message}")]
    UnexpectedStatus {
        /// Path and query.
        request: String,
        /// The status.
        status: u16,
        /// The server's words.
        message: String,
    },
}

impl AnswerError {
    /// Whether the server has no such thing at all, or not for this caller; else it may have it, and only this
    /// answer is missing.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            Self::Html { .. }
                | Self::NotJson { .. }
                | Self::NoRoute { .. }
                | Self::NotFound { .. }
                | Self::Forbidden { .. }
        )
    }
}

/// Why there is no secure connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TlsFault {
    /// Nobody who is trusted vouches for the certificate.
    #[error("its certificate comes from an authority that is not trusted here")]
    UnknownAuthority,
    /// The certificate is another server's.
    #[error("its certificate is not for `{asked}` but for {names}")]
    OtherName {
        /// The name or address that was asked for.
        asked: String,
        /// Those of the certificate, in backticks.
        names: String,
    },
    /// By this machine's clock.
    #[error("its certificate has expired")]
    Expired,
    /// By this machine's clock.
    #[error("its certificate is not valid yet")]
    NotYetValid,
    /// What answers is no TLS server, most likely one for http.
    #[error("what answers there does not speak TLS")]
    NoTls,
    /// Anything else, in the TLS library's words.
    #[error("{0}")]
    Other(String),
}

/// Nothing could be learnt from a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireError {
    /// The address is none.
    #[error("`{address}` is no address of a server: {reason}")]
    BadAddress {
        /// As it was given, without what stands before an `@`.
        address: String,
        /// Why.
        reason: String,
    },
    /// The certificates of `--ca-cert` cannot be used.
    #[error("the CA certificates cannot be used: {reason}")]
    BadCertificates {
        /// Why.
        reason: String,
    },
    /// No server was named and none was found.
    #[error("no Pulse server was found on this machine")]
    NoneFound {
        /// The addresses that were tried, each with what came of it.
        tried: Vec<String>,
    },
    /// Nothing answers there.
    #[error("the server `{address}` cannot be reached")]
    Unreachable {
        /// Its address.
        address: String,
        /// What the network said.
        cause: String,
    },
    /// The secure connection could not be made.
    #[error("no secure connection to `{address}`")]
    Tls {
        /// Its address.
        address: String,
        /// Why.
        fault: TlsFault,
    },
    /// Something answers, but not as Pulse.
    #[error("`{address}` does not answer as a Pulse server")]
    NotPulse {
        /// Its address.
        address: String,
        /// What it answered.
        cause: String,
    },
    /// People log in with their own names there, and no token was given.
    #[error("the server `{address}` needs a token")]
    NeedsToken {
        /// Its address.
        address: String,
        /// Whether a token was there but may not be sent to a server that was found by probing.
        withheld: bool,
    },
    /// The single-user login was refused.
    #[error("the server refused the login")]
    LoginRefused(#[source] AnswerError),
    /// A read without which nothing can be shown.
    #[error("{0}")]
    Answer(AnswerError),
}

/// A granted time, in seconds where these are whole.
fn written(granted: Duration) -> String {
    match granted.subsec_millis() {
        0 => format!("{} s", granted.as_secs()),
        _ => format!("{} ms", granted.as_millis()),
    }
}

/// The first line of what a server said, cut. Whoever prints it makes it safe for a terminal.
#[must_use]
pub(crate) fn quoted(body: &[u8]) -> String {
    let start = &body[..body.len().min(4 * QUOTED_CHARACTERS)];
    let text = String::from_utf8_lossy(start);
    let line = text.trim().lines().next().unwrap_or_default();
    // Most error bodies are `{"error": "…"}` although they are sent as plain text.
    let line = line
        .strip_prefix("{\"error\":")
        .and_then(|rest| rest.trim().strip_prefix('"'))
        .and_then(|rest| rest.split_once('"'))
        .map_or(line, |(message, _)| message);
    if line.is_empty() {
        return "no explanation".to_owned();
    }
    cut(line)
}

/// The beginning of a text of the server's, for a message. Whoever prints it makes it safe for a terminal.
#[must_use]
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(QUOTED_CHARACTERS).collect()
}
