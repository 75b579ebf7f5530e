//! Long work on a thread of its own, so that a signal or a closed terminal always ends it at once and a
//! progress bar can be drawn meanwhile.

use std::io;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::audit::options::Progress;
use crate::render::text::progress::Bar;

/// Work shorter than this shows no bar.
const BAR_AFTER: Duration = Duration::from_millis(500);
/// How often the bar is drawn.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// How the work ended.
#[derive(Debug)]
pub(crate) enum Ended<T> {
    /// It finished.
    Finished(T),
    /// A signal came first. The work's thread ends with the process.
    Interrupted,
}

/// Runs the work; draws its progress if `bar` says so; takes the bar off again however it ends.
///
/// # Errors
/// When the signal handler or the thread cannot be set up, or the work panicked.
pub(crate) fn run_until_signal<T: Send + 'static>(
    progress: &Progress,
    bar: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Ended<T>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, mut receiver) = oneshot::channel();
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        std::thread::Builder::new().name(String::from("work")).spawn(move || {
            // Nobody waits any more once a signal came.
            let _ = sender.send(work());
        })?;
        let mut drawn: Option<Bar> = None;
        let mut ticks = interval_at(Instant::now() + BAR_AFTER, BAR_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let ended = loop {
            tokio::select! {
                biased;
                result = &mut receiver => {
                    break result
                        .map(Ended::Finished)
                        .map_err(|_| io::Error::other("the work ended without a result"));
                }
                () = signals.received() => break Ok(Ended::Interrupted),
                _ = ticks.tick(), if bar => {
                    let (done, total) = progress.bytes();
                    drawn.get_or_insert_with(Bar::new).show(done, total);
                }
            }
        };
        if let Some(bar) = drawn {
            bar.clear();
        }
        ended
    })
}

/// Ctrl-C and, where there is one, the polite kill.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(unix)]
    pub(crate) async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub(crate) async fn received(&mut self) {
        // Without a handler the system's own ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
