//! One session as a graph: what it owns, what it only watches, and why. Pure; built on the resolution.

mod build;
mod find;
mod nodes;
pub mod parts;
mod select;
pub mod warning;

pub use build::{DISPLAY_ONLY, build};
pub use find::{Found, find, findable};
pub use parts::{Cut, Edge, EdgeKind, Graph, Node, NodeKind, Registry};
pub use select::{Selection, select, upwards};
pub use warning::WarningCode;
