//! How a server's state is fetched: the allowed GETs and a login, or answers that were recorded. Turns either
//! into the model. The only part that speaks HTTP. It must never change a server and never print.

pub mod address;
pub mod answers;
pub mod client;
pub mod convert;
pub mod error;
mod executions;
pub mod fetch;
mod gaps;
mod names;
pub mod recorded;
pub mod routes;
pub mod saved;
mod terminals;
mod tls;
pub mod types;
