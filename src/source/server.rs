//! A running server as a source.

use std::io;

use crate::wire::client::ClientOptions;
use crate::wire::fetch::{Extras, Fetched, Scope, fetch};

/// A server that is asked now.
pub struct RunningServer {
    /// How it is spoken to.
    pub options: ClientOptions,
    /// What is read beyond the scope.
    pub extras: Extras,
}

impl RunningServer {
    /// Reads the server. Blocks until it has answered or its time is up.
    ///
    /// # Errors
    /// When the client could not be set up at all; what the server refused is in the result.
    pub fn read(self, scope: &Scope) -> io::Result<Fetched> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(fetch(self.options, scope, self.extras)))
    }
}
