//! Time as a thing that is handed in, so that a test can decide what time it is: `Clock`, the machine's and a fake.
//!
//! Knows nothing of chess clocks and time controls (`arena::clock` decides those). The idea is hyperfine's: timing code
//! is tested without time passing.

pub mod cpu;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Tells the time. Shared by the threads of a match.
pub trait Clock: Send + Sync {
    /// Time since a fixed moment of this clock's choice; never goes backwards.
    fn now(&self) -> Duration;

    /// The date and time of day.
    fn utc(&self) -> SystemTime;
}

/// The machine's clock (monotonic for `now`).
#[derive(Clone, Copy, Debug)]
pub struct RealClock {
    origin: Instant,
}

impl RealClock {
    pub fn new() -> RealClock {
        RealClock { origin: Instant::now() }
    }
}

impl Default for RealClock {
    fn default() -> RealClock {
        RealClock::new()
    }
}

impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    fn utc(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A clock that stands still until it is told to go on. Starts at zero, at the beginning of 1970.
#[derive(Debug, Default)]
pub struct FakeClock {
    now_ns: AtomicU64,
}

impl FakeClock {
    pub fn new() -> FakeClock {
        FakeClock::default()
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        let ns = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.now_ns.fetch_add(ns, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.now_ns.load(Ordering::SeqCst))
    }

    fn utc(&self) -> SystemTime {
        UNIX_EPOCH + self.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_clock_goes_only_when_told() {
        let clock = FakeClock::new();
        assert_eq!(clock.now(), Duration::ZERO);
        clock.advance(Duration::from_millis(450));
        assert_eq!(clock.now(), Duration::from_millis(450));
        assert_eq!(clock.utc(), UNIX_EPOCH + Duration::from_millis(450));
    }
}
