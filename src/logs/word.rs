//! The first bytes of a text as one number: what the scan compares instead of texts.

/// The first eight bytes as one number, zeros behind a shorter text.
#[inline(always)]
pub(crate) fn first_word(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => first_word_of_short(text),
    }
}

#[cold]
fn first_word_of_short(text: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.iter_mut().zip(text).for_each(|(target, byte)| *target = *byte);
    u64::from_le_bytes(word)
}
