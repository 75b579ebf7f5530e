//! Damage that files suffer: bytes that a power loss left empty, lost line ends, lines in another order.

use super::random::Random;

/// The log with so many NULs in place of its bytes, from some place on.
pub(crate) fn with_nuls(log: &[u8], at: usize, length: usize) -> Vec<u8> {
    let mut damaged = log.to_vec();
    damaged.iter_mut().skip(at).take(length).for_each(|byte| *byte = 0);
    damaged
}

/// The log without the line end before its line of this number, from 1.
pub(crate) fn without_line_end(log: &[u8], line: usize) -> Vec<u8> {
    let lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    let mut joined = lines[..line].concat();
    joined.pop();
    joined.extend(lines[line..].concat());
    joined
}

/// The lines that begin with a time.
pub(crate) fn stamped_lines(log: &[u8]) -> Vec<usize> {
    let lines = log.split_inclusive(|byte| *byte == b'\n').enumerate();
    let stamped = lines.filter(|(_, line)| line.starts_with(b"20") || line.starts_with(b"time=\"20"));
    stamped.map(|(number, _)| number).filter(|number| *number > 0).collect()
}

/// The lines of the log from the last to the first.
pub(crate) fn newest_first(log: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = log.strip_suffix(b"\n").unwrap_or(log).split(|byte| *byte == b'\n').collect();
    lines.reverse();
    let mut reversed = lines.join(&b'\n');
    reversed.push(b'\n');
    reversed
}

/// The lines of the log in an order of chance.
pub(crate) fn shuffled(log: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    for last in (1..lines.len()).rev() {
        lines.swap(last, random.below(last + 1));
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_damage_is_what_it_says() {
        let log = b"2026/a\nb\n2026/c\n";
        assert_eq!(with_nuls(log, 5, 2), b"2026/\0\0b\n2026/c\n");
        assert_eq!(without_line_end(log, 2), b"2026/a\nb2026/c\n");
        assert_eq!(stamped_lines(log), [2]);
        assert_eq!(newest_first(log), b"2026/c\nb\n2026/a\n");
        let mut lines = shuffled(log, &mut Random::new(3));
        lines.sort_unstable();
        let mut same = log.to_vec();
        same.sort_unstable();
        assert_eq!(lines, same);
    }
}
