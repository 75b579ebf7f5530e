//! Rules of the user, from the config file: one line that matches is one finding.

use regex::bytes::Regex;

use super::meta::Severity;

/// What every custom rule's id begins with, so that none can stand for a built-in rule.
pub const NAMESPACE: &str = "custom/";

/// A custom rule that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CustomRuleError {
    /// The id is outside the namespace.
    #[error("the id `{0}` must be `custom/` and a name of small letters, digits and hyphens")]
    Id(String),
    /// The tag is not what a message begins with.
    #[error("the tag `{0}` must be what the message begins with, in brackets: `[QUOTA]`")]
    Tag(String),
    /// The regex cannot be read.
    #[error("the pattern is no regular expression: {0}")]
    Pattern(String),
    /// The claim names a group that the regex does not have.
    #[error("the claim names the group `{0}`, which the pattern does not have")]
    Group(String),
    /// A brace in the claim is not closed.
    #[error("the claim has an open brace")]
    Brace,
}

/// A rule of the user.
#[derive(Debug, Clone)]
pub struct CustomRule {
    id: String,
    severity: Severity,
    tag: String,
    pattern: Regex,
    claim: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Group(String),
}

/// What a custom rule says of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomMatch {
    /// The sentence, with the groups filled in.
    pub claim: String,
    /// The group named `session`; empty where there is none.
    pub session: String,
}

impl CustomRule {
    /// Checks and compiles a rule. `claim` may name groups of `pattern` in braces: `{session}`.
    ///
    /// # Errors
    /// When a part cannot be used.
    pub fn new(
        id: &str,
        severity: Severity,
        tag: &str,
        pattern: &str,
        claim: &str,
    ) -> Result<Self, CustomRuleError> {
        let name = id.strip_prefix(NAMESPACE).unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(CustomRuleError::Id(id.to_owned()));
        }
        if !(tag.len() > 2 && tag.starts_with('[') && tag.find(']') == Some(tag.len() - 1)) {
            return Err(CustomRuleError::Tag(tag.to_owned()));
        }
        let pattern = Regex::new(pattern).map_err(|error| CustomRuleError::Pattern(error.to_string()))?;
        let claim = parts(claim)?;
        for part in &claim {
            if let Part::Group(name) = part
                && !pattern.capture_names().flatten().any(|known| known == name)
            {
                return Err(CustomRuleError::Group(name.clone()));
            }
        }
        Ok(Self { id: id.to_owned(), severity, tag: tag.to_owned(), pattern, claim })
    }

    /// The id, `custom/quota`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How bad its findings are.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What the message of a line begins with: the scan asks only such lines.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The regular expression that a message is asked for.
    #[must_use]
    pub fn pattern(&self) -> &str {
        self.pattern.as_str()
    }

    /// The sentence, with the names of groups in braces.
    #[must_use]
    pub fn claim(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Group(name) => format!("{{{name}}}"),
        };
        self.claim.iter().map(part).collect()
    }

    /// What the rule says of a message; `None` where it does not match.
    #[must_use]
    pub fn matches(&self, message: &[u8]) -> Option<CustomMatch> {
        let captures = self.pattern.captures(message)?;
        let group = |name: &str| {
            captures.name(name).map(|found| String::from_utf8_lossy(found.as_bytes()).into_owned())
        };
        let claim = self
            .claim
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Group(name) => group(name).unwrap_or_default(),
            })
            .collect();
        Some(CustomMatch { claim, session: group("session").unwrap_or_default() })
    }
}

impl PartialEq for CustomRule {
    fn eq(&self, other: &Self) -> bool {
        let key = |rule: &Self| (rule.id.clone(), rule.severity, rule.tag.clone(), rule.claim.clone());
        key(self) == key(other) && self.pattern.as_str() == other.pattern.as_str()
    }
}

impl Eq for CustomRule {}

fn parts(claim: &str) -> Result<Vec<Part>, CustomRuleError> {
    let mut parts = Vec::new();
    let mut rest = claim;
    while let Some((text, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or(CustomRuleError::Brace)?;
        parts.push(Part::Text(text.to_owned()));
        parts.push(Part::Group(name.to_owned()));
        rest = after;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str, tag: &str, pattern: &str, claim: &str) -> Result<CustomRule, CustomRuleError> {
        CustomRule::new(id, Severity::Medium, tag, pattern, claim)
    }

    #[test]
    fn a_match_fills_its_groups_into_the_claim() {
        let rule = rule(
            "custom/quota",
            "[QUOTA]",
            r"session=(?<session>\S+) used (?<share>\d+)%",
            "{session} is at {share}",
        );
        let found = rule.ok().and_then(|rule| rule.matches(b"[QUOTA] session=s-1 used 97% of it"));
        let expected = CustomMatch { claim: String::from("s-1 is at 97"), session: String::from("s-1") };
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        for (id, tag, pattern, claim) in [
            ("PLS005", "[A]", "x", "y"),
            ("custom/", "[A]", "x", "y"),
            ("custom/a", "A", "x", "y"),
            ("custom/a", "[A] [B]", "x", "y"),
            ("custom/a", "[A]", "(", "y"),
            ("custom/a", "[A]", "x", "{group}"),
            ("custom/a", "[A]", "x", "{"),
        ] {
            assert!(rule(id, tag, pattern, claim).is_err(), "{id} {tag} {pattern} {claim}");
        }
    }
}
