//! Delays as percentiles: how much later than an engine says itself its answer was there, and how late this program wakes
//! up when it asked to. A histogram of fixed size, so that a match of any length costs the same memory.

use crate::record::{GameRow, Latency};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Eight buckets to a doubling: each is 9 % wide.
const PER_DOUBLING: f64 = 8.0;
const BUCKETS: usize = 256;

/// Delays in µs. Negative ones (an engine that rounds its time up) count as none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    counts: Box<[u64]>,
    most: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: vec![0; BUCKETS].into(), most: 0 }
    }
}

impl Histogram {
    pub fn add(&mut self, us: i64) {
        let us = u64::try_from(us).unwrap_or(0);
        let bucket = ((us as f64 + 1.0).log2() * PER_DOUBLING) as usize;
        self.counts[bucket.min(BUCKETS - 1)] += 1;
        self.most = self.most.max(us);
    }

    pub fn merge(&mut self, other: &Histogram) {
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
        self.most = self.most.max(other.most);
    }

    /// The figures; none without a sample.
    pub fn latency(&self) -> Option<Latency> {
        let samples: u64 = self.counts.iter().sum();
        (samples > 0).then(|| Latency {
            samples,
            p50_us: self.percentile(samples, 50),
            p95_us: self.percentile(samples, 95),
            p99_us: self.percentile(samples, 99),
            max_us: self.most,
        })
    }

    /// The upper end of the bucket in which it lies.
    fn percentile(&self, samples: u64, percent: u64) -> u64 {
        let wanted = (samples * percent).div_ceil(100);
        let mut seen = 0;
        let bucket = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        let end = ((bucket.unwrap_or(0) + 1) as f64 / PER_DOUBLING).exp2() - 1.0;
        (end.ceil() as u64).min(self.most)
    }
}

/// How long the watch asks to sleep.
const NAP: Duration = Duration::from_millis(20);

/// Sleeps again and again until `done` and notes how late it wakes: where this program gets a core too late, so do clocks
/// and engines.
pub fn watch_lateness(done: &AtomicBool) -> Histogram {
    let mut late = Histogram::default();
    while !done.load(Ordering::Relaxed) {
        let asked = Instant::now();
        std::thread::sleep(NAP);
        late.add(asked.elapsed().saturating_sub(NAP).as_micros() as i64);
    }
    late
}

/// Adds the latencies of a game to those of its engines; `white` is the engine (0, 1) that had White.
pub(super) fn book_latency(game: &GameRow, white: usize, latency: &mut [Histogram; 2]) {
    let black_begins = game.start_fen.split(' ').nth(1) == Some("b");
    for (index, ply) in game.plies.iter().enumerate() {
        if let Some(us) = ply.latency_us {
            let side = (index + usize::from(black_begins)) % 2;
            latency[side ^ white].add(us);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_known_samples() {
        let mut all = Histogram::default();
        (1..=1000).for_each(|us| all.add(us));
        all.add(-5);
        let found = all.latency().unwrap();
        assert_eq!((found.samples, found.max_us), (1001, 1000));
        // A bucket is 9 % wide.
        for (got, right) in [(found.p50_us, 500.0), (found.p95_us, 950.0), (found.p99_us, 990.0)] {
            assert!((got as f64) >= right && (got as f64) < right * 1.1, "{got} {right}");
        }
        let mut twice = Histogram::default();
        twice.merge(&all);
        twice.merge(&all);
        assert_eq!(twice.latency().unwrap(), Latency { samples: 2002, ..found });
        assert_eq!(Histogram::default().latency(), None);
        let mut huge = Histogram::default();
        huge.add(i64::MAX);
        assert_eq!(huge.latency().unwrap().max_us, i64::MAX as u64);
    }
}
