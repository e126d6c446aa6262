//! The bar on stderr, and the interrupt. One ticker thread reads atomic counters and the stop flag; whoever measures makes
//! no terminal call and does not know that somebody looks.

use super::output::Output;
use super::signals::Signals;
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
}

/// Does `work` on this thread while a second one draws what `read` sees and calls `stop` once a signal has come.
/// Nothing is drawn unless stderr is a terminal and the user wants it.
pub fn watch<T>(
    output: &Output,
    signals: &Signals,
    read: impl Fn() -> Reading + Sync,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let finished = AtomicBool::new(false);
    thread::scope(|scope| {
        let ticker = scope.spawn(|| {
            let bar = output.progress().then(bar);
            while !finished.load(Ordering::Relaxed) {
                if signals.flag().load(Ordering::Relaxed) {
                    stop();
                }
                if let Some(bar) = &bar {
                    show(bar, &read());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Format;

    #[test]
    fn the_work_comes_back_and_a_set_flag_is_passed_on() {
        let output = Output { format: Format::Text, quiet: true };
        let signals = Signals::default();
        signals.flag().store(true, Ordering::Relaxed);
        let stopped = AtomicBool::new(false);
        let stop = || stopped.store(true, Ordering::Relaxed);
        let answer = watch(&output, &signals, Reading::default, stop, || {
            while !stopped.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            42
        });
        assert_eq!(answer, 42);
    }
}
