//! Where the bytes of a log come from: a file, a stream, memory; plain, gzip or zstd.
//!
//! Compression is known by the content, never by the name. No memory map: a log is rewritten in place while
//! it is read, which a map answers with SIGBUS and a read with a short count.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::backwards::{Backwards, BackwardsRead};
use super::name::LogKind;
use super::probe::{HEAD, Probe};
use super::wrapper::{Layer, recognise};
use super::zone::Zone;

/// How much of a file is remembered, to see later whether it is still the same.
pub(crate) const WITNESS: usize = 4_096;
/// Compressed bytes that are read at once.
const COMPRESSED_BLOCK: usize = 128 << 10;
/// The largest window of a zstd frame, as a power of two: the decoder keeps so many bytes. 128 MiB is what
/// `zstd --long` writes and what `zstd -d` takes unasked.
const WINDOW_LOG: u32 = 27;

/// One log that is to be read.
#[derive(Debug)]
pub struct LogFile {
    /// The path as shown to people; `-` for standard input.
    pub path: String,
    /// Which log it is, by name, else by content.
    pub kind: LogKind,
    /// The first stamp in the content, as a wall second.
    pub first_wall: Option<i64>,
    pub(crate) origin: Origin,
    pub(crate) zone: Zone,
    pub(crate) begins_with_process: bool,
    /// What stands around its lines, the outermost first.
    pub(crate) layers: Vec<Layer>,
    /// Its newest line comes first, so it is read from its last line on.
    pub(crate) backwards: Option<Backwards>,
}

/// Where the bytes are.
pub(crate) enum Origin {
    /// A regular file.
    File(PathBuf),
    /// Something that can be read only once.
    Stream(Box<dyn Read>),
}

impl fmt::Debug for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => formatter.debug_tuple("File").field(path).finish(),
            Self::Stream(_) => formatter.write_str("Stream"),
        }
    }
}

impl LogFile {
    /// A log that is in memory: an embedded example, or a test's.
    #[must_use]
    pub fn from_bytes(path: &str, kind: LogKind, content: Vec<u8>) -> Self {
        let head = content.get(..HEAD).unwrap_or(&content);
        let wrapped = recognise(head).and_then(|found| found.logs.into_iter().next());
        let (probe, layers) = match wrapped {
            Some(log) => (Probe::of_wrapped(&log.head, log.offset), log.layers),
            None => (Probe::of(head), Vec::new()),
        };
        let origin = Origin::Stream(Box::new(Cursor::new(content)));
        Self::new(path.to_owned(), Some(kind), origin, &probe).wrapped_in(layers)
    }

    pub(crate) fn new(path: String, kind: Option<LogKind>, origin: Origin, probe: &Probe) -> Self {
        Self {
            path,
            kind: kind.unwrap_or(probe.kind),
            first_wall: probe.first_wall,
            origin,
            zone: probe.zone.clone(),
            begins_with_process: probe.begins_with_process,
            layers: Vec::new(),
            backwards: None,
        }
    }

    pub(crate) fn wrapped_in(mut self, layers: Vec<Layer>) -> Self {
        self.layers = layers;
        self
    }

    /// Bytes on the disk: what progress is measured against. `None` for a stream.
    #[must_use]
    pub fn stored_bytes(&self) -> Option<u64> {
        match &self.origin {
            Origin::File(path) => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
            Origin::Stream(_) => None,
        }
    }
}

/// How content is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    pub(crate) fn of(stored: &[u8]) -> Self {
        if stored.starts_with(b"\x1f\x8b") {
            return Self::Gzip;
        }
        if stored.starts_with(b"\x28\xb5\x2f\xfd") {
            return Self::Zstd;
        }
        Self::None
    }
}

/// A log that is being read.
pub(crate) struct OpenLog {
    /// The decompressed content.
    pub(crate) content: Box<dyn Read>,
    pub(crate) compression: Compression,
    /// Stored bytes consumed so far.
    pub(crate) consumed: Rc<Cell<u64>>,
    witness: Option<Witness>,
}

