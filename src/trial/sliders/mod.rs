//! Slider backends side by side: each is verified against the oracle first (one that fails is reported, never timed),
//! then timed in shuffled, interleaved rounds on the sliders of real positions.
//!
//! Known faults of such comparisons that are avoided here: uniform random occupancy (the lookups come from games),
//! vectorised loops (a dependency runs through each loop), a workload built under the clock, one long run per
//! technique (drift of the machine then passes for a difference).

mod kernels;
mod workload;

use super::{Progress, TrialError, micros_since};
use crate::record::{Row, Sink, SlidersRow, Status, Verdict};
use crate::sliders::{Backend, Sliders, verify};
use crate::stats::{SplitMix64, summary::median};
use crate::with_backend;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub use workload::Workload;

/// What to time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Backend ids; empty = all.
    pub backends: Vec<String>,
    /// [`METRICS`]; empty = all.
    pub metrics: Vec<String>,
    pub rounds: u32,
    /// Wanted length of one timed loop.
    pub loop_us: u64,
    /// Random occupancies per backend in the verification, beside all relevant ones.
    pub random: u64,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            backends: Vec::new(),
            metrics: Vec::new(),
            rounds: 15,
            loop_us: 3000,
            random: 100_000,
            seed: 1,
        }
    }
}

/// `throughput`: independent lookups one after the other. `latency`: each lookup waits for the one before.
/// `perft`: whole move generation.
pub const METRICS: [&str; 3] = ["throughput", "latency", "perft"];

/// The median of one backend in one metric.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    pub backend: String,
    pub metric: String,
    /// `rook`, `bishop`, `queen`, or `-`.
    pub piece: String,
    /// Median over the rounds.
    pub ns_per_operation: f64,
    /// Median of the per-round ratios of speed to the fastest backend of this metric and piece: 1 = as fast.
    pub relative_speed: f64,
}

/// What a comparison of backends found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub backends: u64,
    pub verified: u64,
    pub failed: u64,
    pub unsupported: u64,
    /// Lookups compared with the oracle.
    pub checked: u64,
    /// Of the queen's throughput, or of the first metric that was measured.
    pub fastest: Option<String>,
    /// The first difference of each failed backend.
    pub failures: Vec<String>,
    pub figures: Vec<Figure>,
    pub time_us: u64,
}

