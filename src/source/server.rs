//! A running server as a source.

use std::io;

use thiserror::Error;

use crate::model::duration::Length;
use crate::wire::client::ClientOptions;
use crate::wire::error::WireError;
use crate::wire::fetch::{Extras, Fetched, Scope, fetch};

/// A server that is asked now.
pub struct RunningServer {
    /// How it is spoken to.
    pub options: ClientOptions,
    /// What is read beyond the scope.
    pub extras: Extras,
    /// How long all reads together may take.
    pub deadline: Length,
}

/// Why a server gave no state.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The client could not be set up.
    #[error("the client could not be set up")]
    Client(#[from] io::Error),
    /// What the server said, or did not say.
    #[error(transparent)]
    Answer(WireError),
    /// Not everything was read in time; a part of the state would be taken for the whole.
    #[error("not everything could be read within {0}")]
    Deadline(Length),
}

impl RunningServer {
    /// Reads the server. Blocks until it has answered or the time is up.
    ///
    /// # Errors
    /// When the client could not be set up, or the time is up; what the server refused is in the result.
    pub fn read(self, scope: &Scope) -> Result<Fetched, ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let reads = fetch(self.options, scope, self.extras);
        runtime
            .block_on(async { tokio::time::timeout(self.deadline.duration(), reads).await })
            .map_err(|_| ServerError::Deadline(self.deadline))
    }
}
