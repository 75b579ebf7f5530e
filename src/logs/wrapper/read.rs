//! The adapter between decompression and the scan.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use super::decode::LineDecoder;
use super::journal_export::ExportDecoder;
use super::kind::WrapperKind;
use super::layer::Layer;
use super::split::Splitter;
use super::tally::WrapperTally;

/// Wrapped bytes that are read at once.
const BLOCK: usize = 128 << 10;

/// Takes the records of either kind of wrapper apart.
#[derive(Debug)]
pub(super) enum Decoder {
    Lines(LineDecoder),
    Export(ExportDecoder),
}

impl Decoder {
    pub(super) fn new(kind: WrapperKind) -> Self {
        match kind {
            WrapperKind::JournalExport => Self::Export(ExportDecoder::new()),
            kind => Self::Lines(LineDecoder::new(kind)),
        }
    }

    pub(super) fn push(&mut self, block: &[u8], splitter: &mut Splitter) {
        match self {
            Self::Lines(decoder) => decoder.push(block, splitter),
            Self::Export(decoder) => decoder.push(block, splitter),
        }
    }

    fn finish(&mut self, splitter: &mut Splitter) {
        match self {
            Self::Lines(decoder) => decoder.finish(splitter),
            Self::Export(decoder) => decoder.finish(splitter),
        }
    }
}

/// What each wrapper around a content cost, the outermost first.
pub(crate) type Tallies = Vec<(WrapperKind, Rc<RefCell<WrapperTally>>)>;

/// The content without its wrappers.
pub(crate) fn unwrap(content: Box<dyn Read>, layers: &[Layer]) -> (Box<dyn Read>, Tallies) {
    let mut tallies = Vec::new();
    let mut content = content;
    for layer in layers {
        let tally = Rc::new(RefCell::new(WrapperTally::default()));
        tallies.push((layer.kind, Rc::clone(&tally)));
        content = Box::new(UnwrappingRead {
            source: content,
            block: vec![0; BLOCK],
            decoder: Decoder::new(layer.kind),
            splitter: Splitter::one(layer.label.clone(), layer.elsewhere.clone()),
            at: 0,
            ended: false,
            tally,
        });
    }
    (content, tallies)
}

struct UnwrappingRead {
    source: Box<dyn Read>,
    block: Vec<u8>,
    decoder: Decoder,
    splitter: Splitter,
    /// Bytes of the output that have been handed out.
    at: usize,
    ended: bool,
    tally: Rc<RefCell<WrapperTally>>,
}

impl Read for UnwrappingRead {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(output) = self.splitter.outputs.first_mut() {
                let ready = output.text.get(self.at..).unwrap_or_default();
                if let (Some(from), Some(to)) = (
                    ready.get(..ready.len().min(target.len())),
                    target.get_mut(..ready.len().min(target.len())),
                ) && !from.is_empty()
                {
                    to.copy_from_slice(from);
                    self.at += from.len();
                    return Ok(from.len());
                }
                output.text.clear();
                self.at = 0;
            }
            if self.ended || target.is_empty() {
                return Ok(0);
            }
            let count = self.source.read(&mut self.block)?;
            if count == 0 {
                self.ended = true;
                self.decoder.finish(&mut self.splitter);
                self.tally.replace(std::mem::take(&mut self.splitter.tally));
            } else {
                self.decoder.push(self.block.get(..count).unwrap_or_default(), &mut self.splitter);
            }
        }
    }
}

impl Drop for UnwrappingRead {
    /// After a failure there is no end that would hand the tally over.
    fn drop(&mut self) {
        if !self.ended {
            self.tally.replace(std::mem::take(&mut self.splitter.tally));
        }
    }
}
