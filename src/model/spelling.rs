//! Which known names a wrong one may have meant, for hints in errors.

/// How alike two names must be, on the Jaro-Winkler scale from 0 to 1, to be worth a hint.
const ALIKE: f64 = 0.8;

/// At most three known names that look like the given one, the most alike first.
#[must_use]
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut alike: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(&name, &known.to_lowercase()), known))
        .filter(|&(score, _)| score >= ALIKE)
        .collect();
    alike.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
    alike.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The hint for a wrong name: "did you mean `x` or `y`?"; `None` where nothing looks like it.
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near: Vec<String> = near(name, known).into_iter().map(|name| format!("`{name}`")).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_recognised_and_strangers_are_not() {
        let known = ["PLS005", "collateral-cancel", "work-after-stop"];
        assert_eq!(near("colateral-cancel", known), ["collateral-cancel"]);
        assert_eq!(near("pls05", known), ["PLS005"]);
        assert!(near("zzz", known).is_empty());
        assert_eq!(did_you_mean("work-after-stp", known).as_deref(), Some("did you mean `work-after-stop`?"));
    }
}