impl OpenLog {
    pub(crate) fn open(origin: Origin) -> io::Result<Self> {
        match origin {
            Origin::File(path) => Self::open_file(&path),
            Origin::Stream(stream) => Self::decode(stream, None),
        }
    }

    pub(crate) fn open_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let witness = Witness::of(&mut file)?;
        Self::decode(Box::new(file), Some(witness))
    }

    /// An uncompressed file, from its last line to its first.
    pub(crate) fn open_backwards(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let witness = Some(Witness::of(&mut file)?);
        let consumed = Rc::new(Cell::new(0));
        let counted = CountedRead { inner: file, count: Rc::clone(&consumed) };
        let content = Box::new(BackwardsRead::new(counted)?);
        Ok(Self { content, compression: Compression::None, consumed, witness })
    }

    fn decode(mut stored: Box<dyn Read>, witness: Option<Witness>) -> io::Result<Self> {
        let mut magic = Vec::with_capacity(4);
        // A failure here is met again by the first read of the content.
        let failed = stored.by_ref().take(4).read_to_end(&mut magic).err();
        let compression = Compression::of(&magic);
        let consumed = Rc::new(Cell::new(0));
        let stored: Box<dyn Read> = match failed {
            Some(error) => Box::new(Cursor::new(magic).chain(FailingRead(Some(error)))),
            None => Box::new(Cursor::new(magic).chain(stored)),
        };
        let counted = CountedRead { inner: stored, count: Rc::clone(&consumed) };
        let content: Box<dyn Read> = match compression {
            Compression::None => Box::new(counted),
            Compression::Gzip => {
                Box::new(MultiGzDecoder::new(BufReader::with_capacity(COMPRESSED_BLOCK, counted)))
            }
            Compression::Zstd => {
                let mut decoder =
                    zstd::Decoder::with_buffer(BufReader::with_capacity(COMPRESSED_BLOCK, counted))?;
                decoder.window_log_max(WINDOW_LOG)?;
                Box::new(decoder)
            }
        };
        Ok(Self { content, compression, consumed, witness })
    }

    /// After the last read: what shows that the file is no longer the one that was opened.
    pub(crate) fn change(&mut self) -> Option<String> {
        let consumed = self.consumed.get();
        self.witness.as_mut().and_then(|witness| witness.change(consumed))
    }
}

/// Reads the first bytes of a content.
pub(crate) fn read_head(content: &mut dyn Read, length: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut head = Vec::new();
    let limit = u64::try_from(length).unwrap_or(u64::MAX);
    let failure = content.take(limit).read_to_end(&mut head).err();
    (head, failure)
}

/// What a file was when it was opened.
#[derive(Debug)]
struct Witness {
    file: File,
    size: u64,
    beginning: Vec<u8>,
}

impl Witness {
    fn of(file: &mut File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let (beginning, failure) = read_head(file, WITNESS);
        if let Some(error) = failure {
            return Err(error);
        }
        file.seek(SeekFrom::Start(0))?;
        Ok(Self { file: file.try_clone()?, size, beginning })
    }

    /// The launcher rewrites the log in place: the same file, emptied and filled with its own tail.
    fn change(&mut self, consumed: u64) -> Option<String> {
        let Ok(metadata) = self.file.metadata() else { return None };
        if metadata.len() < consumed || consumed < self.size {
            return Some("it became shorter while it was read".to_owned());
        }
        if self.file.seek(SeekFrom::Start(0)).is_err() {
            return None;
        }
        let (beginning, _) = read_head(&mut self.file, self.beginning.len());
        (beginning != self.beginning).then(|| "it was rewritten while it was read".to_owned())
    }
}

/// Counts stored bytes.
struct CountedRead<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for CountedRead<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(target)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for CountedRead<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Fails once, then has ended.
struct FailingRead(Option<io::Error>);

impl Read for FailingRead {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
