//! Every file that pulsectl writes for a person: what may be written, checked before anything is read, and how.
//!
//! A regular file is written beside its place, flushed and renamed, so that a failure leaves the old one whole. A
//! device, a FIFO or a descriptor under `/dev/fd` is written in place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::exit::{CommandError, ExitStatus};
use crate::audit::baseline::Baseline;
use crate::source::file;

/// The path of whatever standard input is.
const STDIN: &str = "/dev/stdin";

/// The path of whatever standard output is.
const STDOUT: &str = "/dev/stdout";

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Privacy {
    /// Whoever the process's mask lets.
    Ordinary,
    /// Only its owner: it holds a server's state.
    Private,
}

/// Which file a path leads to, through links.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    /// A file that is there.
    #[cfg(unix)]
    Node { device: u64, inode: u64 },
    /// The place of a file that is not there yet (and on other systems of every file).
    Place(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt as _;
            return Self::Node { device: metadata.dev(), inode: metadata.ino() };
        }
        Self::Place(place(path))
    }
}

/// The place that a path leads to, links of its last part followed even where nothing is there.
fn place(path: &Path) -> PathBuf {
    /// As many links as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(whole) = fs::canonicalize(&path) {
            return whole;
        }
        let folder = folder_of(&path).to_owned();
        let Ok(target) = fs::read_link(&path) else {
            let name = path.file_name().unwrap_or_default();
            return fs::canonicalize(&folder).unwrap_or(folder).join(name);
        };
        path = folder.join(target);
    }
    path
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path names a descriptor of the process, whatever that leads to.
fn is_descriptor(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    path == Path::new(STDOUT)
        || path == Path::new("/dev/stderr")
        || folder == Path::new("/dev/fd")
        || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// Whether a path is written where it stands: a descriptor, a device, a FIFO, a socket.
fn is_in_place(path: &Path) -> bool {
    is_descriptor(path) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The files that a command reads.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    files: Vec<(Identity, PathBuf)>,
}

impl Inputs {
    /// Adds a file. What is no regular file cannot be destroyed, nor what is not there.
    pub(super) fn add(&mut self, path: &Path) {
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            self.files.push((Identity::of(path), path.to_owned()));
        }
    }

    /// Adds a file, or every file of a folder.
    pub(super) fn add_with_content(&mut self, path: &Path) {
        if path.is_dir() {
            self.add_folder(path, |_| true);
        } else {
            self.add(path);
        }
    }

    /// Adds what a log's path can stand for: standard input, the file and a log of the scheduler beside it, the logs
    /// of a folder, or what a pattern matches. Opens none of them.
    pub(super) fn add_log(&mut self, path: &Path) {
        if path.as_os_str() == "-" {
            self.add(Path::new(STDIN));
            return;
        }
        if path.is_dir() {
            self.add_folder(path, |name| name.contains(".log") || name.contains("server_debug"));
            return;
        }
        if path.exists() {
            self.add(path);
            self.add_folder(folder_of(path), |name| name.contains("schedule"));
        } else if let Some(found) = path.to_str().and_then(|pattern| glob::glob(pattern).ok()) {
            for path in found.flatten() {
                self.add_with_content(&path);
            }
        }
    }

    /// The input that is this file.
    fn holds(&self, identity: &Identity) -> Option<&Path> {
        self.files.iter().find(|(input, _)| input == identity).map(|(_, path)| path.as_path())
    }

    fn add_folder(&mut self, folder: &Path, wanted: impl Fn(&str) -> bool) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if wanted(&entry.file_name().to_string_lossy()) {
                self.add(&entry.path());
            }
        }
    }
}

/// A file that a command is to write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output<'a> {
    /// Where.
    pub(super) path: &'a Path,
    /// Whether only another baseline may be replaced.
    pub(super) is_baseline: bool,
}

