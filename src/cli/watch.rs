//! The whole command runs on a thread of its own, so that a signal ends it at once, whatever it waits for: a read, a
//! full pipe, a FIFO without a reader. Owns the progress bar, which must be off the terminal before anything is said.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::progress::Bar;
use crate::audit::options::Progress;

/// Work shorter than this shows no bar.
const BAR_AFTER: Duration = Duration::from_millis(500);
/// The stack of a main thread, in bytes; other threads have less.
const STACK: usize = 8 * 1024 * 1024;
/// How often the bar is drawn.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// What the command's thread and the one that waits for signals both know.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Whether errors are written as one JSON object.
    machine_errors: AtomicBool,
    bar: Mutex<Option<Bar>>,
}

impl Watch {
    pub(super) fn set_machine_errors(&self, machine: bool) {
        self.machine_errors.store(machine, Ordering::Relaxed);
    }

    pub(super) fn machine_errors(&self) -> bool {
        self.machine_errors.load(Ordering::Relaxed)
    }

    /// Takes the bar off the terminal.
    pub(super) fn clear_bar(&self) {
        // A panic while the bar was drawn leaves it as good as before.
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(bar) = bar {
            bar.clear();
        }
    }

    fn draw_bar(&self, progress: &Progress) {
        let (done, total) = progress.bytes();
        self.bar
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_with(Bar::new)
            .show(done, total);
    }

    /// Does work whose progress is drawn meanwhile; the bar is gone when it returns.
    pub(super) fn with_bar<T>(&self, progress: &Progress, work: impl FnOnce() -> T) -> T {
        let (done, wait) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut pause = BAR_AFTER;
                while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    self.draw_bar(progress);
                    pause = BAR_EVERY;
                }
                self.clear_bar();
            });
            let result = work();
            drop(done);
            result
        })
    }
}

/// How the work ended.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// It finished.
    Finished(T),
    /// A signal came first. The work's thread ends with the process.
    Interrupted,
}

/// Runs the work until it ends or a signal comes.
///
/// # Errors
/// When the signal handler or the thread cannot be set up, or the work panicked.
pub(super) fn until_signal<T: Send + 'static>(
    watch: &Arc<Watch>,
    work: impl FnOnce(Arc<Watch>) -> T + Send + 'static,
) -> io::Result<Ended<T>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, receiver) = oneshot::channel();
    let shared = Arc::clone(watch);
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        std::thread::Builder::new().name(String::from("command")).stack_size(STACK).spawn(move || {
            // Nobody waits any more once a signal came.
            let _ = sender.send(work(shared));
        })?;
        tokio::select! {
            biased;
            result = receiver => result
                .map(Ended::Finished)
                .map_err(|_| io::Error::other("the work ended without a result")),
            () = signals.received() => Ok(Ended::Interrupted),
        }
    })
}
/// Ctrl-C and, where there is one, the polite kill.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(unix)]
    async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn received(&mut self) {
        // Without a handler the system's own ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
