//! The signatures, one file each.

pub mod custom;
pub mod meta;
pub mod thresholds;

use self::meta::RuleMeta;

/// Every rule, in the order of the codes.
#[must_use]
pub fn all() -> &'static [RuleMeta] {
    &[]
}
