//! An audit.

pub mod concise;
pub mod csv;
pub(crate) mod evidence;
mod evidence_json;
pub mod explained;
pub mod findings;
pub(crate) mod frame;
pub mod github;
pub mod json_v1;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod stop_json;
pub(crate) mod summary;
pub mod timeline;
pub mod view;