/// Refuses outputs that would destroy something. Asked before anything is read.
///
/// # Errors
/// When an output is a folder, an input, another output, or would replace what is no baseline by one.
pub(super) fn check(outputs: &[Output<'_>], inputs: &Inputs) -> Result<(), CommandError> {
    if fs::metadata(STDOUT).is_ok_and(|metadata| metadata.is_file())
        && let Some(input) = inputs.holds(&Identity::of(Path::new(STDOUT)))
    {
        let error = format!("`{}` would be read and written as standard output", input.display());
        return Err(refused(error, "send standard output elsewhere"));
    }
    let mut seen: Vec<(Identity, &Path)> = Vec::new();
    for output in outputs.iter().filter(|output| !is_in_place(output.path)) {
        let shown = output.path.display();
        if output.path.is_dir() {
            return Err(refused(format!("`{shown}` is a folder"), "name a file in it"));
        }
        let identity = Identity::of(output.path);
        if let Some(input) = inputs.holds(&identity) {
            let error = if input == output.path {
                format!("`{shown}` would be read and written")
            } else {
                format!("`{shown}` would be read, as `{}`, and written", input.display())
            };
            return Err(refused(error, "give the output a name of its own"));
        }
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == identity) {
            let error = if *other == output.path {
                format!("`{shown}` would be written twice")
            } else {
                format!("`{shown}` and `{}` are one file", other.display())
            };
            return Err(refused(error, "give each output a name of its own"));
        }
        if output.is_baseline && !may_become_baseline(output.path) {
            let error = format!("`{shown}` is no baseline and is not replaced by one");
            return Err(refused(error, "name a new file, or a baseline"));
        }
        seen.push((identity, output.path));
    }
    Ok(())
}

fn refused(error: String, hint: &str) -> CommandError {
    CommandError::new(ExitStatus::Usage, error).hint(hint)
}

/// Whether nothing but a baseline is lost: there is no file, an empty one (of `mktemp`), or a baseline.
fn may_become_baseline(path: &Path) -> bool {
    match fs::metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(metadata) if metadata.len() == 0 => true,
        Ok(_) => {
            let text = file::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            text.is_some_and(|text| Baseline::parse(&text).is_ok())
        }
    }
}

/// The file beside its place that is being written, for a signal that comes meanwhile.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes what a signal interrupted.
pub(super) fn abandon() {
    let path = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(path) = path {
        // It may have been renamed just now; then there is nothing to remove.
        let _ = fs::remove_file(path);
    }
}

/// Writes a file.
///
/// # Errors
/// When it cannot be written; a regular file is then as it was.
pub(super) fn write(path: &Path, content: &[u8], privacy: Privacy) -> io::Result<()> {
    if is_in_place(path) {
        return match write_in_place(path, content) {
            // As with a pipe on stdout: a reader that leaves has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        };
    }
    let target = place(path);
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pulsectl-").suffix(".part");
    #[cfg(unix)]
    if privacy == Privacy::Ordinary {
        use std::os::unix::fs::PermissionsExt as _;
        // The process's mask is taken off by the system; without this the crate asks for 0600.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(&target))?;
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.path().to_owned());
    let written = fill(file.as_file_mut(), content, existing.as_ref(), privacy);
    let renamed = written.and_then(|()| file.persist(&target).map(drop).map_err(|error| error.error));
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take();
    renamed
}

fn fill(
    file: &mut File,
    content: &[u8],
    existing: Option<&fs::Metadata>,
    privacy: Privacy,
) -> io::Result<()> {
    file.write_all(content)?;
    if let Some(existing) = existing.filter(|_| privacy == Privacy::Ordinary) {
        file.set_permissions(existing.permissions())?;
    }
    file.sync_all()
}

fn write_in_place(path: &Path, content: &[u8]) -> io::Result<()> {
    match path.to_str() {
        // Opened anew, a file behind a standard stream would be written from its beginning.
        Some(STDOUT | "/dev/fd/1" | "/proc/self/fd/1") => flushed(&mut io::stdout().lock(), content),
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => flushed(&mut io::stderr().lock(), content),
        _ => flushed(&mut OpenOptions::new().append(true).open(path)?, content),
    }
}

fn flushed(stream: &mut impl io::Write, content: &[u8]) -> io::Result<()> {
    stream.write_all(content)?;
    stream.flush()
}
