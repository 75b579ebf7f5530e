//! How a server is spoken to: the allowed GETs and a login, and how its answers become the model. The only part
//! that speaks HTTP. It must never change a server and never print.

pub mod address;
pub mod answers;
pub mod client;
pub mod convert;
pub mod error;
mod executions;
pub mod fetch;
mod gaps;
mod names;
pub mod routes;
mod terminals;
mod tls;
pub mod types;
