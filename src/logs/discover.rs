//! Which logs a command line means: files, globs, directories and standard input become groups, one per
//! server, each file in the place that its content gives it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use super::backwards::Backwards;
use super::candidate::{Candidate, Skipped};
use super::copies::drop_copies;
use super::guess::{guess_binary, guess_text, is_nginx_error};
use super::name::{
    LogKind, LogName, SERVER_STEM, is_expected_name, is_rotation_left_over, may_be_a_log, names_a_server_log,
};
use super::probe::{HEAD, Probe};
use super::problem::InputProblem;
use super::source::{Compression, LogFile, OpenLog, Origin, WITNESS, read_head};
use super::wrapper::{WrappedLog, recognise};
use super::zone::{Zone, ZoneSource};
use crate::model::gap::GapCode;

/// One server's logs: two streams, each in the order of its content.
#[derive(Debug, Default)]
pub struct Group {
    /// `server_debug.log` or `agent.log` with its older parts.
    pub main: Vec<LogFile>,
    /// `schedule.log` with its older parts.
    pub schedule: Vec<LogFile>,
}

/// What a command line means.
#[derive(Debug, Default)]
pub struct Discovered {
    /// One per server.
    pub groups: Vec<Group>,
    /// What can't be read.
    pub problems: Vec<InputProblem>,
    /// What is not read on purpose.
    pub skipped: Vec<Skipped>,
}

/// Finds the logs that the arguments mean. With `siblings`, the `schedule.log` beside a named log is read too.
#[must_use]
pub fn discover(arguments: &[String], siblings: bool) -> Discovered {
    let mut search = Search { siblings, ..Search::default() };
    for argument in arguments {
        search.take_argument(argument);
    }
    search.into_groups()
}

/// How a file came to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mention {
    /// The person wrote its path.
    Named,
    /// A directory, a glob or a neighbour led to it.
    Found,
}

#[derive(Debug, Default)]
struct Search {
    siblings: bool,
    candidates: Vec<Candidate>,
    seen: BTreeSet<PathBuf>,
    problems: Vec<InputProblem>,
    skipped: Vec<Skipped>,
}

