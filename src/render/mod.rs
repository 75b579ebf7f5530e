//! One file per output format, and what they share.

pub mod audit_view;
pub(crate) mod evidence;
pub mod findings;
pub(crate) mod frame;
pub mod json_v1;
pub mod mask;
pub mod moment;
pub mod progress;
pub mod rules;
pub mod sanitize;
pub mod schemas;
pub mod style;
pub(crate) mod summary;
pub mod timeline;
