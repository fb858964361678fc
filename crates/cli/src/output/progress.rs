//! Display of what is under way.

use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::live;

/// All spinners: they take a line of the terminal each.
static SPINNERS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Spinner on standard error with what is being done, if standard error is a terminal. Gone when it
/// is dropped.
#[derive(Default)]
pub struct Progress {
    hidden: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    /// A display that shows nothing.
    pub const fn hidden() -> Self {
        Self {
            hidden: true,
            bar: Mutex::new(None),
        }
    }

    /// Shows what is being done now.
    pub fn say(&self, what: &str) {
        if self.hidden {
            return;
        }
        let shown = live::change(|shown| shown.wait_for(Some(what)));
        if matches!(shown, Ok(true)) {
            return;
        }
        let Ok(mut bar) = self.bar.lock() else {
            return;
        };
        // indicatif hides it by itself if standard error is not a terminal.
        let bar = bar.get_or_insert_with(|| {
            let bar = SPINNERS.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
    }

    /// Prints something while nothing is shown.
    pub fn aside<T>(print: impl FnOnce() -> T) -> T {
        SPINNERS.suspend(print)
    }

    /// Shows nothing until the next [`Progress::say`].
    pub fn clear(&self) {
        if !self.hidden {
            // What can't be drawn is seen by nobody.
            let _ = live::change(|shown| shown.wait_for(None));
        }
        if let Ok(Some(bar)) = self.bar.lock().map(|mut bar| bar.take()) {
            bar.finish_and_clear();
            SPINNERS.remove(&bar);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