impl Search {
    fn take_argument(&mut self, argument: &str) {
        if argument == "-" {
            if self.seen.insert(PathBuf::from("-")) {
                self.take_stream("-", Box::new(io::stdin()), None);
            }
            return;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.take_directory(path),
            Ok(_) => {
                self.take_file(path, Mention::Named);
                self.take_sibling(path);
            }
            Err(_) if argument.contains(['*', '?', '[']) => self.take_glob(argument),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.problems.push(InputProblem::NotFound { path: argument.to_owned() });
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn take_directory(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(folder, &error),
        };
        let mut names: Vec<OsString> = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => self.unreadable(folder, &error),
            }
        }
        names.sort();
        let before = (self.candidates.len(), self.problems.len(), self.seen.len());
        let mut folders = Vec::new();
        let mut others = Vec::new();
        for name in names {
            let path = folder.join(&name);
            let name = name.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if is_rotation_left_over(&name) && is_expected_name(&name) {
                self.skip_left_over(&path);
            } else if is_expected_name(&name) {
                self.take_file(&path, Mention::Found);
            } else if may_be_a_log(&name) {
                others.push(path);
            }
        }
        let is_nothing = before == (self.candidates.len(), self.problems.len(), self.seen.len());
        let with_logs: Vec<String> =
            folders.iter().filter(|folder| holds_logs(folder)).map(|folder| show(folder)).collect();
        if is_nothing {
            let shown = if with_logs.is_empty() {
                folders.iter().map(|folder| show(folder)).collect()
            } else {
                with_logs
            };
            let folders = name_some(&shown);
            self.problems.push(InputProblem::NoLogsInDirectory { path: show(folder), folders });
        } else {
            self.problems.extend(with_logs.into_iter().map(|path| InputProblem::FolderNotRead { path }));
        }
        for path in others.iter().filter(|path| is_log_by_content(path)) {
            self.problems.push(InputProblem::LogNotRead { path: show(path) });
        }
    }

    fn take_glob(&mut self, pattern: &str) {
        let paths: Vec<PathBuf> = match glob::glob(pattern) {
            Ok(paths) => paths.filter_map(Result::ok).collect(),
            Err(_) => Vec::new(),
        };
        if paths.is_empty() {
            self.problems.push(InputProblem::GlobWithoutMatch { path: pattern.to_owned() });
        }
        for path in paths {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if path.is_dir() {
                self.take_directory(&path);
            } else if is_rotation_left_over(name) {
                self.skip_left_over(&path);
            } else {
                // A pattern names no pipe: to open one might wait for ever.
                let mention = if path.is_file() { Mention::Named } else { Mention::Found };
                self.take_file(&path, mention);
                self.take_sibling(&path);
            }
        }
    }

    /// The `schedule.log` beside a server's log.
    fn take_sibling(&mut self, path: &Path) {
        let name = LogName::of(path);
        if !self.siblings || name.kind == Some(LogKind::Schedule) {
            return;
        }
        let sibling = match name.kind {
            Some(_) => "schedule.log".to_owned(),
            None => format!("{}.schedule.log", name.stem),
        };
        for ending in ["", ".gz", ".zst"] {
            let path = path.with_file_name(format!("{sibling}{ending}"));
            if path.is_file() {
                self.take_file(&path, Mention::Found);
            }
        }
    }

    fn skip_left_over(&mut self, path: &Path) {
        self.skipped.push(Skipped {
            path: show(path),
            code: GapCode::RotationLeftOver,
            message: "a left-over of the log's rotation that repeats its lines: not read".to_owned(),
        });
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.problems.push(InputProblem::Unreadable { path: show(path), reason: error.to_string() });
    }

    fn take_file(&mut self, path: &Path, mention: Mention) {
        let identity = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if !self.seen.insert(identity.clone()) {
            return;
        }
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.unreadable(path, &error),
        };
        if !metadata.is_file() && mention == Mention::Found {
            self.skipped.push(Skipped {
                path: show(path),
                code: GapCode::SpecialFileSkipped,
                message: "no regular file, and nobody named it: not read".to_owned(),
            });
            return;
        }
        if !metadata.is_file() {
            // A pipe can be read only once: what is read to look at it must not be lost.
            return match fs::File::open(path) {
                Ok(file) => self.take_stream(&show(path), Box::new(file), Some(path)),
                Err(error) => self.unreadable(path, &error),
            };
        }
        let mut log = match OpenLog::open_file(path) {
            Ok(log) => log,
            Err(error) => return self.unreadable(path, &error),
        };
        let (head, failure) = read_head(&mut *log.content, HEAD);
        if head.is_empty() && failure.is_none() && mention == Mention::Found {
            self.skipped.push(Skipped {
                path: show(path),
                code: GapCode::EmptyFile,
                message: "an empty file".to_owned(),
            });
            return;
        }
        let folder = identity.parent().unwrap_or(Path::new("")).to_owned();
        let origin = Origin::File(path.to_owned());
        self.take_content(path, show(path), folder, origin, &head, log.compression, failure);
    }

    fn take_stream(&mut self, shown: &str, mut stream: Box<dyn Read>, path: Option<&Path>) {
        let (stored, failure) = read_head(&mut *stream, HEAD);
        let compression = Compression::of(&stored);
        let (head, failure) = match OpenLog::open(Origin::Stream(Box::new(Cursor::new(stored.clone())))) {
            // What was read of a compressed stream ends somewhere: that is no damage.
            Ok(mut log) => (read_head(&mut *log.content, HEAD).0, failure),
            Err(error) => (Vec::new(), Some(error)),
        };
        let origin = Origin::Stream(Box::new(Cursor::new(stored).chain(stream)));
        let path = path.unwrap_or(Path::new(shown)).to_owned();
        self.take_content(&path, shown.to_owned(), PathBuf::from(shown), origin, &head, compression, failure);
    }

    #[expect(clippy::too_many_arguments, reason = "what is known of one file, from two ways of opening it")]
    fn take_content(
        &mut self,
        path: &Path,
        shown: String,
        folder: PathBuf,
        origin: Origin,
        head: &[u8],
        compression: Compression,
        failure: Option<io::Error>,
    ) {
        let name = LogName::of(path);
        if let Some(found) = recognise(head) {
            if !found.others.is_empty() {
                self.skipped.push(Skipped {
                    path: shown.clone(),
                    code: GapCode::ServicesSkipped,
                    message: format!("{} in it: no log of a Pulse server", name_some(&found.others)),
                });
            }
            self.take_wrapped(&shown, &folder, &name, origin, found.logs, compression);
            return;
        }
        let mut probe = Probe::of(head);
        let backwards = if probe.is_newest_first { read_backwards(&origin, compression) } else { None };
        let backwards = backwards.map(|(lines, from_its_end)| {
            probe = from_its_end;
            lines
        });
        if let Some(problem) = refuse(&shown, &name, head, &probe, compression, failure) {
            self.problems.push(problem);
            return;
        }
        let beginning = head.get(..WITNESS).unwrap_or(head).to_vec();
        let mut file = LogFile::new(shown, name.kind, origin, &probe);
        file.backwards = backwards;
        self.candidates.push(Candidate { file, folder, stem: name.stem, beginning, compression });
    }

    /// One file with the lines of one server or of several: each is a log of its own. What can be read only
    /// once gives only the first.
    fn take_wrapped(
        &mut self,
        shown: &str,
        folder: &Path,
        name: &LogName,
        origin: Origin,
        logs: Vec<WrappedLog>,
        compression: Compression,
    ) {
        let mut origin = Some(origin);
        for log in logs {
            let service = log.service.clone().unwrap_or_default();
            let Some(here) = origin.take() else {
                self.problems.push(InputProblem::ServiceNotRead { path: shown.to_owned(), service });
                continue;
            };
            if let Origin::File(path) = &here {
                origin = Some(Origin::File(path.clone()));
            }
            let probe = Probe::of_wrapped(&log.head, log.offset);
            let file = LogFile::new(shown.to_owned(), name.kind, here, &probe).wrapped_in(log.layers);
            let stem =
                if service.is_empty() { name.stem.clone() } else { format!("{}/{service}", name.stem) };
            let beginning = log.head.get(..WITNESS).unwrap_or(&log.head).to_vec();
            let folder = folder.to_owned();
            self.candidates.push(Candidate { file, folder, stem, beginning, compression });
        }
    }

    fn into_groups(mut self) -> Discovered {
        self.candidates.sort_by(|one, other| {
            (one.file.first_wall.is_none(), one.file.first_wall, &one.file.path).cmp(&(
                other.file.first_wall.is_none(),
                other.file.first_wall,
                &other.file.path,
            ))
        });
        let kept = drop_copies(self.candidates, &mut self.skipped);
        let mut groups: BTreeMap<(PathBuf, String), Group> = BTreeMap::new();
        for candidate in kept {
            let group = groups.entry((candidate.folder, candidate.stem)).or_default();
            let stream =
                if candidate.file.kind == LogKind::Schedule { &mut group.schedule } else { &mut group.main };
            stream.push(candidate.file);
        }
        adopt_schedules(&mut groups);
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.iter_mut().for_each(share_zone);
        self.problems.sort_by_key(|problem| problem.path().to_owned());
        self.skipped.sort();
        Discovered { groups, problems: self.problems, skipped: self.skipped }
    }
}

