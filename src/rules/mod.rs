//! The signatures, one file each.

pub mod meta;

use self::meta::RuleMeta;

/// Every rule, in the order of the codes.
#[must_use]
pub fn all() -> &'static [RuleMeta] {
    &[]
}
