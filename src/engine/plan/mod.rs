//! The dry run: what a stop or a terminal's death would do to each row, before it happens. Pure.

mod action;
pub mod assemble;
mod assumed;
mod behaviour;
mod counters;
mod course;
mod decide;
pub mod document;
mod flags;
mod known;
mod log_lines;
mod nature;
mod pane_loss;
mod panes;
pub mod policy;
mod preflight;
mod question;
mod reach;
mod revive;
pub mod row;
pub mod summary;
pub mod trigger;
mod verdict;
pub mod warning;
mod workers;

pub use assemble::{Plan, plan, plan_as};
pub use counters::Prediction;
pub use log_lines::ExpectedLine;

pub use policy::Policy;
pub use revive::{Revival, RevivalKind};
pub use row::{Flag, Outcome, PaneOutcome, PlannedPane, PlannedRow};
pub use summary::Summary;
pub use trigger::{PaneState, Trigger, TriggerKind};
pub use warning::WarningCode;
