//! Other ids and another day: every id of a recording replaced, every time in it shifted, so that ids that
//! carry a time still agree with the clock beside them.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};

use super::clock::shifted;
use super::pieces::rewrite;
use super::random::Random;

/// A change of ids. Equal ids become equal ids, different ids different ones.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// Decides uuids, tmux suffixes and agent numbers.
    pub(crate) seed: u64,
    /// Added to every time, in whole seconds: `T+…ms` and durations stay true.
    pub(crate) shift: i64,
    /// Words that occur in ids and names, and what stands for them.
    pub(crate) words: Vec<(&'static str, &'static str)>,
}

/// In this order: at one position the first that fits wins.
static IDS: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = [
        r"(?P<stamp>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)",
        r"(?P<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
        r"(?P<tmux>mlp-[a-z-]+-)(?P<launched>\d{19})-(?P<suffix>[0-9a-f]{8})",
        r"(?P<run>workflow-full-)(?P<token>[0-9a-z]{8})(?P<sequence>[0-9a-z]{2})",
        r"(?P<mirror>-step-\d+-)(?P<mirror_token>m[0-9a-z]{7})(?P<mirror_sequence>\d{2})\b",
        r"(?P<agent>\b(?:bg|review|kb|recover)-[a-z-]*-)(?P<number>\d{5})\b",
        r"(?P<digits>\d+)",
    ];
    Regex::new(&format!("(?-u){}", patterns.join("|"))).expect("a correct pattern")
});

impl Identity {
    /// The log with other ids and times; stated chunk lengths follow.
    pub(crate) fn log(&self, log: &[u8]) -> Vec<u8> {
        rewrite(log, |line| self.bytes(line), |body| self.bytes(body))
    }

    /// One id.
    pub(crate) fn id(&self, id: &str) -> String {
        String::from_utf8(self.bytes(id.as_bytes())).expect("ids stay text")
    }

