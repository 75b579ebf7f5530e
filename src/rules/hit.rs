//! What a rule says when it fires.

use std::sync::Arc;

use super::meta::{Certainty, Severity};
use crate::events::SharedEvent;
use crate::model::subject::Subject;
use crate::replay::Episode;

/// A line that proves something, and what it shows.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The line.
    pub event: SharedEvent,
    /// What it shows, in words.
    pub role: String,
}

/// One finding of a rule about one case.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The rule's code.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Certainty,
    /// The session; empty where the log does not say.
    pub session: Arc<str>,
    /// What it is about, main subjects first.
    pub subjects: Vec<Subject>,
    /// Ids that make the finding's fingerprint; the episode's start stands in where there are none.
    pub identity: Vec<Arc<str>>,
    /// What happened, in one sentence.
    pub claim: String,
    /// The lines that prove it; never empty.
    pub evidence: Vec<Proof>,
    /// Harmless readings that were looked at and do not apply.
    pub ruled_out: Vec<String>,
    /// What to do now.
    pub next_action: String,
}

impl Hit {
    /// A finding about a session.
    pub fn new(code: &'static str, session: &str, severity: Severity, confidence: Certainty) -> Self {
        Self {
            code,
            severity,
            confidence,
            session: session.into(),
            subjects: Vec::new(),
            identity: Vec::new(),
            claim: String::new(),
            evidence: Vec::new(),
            ruled_out: Vec::new(),
            next_action: String::new(),
        }
    }

    /// Adds a proving line.
    #[must_use]
    pub fn proof(mut self, event: &SharedEvent, role: impl Into<String>) -> Self {
        self.add_proof(event, role);
        self
    }

    /// Adds a proving line; the same line is not added twice.
    pub fn add_proof(&mut self, event: &SharedEvent, role: impl Into<String>) {
        let known = self
            .evidence
            .iter()
            .any(|proof| proof.event.position == event.position && proof.event.stream == event.stream);
        if !known {
            self.evidence.push(Proof { event: event.clone(), role: role.into() });
        }
    }

    /// Adds a subject.
    #[must_use]
    pub fn subject(mut self, subject: Subject) -> Self {
        if !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        self
    }

    /// Adds an id to the fingerprint.
    #[must_use]
    pub fn identified_by(mut self, id: &str) -> Self {
        self.identity.push(id.into());
        self
    }

    /// Sets the sentence that says what happened.
    #[must_use]
    pub fn claim(mut self, claim: impl Into<String>) -> Self {
        self.claim = claim.into();
        self
    }

    /// Sets what to do now.
    #[must_use]
    pub fn next(mut self, next_action: impl Into<String>) -> Self {
        self.next_action = next_action.into();
        self
    }

    /// Adds a harmless reading that does not apply.
    #[must_use]
    pub fn ruled_out(mut self, reading: impl Into<String>) -> Self {
        self.ruled_out.push(reading.into());
        self
    }

    /// Lowers the confidence where the replayed registry disagrees with the server's own counters.
    #[must_use]
    pub fn doubted_by(mut self, episode: &Episode) -> Self {
        if episode.counter_mismatch.is_some() {
            self.confidence = self.confidence.lowered();
        }
        self
    }
}

/// A number of things in words: `1 item`, `2 items`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
