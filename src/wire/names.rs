//! Names and true parents of agents from the first frame of a session's event stream
//! (server-behaviour.md#frozen-answers).
//!
//! The frame carries prompts and results and may have many megabytes, so it is decoded as it comes, on a thread of
//! its own, and nothing but the started agents' ids, names, kinds and parents is kept.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use tokio::sync::{mpsc, oneshot};

use super::error::AnswerError;

/// The longest line that is not data; the server's are much shorter.
const LONGEST_FIELD: u64 = 8 * 1024;

/// The most bytes of one stream that are decoded.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// The most agents of one session that are kept; the server stores 1,500 events.
const MOST_AGENTS: usize = 100_000;

/// The longest name or id that is kept, in bytes.
const LONGEST_TEXT: usize = 4096;

/// What the stream says about an agent that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// Its parent, not rewritten.
    pub parent: Option<String>,
    /// Its kind.
    pub kind: Option<String>,
}

/// What a decoder gives in the end.
type Decoded = Result<Vec<Started>, String>;

/// A decoder on its own thread: pieces go in, and the agents come out once the frame is complete.
///
/// # Errors
/// When no thread can be had.
pub(super) fn parser() -> Result<(mpsc::Sender<Vec<u8>>, oneshot::Receiver<Decoded>), AnswerError> {
    let (sender, pieces) = mpsc::channel(8);
    let (result, receiver) = oneshot::channel();
    let work = move || {
        // Nobody waits any more where the run was interrupted.
        let _ = result.send(first_frame(Pieces { pieces, piece: Vec::new(), at: 0 }));
    };
    std::thread::Builder::new().name("events".to_owned()).spawn(work).map_err(|error| {
        AnswerError::NoConnection { request: "events/stream".to_owned(), cause: error.to_string() }
    })?;
    Ok((sender, receiver))
}

/// The pieces of a body as one stream of bytes.
struct Pieces {
    pieces: mpsc::Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.piece.len() {
            let Some(piece) = self.pieces.blocking_recv() else { return Ok(0) };
            self.piece = piece;
            self.at = 0;
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        for (target, byte) in buffer.iter_mut().zip(rest) {
            *target = *byte;
        }
        self.at += length;
        Ok(length)
    }
}

/// The agents that the first frame with data names. Where that is no frame of events, there are none yet.
fn first_frame(stream: impl Read) -> Decoded {
    let mut stream = BufReader::new(stream.take(MOST_BYTES));
    let mut kind = Vec::new();
    loop {
        let mut field = Vec::new();
        let read = stream.by_ref().take(LONGEST_FIELD).read_until(b':', &mut field);
        read.map_err(|error| error.to_string())?;
        let name = field.trim_ascii();
        match name {
            [] => return Err("the stream ended before its first frame".to_owned()),
            b"data:" => break,
            // A comment, or any other field: the rest of its line.
            _ => {
                let mut line = Vec::new();
                let read = stream.by_ref().take(LONGEST_FIELD).read_until(b'\n', &mut line);
                read.map_err(|error| error.to_string())?;
                if name == b"event:" {
                    kind = line.trim_ascii().to_vec();
                }
            }
        }
    }
    if !kind.is_empty() && kind != b"event" {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let mut decoder = serde_json::Deserializer::from_reader(stream);
    Frame(&mut found).deserialize(&mut decoder).map_err(|error| error.to_string())?;
    Ok(found)
}

/// A frame: only its events matter.
struct Frame<'a>(&'a mut Vec<Started>);

impl<'de> DeserializeSeed<'de> for Frame<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Frame<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a frame of events")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "events" {
                map.next_value_seed(Events(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The events of a frame, one after the other.
struct Events<'a>(&'a mut Vec<Started>);

impl<'de> DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of events")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<(), A::Error> {
        while let Some(event) = events.next_element::<Event>()? {
            if self.0.len() < MOST_AGENTS {
                self.0.extend(event.started());
            }
        }
        Ok(())
    }
}

/// An event, without its texts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    #[serde(rename = "type")]
    kind: Option<String>,
    execution_id: Option<String>,
    parent_execution_id: Option<String>,
    execution_kind: Option<String>,
    data: Option<Payload>,
}

/// What an event is about; the type's own fields stand one level deeper
/// (server-behaviour.md#what-a-client-can-read).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Payload {
    agent_id: Option<String>,
    name: Option<String>,
    parent_execution_id: Option<String>,
    execution_kind: Option<String>,
    data: Option<Box<Payload>>,
}

impl Event {
    fn started(self) -> Option<Started> {
        if self.kind.as_deref() != Some("background_agent_started") {
            return None;
        }
        let outer = self.data.unwrap_or_default();
        let inner = outer.data.map(|inner| *inner).unwrap_or_default();
        let first = |texts: [Option<String>; 3]| {
            texts.into_iter().flatten().find(|text| !text.is_empty() && text.len() <= LONGEST_TEXT)
        };
        Some(Started {
            id: first([inner.agent_id, outer.agent_id, self.execution_id])?,
            name: first([inner.name, outer.name, None]),
            parent: first([inner.parent_execution_id, outer.parent_execution_id, self.parent_execution_id]),
            kind: first([self.execution_kind, inner.execution_kind, outer.execution_kind]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events as recorded in captures/http/events-stream.txt.gz, with a prompt as long as real ones are.
    fn frame() -> String {
        let prompt = "secret ".repeat(300_000);
        format!(
            "id: 0\nevent: event\ndata: {{\"session_status\":\"running\",\"events\":[\
             {{\"type\":\"user_message\",\"data\":{{\"data\":{{\"content\":\"{prompt}\"}}}}}},\
             {{\"type\":\"background_agent_started\",\"execution_id\":\"msgseq-a-1\",\"execution_kind\":\"message_sequence_item\",\
               \"data\":{{\"agent_id\":\"msgseq-a-1\",\"name\":\"Item\",\"parent_execution_id\":\"exec-a-1\"}}}},\
             {{\"type\":\"background_agent_started\",\"execution_id\":\"bg-x-1\",\"parent_execution_id\":\"query_1\",\
               \"data\":{{\"data\":{{\"agent_id\":\"bg-x-1\",\"name\":\"Agent\",\"instruction\":\"{prompt}\"}}}}}}\
             ]}}\n\n"
        )
    }

    #[test]
    fn started_agents_are_found_and_nothing_else_is_kept() {
        let found = first_frame(frame().as_bytes()).expect("it decodes");
        let seen: Vec<_> = found
            .iter()
            .map(|agent| (agent.id.as_str(), agent.name.as_deref(), agent.parent.as_deref()))
            .collect();
        assert_eq!(
            seen,
            [("msgseq-a-1", Some("Item"), Some("exec-a-1")), ("bg-x-1", Some("Agent"), Some("query_1"))]
        );
    }

    #[test]
    fn a_stream_without_events_yet_has_none() {
        let status = ": heartbeat 2026\n\nevent: status\ndata: {\"session_status\":\"running\"}\n\n";
        assert_eq!(first_frame(status.as_bytes()), Ok(Vec::new()));
        let null = "event: event\ndata: {\"events\":null}\n\n";
        assert_eq!(first_frame(null.as_bytes()), Ok(Vec::new()));
    }

    #[test]
    fn a_cut_or_foreign_stream_is_an_error() {
        let frame = frame();
        assert!(first_frame(&frame.as_bytes()[..frame.len() / 2]).is_err());
        assert!(first_frame(&b""[..]).is_err());
        assert!(first_frame(&b"data: [1]\n"[..]).is_err());
    }
}
