//! The bar on stderr. One ticker thread reads atomic counters; whoever measures makes no terminal call and does not know
//! that somebody looks.

use super::output::{Output, note};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(100);

/// What a ticker shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The stage, in front of the bar.
    pub stage: String,
    pub done: u64,
    /// 0: not known, no bar.
    pub total: u64,
    /// Behind the bar.
    pub note: String,
    /// Printed above the bar, to stay there.
    pub told: Option<String>,
}

/// Does `work` on this thread while a second one draws what `read` sees. There is no second one unless stderr is a terminal
/// and the user wants it.
pub fn watch<T>(output: &Output, read: impl Fn() -> Reading + Sync, work: impl FnOnce() -> T) -> T {
    watch_telling(output, false, read, work)
}

/// The same; what is told is printed where there is no bar, too, if the user asked for it (`always`).
pub fn watch_telling<T>(
    output: &Output,
    always: bool,
    read: impl Fn() -> Reading + Sync,
    work: impl FnOnce() -> T,
) -> T {
    if !output.progress() && !always {
        return work();
    }
    let finished = AtomicBool::new(false);
    thread::scope(|scope| {
        let ticker = scope.spawn(|| {
            let bar = output.progress().then(bar);
            while !finished.load(Ordering::Relaxed) {
                let reading = read();
                match (&bar, &reading.told) {
                    (Some(bar), Some(told)) => bar.println(told),
                    (None, Some(told)) => note(told),
                    (_, None) => {}
                }
                if let Some(bar) = &bar {
                    show(bar, &reading);
                }
                thread::park_timeout(TICK);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        // Wakes the ticker also when the work panics: the scope waits for it.
        let _guard = Finish { finished: &finished, ticker: ticker.thread().clone() };
        work()
    })
}

struct Finish<'a> {
    finished: &'a AtomicBool,
    ticker: thread::Thread,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Relaxed);
        self.ticker.unpark();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{prefix:<12} {elapsed:>4} [{bar:30}] {pos}/{len} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}

fn show(bar: &ProgressBar, reading: &Reading) {
    bar.set_prefix(reading.stage.clone());
    bar.set_length(reading.total.max(reading.done));
    bar.set_position(reading.done);
    bar.set_message(reading.note.clone());
    bar.tick();
}
