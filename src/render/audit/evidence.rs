//! A line of evidence as every format shows it: masked, valid UTF-8, at most 4 KiB.

use std::borrow::Cow;

use crate::audit::finding::{Evidence, Report};

use crate::render::text::mask::{Content, mask_line};

/// The longest text of one piece of evidence, in bytes.
pub(crate) const TEXT_LIMIT: usize = 4096;

/// One line of evidence, ready to be written. Not yet safe for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownEvidence<'a> {
    /// The input's path.
    pub(crate) path: &'a str,
    /// Line number, from 1.
    pub(crate) line: u64,
    /// Where the line starts in the decompressed content.
    pub(crate) byte_offset: u64,
    /// The whole line's length.
    pub(crate) byte_length: u64,
    /// The text.
    pub(crate) text: String,
    /// Whether bytes that are not UTF-8 were replaced.
    pub(crate) lossy: bool,
    /// Whether the text is only the line's beginning.
    pub(crate) cut: bool,
    /// Whether what people wrote was replaced.
    pub(crate) masked: bool,
    /// What the line shows.
    pub(crate) role: &'a str,
}

/// Prepares one line of evidence.
pub(crate) fn shown<'a>(report: &'a Report, evidence: &'a Evidence, content: Content) -> ShownEvidence<'a> {
    let mut line = evidence.text.as_slice();
    let mut cut = evidence.byte_length > line.len() as u64;
    if cut {
        line = without_partial_character(line);
    }
    let (bytes, masked) = mask_line(line, evidence.byte_length, content);
    let text = String::from_utf8_lossy(&bytes);
    let lossy = matches!(text, Cow::Owned(_));
    let mut text = text.into_owned();
    if text.len() > TEXT_LIMIT {
        text.truncate(text.floor_char_boundary(TEXT_LIMIT));
        cut = true;
    }
    ShownEvidence {
        path: report.inputs.get(evidence.input).map_or("", |input| input.path.as_str()),
        line: evidence.line,
        byte_offset: evidence.byte_offset,
        byte_length: evidence.byte_length,
        text,
        lossy,
        cut,
        masked,
        role: &evidence.role,
    }
}

/// A cut may fall inside a character; its first bytes are not bad UTF-8, only incomplete.
fn without_partial_character(line: &[u8]) -> &[u8] {
    let starts = (1..=line.len().min(3)).map(|back| line.len() - back);
    // A continuation byte has the form 10xxxxxx.
    let Some(start) = starts.into_iter().find(|&start| line[start] & 0b1100_0000 != 0b1000_0000) else {
        return line;
    };
    let incomplete = std::str::from_utf8(&line[start..]).is_err_and(|error| error.error_len().is_none());
    if incomplete { &line[..start] } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: &[u8], byte_length: u64) -> Evidence {
        Evidence {
            input: 0,
            line: 7,
            byte_offset: 0,
            byte_length,
            text: text.to_vec(),
            role: String::from("the stop begins"),
        }
    }

    #[test]
    fn bad_bytes_are_replaced_and_flagged() {
        let report = Report::default();
        let evidence = evidence(b"a\xffb", 3);
        let shown = shown(&report, &evidence, Content::Masked);
        assert_eq!((shown.text.as_str(), shown.lossy, shown.cut), ("a\u{fffd}b", true, false));
    }

    // the format promises: valid UTF-8, at most 4 KiB.
    #[test]
    fn a_text_stays_within_its_limit_after_the_replacement() {
        let report = Report::default();
        let evidence = evidence(&[0xff; 4096], 9000);
        let shown = shown(&report, &evidence, Content::Masked);
        assert!(shown.text.len() <= TEXT_LIMIT && shown.cut && shown.lossy);
    }

    #[test]
    fn a_cut_inside_a_character_is_no_bad_utf8() {
        let report = Report::default();
        for end in 1..4 {
            let mut text = b"stop ".to_vec();
            text.extend_from_slice(&"\u{1f6d1}".as_bytes()[..end]);
            let evidence = evidence(&text, 900);
            let shown = shown(&report, &evidence, Content::Masked);
            assert_eq!((shown.text.as_str(), shown.lossy, shown.cut), ("stop ", false, true));
        }
    }
}
