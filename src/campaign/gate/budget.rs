//! The time that a gate may take: how it is divided, and the alarm that ends a stage whose part is used up.
//!
//! The cheap stages come first and take what they need, each at most half of what is left. What remains is divided by weights
//! over the stages that can use any amount; what one of them leaves over goes to those behind it.

use super::stage::Stage;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the alarm looks at the clock: a signal is seen no later than this.
const TICK: Duration = Duration::from_millis(10);

/// Parts of the time, of the stages that can use any amount of it.
fn weight(stage: Stage) -> u32 {
    match stage {
        Stage::Speed | Stage::Suites => 1,
        Stage::Sprt => 3,
        _ => 0,
    }
}

/// The part of `left` that a stage may take, when those of `later` are still to come.
pub(super) fn share(left: Duration, stage: Stage, later: &[Stage]) -> Duration {
    let own = weight(stage);
    let all = own + later.iter().map(|&stage| weight(stage)).sum::<u32>();
    match (own, all) {
        (0, 0) => left,
        (0, _) => left / 2,
        _ => left * own / all,
    }
}

/// Ends a stage by its own flag, when its time is up or when the user's flag is set. The user's flag tells the two apart.
#[derive(Debug)]
pub(super) struct Alarm {
    user: Option<Arc<AtomicBool>>,
    stage: Arc<AtomicBool>,
    until: Mutex<Option<Instant>>,
}

impl Alarm {
    /// `stage`: what the stages look at. `user`: set by the user's interrupt.
    pub fn new(stage: Arc<AtomicBool>, user: Option<Arc<AtomicBool>>) -> Alarm {
        Alarm { user, stage, until: Mutex::new(None) }
    }

    /// The user wants to stop.
    pub fn is_interrupted(&self) -> bool {
        self.user.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// The stage was ended because its time was up.
    pub fn has_rung(&self) -> bool {
        self.stage.load(Ordering::Relaxed) && !self.is_interrupted()
    }

    /// From now on it rings then.
    pub fn set(&self, until: Option<Instant>) {
        let mut own = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        *own = until;
        self.stage.store(self.is_interrupted(), Ordering::Relaxed);
    }

    fn look(&self) {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_interrupted() || until.is_some_and(|until| Instant::now() >= until) {
            self.stage.store(true, Ordering::Relaxed);
        }
    }

    /// Does `work` while another thread looks at the clock.
    pub fn watching<T>(&self, work: impl FnOnce() -> T) -> T {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    self.look();
                    thread::park_timeout(TICK);
                }
            });
            // Also when the work panics: the scope waits for the watch.
            let _end = End { done: &done, watch: watch.thread().clone() };
            work()
        })
    }
}

struct End<'a> {
    done: &'a AtomicBool,
    watch: thread::Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.watch.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let left = Duration::from_secs(240);
        // Cheap ones: at most half, if something is to come that can use the rest.
        assert_eq!(share(left, Stage::Compliance, &[Stage::Perft, Stage::Sprt]), left / 2);
        assert_eq!(share(left, Stage::Compliance, &[Stage::Perft]), left);
        assert_eq!(share(left, Stage::Speed, &[Stage::Branching, Stage::Suites, Stage::Sprt]), left / 5);
        let suites = share(left, Stage::Suites, &[Stage::Sprt]);
        assert_eq!(suites, Duration::from_secs(60));
        assert_eq!(share(left - suites, Stage::Sprt, &[]), Duration::from_secs(180));
        // What was not used goes to those behind.
        assert_eq!(share(left, Stage::Sprt, &[]), left);
    }

    #[test]
    fn it_rings_when_the_time_is_up_and_when_the_user_says_so() {
        let (stage, user) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let alarm = Alarm::new(stage.clone(), Some(user.clone()));
        let wait = || {
            while !stage.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        alarm.watching(|| {
            alarm.set(Some(Instant::now()));
            wait();
            assert!(alarm.has_rung() && !alarm.is_interrupted());
            alarm.set(None);
            assert!(!stage.load(Ordering::Relaxed));
            user.store(true, Ordering::Relaxed);
            wait();
            assert!(!alarm.has_rung() && alarm.is_interrupted());
            // It stays so, whatever comes next.
            alarm.set(None);
            assert!(stage.load(Ordering::Relaxed));
        });
    }
}
