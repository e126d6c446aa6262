//! Shuffled, interleaved rounds: every round times each backend once with each kernel, in an order of its own, so that a drift of
//! the machine falls on all alike. A loop that looks nothing up runs among them; its time is taken off.

use super::Plan;
use super::kernels::{self, Loop, Plain};
use super::one_line;
use super::workload::{Lookup, Lookups, Workload};
use crate::record::{Row, Sink, SlidersRow};
use crate::sliders::{Backend, Sliders, with_batch, with_state};
use crate::stats::{
    SplitMix64,
    ranking::{Ranked, net, ranking},
};
use crate::trial::{Progress, TrialError};
use crate::types::{Bitboard, Square};
use crate::with_backend;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// One thing to time: a metric on a kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// One of [`METRICS`](super::METRICS).
    pub metric: &'static str,
    /// `rook`, `bishop`, `queen`; `-` for metrics that are not of one piece.
    pub piece: &'static str,
}

impl Kernel {
    /// The loop of a metric that is made of lookups alone.
    fn lookups(self) -> Option<Loop> {
        match self.metric {
            "throughput" | "random" => Some(Loop::Throughput),
            "latency" => Some(Loop::Latency),
            "cold" => Some(Loop::Cold),
            "batch" => Some(Loop::Batch),
            _ => None,
        }
    }

    fn list(self, workload: &Workload) -> &[Lookup] {
        let Lookups { rooks, bishops, queens } =
            if self.metric == "random" { &workload.random } else { &workload.game };
        match self.piece {
            "rook" => rooks,
            "bishop" => bishops,
            _ => queens,
        }
    }
}

/// What runs in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    Backend(Backend),
    /// Nothing: the time of the loop itself.
    Empty,
    /// One read of a table, for [`SlidersRow::MISSES`].
    OneLine,
}

impl Runner {
    fn id(self) -> &'static str {
        match self {
            Runner::Backend(backend) => backend.id(),
            Runner::Empty => SlidersRow::EMPTY_LOOP,
            Runner::OneLine => SlidersRow::ONE_LINE,
        }
    }
}

/// Operations done and the time they took; `None` where there is nothing to time.
fn time_loop(runner: Runner, kernel: Kernel, workload: &Workload, repeats: u64) -> Option<(u64, Duration)> {
    let list = kernel.list(workload);
    match runner {
        Runner::Backend(backend) => time_passes(backend, kernel, workload, repeats),
        Runner::OneLine if SlidersRow::MISSES.contains(&kernel.metric) => {
            Some(kernel.lookups()?.time::<Plain>(list, repeats, one_line::reader()))
        }
        Runner::OneLine => None,
        Runner::Empty => {
            let nothing = |square: Square, occupied: Bitboard| Bitboard(occupied.0 ^ square.index() as u64);
            match kernel.metric {
                "walk" => Some(kernels::walk::<Plain>(list, repeats, nothing)),
                _ => Some(kernel.lookups()?.time::<Plain>(list, repeats, nothing)),
            }
        }
    }
}

/// So many passes of one backend over its part of the workload: operations done and the time they took, the loop's own time
/// included. `None` where the backend has no such way (`batch-api`).
pub fn time_passes(
    backend: Backend,
    kernel: Kernel,
    workload: &Workload,
    repeats: u64,
) -> Option<(u64, Duration)> {
    let list = kernel.list(workload);
    match kernel.metric {
        "search" => Some(kernels::search(backend, &workload.positions, repeats)),
        "perft" => {
            Some(with_backend!(backend, |sliders| kernels::perft(&workload.positions, repeats, sliders)))
        }
        "batch-api" => {
            with_batch!(backend, |sliders| kernels::batch(sliders, kernel.piece, list, repeats))
        }
        "walk" => with_state!(backend, |State| kernels::walk_kept::<State>(kernel.piece, list, repeats))
            .or_else(|| Some(lookups(backend, kernel, list, repeats))),
        _ => Some(lookups(backend, kernel, list, repeats)),
    }
}

/// A loop of single lookups.
fn lookups(backend: Backend, kernel: Kernel, list: &[Lookup], repeats: u64) -> (u64, Duration) {
    with_backend!(backend, |sliders| match kernel.piece {
        "rook" => one(sliders, kernel, list, repeats, |s, o| sliders.rook(s, o)),
        "bishop" => one(sliders, kernel, list, repeats, |s, o| sliders.bishop(s, o)),
        _ => one(sliders, kernel, list, repeats, |s, o| sliders.queen(s, o)),
    })
}

/// A loop of lookups of one backend and piece.
fn one<S: Sliders>(
    _: S,
    kernel: Kernel,
    list: &[Lookup],
    repeats: u64,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
) -> (u64, Duration) {
    match kernel.lookups() {
        Some(kind) => kind.time::<S>(list, repeats, attacks),
        None => kernels::walk::<S>(list, repeats, attacks),
    }
}

