//! What a snapshot's rows are to their session: container, class, cancel, launching turn, pane; each with its
//! reason. Pure; the graph and the plan stand on it.

mod cancel;
mod class;
mod container;
mod index;
mod intervals;
mod launch;
mod pane;
pub mod reason;
pub mod resolution;
pub mod row;
mod session;
#[cfg(test)]
mod tests;

pub use reason::{Evidence, Reason};
pub use resolution::{Resolution, resolve};
pub use row::{Cancel, Class, Container, InferredStep, Pane, PaneOwner, Row, SessionFacts, TurnNature};
