//! The table of literals that open a message, and how a message finds its row.
//!
//! Every line of a log is looked up here, and nearly all of them match nothing: the first four bytes choose
//! a slot, and an empty slot ends the look-up.

use memchr::memmem::Finder;

use super::shape::skip_ornaments;
use super::word::first_word;

/// One literal that opens a message. The table comes from `events`; `logs` knows no template.
#[derive(Debug, Clone, Copy)]
pub struct Tag {
    /// What the message begins with, at least four bytes. The message begins after the stamp, the context
    /// block, `msg="`, emoji and blanks. Where several tags match, the first of the slice wins.
    pub text: &'static str,
    /// Literals that must all occur within the first 512 bytes of the message; may be empty.
    pub literals: &'static [&'static str],
    /// Matches only unstamped lines, from their first byte on: whole-line banners such as
    /// `🛑 Shutting down server...`. Emoji are part of the text here.
    pub plain: bool,
    /// The line ends in raw text of a person or a model, so unstamped lines after it continue that text and
    /// are never events.
    pub raw_text: bool,
}

/// Index of a tag in the slice that the table was made from.
pub type TagId = usize;

/// How far into a message the literals of a tag are looked for.
const LITERAL_REACH: usize = 512;
/// Bits of a slot's number. Most lines meet an empty slot, which one bit of a map tells: the map stays in the
/// first-level cache beside the block that streams through it.
const SLOT_BITS: u32 = 12;
const SLOTS: usize = 1 << SLOT_BITS;

#[derive(Debug)]
struct Row {
    id: TagId,
    want: u64,
    mask: u64,
    /// The same for the second eight bytes.
    want_next: u64,
    mask_next: u64,
    text: &'static [u8],
    literals: Vec<Finder<'static>>,
    raw_text: bool,
}

impl Row {
    #[inline]
    fn matches(&self, word: u64, next_word: u64, message: &[u8]) -> bool {
        word & self.mask == self.want
            && next_word & self.mask_next == self.want_next
            && self.matches_rest(message)
    }

    fn matches_rest(&self, message: &[u8]) -> bool {
        if !message.starts_with(self.text) {
            return false;
        }
        let reach = message.get(..LITERAL_REACH).unwrap_or(message);
        self.literals.iter().all(|literal| literal.find(reach).is_some())
    }
}

/// Rows by the beginning of their text.
#[derive(Debug)]
struct Dispatch {
    /// The bits of a message's first word that choose the slot: as many bytes as every row has.
    key: u64,
    /// Per slot, whether it has rows.
    occupied: Box<[u64; SLOTS / 64]>,
    /// Per slot, the range of its rows.
    slots: Vec<(u32, u32)>,
    rows: Vec<Row>,
}

impl Dispatch {
    fn new(mut rows: Vec<Row>) -> Self {
        let key = rows.iter().map(|row| row.mask).min().unwrap_or(u64::MAX);
        // A stable sort keeps the order of the slice within a slot: the first match wins.
        rows.sort_by_key(|row| slot_of(row.want & key));
        let mut slots = vec![(0, 0); SLOTS];
        let mut occupied = Box::new([0_u64; SLOTS / 64]);
        for (index, row) in (0_u32..).zip(&rows) {
            let number = slot_of(row.want & key);
            if let Some(slot) = slots.get_mut(number) {
                if slot.1 == 0 {
                    slot.0 = index;
                }
                slot.1 = index + 1;
            }
            if let Some(bits) = occupied.get_mut(number / 64) {
                *bits |= 1 << (number % 64);
            }
        }
        Self { key, occupied, slots, rows }
    }

    #[inline(always)]
    fn find(&self, word: u64, message: &[u8]) -> Option<TagMatch> {
        let slot = slot_of(word & self.key);
        if self.occupied.get(slot / 64).is_none_or(|bits| bits >> (slot % 64) & 1 == 0) {
            return None;
        }
        self.find_in_slot(slot, word, message)
    }

    fn find_in_slot(&self, slot: usize, word: u64, message: &[u8]) -> Option<TagMatch> {
        let (from, to) = *self.slots.get(slot)?;
        let rows = self.rows.get(from as usize..to as usize)?;
        let next_word = first_word(message.get(8..).unwrap_or_default());
        let row = rows.iter().find(|row| row.matches(word, next_word, message))?;
        Some(TagMatch { id: row.id, raw_text: row.raw_text })
    }
}

/// A look-up's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TagMatch {
    pub(crate) id: TagId,
    pub(crate) raw_text: bool,
}

/// The tags, ready for look-up. Built once.
#[derive(Debug)]
pub struct TagTable {
    stamped: Dispatch,
    plain: Dispatch,
}