/// The number of repeats that makes a loop last about as long as wanted, by the clock on the wall: where the caches are evicted
/// between lookups, most of it is not timed. This also warms tables and branches.
fn calibrate(runner: Runner, kernel: Kernel, workload: &Workload, wanted: Duration) -> Option<u64> {
    let wanted = if kernel.metric == "cold" { wanted * COLD_LOOP } else { wanted };
    let run = |repeats| {
        let start = Instant::now();
        time_loop(runner, kernel, workload, repeats).map(|_| start.elapsed())
    };
    let mut repeats = 1;
    loop {
        let mut time = run(repeats)?;
        // Where another program was given the core meanwhile, a short loop passes for a long one, once.
        for _ in 0..2 {
            if time * 2 >= wanted {
                time = time.min(run(repeats)?);
            }
        }
        if time * 2 >= wanted || repeats >= 1 << 20 {
            let scale = wanted.as_secs_f64() / time.as_secs_f64().max(1e-9);
            return Some(((repeats as f64 * scale) as u64).max(1));
        }
        repeats *= 2;
    }
}

/// A loop with cold caches lasts so many times as long as others: little of it are lookups.
const COLD_LOOP: u32 = 4;

/// A place in the samples: which kernel, which runner.
type Cell = (usize, usize);

/// Nanoseconds per operation of the runners (the backends, then the others) with each kernel, an entry a round.
pub struct Samples {
    backends: Vec<Backend>,
    kernels: Vec<Kernel>,
    ns: BTreeMap<Cell, Vec<f64>>,
}

impl Samples {
    /// Times all; rows are written as they are made.
    ///
    /// # Errors
    /// A sink that cannot be written, or the user's interrupt.
    pub fn take(
        plan: &Plan,
        backends: &[Backend],
        kernels: &[Kernel],
        workload: &Workload,
        sink: &mut dyn Sink,
        progress: &Progress,
    ) -> Result<Samples, TrialError> {
        let backend_runners = backends.iter().copied().map(Runner::Backend);
        let runners: Vec<Runner> = backend_runners.chain([Runner::Empty, Runner::OneLine]).collect();
        let wanted = Duration::from_micros(plan.loop_us);
        let mut repeats: BTreeMap<Cell, u64> = BTreeMap::new();
        for (k, &kernel) in kernels.iter().enumerate() {
            for (r, &runner) in runners.iter().enumerate() {
                if progress.is_stopped() {
                    return Err(TrialError::Interrupted);
                }
                repeats.extend(calibrate(runner, kernel, workload, wanted).map(|repeats| ((k, r), repeats)));
            }
        }
        let mut order: Vec<(Cell, u64)> = repeats.into_iter().collect();
        let mut ns: BTreeMap<Cell, Vec<f64>> = BTreeMap::new();
        let mut random = SplitMix64::new(plan.seed);
        for round in 0..plan.rounds {
            random.shuffle(&mut order);
            for &((k, r), repeats) in &order {
                if progress.is_stopped() {
                    return Err(TrialError::Interrupted);
                }
                let Some((operations, time)) = time_loop(runners[r], kernels[k], workload, repeats) else {
                    continue;
                };
                // At least one: a loop below the clock's step must not divide by zero.
                let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
                ns.entry((k, r)).or_default().push(time_ns as f64 / operations.max(1) as f64);
                sink.row(Row::Sliders(row(
                    runners[r],
                    kernels[k],
                    round,
                    (operations, time_ns),
                    "verified",
                )))?;
                progress.advance(1);
            }
        }
        Ok(Samples { backends: backends.to_vec(), kernels: kernels.to_vec(), ns })
    }

    /// The backends of each kernel side by side, in their order.
    pub fn ranked(&self) -> Vec<(Kernel, Vec<(Backend, Ranked)>)> {
        let of_kernel = |(k, &kernel): (usize, &Kernel)| {
            let empty = self.ns.get(&(k, self.backends.len())).map_or(&[][..], Vec::as_slice);
            // Not every backend has an explicit batch.
            let (who, times): (Vec<Backend>, Vec<Vec<f64>>) = self
                .backends
                .iter()
                .enumerate()
                .filter_map(|(b, &backend)| Some((backend, net(self.ns.get(&(k, b))?, empty))))
                .unzip();
            let reference = who.iter().position(|backend| backend.id() == SlidersRow::REFERENCE);
            Some((kernel, who.into_iter().zip(ranking(&times, reference)?).collect()))
        };
        self.kernels.iter().enumerate().filter_map(of_kernel).collect()
    }
}

/// A row of the record.
pub fn row(
    runner: Runner,
    kernel: Kernel,
    round: u32,
    (operations, time_ns): (u64, u64),
    status: &str,
) -> SlidersRow {
    SlidersRow {
        backend: runner.id().to_owned(),
        metric: kernel.metric.to_owned(),
        piece: kernel.piece.to_owned(),
        round,
        operations,
        time_ns,
        table_bytes: match runner {
            Runner::Backend(backend) => backend.table_bytes().unwrap_or(0) as u64,
            Runner::Empty | Runner::OneLine => 0,
        },
        status: status.to_owned(),
    }
}
