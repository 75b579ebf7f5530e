//! Long lines come in pieces; pieces of standard output and standard error may alternate.

use super::prefix::Stream;

/// What one stream may hold back while a line of the other is open.
const HELD_BYTES: usize = 4 << 20;

/// Puts the pieces of each stream together. The line that was begun first is written on; what the other stream
/// says meanwhile waits for its end.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    /// The stream whose line is open in the output.
    open: Option<Stream>,
    held: Vec<u8>,
    /// The last line that is held is open too.
    held_is_open: bool,
    /// Lines that had to be broken off, since too much was waiting.
    pub(super) broken: u64,
}

impl Joiner {
    /// Whether the next record of a stream begins a line.
    pub(super) fn begins_line(&self, stream: Stream) -> bool {
        match self.open {
            None => true,
            Some(open) if open == stream => false,
            Some(_) => !self.held_is_open,
        }
    }

    /// A part of a record's text.
    pub(super) fn text(&mut self, stream: Stream, text: &[u8], output: &mut Vec<u8>) {
        if self.open.is_none_or(|open| open == stream) {
            self.open = Some(stream);
            output.extend_from_slice(text);
            return;
        }
        self.held.extend_from_slice(text);
        self.held_is_open = true;
        if self.held.len() > HELD_BYTES {
            self.broken += 1;
            output.push(b'\n');
            self.let_go(output);
        }
    }

    /// The end of a record. `complete`: its line ends with it.
    pub(super) fn end(&mut self, stream: Stream, complete: bool, output: &mut Vec<u8>) {
        if self.open.is_some_and(|open| open != stream) {
            self.held_is_open = !complete;
        } else if complete {
            self.let_go(output);
        } else {
            self.open = Some(stream);
        }
    }

    /// The end of the input.
    pub(super) fn finish(&mut self, output: &mut Vec<u8>) {
        if !self.held.is_empty() {
            output.push(b'\n');
            self.let_go(output);
        }
    }

    /// The open line has ended: what waited for it follows.
    fn let_go(&mut self, output: &mut Vec<u8>) {
        output.append(&mut self.held);
        let other = match self.open {
            Some(Stream::Output) => Stream::Error,
            _ => Stream::Output,
        };
        self.open = self.held_is_open.then_some(other);
        self.held_is_open = false;
    }
}