impl Summary {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let mut summary = format!("{} of {} backends agree with the oracle", self.verified, self.backends);
        if self.unsupported > 0 {
            summary += &format!(", {} not supported here", self.unsupported);
        }
        if let Some(fastest) = &self.fastest {
            summary += &format!(", fastest {fastest}");
        }
        if let Some(failure) = self.failures.first() {
            summary += &format!("; {failure}");
        }
        let queens = self.figures.iter().filter(|f| f.metric == "throughput" && f.piece == "queen");
        Verdict {
            stage: "sliders".to_owned(),
            status: if self.failed == 0 { Status::Pass } else { Status::Fail },
            summary,
            checks: self.verified + self.failed,
            failed: self.failed,
            figures: queens
                .map(|f| (format!("{} ns", f.backend), format!("{:.2}", f.ns_per_operation)))
                .collect(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// One thing to time: a metric on a kind of piece.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Kernel {
    metric: &'static str,
    piece: &'static str,
}

/// Verifies, then times.
///
/// # Errors
/// Unknown ids, a sink that cannot be written, or the user's interrupt. A backend that fails is no error.
pub fn run(plan: &Plan, sink: &mut dyn Sink, progress: &Progress) -> Result<Summary, TrialError> {
    let begun = Instant::now();
    let backends = chosen_backends(&plan.backends)?;
    let kernels = chosen_kernels(&plan.metrics)?;
    progress.begin(backends.len() as u64 * (1 + kernels.len() as u64 * u64::from(plan.rounds)));

    let mut summary = Summary { backends: backends.len() as u64, ..Summary::default() };
    let mut sound = Vec::new();
    for &backend in &backends {
        if progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let status = if !backend.is_supported() {
            summary.unsupported += 1;
            "unsupported"
        } else {
            match verify(backend, plan.random, plan.seed) {
                Ok(checked) => {
                    summary.verified += 1;
                    summary.checked += checked;
                    sound.push(backend);
                    "verified"
                }
                Err(difference) => {
                    summary.failed += 1;
                    summary.failures.push(difference.to_string());
                    "failed"
                }
            }
        };
        if status != "verified" {
            sink.row(Row::Sliders(row(backend, Kernel { metric: "-", piece: "-" }, 0, (0, 0), status)))?;
        }
        progress.advance(1);
    }

    let workload = Workload::from_games(plan.seed);
    let samples = time_rounds(plan, &sound, &kernels, &workload, sink, progress)?;
    summary.figures = figures(&samples, &sound, &kernels);
    let leading = summary
        .figures
        .iter()
        .filter(|f| f.metric == "throughput" && f.piece == "queen")
        .chain(&summary.figures)
        .map(|f| (&f.metric, &f.piece))
        .next();
    summary.fastest = leading.and_then(|leading| {
        let same = summary.figures.iter().filter(|f| (&f.metric, &f.piece) == leading);
        same.min_by(|a, b| a.ns_per_operation.total_cmp(&b.ns_per_operation)).map(|f| f.backend.clone())
    });
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// Nanoseconds per operation by kernel and backend (their indices), one entry per round.
type Samples = BTreeMap<(usize, usize), Vec<f64>>;

fn time_rounds(
    plan: &Plan,
    backends: &[Backend],
    kernels: &[Kernel],
    workload: &Workload,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Samples, TrialError> {
    let mut order: Vec<(usize, usize)> = (0..kernels.len())
        .flat_map(|kernel| (0..backends.len()).map(move |backend| (kernel, backend)))
        .collect();
    // A loop that is long enough is found first: this also warms tables and branches.
    let wanted = Duration::from_micros(plan.loop_us);
    let repeats: BTreeMap<_, _> = order
        .iter()
        .map(|&(kernel, backend)| {
            ((kernel, backend), calibrate(backends[backend], kernels[kernel], workload, wanted))
        })
        .collect();
    let mut samples = Samples::new();
    let mut random = SplitMix64::new(plan.seed);
    for round in 0..plan.rounds {
        random.shuffle(&mut order);
        for &(kernel, backend) in &order {
            if progress.is_stopped() {
                return Err(TrialError::Interrupted);
            }
            let repeats = repeats.get(&(kernel, backend)).copied().unwrap_or(1);
            let (operations, time) = time_loop(backends[backend], kernels[kernel], workload, repeats);
            // At least one: a loop below the clock's step must not divide by zero.
            let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
            samples.entry((kernel, backend)).or_default().push(time_ns as f64 / operations.max(1) as f64);
            let row = row(backends[backend], kernels[kernel], round, (operations, time_ns), "verified");
            sink.row(Row::Sliders(row))?;
            progress.advance(1);
        }
    }
    Ok(samples)
}

/// The number of repeats that makes a loop last about as long as wanted.
fn calibrate(backend: Backend, kernel: Kernel, workload: &Workload, wanted: Duration) -> u64 {
    let mut repeats = 1;
    loop {
        let (_, time) = time_loop(backend, kernel, workload, repeats);
        if time * 2 >= wanted || repeats >= 1 << 20 {
            let scale = wanted.as_secs_f64() / time.as_secs_f64().max(1e-9);
            return ((repeats as f64 * scale) as u64).max(1);
        }
        repeats *= 2;
    }
}

/// Operations done and the time they took.
fn time_loop(backend: Backend, kernel: Kernel, workload: &Workload, repeats: u64) -> (u64, Duration) {
    with_backend!(backend, |sliders| {
        let start = Instant::now();
        let operations = match (kernel.metric, kernel.piece) {
            ("throughput", "rook") => {
                kernels::throughput(&workload.rooks, repeats, |s, o| sliders.rook(s, o))
            }
            ("throughput", "bishop") => {
                kernels::throughput(&workload.bishops, repeats, |s, o| sliders.bishop(s, o))
            }
            ("throughput", _) => kernels::throughput(&workload.queens, repeats, |s, o| sliders.queen(s, o)),
            ("latency", "rook") => kernels::latency(&workload.rooks, repeats, |s, o| sliders.rook(s, o)),
            ("latency", "bishop") => {
                kernels::latency(&workload.bishops, repeats, |s, o| sliders.bishop(s, o))
            }
            ("latency", _) => kernels::latency(&workload.queens, repeats, |s, o| sliders.queen(s, o)),
            _ => kernels::perft(&workload.positions, repeats, sliders),
        };
        (operations, start.elapsed())
    })
}

fn figures(samples: &Samples, backends: &[Backend], kernels: &[Kernel]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (k, kernel) in kernels.iter().enumerate() {
        let measured: Vec<(Backend, &[f64], f64)> = backends
            .iter()
            .enumerate()
            .filter_map(|(b, &backend)| {
                let rounds = samples.get(&(k, b))?;
                Some((backend, rounds.as_slice(), median(rounds)?))
            })
            .collect();
        let Some(&(_, fastest, _)) = measured.iter().min_by(|a, b| a.2.total_cmp(&b.2)) else { continue };
        for (backend, rounds, ns_per_operation) in measured {
            let ratios: Vec<f64> = fastest.iter().zip(rounds).map(|(fastest, own)| fastest / own).collect();
            figures.push(Figure {
                backend: backend.id().to_owned(),
                metric: kernel.metric.to_owned(),
                piece: kernel.piece.to_owned(),
                ns_per_operation,
                relative_speed: median(&ratios).unwrap_or(1.0),
            });
        }
    }
    figures
}

fn row(
    backend: Backend,
    kernel: Kernel,
    round: u32,
    (operations, time_ns): (u64, u64),
    status: &str,
) -> SlidersRow {
    SlidersRow {
        backend: backend.id().to_owned(),
        metric: kernel.metric.to_owned(),
        piece: kernel.piece.to_owned(),
        round,
        operations,
        time_ns,
        table_bytes: backend.table_bytes() as u64,
        status: status.to_owned(),
    }
}

fn chosen_backends(ids: &[String]) -> Result<Vec<Backend>, TrialError> {
    if ids.is_empty() || ids.iter().any(|id| id == "all") {
        return Ok(Backend::ALL.to_vec());
    }
    ids.iter().map(|id| super::backend(id)).collect()
}

fn chosen_kernels(ids: &[String]) -> Result<Vec<Kernel>, TrialError> {
    let all = ids.is_empty() || ids.iter().any(|id| id == "all");
    if let Some(unknown) = ids.iter().find(|id| *id != "all" && !METRICS.contains(&id.as_str())) {
        return Err(TrialError::Plan(format!("no metric `{unknown}`; there are {}", METRICS.join(", "))));
    }
    let wanted = METRICS.into_iter().filter(|metric| all || ids.iter().any(|id| id == metric));
    Ok(wanted
        .flat_map(|metric| {
            let pieces: &[&str] = if metric == "perft" { &["-"] } else { &["rook", "bishop", "queen"] };
            pieces.iter().map(move |piece| Kernel { metric, piece })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_ids_are_refused_with_the_known_ones() {
        let unknown = |plan: Plan| run(&plan, &mut Vec::new(), &Progress::default()).unwrap_err().to_string();
        let backend = unknown(Plan { backends: vec!["nothing".to_owned()], ..Plan::default() });
        assert!(backend.contains("`nothing`") && backend.contains("hyperbola"), "{backend}");
        let metric = unknown(Plan { metrics: vec!["speed".to_owned()], ..Plan::default() });
        assert!(metric.contains("`speed`") && metric.contains("latency"), "{metric}");
    }

    #[test]
    fn every_sound_backend_is_timed_in_every_round() {
        let plan = Plan { rounds: 2, loop_us: 1, random: 1000, ..Plan::default() };
        let mut rows = Vec::new();
        let summary = run(&plan, &mut rows, &Progress::default()).unwrap();
        assert_eq!((summary.failed, summary.verified + summary.unsupported), (0, summary.backends));
        let timed = summary.verified * 2 * 7;
        assert_eq!(rows.len() as u64, timed + summary.unsupported);
        assert_eq!(summary.figures.len() as u64, summary.verified * 7);
        assert!(summary.figures.iter().all(|f| f.ns_per_operation > 0.0 && f.relative_speed > 0.0));
        assert!(summary.fastest.is_some());
    }
}
