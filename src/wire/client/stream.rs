//! The one read that has no end: the first frame of a session's event stream.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use secrecy::ExposeSecret as _;

use super::{Client, header};
use crate::wire::answers::{Answer, Answers, refusal};
use crate::wire::error::AnswerError;
use crate::wire::names::{self, Started};
use crate::wire::routes::EventStream;

impl Client {
    /// Reads the first frame of a session's event stream as it comes, and keeps only what it says about started
    /// agents. The connection is then dropped: the stream has no end.
    pub async fn read_names(&mut self, stream: EventStream, answers: &mut Answers) {
        let path = stream.path();
        let mut attempt = 0;
        let names = loop {
            let names = self.first_frame(&path).await;
            self.note_pace(names.as_ref().err());
            let again = match &names {
                Err(
                    AnswerError::ServerFailed { .. } | AnswerError::Cut { .. } | AnswerError::Broken { .. },
                ) => self.tries_again(&mut attempt).await,
                Err(AnswerError::Unauthorized { .. }) => self.renews_login().await,
                _ => false,
            };
            if !again {
                break names;
            }
        };
        let names = match names {
            Ok(names) => Answer::Read { value: names, read_at: self.not_before },
            Err(error) => Answer::Failed(error),
        };
        self.notes.push(match &names {
            Answer::Failed(error) => format!("GET {path}: {error}"),
            _ => format!("GET {path}: the first frame"),
        });
        answers.names.insert(stream.0.id().to_owned(), names);
    }

    async fn first_frame(&self, path: &str) -> Result<Vec<Started>, AnswerError> {
        self.has_patience(path)?;
        let mut request = self.http.get(self.address.join(path)).header(ACCEPT, "text/event-stream");
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose_secret());
        }
        let slow = || AnswerError::Slow { request: path.to_owned(), granted: self.timeout };
        let response = tokio::time::timeout(self.timeout, request.send()).await.map_err(|_| slow())?;
        let mut response = response.map_err(|error| self.failure(path, &error, false))?;
        let content_type = header(&response, CONTENT_TYPE);
        let media = content_type.split(';').next().unwrap_or_default().trim();
        if response.status().as_u16() != 200 || !media.eq_ignore_ascii_case("text/event-stream") {
            let received = tokio::time::timeout(self.timeout, self.body(response, path));
            return Err(refusal(received.await.map_err(|_| slow())??.raw(path)));
        }
        let undecodable = |cause| AnswerError::Undecodable { request: path.to_owned(), cause };
        let finished = |decoded: Result<Result<_, String>, _>| {
            decoded.map_err(|_| undecodable("the decoder was cut off".to_owned()))?.map_err(undecodable)
        };
        let (sender, mut parser) = names::parser()?;
        loop {
            // The parser is done as soon as it has its frame; the stream goes on for ever. The time limit is for
            // each piece: a large frame may take longer than one request.
            let piece = tokio::select! {
                biased;
                decoded = &mut parser => return finished(decoded),
                piece = tokio::time::timeout(self.timeout, response.chunk()) => piece,
            };
            match piece.map_err(|_| slow())?.map_err(|error| self.failure(path, &error, true))? {
                // A parser that has hung up is asked for its result in the next round.
                Some(piece) => drop(sender.send(piece.to_vec()).await),
                None => break,
            }
        }
        drop(sender);
        finished(parser.await)
    }
}
