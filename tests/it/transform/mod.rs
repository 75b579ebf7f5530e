//! Recordings transformed: pure functions from bytes to bytes. A transformed recording tells the same story,
//! so an audit must say the same of it. Nothing here may run the program or read a file but in its own tests.

pub(crate) mod clock;
pub(crate) mod cut;
pub(crate) mod damage;
pub(crate) mod identity;
pub(crate) mod names;
pub(crate) mod pack;
pub(crate) mod pieces;
pub(crate) mod random;
pub(crate) mod weave;

mod over_recordings;
