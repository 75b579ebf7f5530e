//! The progress bar on stderr. Whether and when it is drawn is decided by `cli`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of bytes read.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// An empty bar on stderr.
    #[must_use]
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Self { bar }
    }

    /// Draws how far the work is; a total of 0 is not known.
    pub(super) fn show(&mut self, done: u64, total: u64) {
        let template = if total > 0 && self.bar.length().is_none() {
            Some("reading {bar:24} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
        } else if total == 0 {
            Some("reading {bytes} {bytes_per_sec}")
        } else {
            None
        };
        if let Some(style) = template.and_then(|template| ProgressStyle::with_template(template).ok()) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        if total > 0 {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
        self.bar.tick();
    }

    /// Takes the bar off the terminal.
    pub(super) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

impl Default for Bar {
    fn default() -> Self {
        Self::new()
    }
}
