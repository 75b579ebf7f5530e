//! What a Pulse server *is* at one moment: ids and, later, the registries. Imports nothing of this crate.

pub mod id;
pub mod spelling;
pub mod subject;
