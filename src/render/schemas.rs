//! The JSON Schemas of the machine formats, made from the structs that are written.

use schemars::JsonSchema;

use super::{audit, check, graph, rules, sessions, status};
use crate::engine::plan::document::Document;

/// Every schema: the file's name and its text. `generate` writes them, a test holds them.
#[must_use]
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("pulsectl.audit-1.schema.json", audit()),
        ("pulsectl.graph-1.schema.json", graph()),
        ("pulsectl.plan-1.schema.json", plan()),
        ("pulsectl.plan-check-1.schema.json", text::<check::json_v1::Document<'_>>()),
        ("pulsectl.rules-1.schema.json", rules()),
        ("pulsectl.sessions-1.schema.json", sessions()),
        ("pulsectl.status-1.schema.json", text::<status::json_v1::Status<'_>>()),
    ]
}

/// The schema of `pulsectl.audit/1`.
#[must_use]
pub fn audit() -> String {
    text::<audit::json_v1::Audit<'_>>()
}

/// The schema of `pulsectl.graph/1`.
#[must_use]
pub fn graph() -> String {
    text::<graph::json_v1::Document<'_>>()
}

/// The schema of `pulsectl.plan/1`.
#[must_use]
pub fn plan() -> String {
    text::<Document<'_>>()
}

/// The schema of `pulsectl.sessions/1`.
#[must_use]
pub fn sessions() -> String {
    text::<sessions::json_v1::Document<'_>>()
}

/// The schema of `pulsectl.rules/1`.
#[must_use]
pub fn rules() -> String {
    text::<rules::json_v1::Rules<'_>>()
}

/// The schema of a document.
#[must_use]
pub fn text<T: JsonSchema>() -> String {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>();
    format!("{:#}\n", schema.to_value())
}
