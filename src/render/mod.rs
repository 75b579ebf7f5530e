//! One file per output format, and what they share.

pub mod audit_view;
pub mod concise;
pub mod csv;
pub(crate) mod evidence;
pub mod findings;
pub(crate) mod frame;
pub mod github;
pub mod json_v1;
pub mod junit;
pub mod markdown;
pub mod mask;
pub mod moment;
pub mod progress;
pub mod rules;
pub mod sanitize;
pub mod sarif;
pub mod schemas;
pub mod source_json;
pub mod status;
pub mod style;
pub(crate) mod summary;
pub mod timeline;
