//! The same bytes in other containers: gzip, gzip of several members, a rotated set.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::pieces::messages;

/// One gzip member.
pub(crate) fn gzipped(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// Several gzip members one after the other, cut anywhere.
pub(crate) fn gzipped_in_members(content: &[u8], members: usize) -> Vec<u8> {
    let length = content.len().div_ceil(members).max(1);
    content.chunks(length).flat_map(gzipped).collect()
}

/// The log as an older and a newer part, cut before a message at about this many hundredths of its messages.
/// The parts' first times differ, so that the order can be told from the content; `None` where the log has
/// no such place.
pub(crate) fn rotated(log: &[u8], hundredths: usize) -> Option<(&[u8], &[u8])> {
    let messages = messages(log);
    let first = messages.iter().find_map(|message| message.wall)?;
    let wanted = messages.len() * hundredths / 100;
    let mut at = 0;
    for (index, message) in messages.iter().enumerate() {
        if index >= wanted.max(1) && message.wall.is_some_and(|wall| wall > first) {
            return Some(log.split_at(at));
        }
        at += message.bytes.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::*;

    #[test]
    fn members_decompress_to_the_content() {
        let packed = gzipped_in_members(b"one two three", 4);
        let mut content = Vec::new();
        MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut content).expect("valid gzip");
        assert_eq!(content, b"one two three");
        assert_eq!(packed.windows(2).filter(|pair| pair == b"\x1f\x8b").count(), 4);
    }

    #[test]
    fn a_rotated_set_begins_at_different_times() {
        let log = b"2026/11/30 03:00:01 a\n2026/11/30 03:00:01 b\n2026/11/30 03:00:02 c\nd\n2026/11/30 03:00:03 e\n";
        let (older, newer) = rotated(log, 10).expect("there is such a place");
        assert_eq!(older, b"2026/11/30 03:00:01 a\n2026/11/30 03:00:01 b\n");
        assert!(newer.starts_with(b"2026/11/30 03:00:02 c\nd\n"));
        assert!(rotated(b"2026/11/30 03:00:01 a\n2026/11/30 03:00:01 b\n", 50).is_none());
    }
}
