//! A Pulse server that plays a recorded folder of answers, with state and faults. It notes every request, and
//! fails the test on anything that an inspect must never send.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::serve::Listener;
use futures_core::Stream;
use serde_json::Value;
use tokio::sync::oneshot;

use super::guard::Guard;
use super::secure::SecureListener;

/// Held by a test that listens on one of the ports that pulsectl looks at by itself, or relies on nobody listening
/// there: the file keeps other test runs on this machine away, the other tests of this run too.
pub(crate) fn usual_ports() -> File {
    let lock = File::create(std::env::temp_dir().join("pulsectl-tests-usual-ports.lock"));
    let lock = lock.expect("the lock can be made");
    lock.lock().expect("the lock can be waited for");
    lock
}

/// A listener on this port of the machine itself. A server of a test that has just ended may hold it a little longer.
fn bound(port: u16) -> std::net::TcpListener {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => break listener,
            Err(error) => assert!(Instant::now() < until, "port {port}: {error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a request without a token is told, as recorded.
pub(crate) const REFUSAL: &str = r#"{"error": "Invalid or expired token"}"#;

/// What a server does instead of answering.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// It answers after this time.
    Slow(Duration),
    /// It breaks off in the middle of the body.
    Cut,
    /// It answers with this status and plain text.
    Status(u16, &'static str),
    /// It answers with the web application's page.
    Html,
    /// It redirects to this path.
    Redirect(&'static str),
    /// It answers with this JSON text instead.
    Json(String),
    /// It answers with JSON that is packed with gzip.
    Packed(Vec<u8>),
    /// It answers with these frames of a stream of events, and then holds the stream open for good.
    Events(String),
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Method, path and query.
    pub(crate) request: String,
    /// The authorisation header.
    pub(crate) authorization: Option<String>,
}

#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    content_type: String,
    body: Vec<u8>,
}

#[derive(Debug, Default)]
struct Stage {
    answers: BTreeMap<String, Answer>,
    guard: Guard,
    /// Per path: the fault, and how often it still strikes (`None`: for good).
    faults: BTreeMap<String, (Fault, Option<u32>)>,
    requests: Vec<Seen>,
    logins: u32,
    /// The token that is accepted; `None` takes those of its own logins.
    token: Option<String>,
    multi_user: bool,
}

/// The running server; it ends when it is dropped.
pub(crate) struct PulseServer {
    scheme: &'static str,
    address: SocketAddr,
    stage: Arc<Mutex<Stage>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl PulseServer {
    /// Plays the answers of a folder, on any free port.
    pub(crate) fn play(folder: &Path) -> Self {
        Self::play_on(folder, 0)
    }

    /// Plays the answers of a folder on this port.
    pub(crate) fn play_on(folder: &Path, port: u16) -> Self {
        Self::start("http", folder, port, |listener| listener)
    }

    /// Plays the answers of a folder over TLS, with one of the certificates of `tests/fixtures/tls`.
    pub(crate) fn play_secure(folder: &Path, certificate: &str) -> Self {
        let secure = |listener| SecureListener::new(listener, certificate);
        Self::start("https", folder, 0, secure)
    }

    fn start<L: Listener<Addr = SocketAddr>>(
        scheme: &'static str,
        folder: &Path,
        port: u16,
        listens: impl FnOnce(tokio::net::TcpListener) -> L,
    ) -> Self {
        let stage = Arc::new(Mutex::new(Stage::load(folder)));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime can be built");
        let listener = {
            let _inside = runtime.enter();
            let listener = bound(port);
            listener.set_nonblocking(true).expect("the listener can be made non-blocking");
            listens(tokio::net::TcpListener::from_std(listener).expect("the listener is sound"))
        };
        let address = listener.local_addr().expect("it is bound");
        let (stop, stopped) = oneshot::channel();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&stage));
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    served = axum::serve(listener, router) => served.expect("it serves"),
                    _ = stopped => {}
                }
            });
        });
        Self { scheme, address, stage, stop: Some(stop), thread: Some(thread) }
    }

    /// `http://127.0.0.1:<port>`, or `https://…`.
    pub(crate) fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// From now on this path and query is answered so. A stream of events stays open for good.
    pub(crate) fn answer_with(&self, path: &str, content_type: &str, body: &str) -> &Self {
        let answer =
            Answer { status: 200, content_type: content_type.to_owned(), body: body.as_bytes().to_vec() };
        self.stage().answers.insert(path.to_owned(), answer);
        self
    }

    /// From now on this path and query fails so, this often (`None`: for good).
    pub(crate) fn fail(&self, path: &str, fault: Fault, times: Option<u32>) -> &Self {
        self.stage().faults.insert(path.to_owned(), (fault, times));
        self
    }

    /// People log in with their own names, and only this token is accepted.
    pub(crate) fn with_users(&self, token: &str) -> &Self {
        let mut stage = self.stage();
        stage.multi_user = true;
        stage.token = Some(token.to_owned());
        drop(stage);
        self
    }

    /// The recorded answer to a path and query.
    pub(crate) fn recorded(&self, path: &str) -> Value {
        serde_json::from_slice(&self.stage().answers[path].body).expect("the answer is JSON")
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.stage().requests.clone()
    }

    /// How often this method, path and query came.
    pub(crate) fn count(&self, request: &str) -> usize {
        self.stage().requests.iter().filter(|seen| seen.request == request).count()
    }

    /// Takes the requests so far that an inspect must never send, so that they no longer fail the test.
    pub(crate) fn take_forbidden(&self) -> Vec<String> {
        std::mem::take(&mut self.stage().guard.forbidden)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PulseServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let forbidden = self.take_forbidden();
        if !std::thread::panicking() {
            assert!(forbidden.is_empty(), "requests that an inspect must never send: {forbidden:?}");
        }
    }
}

