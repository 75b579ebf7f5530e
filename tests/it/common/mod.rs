//! What the whole-program tests share: running the binary, and the recordings with what they must give.

pub(crate) mod audit;
pub(crate) mod captures;
pub(crate) mod faults;
pub(crate) mod guard;
pub(crate) mod material;
pub(crate) mod recordings;
pub(crate) mod report;
pub(crate) mod secure;
pub(crate) mod server;
pub(crate) mod wrappers;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The built binary in an environment that is the same everywhere: only `PATH` is kept; zone, language and
/// width are fixed.
pub(crate) fn pulsectl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pulsectl"));
    command.env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command.env("TZ", "UTC").env("LANG", "C.UTF-8").env("COLUMNS", "100");
    command
}

/// One call of [`pulsectl`].
pub(crate) struct Pulsectl {
    command: Command,
}

/// What a call gave.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The exit code; `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: Vec<u8>,
    /// Standard error, as text.
    pub(crate) stderr: String,
}

impl Pulsectl {
    /// A call with these arguments.
    pub(crate) fn new<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let mut command = pulsectl();
        command.args(arguments).stdin(Stdio::null());
        Self { command }
    }

    /// `pulsectl audit -o json` over this file or folder.
    pub(crate) fn audit(input: &Path) -> Self {
        Self::new([OsStr::new("audit"), OsStr::new("-o"), OsStr::new("json"), input.as_os_str()])
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds several arguments.
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Answer {
        let output = self.command.output().expect("the built binary starts");
        Answer {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Does the work for each case on as many threads as there are cores, and returns what went wrong in the
/// order of the cases. A case that panics is a failed case.
pub(crate) fn in_parallel<T: Sync>(cases: &[T], work: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    in_parallel_on(std::thread::available_parallelism().map_or(2, usize::from), cases, work)
}

/// As [`in_parallel`], on this many threads: more than there are cores for work that mostly waits.
pub(crate) fn in_parallel_on<T: Sync>(
    threads: usize,
    cases: &[T],
    work: impl Fn(&T) -> Vec<String> + Sync,
) -> Vec<String> {
    let next = Mutex::new(0_usize);
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = {
                        let mut next = next.lock().expect("no thread panics while it holds the lock");
                        let index = *next;
                        *next += 1;
                        index
                    };
                    let Some(case) = cases.get(index) else { return };
                    let found = work(case);
                    problems.lock().expect("no thread panics while it holds the lock").push((index, found));
                }
            });
        }
    });
    let mut problems = problems.into_inner().expect("no thread panicked");
    assert_eq!(problems.len(), cases.len(), "every case ran");
    problems.sort_by_key(|(index, _)| *index);
    problems.into_iter().flat_map(|(_, found)| found).collect()
}
