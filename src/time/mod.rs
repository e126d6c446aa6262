//! Time as a thing that is handed in, so that a test can decide what time it is: `Clock`, the machine's and a fake.
//!
//! Knows nothing of chess clocks and time controls (`arena::clock` decides those). The idea is hyperfine's: timing code
//! is tested without time passing.

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

/// A moment as RFC 3339 in UTC with seconds, `2026-11-30T00:48:19Z`; moments before 1970 show as its beginning.
pub fn rfc3339(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil_date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Days since 1970-01-01 → year, month, day of the Gregorian calendar.
///
/// Years are taken to begin in March, so that the leap day is a year's last and months follow one linear formula.
fn civil_date(days: u64) -> (u64, u64, u64) {
    // 719,468 days lie between 0000-03-01 and 1970-01-01; 146,097 days make the calendar's cycle of 400 years.
    let days = days + 719_468;
    let cycle = days / 146_097;
    let day_of_cycle = days % 146_097;
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * cycle + year_of_cycle + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> String {
        rfc3339(UNIX_EPOCH + Duration::from_secs(seconds))
    }

    /// Values from `date -u -d @N +%FT%TZ`.
    #[test]
    fn dates_agree_with_the_system_tool() {
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(1_795_999_999), "2026-11-30T00:53:19Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn the_fake_clock_goes_only_when_told() {
        let clock = FakeClock::new();
        assert_eq!(clock.now(), Duration::ZERO);
        clock.advance(Duration::from_millis(450));
        assert_eq!(clock.now(), Duration::from_millis(450));
        assert_eq!(clock.utc(), UNIX_EPOCH + Duration::from_millis(450));
    }
}
