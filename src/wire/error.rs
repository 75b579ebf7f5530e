//! What can go wrong between pulsectl and a server, each with its own words.

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
    /// No connection, or one that broke before an answer came.
    #[error("no answer to `{request}`: {cause}")]
    NoConnection {
        /// Path and query.
        request: String,
        /// What the network said.
        cause: String,
    },
    /// No secure connection.
    #[error("no secure connection for `{request}`: {cause}")]
    NoSecureConnection {
        /// Path and query.
        request: String,
        /// What the TLS library said.
        cause: String,
    },
    /// No answer in time.
    #[error("no answer to `{request}` within {seconds} s")]
    Slow {
        /// Path and query.
        request: String,
        /// The time that was granted.
        seconds: u64,
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
        /// What the TLS library said.
        cause: String,
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
