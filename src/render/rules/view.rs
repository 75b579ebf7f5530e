//! What rules are shown from.

use super::json_v1::Rule;

/// Some rules.
#[derive(Debug, Clone, Copy)]
pub struct RulesView<'a> {
    /// The rules, in their order.
    pub rules: &'a [Rule<'a>],
}
