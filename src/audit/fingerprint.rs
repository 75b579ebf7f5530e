//! Fingerprints: the same incident has the same one in the plain file, its `.gz` and a rotated cut.
//!
//! Made from rule, session and ids, never from line numbers, paths or counts.

/// A short, stable name for some parts. Two lists of parts that differ have different names, but for the
/// chance of one in 2^64.
#[must_use]
pub(super) fn fingerprint(parts: &[&str]) -> String {
    // FNV-1a: the value must never change, so it can't be the standard library's unspecified hasher.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        // A separator that no id holds keeps `["ab", "c"]` apart from `["a", "bc"]`.
        for byte in part.bytes().chain(std::iter::once(0x1f)) {
            hash ^= u64::from(byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_kept_apart_and_the_value_is_frozen() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        // FNV-1a of no bytes is its offset basis; baselines in the field depend on the value.
        assert_eq!(fingerprint(&[]), "cbf29ce484222325");
        assert_eq!(fingerprint(&["PLS005", "s-1"]), fingerprint(&["PLS005", "s-1"]));
    }
}