impl TagTable {
    /// Builds the table. A tag of less than four bytes can't be looked up and never matches.
    #[must_use]
    pub fn new(tags: &[Tag]) -> Self {
        let mut stamped = Vec::new();
        let mut plain = Vec::new();
        for (id, tag) in tags.iter().enumerate() {
            let bytes = tag.text.as_bytes();
            // A message's emoji are skipped before the look-up, so those of its tag are too.
            let skipped = if tag.plain { 0 } else { skip_ornaments(bytes, false) };
            let text = bytes.get(skipped..).unwrap_or_default();
            debug_assert!(text.len() >= 4, "the tag `{}` is too short", tag.text);
            if text.len() < 4 {
                continue;
            }
            let (mask, next) = (mask_of(text), text.get(8..).unwrap_or_default());
            let row = Row {
                id,
                want: first_word(text),
                mask,
                want_next: first_word(next),
                mask_next: mask_of(next),
                text,
                literals: tag.literals.iter().map(|literal| Finder::new(literal.as_bytes())).collect(),
                raw_text: tag.raw_text,
            };
            if tag.plain { plain.push(row) } else { stamped.push(row) }
        }
        Self { stamped: Dispatch::new(stamped), plain: Dispatch::new(plain) }
    }

    /// The first tag that a stamped line's message begins with; `word` is the message's [`first_word`].
    #[inline(always)]
    pub(crate) fn find(&self, word: u64, message: &[u8]) -> Option<TagMatch> {
        self.stamped.find(word, message)
    }

    /// The first tag that an unstamped line begins with.
    #[inline]
    pub(crate) fn find_plain(&self, line: &[u8]) -> Option<TagMatch> {
        self.plain.find(first_word(line), line)
    }
}

/// The bits that the first eight bytes of a text have in [`first_word`].
fn mask_of(text: &[u8]) -> u64 {
    match text.len() {
        0 => 0,
        length => u64::MAX >> (64 - 8 * length.min(8)),
    }
}

/// Spreads words over the slots.
#[inline]
fn slot_of(word: u64) -> usize {
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &'static str, literals: &'static [&'static str], plain: bool) -> Tag {
        Tag { text, literals, plain, raw_text: false }
    }

    fn find(table: &TagTable, message: &str) -> Option<TagId> {
        table.find(first_word(message.as_bytes()), message.as_bytes()).map(|found| found.id)
    }

    #[test]
    fn a_message_finds_the_first_tag_that_fits() {
        let table = TagTable::new(&[
            tag("[STOP] session=", &["begin runtime cancel"], false),
            tag("[STOP] ", &[], false),
            tag("[STREAM] ", &["turn started"], false),
            tag("[API", &[], false),
            tag("🔗 Generated unique", &[], false),
            tag("🛑 Shutting down server...", &[], true),
        ]);
        assert_eq!(find(&table, "[STOP] session=x begin runtime cancel (reason="), Some(0));
        assert_eq!(find(&table, "[STOP] session=x active turn"), Some(1));
        assert_eq!(find(&table, "[STREAMING_LIFECYCLE] turn started"), None);
        assert_eq!(find(&table, "[STREAM] session=x turn started"), Some(2));
        assert_eq!(find(&table, "[API"), Some(3));
        assert_eq!(find(&table, "[AP"), None);
        assert_eq!(find(&table, ""), None);
        assert_eq!(
            find(&table, "Generated unique MCP session ID"),
            Some(4),
            "emoji are skipped on both sides"
        );
        assert_eq!(find(&table, "🛑 Shutting down server..."), None, "a banner is no message");
        assert_eq!(table.find_plain("🛑 Shutting down server...".as_bytes()).map(|found| found.id), Some(5));
    }

    #[test]
    fn literals_count_only_near_the_start_of_the_message() {
        let table = TagTable::new(&[tag("[STOP] ", &["no cancel func"], false)]);
        let near = format!("[STOP] {}no cancel func", "x".repeat(480));
        let far = format!("[STOP] {}no cancel func", "x".repeat(520));
        assert_eq!(find(&table, &near), Some(0));
        assert_eq!(find(&table, &far), None);
    }

    #[test]
    fn a_thousand_tags_are_each_found() {
        let texts: Vec<&'static str> =
            (0..1_000).map(|number| &*Box::leak(format!("[T{number}] hit").into_boxed_str())).collect();
        let tags: Vec<Tag> = texts.iter().map(|text| tag(text, &[], false)).collect();
        let table = TagTable::new(&tags);
        for (id, text) in texts.iter().enumerate() {
            assert_eq!(find(&table, text), Some(id), "{text}");
        }
    }
}