    fn bytes(&self, text: &[u8]) -> Vec<u8> {
        let text = IDS.replace_all(text, |found: &Captures<'_>| self.replacement(found)).into_owned();
        self.words.iter().fold(text, |text, (from, to)| replace(&text, from.as_bytes(), to.as_bytes()))
    }

    fn replacement(&self, found: &Captures<'_>) -> Vec<u8> {
        let part = |name: &str| found.name(name).map(|part| part.as_bytes());
        if let Some(stamp) = part("stamp") {
            return shifted(stamp, self.shift);
        }
        if let Some(uuid) = part("uuid") {
            return self.hexadecimal(uuid);
        }
        if let (Some(tmux), Some(launched), Some(suffix)) = (part("tmux"), part("launched"), part("suffix")) {
            return [tmux, &self.nanoseconds(launched), b"-", &self.hexadecimal(suffix)].concat();
        }
        if let (Some(run), Some(token), Some(sequence)) = (part("run"), part("token"), part("sequence")) {
            return [run, &self.milliseconds(token), sequence].concat();
        }
        if let (Some(mirror), Some(token), Some(sequence)) =
            (part("mirror"), part("mirror_token"), part("mirror_sequence"))
        {
            return [mirror, &self.milliseconds(token), sequence].concat();
        }
        if let (Some(agent), Some(number)) = (part("agent"), part("number")) {
            return [agent, &self.number(number)].concat();
        }
        match part("digits") {
            Some(digits) if digits.len() == 19 && digits.starts_with(b"1") => self.nanoseconds(digits),
            _ => found[0].to_vec(),
        }
    }

    /// Unix nanoseconds, 19 digits.
    fn nanoseconds(&self, digits: &[u8]) -> Vec<u8> {
        let number: i64 = parsed(digits, 10);
        format!("{:019}", number + self.shift * 1_000_000_000).into_bytes()
    }

    /// Unix milliseconds in base 36 (log-grammar.md, section 3: token of a full run).
    fn milliseconds(&self, token: &[u8]) -> Vec<u8> {
        let mut number: i64 = parsed(token, 36) + self.shift * 1_000;
        let mut digits = Vec::new();
        while number > 0 {
            digits.push(
                b"0123456789abcdefghijklmnopqrstuvwxyz"[usize::try_from(number % 36).expect("a digit")],
            );
            number /= 36;
        }
        digits.reverse();
        digits
    }

    /// Hexadecimal digits, dashes and the version of a uuid kept. A tail that is a plain counter is changed
    /// as all else is.
    fn hexadecimal(&self, text: &[u8]) -> Vec<u8> {
        let mut random = Random::of_text(self.seed, text);
        let version = if text.len() == 36 { Some(14) } else { None };
        let digit = |(at, byte): (usize, &u8)| {
            let replaced = b"0123456789abcdef"[random.below(16)];
            if *byte == b'-' || Some(at) == version { *byte } else { replaced }
        };
        text.iter().enumerate().map(digit).collect()
    }

    /// The five digits of a background agent. A bijection, so that no two agents fall together.
    fn number(&self, digits: &[u8]) -> Vec<u8> {
        let number: i64 = parsed(digits, 10);
        let step = i64::try_from(Random::new(self.seed).below(90_000)).expect("small") + 1;
        format!("{:05}", (number + step) % 100_000).into_bytes()
    }
}

fn parsed(digits: &[u8], radix: u32) -> i64 {
    let text = std::str::from_utf8(digits).expect("digits are text");
    i64::from_str_radix(text, radix).expect("as many digits as fit")
}

/// Replaces whole words: what stands before and after is no letter or digit.
fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut copied = 0;
    for at in memchr::memmem::find_iter(text, from) {
        let after = at + from.len();
        let inside = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        if inside(text[..at].last()) || inside(text.get(after)) {
            continue;
        }
        replaced.extend(&text[copied..at]);
        replaced.extend(to);
        copied = after;
    }
    replaced.extend(&text[copied..]);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity { seed: 7, shift: 86_400 + 61, words: vec![("nightly", "evening")] }
    }

    /// Spellings of log-grammar.md, section 3. The token is that grammar's verified example: base 36
    /// milliseconds of 2026-08-21T12:11:12.640Z.
    #[test]
    fn ids_that_carry_a_time_move_with_the_clock() {
        let identity = identity();
        assert_eq!(identity.id("query_1796008496981901085"), "query_1796094957981901085");
        assert_eq!(
            identity.id("schedule-manual--nightly_1796008496000000001"),
            "schedule-manual--evening_1796094957000000001"
        );
        let unmoved = Identity { shift: 0, words: Vec::new(), ..identity.clone() };
        assert_eq!(unmoved.id("workflow-full-mt2wrr0g07"), "workflow-full-mt2wrr0g07");
        assert_eq!(i64::from_str_radix("mt2wrr0g", 36), Ok(1_787_314_272_640));
        let moved = identity.id("workflow-full-mt2wrr0g07-step-2-mt2wrr0h08");
        let (run, mirror) = moved.split_once("-step-2-").expect("still a mirror");
        let token = run.strip_prefix("workflow-full-").expect("still a run");
        assert_eq!(i64::from_str_radix(&token[..8], 36), Ok(1_787_314_272_640 + 86_461_000));
        assert_eq!(i64::from_str_radix(&mirror[..8], 36), Ok(1_787_314_272_641 + 86_461_000));
        assert_eq!((&token[8..], &mirror[8..]), ("07", "08"));
    }

    #[test]
    fn other_ids_differ_and_keep_their_shape() {
        let identity = identity();
        let session = identity.id("6f1b2c3d-0001-4a5e-9b10-aa0000000001");
        assert_ne!(session, "6f1b2c3d-0001-4a5e-9b10-aa0000000001");
        assert_ne!(session, identity.id("6f1b2c3d-0002-4a5e-9b10-aa0000000002"));
        assert_eq!((session.len(), &session[14..15]), (36, "4"));
        let pane = identity.id("mlp-claude-code-1796008496981901085-646b8941");
        assert!(pane.starts_with("mlp-claude-code-1796094957981901085-"), "{pane}");
        assert!(!pane.ends_with("646b8941") && pane.len() == 44, "{pane}");
        let agent = identity.id("bg-audit-81177");
        assert!(agent.starts_with("bg-audit-") && agent != "bg-audit-81177" && agent.len() == 14, "{agent}");
        assert_eq!(
            identity.id("fortnightly iteration-0 len=12345 T+176ms"),
            "fortnightly iteration-0 len=12345 T+176ms"
        );
    }
}
