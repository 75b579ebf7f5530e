//! How sure a conclusion is, of a snapshot's rows as of what a log tells.

use super::words::words;

words! {
    /// How sure a conclusion is; ordered, so that the least sure of several is their minimum.
    pub enum Confidence {
        /// One of several possibilities, against no evidence, or by what another line means.
        Low = "low",
        /// Inferred: by a rule that held on every recording, or from what the thing runs in.
        Medium = "medium",
        /// Shown by the server, by a line of its own, or by the spelling of an id.
        High = "high",
    }
}
