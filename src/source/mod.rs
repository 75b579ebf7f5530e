//! Where a server's state comes from: one type each for a running server, a folder of recorded answers, a saved
//! snapshot and a log at a time. Opens files; sends only what `wire` can send. It must never print.

pub mod file;
pub mod log;
pub mod read;
pub mod recorded;
pub mod saved;
pub mod server;
pub mod snapshot;