/// The first names of a list, and how many more there are.
fn name_some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = names.len().saturating_sub(SHOWN);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether a folder holds files that are named like a server's logs. Does not look deeper.
fn holds_logs(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.filter_map(Result::ok).any(|entry| is_expected_name(&entry.file_name().to_string_lossy()))
}

/// Whether a file that is not named as a server names its logs is one all the same. Where the name hints at it, a
/// line with a time is enough.
fn is_log_by_content(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let Ok(mut log) = OpenLog::open_file(path) else { return false };
    let (head, _) = read_head(&mut *log.content, HEAD);
    if recognise(&head).is_some() {
        return true;
    }
    let name = LogName::of(path);
    let probe = Probe::of(&head);
    if refuse("", &name, &head, &probe, log.compression, None).is_some() {
        return false;
    }
    let hints = path.file_name().is_some_and(|name| names_a_server_log(&name.to_string_lossy()));
    probe.first_wall.is_some() && (hints || probe.kind != LogKind::Unknown)
}

/// How much a file holds whose newest line comes first, and what it tells when it is read from its end. `None` for
/// what can't be read so: a stream or a compressed file; its disorder is told when it is read.
fn read_backwards(origin: &Origin, compression: Compression) -> Option<(Backwards, Probe)> {
    let Origin::File(path) = origin else { return None };
    if compression != Compression::None {
        return None;
    }
    let lines = Backwards::of(&mut fs::File::open(path).ok()?).ok()?;
    let (head, _) = read_head(&mut *OpenLog::open_backwards(path).ok()?.content, HEAD);
    Some((lines, Probe::of(&head)))
}

