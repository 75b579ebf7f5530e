//! A client that can only read: it sends the GETs of [`Route`], and a login without a name to a single-user
//! server. There is no other request that it could send.
//!
//! It follows no redirects, sends nothing for this machine through a proxy, retries reads within a budget of its
//! own, and never sends a token to a server that was found by probing.

mod stream;

use std::error::Error as _;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, DATE, HeaderName, LOCATION};
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret as _, SecretString};

use super::address::{Address, USUAL_PORTS};
use super::answers::{Answer, Answers, RawAnswer, decode};
use super::error::{AnswerError, WireError, cut};
use super::routes::Route;
use super::tls;
use super::types::Login;

/// The largest body that is read: ten times a list of 100,000 executions.
const LARGEST_BODY: usize = 600 * 1024 * 1024;

/// How many reads may be sent again in one run. Meant for a server that restarts or a gateway that stumbles.
const RETRY_BUDGET: u32 = 4;

/// How much of a promised body's length is believed, in bytes.
const LARGEST_PROMISE: u64 = 64 * 1024 * 1024;

/// How often one read is sent again at most.
const RETRIES_PER_READ: u32 = 2;

/// After so many reads in a row without an answer in time nothing more is asked: a server that hangs must not take
/// that time for each of its sessions.
const WAITS_IN_A_ROW: u32 = 3;

/// How long a usual port on this machine may take to say that it is no Pulse server.
const PROBE_TIME: Duration = Duration::from_secs(2);

/// The login, the only request that is not a [`Route`]. A single-user server ignores its body.
const LOGIN_PATH: &str = "/api/auth/login";

/// What a client needs to know.
pub struct ClientOptions {
    /// The server that a person named; `None` to look on this machine's usual ports.
    pub address: Option<Address>,
    /// A token for the server that was named.
    pub token: Option<SecretString>,
    /// PEM text of certificates that replace the system's roots.
    pub ca: Option<Vec<u8>>,
    /// How long one request may take.
    pub timeout: Duration,
}

/// A connection to one server. Its token belongs to that server alone.
pub struct Client {
    http: reqwest::Client,
    address: Address,
    token: Option<SecretString>,
    may_log_in: bool,
    token_withheld: bool,
    timeout: Duration,
    retries_left: u32,
    waits_in_a_row: u32,
    not_before: Option<Timestamp>,
    notes: Vec<String>,
}

/// The whole of an answer, before anything is decoded.
struct Received {
    status: u16,
    content_type: String,
    location: String,
    body: Vec<u8>,
    read_at: Option<Timestamp>,
}

impl Received {
    fn raw<'a>(&'a self, request: &'a str) -> RawAnswer<'a> {
        RawAnswer {
            request,
            status: self.status,
            content_type: &self.content_type,
            location: &self.location,
            body: &self.body,
            read_at: self.read_at,
        }
    }
}

impl Client {
    /// Finds the server and makes sure that it is one: `/api/health` must answer as Pulse does. The health
    /// answer is left in `answers`.
    ///
    /// # Errors
    /// When there is no Pulse server.
    pub async fn connect(options: ClientOptions, answers: &mut Answers) -> Result<Self, WireError> {
        let ClientOptions { address, token, ca, timeout } = options;
        if let Some(address) = address {
            let mut client = Self::new(address, token, ca.as_deref(), timeout)?;
            client.greet(answers).await?;
            return Ok(client);
        }
        let mut tried = Vec::new();
        for port in USUAL_PORTS {
            let address = Address::local(port)?;
            let mut client = Self::new(address, None, ca.as_deref(), timeout.min(PROBE_TIME))?;
            client.token_withheld = token.is_some();
            match client.greet(answers).await {
                Ok(()) => {
                    client.timeout = timeout;
                    return Ok(client);
                }
                Err(WireError::NotPulse { address, cause } | WireError::Unreachable { address, cause }) => {
                    tried.push(format!("{address}: {cause}"));
                }
                Err(other) => tried.push(other.to_string()),
            }
        }
        answers.health = Answer::NotRead;
        Err(WireError::NoneFound { tried })
    }