impl Stage {
    fn load(folder: &Path) -> Self {
        let mut stage = Self::default();
        let index = fs::read(folder.join("index.json")).expect("the index can be read");
        let entries: Vec<Value> = serde_json::from_slice(&index).expect("the index is a list");
        for entry in entries {
            let text = |name: &str| entry[name].as_str().expect("it is a text").to_owned();
            let request = text("request");
            let path = request.strip_prefix("GET ").expect("only reads are recorded").to_owned();
            let answer = Answer {
                status: u16::try_from(entry["status"].as_u64().expect("a status")).expect("a status"),
                content_type: text("content_type"),
                body: fs::read(folder.join(text("file"))).expect("the answer can be read"),
            };
            stage.answers.insert(path, answer);
        }
        stage
    }

    fn fault(&mut self, target: &str) -> Option<Fault> {
        let (fault, left) = self.faults.get_mut(target)?;
        match left {
            Some(0) => None,
            Some(left) => {
                *left -= 1;
                Some(fault.clone())
            }
            None => Some(fault.clone()),
        }
    }

    /// The answer of a server in good health.
    fn answer(&mut self, method: &str, path: &str, target: &str, authorization: Option<&str>) -> Answer {
        let json = |text: &str| Answer {
            status: 200,
            content_type: "application/json".to_owned(),
            body: text.as_bytes().to_vec(),
        };
        // Bodies as recorded in captures/http.
        let plain = |status, text: &str| Answer {
            status,
            content_type: "text/plain; charset=utf-8".to_owned(),
            body: format!("{text}\n").into_bytes(),
        };
        if method == "POST" {
            if self.multi_user {
                return plain(400, r#"{"error": "Username and password are required"}"#);
            }
            self.logins += 1;
            return json(&format!(r#"{{"token":"own-token-{}","user":{{"id":"default"}}}}"#, self.logins));
        }
        if path == "/api/auth/mode" {
            return json(&format!(r#"{{"multi_user_mode":{},"providers":[]}}"#, self.multi_user));
        }
        let public = matches!(path, "/api/health" | "/api/capabilities");
        if !public {
            let Some(authorization) = authorization else {
                return plain(401, r#"{"error": "Authorization header required"}"#);
            };
            let own = format!("own-token-{}", self.logins);
            let accepted = self.token.as_deref().unwrap_or(&own);
            if authorization.strip_prefix("Bearer ") != Some(accepted) {
                return plain(401, REFUSAL);
            }
        }
        if path == "/api/auth/me" {
            return json(r#"{"id":"default","username":"user","workflow_access":"owner"}"#);
        }
        match self.answers.get(target) {
            Some(answer) => answer.clone(),
            None if path.ends_with("/main-terminal") => plain(404, "Main terminal not found"),
            None => plain(404, "404 page not found"),
        }
    }
}

/// A stream that never ends after its frames.
struct Open {
    frames: axum::body::BodyDataStream,
}

impl Stream for Open {
    type Item = Result<axum::body::Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match Pin::new(&mut self.frames).poll_next(context) {
            Poll::Ready(None) => Poll::Pending,
            other => other,
        }
    }
}

async fn answer(State(stage): State<Arc<Mutex<Stage>>>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1024 * 1024).await.expect("the request is small");
    let method = request.method.as_str().to_owned();
    let path = request.uri.path().to_owned();
    let target = request.uri.path_and_query().map_or(path.clone(), |target| target.as_str().to_owned());
    let header = |name| request.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let authorization = header("authorization");
    let (fault, answer) = {
        let mut stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.guard.check(&request, &body);
        let seen = Seen { request: format!("{method} {target}"), authorization: authorization.clone() };
        stage.requests.push(seen);
        let fault = stage.fault(&target);
        (fault, stage.answer(&method, &path, &target, authorization.as_deref()))
    };
    let cut = matches!(fault, Some(Fault::Cut));
    let list = match &fault {
        None | Some(Fault::Slow(_) | Fault::Cut) => Some(answer.body.as_slice()),
        Some(Fault::Json(text)) => Some(text.as_bytes()),
        Some(_) => None,
    };
    if let (Some(list), "/api/sessions/active") = (list, path.as_str()) {
        stage.lock().unwrap_or_else(PoisonError::into_inner).guard.lists(list);
    }
    let mut response = Response::builder();
    let (status, content_type, body) = match fault {
        None => (answer.status, answer.content_type, answer.body),
        Some(Fault::Slow(time)) => {
            tokio::time::sleep(time).await;
            (answer.status, answer.content_type, answer.body)
        }
        Some(Fault::Cut) => {
            // A promise of more than is sent: the server then has to break the connection. The blanks fill its
            // buffer, so that the beginning is really sent.
            let mut body = answer.body;
            body.resize(body.len() + 1024 * 1024, b' ');
            response = response.header("content-length", body.len() + 1000);
            (answer.status, answer.content_type, body)
        }
        Some(Fault::Status(status, text)) => {
            (status, "text/plain; charset=utf-8".to_owned(), text.as_bytes().to_vec())
        }
        Some(Fault::Html) => {
            (200, "text/html; charset=utf-8".to_owned(), b"<!doctype html><title>Pulse</title>".to_vec())
        }
        Some(Fault::Redirect(location)) => {
            response = response.header("location", location);
            (302, String::new(), Vec::new())
        }
        Some(Fault::Events(frames)) => (200, "text/event-stream".to_owned(), frames.into_bytes()),
        Some(Fault::Json(text)) => (200, "application/json".to_owned(), text.into_bytes()),
        Some(Fault::Packed(body)) => {
            response = response.header("content-encoding", "gzip");
            (200, "application/json".to_owned(), body)
        }
    };
    let is_open = content_type.starts_with("text/event-stream");
    let frames = || Body::from(body.clone()).into_data_stream();
    let body = match (cut, is_open) {
        // A stream has no length of its own, so that the promise above stands.
        (true, _) => Body::from_stream(frames()),
        (false, true) => Body::from_stream(Open { frames: frames() }),
        (false, false) => Body::from(body),
    };
    response
        .status(StatusCode::from_u16(status).expect("a status"))
        .header("content-type", content_type)
        .body(body)
        .expect("the answer is well-formed")
}