/// Why a content can't be audited.
fn refuse(
    shown: &str,
    name: &LogName,
    head: &[u8],
    probe: &Probe,
    compression: Compression,
    failure: Option<io::Error>,
) -> Option<InputProblem> {
    let path = shown.to_owned();
    if head.is_empty() {
        return Some(match (failure, compression) {
            (None, _) => InputProblem::Empty { path },
            (Some(error), Compression::None) => InputProblem::Unreadable { path, reason: error.to_string() },
            (Some(error), _) => InputProblem::BadCompression { path, reason: error.to_string() },
        });
    }
    if let Some(looks_like) = guess_binary(head) {
        return Some(InputProblem::Binary { path, looks_like });
    }
    let first_line = head.split(|&byte| byte == b'\n').find(|line| !line.is_empty()).unwrap_or_default();
    let is_other = is_nginx_error(&String::from_utf8_lossy(first_line.get(..128).unwrap_or(first_line)));
    // A log that is known by its name may begin with a line longer than what was looked at.
    let hides_its_stamps = name.kind.is_some() && head.len() == HEAD && !head.contains(&b'\n');
    if is_other || (probe.first_wall.is_none() && !hides_its_stamps) {
        return Some(InputProblem::NotAPulseLog { path, looks_like: guess_text(head) });
    }
    None
}

/// A `schedule.log` beside one log of another name belongs to that.
fn adopt_schedules(groups: &mut BTreeMap<(PathBuf, String), Group>) {
    let orphans: Vec<_> = groups
        .iter()
        .filter(|((_, stem), group)| stem == SERVER_STEM && group.main.is_empty())
        .map(|(key, _)| key.clone())
        .collect();
    for key in orphans {
        let neighbours: Vec<_> = groups
            .iter()
            .filter(|(other, group)| other.0 == key.0 && !group.main.is_empty())
            .map(|(other, _)| other.clone())
            .collect();
        let [neighbour] = neighbours.as_slice() else { continue };
        let Some(orphan) = groups.remove(&key) else { continue };
        if let Some(group) = groups.get_mut(neighbour) {
            group.schedule.extend(orphan.schedule);
            group
                .schedule
                .sort_by(|one, other| (one.first_wall, &one.path).cmp(&(other.first_wall, &other.path)));
        }
    }
}

/// `schedule.log` has no logrus lines; the zone of the server's other log is its own too.
fn share_zone(group: &mut Group) {
    let known: Vec<(Option<i64>, Zone)> = group
        .main
        .iter()
        .chain(&group.schedule)
        .filter(|file| file.zone.source != ZoneSource::Assumed)
        .map(|file| (file.first_wall, file.zone.clone()))
        .collect();
    for file in group.main.iter_mut().chain(&mut group.schedule) {
        if file.zone.source != ZoneSource::Assumed {
            continue;
        }
        let distance = |wall: Option<i64>| match (wall, file.first_wall) {
            (Some(one), Some(other)) => one.abs_diff(other),
            _ => u64::MAX,
        };
        if let Some((_, zone)) = known.iter().min_by_key(|(wall, zone)| (distance(*wall), zone.source)) {
            file.zone = zone.clone();
        }
    }
}

#[cfg(test)]
mod tests;