    fn new(
        address: Address,
        token: Option<SecretString>,
        ca: Option<&[u8]>,
        timeout: Duration,
    ) -> Result<Self, WireError> {
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::settings(&address, ca)?)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http1_only()
            .user_agent(concat!("pulsectl/", env!("CARGO_PKG_VERSION")));
        if address.is_loopback() {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| WireError::Unreachable {
            address: address.to_string(),
            cause: innermost(&error),
        })?;
        Ok(Self {
            http,
            may_log_in: token.is_none(),
            token,
            token_withheld: false,
            address,
            timeout,
            retries_left: RETRY_BUDGET,
            waits_in_a_row: 0,
            not_before: None,
            notes: Vec::new(),
        })
    }

    /// The server's address.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// One line per request that was sent: method, path, status, size. Never a header, so never a token.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether a token travels in the clear to another machine.
    #[must_use]
    pub fn exposes_token(&self) -> bool {
        self.token.is_some() && !self.address.is_secure() && !self.address.is_loopback()
    }

    /// Asks for health and insists on Pulse's answer.
    async fn greet(&mut self, answers: &mut Answers) -> Result<(), WireError> {
        let address = self.address.to_string();
        self.read(Route::Health, answers).await;
        let cause = match &answers.health {
            Answer::Read { value, .. } if value.status == "healthy" => {
                self.not_before = value.time.0;
                return Ok(());
            }
            Answer::Read { value, .. } => format!("its status is `{}` and not `healthy`", cut(&value.status)),
            Answer::Failed(AnswerError::NoConnection { cause, .. }) => {
                return Err(WireError::Unreachable { address, cause: cause.clone() });
            }
            Answer::Failed(AnswerError::NoSecureConnection { fault, .. }) => {
                return Err(WireError::Tls { address, fault: fault.clone() });
            }
            Answer::Failed(error @ AnswerError::Slow { .. }) => {
                return Err(WireError::Unreachable { address, cause: error.to_string() });
            }
            Answer::Failed(error) => error.to_string(),
            Answer::NotRead => "nothing was asked".to_owned(),
        };
        Err(WireError::NotPulse { address, cause })
    }

    /// Makes sure that there is a token, by a login where the server has but one user. The login mode is left in
    /// `answers`.
    ///
    /// # Errors
    /// When there is no token and no way to one.
    pub async fn authenticate(&mut self, answers: &mut Answers) -> Result<(), WireError> {
        self.read(Route::AuthMode, answers).await;
        if self.token.is_some() {
            return Ok(());
        }
        let multi_user = answers.auth_mode.value().and_then(|mode| mode.multi_user_mode);
        if multi_user == Some(true) {
            let withheld = self.token_withheld;
            return Err(WireError::NeedsToken { address: self.address.to_string(), withheld });
        }
        self.log_in().await
    }

    /// The one POST: a login without a name, which a single-user server answers with a token.
    async fn log_in(&mut self) -> Result<(), WireError> {
        let request = self
            .http
            .post(self.address.join(LOGIN_PATH))
            .timeout(self.timeout)
            .header(CONTENT_TYPE, "application/json")
            .body("{}");
        let received = self.receive(request, LOGIN_PATH).await;
        self.note("POST", LOGIN_PATH, received.as_ref());
        let login: Login = match received.and_then(|received| decode(received.raw(LOGIN_PATH))) {
            Ok(login) => login,
            Err(error) => return Err(WireError::LoginRefused(error)),
        };
        if login.token.is_empty() {
            return Err(WireError::LoginRefused(AnswerError::Undecodable {
                request: LOGIN_PATH.to_owned(),
                cause: "there is no token in it".to_owned(),
            }));
        }
        self.token = Some(SecretString::from(login.token));
        Ok(())
    }

    /// Sends one read and puts the answer, or the failure to get one, in its place.
    pub async fn read(&mut self, route: Route, answers: &mut Answers) {
        let path = route.path();
        let mut received = self.get(&route, &path).await;
        let refused = received.as_ref().is_ok_and(|received| received.status == 401);
        if refused && !route.is_public() && self.renews_login().await {
            received = self.get(&route, &path).await;
        }
        match received {
            Ok(received) => answers.put(route.slot(), received.raw(&path)),
            Err(error) => answers.fail(route.slot(), error),
        }
    }

    /// Logs in once more after a refusal: the token of a login may have run out meanwhile. Once in a run; a token
    /// that a person gave is theirs to renew.
    async fn renews_login(&mut self) -> bool {
        std::mem::take(&mut self.may_log_in) && self.log_in().await.is_ok()
    }

    async fn get(&mut self, route: &Route, path: &str) -> Result<Received, AnswerError> {
        self.has_patience(path)?;
        let mut attempt = 0;
        loop {
            let mut request = self.http.get(self.address.join(path)).timeout(self.timeout);
            if let (false, Some(token)) = (route.is_public(), &self.token) {
                request = request.bearer_auth(token.expose_secret());
            }
            let received = self.receive(request, path).await;
            self.note("GET", path, received.as_ref());
            self.note_pace(received.as_ref().err());
            let again = match &received {
                Ok(received) => received.status >= 500,
                Err(error) => matches!(error, AnswerError::Cut { .. } | AnswerError::Broken { .. }),
            };
            if !again || !self.tries_again(&mut attempt).await {
                return received;
            }
        }
    }

    /// Whether it is worth asking for this.
    ///
    /// # Errors
    /// When the server has let too many reads in a row wait.
    fn has_patience(&self, path: &str) -> Result<(), AnswerError> {
        if self.waits_in_a_row < WAITS_IN_A_ROW {
            return Ok(());
        }
        Err(AnswerError::GivenUp { request: path.to_owned(), waits: self.waits_in_a_row })
    }

    /// Counts the waits in a row.
    fn note_pace(&mut self, error: Option<&AnswerError>) {
        match error {
            Some(AnswerError::Slow { .. }) => self.waits_in_a_row += 1,
            Some(AnswerError::GivenUp { .. }) => {}
            _ => self.waits_in_a_row = 0,
        }
    }

    /// Whether the budget allows to send a read once more; if so, waits a little first.
    async fn tries_again(&mut self, attempt: &mut u32) -> bool {
        if *attempt >= RETRIES_PER_READ || self.retries_left == 0 {
            return false;
        }
        *attempt += 1;
        self.retries_left -= 1;
        tokio::time::sleep(Duration::from_millis(100 << *attempt)).await;
        true
    }

    fn failure(&self, path: &str, error: &reqwest::Error, in_body: bool) -> AnswerError {
        let request = path.to_owned();
        if error.is_timeout() {
            AnswerError::Slow { request, granted: self.timeout }
        } else if let Some(fault) = tls::fault(error) {
            AnswerError::NoSecureConnection { request, fault }
        } else if in_body && is_badly_packed(error) {
            // What came is whole, but not what its header says.
            AnswerError::Undecodable { request, cause: "its compression is damaged".to_owned() }
        } else if in_body {
            AnswerError::Cut { request }
        } else if error.is_connect() {
            AnswerError::NoConnection { request, cause: innermost(error) }
        } else {
            AnswerError::Broken { request, cause: innermost(error) }
        }
    }

    async fn receive(&self, request: reqwest::RequestBuilder, path: &str) -> Result<Received, AnswerError> {
        let response = request.send().await.map_err(|error| self.failure(path, &error, false))?;
        self.body(response, path).await
    }

    async fn body(&self, mut response: reqwest::Response, path: &str) -> Result<Received, AnswerError> {
        let (content_type, location) = (header(&response, CONTENT_TYPE), header(&response, LOCATION));
        let date = header(&response, DATE);
        // A promised length saves copies; a hostile one must not take memory that nothing fills.
        let promised = response.content_length().unwrap_or_default().min(LARGEST_PROMISE);
        let mut body = Vec::with_capacity(usize::try_from(promised).unwrap_or_default());
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(path, &error, true))? {
            if body.len() + chunk.len() > LARGEST_BODY {
                let mebibytes = (LARGEST_BODY / 1024 / 1024) as u64;
                return Err(AnswerError::TooLarge { request: path.to_owned(), mebibytes });
            }
            body.extend_from_slice(&chunk);
        }
        let status = response.status().as_u16();
        let (location, body) = match status {
            200 => (location, body),
            // The words of a refusal go into messages.
            _ => (self.without_token(location), self.without_token(body)),
        };
        // The date has whole seconds; the health answer's finer time is a lower bound.
        let date = jiff::fmt::rfc2822::parse(&date).ok().map(|date| date.timestamp());
        let read_at = date.max(self.not_before);
        Ok(Received { status, content_type, location, body, read_at })
    }

    /// What a server says, without the token, should it repeat that.
    fn without_token<T: AsRef<[u8]> + From<String>>(&self, said: T) -> T {
        let Some(token) = self.token.as_ref().map(|token| token.expose_secret()) else { return said };
        if memchr::memmem::find(said.as_ref(), token.as_bytes()).is_none() {
            return said;
        }
        T::from(String::from_utf8_lossy(said.as_ref()).replace(token, "(token)"))
    }

    fn note(&mut self, method: &str, path: &str, received: Result<&Received, &AnswerError>) {
        self.notes.push(match received {
            Ok(received) => format!("{method} {path}: {}, {} bytes", received.status, received.body.len()),
            Err(error) => format!("{method} {path}: {error}"),
        });
    }
}

/// A header as text, or nothing.
fn header(response: &reqwest::Response, name: HeaderName) -> String {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

/// Whether a body came but could not be unpacked. The library gives a body that breaks off and one that is badly
/// packed the same kind; only in the second case the decoder's own error stands at the root.
fn is_badly_packed(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<std::io::Error>() {
            return matches!(
                error.kind(),
                std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput
            );
        }
        if !inner.is::<reqwest::Error>() {
            return false;
        }
        cause = inner.source();
    }
    false
}

/// The last cause in a chain of errors: the outer ones only say that a request failed.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut text = None;
    while let Some(inner) = cause {
        text = Some(inner.to_string());
        cause = inner.source();
    }
    text.unwrap_or_else(|| "the request could not be sent".to_owned())
}
