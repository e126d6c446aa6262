//! What a match cost besides the thinking: processor time of this process alone, wall time, memory. Kept in the header of
//! its run. Read where the system offers it (Unix: the process's own clock; Linux: `/proc`), left out elsewhere.

use crate::time::cpu;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The cost of playing, from the first engine's start to the last game's end. Reports are drawn afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Games played, those set aside included, and the plies in them that were thought about.
    pub games: u64,
    pub plies: u64,
    /// Games at once.
    pub workers: u64,
    /// How many of the engines are embedded: their thinking is processor time of this process.
    pub embedded: u32,
    pub wall_us: u64,
    /// Sum of the times of all searches, as the clocks of the games had it.
    pub search_us: u64,
    /// User and system time of this process, children left out.
    pub cpu_us: Option<u64>,
    /// Most memory that was resident at once.
    pub peak_kib: Option<u64>,
}

impl Cost {
    /// µs of own processor time for a ply of two foreign engines.
    pub fn cpu_per_ply_us(&self) -> Option<f64> {
        let cpu = self.cpu_us.filter(|_| self.embedded == 0)?;
        per(cpu as f64, self.plies)
    }

    /// µs a ply that the games took beside the thinking: wall time of all games at once, less the searches.
    pub fn beside_search_us(&self) -> Option<f64> {
        per(self.table_us() - self.search_us as f64, self.plies)
    }

    /// The same as a share of the whole.
    pub fn beside_search_share(&self) -> Option<f64> {
        let whole = self.table_us();
        (whole > 0.0).then(|| (whole - self.search_us as f64) / whole)
    }

    pub fn games_per_second(&self) -> Option<f64> {
        (self.wall_us > 0).then(|| self.games as f64 * 1e6 / self.wall_us as f64)
    }

    pub fn plies_per_game(&self) -> Option<f64> {
        per(self.plies as f64, self.games)
    }

    fn table_us(&self) -> f64 {
        self.wall_us as f64 * self.workers as f64
    }
}

fn per(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// Runs from its making on.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    start: Instant,
    cpu: Option<Duration>,
}

impl Meter {
    pub fn begin() -> Meter {
        Meter { start: Instant::now(), cpu: cpu::of_process() }
    }

    /// Times and memory so far; what was played is for the caller to fill in.
    pub fn cost(&self) -> Cost {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Cost {
            wall_us: micros(self.start.elapsed()),
            cpu_us: self.cpu.zip(cpu::of_process()).map(|(from, to)| micros(to.saturating_sub(from))),
            peak_kib: peak_kib(),
            ..Cost::default()
        }
    }
}

/// There is such a file on Linux only.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_per_ply() {
        let cost = Cost {
            games: 10,
            plies: 1000,
            workers: 2,
            wall_us: 50_000,
            search_us: 90_000,
            cpu_us: Some(7_000),
            ..Cost::default()
        };
        assert_eq!((cost.cpu_per_ply_us(), cost.beside_search_us()), (Some(7.0), Some(10.0)));
        assert_eq!((cost.beside_search_share(), cost.games_per_second()), (Some(0.1), Some(200.0)));
        assert_eq!(Cost { embedded: 1, ..cost }.cpu_per_ply_us(), None);
        assert_eq!(Cost::default().beside_search_us(), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn own_time_and_memory_are_read() {
        let meter = Meter::begin();
        let mut busy = 1u64;
        while meter.cost().cpu_us.unwrap() < 2_000 {
            busy = std::hint::black_box(busy.wrapping_mul(3));
        }
        let cost = meter.cost();
        assert!(cost.wall_us >= cost.cpu_us.unwrap() / 64 && cost.peak_kib.unwrap() > 1000, "{cost:?}");
    }
}
