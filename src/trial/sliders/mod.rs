//! Slider backends side by side: each is verified against the oracle first (one that fails is reported, never timed),
//! then timed in shuffled, interleaved rounds on the sliders of real positions.
//!
//! Known faults of such comparisons that are avoided here: uniform random occupancy (the lookups come from games),
//! vectorised loops (a dependency runs through each loop but that of batches), a workload built under the clock, one long run per
//! technique (drift of the machine then passes for a difference).

mod kernels;
mod lines;
mod one_line;
mod opaque;
mod timing;
mod verification;
mod workload;

use super::{Progress, TrialError, micros_since};
use crate::record::{PictureRow, Row, Sink, SlidersRow, Status, TechniqueRow, Verdict};
use crate::sliders::{Backend, Sliders, example};
use crate::stats::ranking::Ranked;
use crate::with_backend;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use timing::Samples;

pub use timing::{Kernel, time_passes};
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
    /// The perft counts of the verification at their full length, which takes a second or so for each backend.
    pub long_perft: bool,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            backends: Vec::new(),
            metrics: Vec::new(),
            rounds: 15,
            loop_us: 3000,
            random: 10_000_000,
            long_perft: true,
            seed: 1,
        }
    }
}

/// `throughput`: independent lookups one at a time, on the sliders of games; `random`: the same on random occupancies; `latency`:
/// each lookup waits for the one before; `cold`: the same after the caches were filled with other things; `walk`: a square is
/// occupied or left before each lookup, and techniques that keep a form of the occupancy keep it; `batch`: many lookups that the
/// compiler may do side by side; `batch-api`: the same by a technique's own way; `perft`: move generation; `search`: the embedded
/// engine to a fixed depth.
pub const METRICS: [&str; 9] = SlidersRow::METRICS;

/// Metrics that are not of one piece.
const WHOLE: [&str; 2] = ["perft", "search"];

/// The median of one backend in one metric.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    pub backend: String,
    pub metric: String,
    /// `rook`, `bishop`, `queen`, or `-`.
    pub piece: String,
    /// Median over the rounds, the empty loop taken off.
    pub ns_per_operation: f64,
    /// Median of the per-round ratios of speed to [`SlidersRow::REFERENCE`](crate::record::SlidersRow): 2 = twice as fast.
    pub relative_speed: f64,
    /// 95 % bootstrap interval of `relative_speed`.
    pub low: f64,
    pub high: f64,
    /// From 1; backends whose intervals overlap share it.
    pub rank: u64,
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
    /// [`Workload::hash`].
    pub workload: u64,
    /// Of the queen's throughput, or of the first metric that was measured.
    pub fastest: Option<String>,
    /// The one with the least tables among those that are at least half as fast.
    pub smallest: Option<String>,
    /// Of many queens at once, in the compiler's way or the technique's own; none if that was not measured.
    pub fastest_batch: Option<String>,
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
        if let Some(smallest) = &self.smallest {
            summary += &format!(", smallest with half its speed {smallest}");
        }
        if let Some(batch) = &self.fastest_batch {
            summary += &format!(", fastest for batches {batch}");
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
            figures: std::iter::once(("workload".to_owned(), format!("{:016x}", self.workload)))
                .chain(queens.map(|f| (format!("{} ns", f.backend), format!("{:.2}", f.ns_per_operation))))
                .collect(),
            meaning: String::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// Verifies, then times.
///
/// # Errors
/// Unknown ids, a sink that cannot be written, or the user's interrupt. A backend that fails is no error.
pub fn run(plan: &Plan, sink: &mut dyn Sink, progress: &Progress) -> Result<Summary, TrialError> {
    let begun = Instant::now();
    let backends = chosen_backends(&plan.backends)?;
    let kernels = chosen_kernels(&plan.metrics)?;
    let (present, absent): (Vec<Backend>, Vec<Backend>) =
        backends.iter().copied().partition(|backend| backend.is_supported());
    let runners = present.len() as u64 + 2;
    progress.begin(runners * (1 + kernels.len() as u64 * u64::from(plan.rounds)));

    // Before anything else may make the tables of the backend it uses.
    let techniques: Vec<TechniqueRow> = backends.iter().copied().map(technique).collect();
    let workload = Workload::from_games(plan.seed);
    for (&backend, mut row) in backends.iter().zip(techniques) {
        row.lines = lines::touched(backend, &workload.game);
        sink.row(Row::Technique(row))?;
    }
    let mut summary =
        Summary { backends: backends.len() as u64, workload: workload.hash(), ..Summary::default() };
    let mut sound = Vec::new();
    let mut untimed: Vec<(Backend, &str)> =
        absent.into_iter().map(|backend| (backend, "unsupported")).collect();
    summary.unsupported = untimed.len() as u64;
    let Some(found) = verification::check(&present, plan, &workload.positions, progress) else {
        return Err(TrialError::Interrupted);
    };
    for (&backend, found) in present.iter().zip(found) {
        match found {
            Err(fault) => {
                summary.failed += 1;
                summary.failures.push(fault);
                untimed.push((backend, "failed"));
            }
            Ok(checked) => {
                summary.verified += 1;
                summary.checked += checked;
                sound.push(backend);
            }
        }
    }
    for (backend, status) in untimed {
        let (runner, nothing) = (timing::Runner::Backend(backend), Kernel { metric: "-", piece: "-" });
        sink.row(Row::Sliders(timing::row(runner, nothing, 0, (0, 0), status)))?;
    }

    let samples = Samples::take(plan, &sound, &kernels, &workload, sink, progress)?;
    summary.figures = figures(&samples);
    let leading = summary
        .figures
        .iter()
        .filter(|f| f.metric == "throughput" && f.piece == "queen")
        .chain(&summary.figures)
        .map(|f| (&f.metric, &f.piece))
        .next();
    if let Some(leading) = leading {
        let same: Vec<&Figure> =
            summary.figures.iter().filter(|f| (&f.metric, &f.piece) == leading).collect();
        let fastest = same.iter().max_by(|a, b| a.relative_speed.total_cmp(&b.relative_speed));
        let half = fastest.map_or(0.0, |f| 0.5 * f.relative_speed);
        let bytes =
            |f: &&&Figure| Backend::from_id(&f.backend).and_then(Backend::table_bytes).unwrap_or(usize::MAX);
        let smallest = same.iter().filter(|f| f.relative_speed >= half).min_by_key(bytes);
        let names = [fastest, smallest].map(|found| found.map(|f| f.backend.clone()));
        [summary.fastest, summary.smallest] = names;
    }
    let batches = summary.figures.iter().filter(|f| f.metric.starts_with("batch") && f.piece == "queen");
    summary.fastest_batch =
        batches.min_by(|a, b| a.ns_per_operation.total_cmp(&b.ns_per_operation)).map(|f| f.backend.clone());
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// What the backend is; its tables are made here, under the clock.
fn technique(backend: Backend) -> TechniqueRow {
    let begun = Instant::now();
    let table_bytes = backend.table_bytes().unwrap_or(0) as u64;
    let setup_us = if backend.is_supported() { micros_since(begun) } else { 0 };
    let (square, occupied) = example();
    let hex = |bits: u64| format!("{bits:016x}");
    let pictures = match backend.is_supported() {
        true => with_backend!(backend, |sliders| sliders.pictures(square, occupied)),
        false => Vec::new(),
    };
    let card = backend.card();
    TechniqueRow {
        backend: backend.id().to_owned(),
        author: card.author.to_owned(),
        idea: card.idea.to_owned(),
        page: card.page.to_owned(),
        needs: card.needs.name().to_owned(),
        supported: backend.is_supported(),
        table_bytes,
        setup_us,
        lines: Vec::new(),
        square: square.to_string(),
        occupied: hex(occupied.0),
        pictures: pictures
            .into_iter()
            .map(|picture| PictureRow {
                caption: picture.caption,
                set: hex(picture.set.0),
                word: picture.word,
            })
            .collect(),
    }
}

/// What is said of each kernel.
fn figures(samples: &Samples) -> Vec<Figure> {
    let one = |kernel: Kernel, (backend, ranked): (Backend, Ranked)| Figure {
        backend: backend.id().to_owned(),
        metric: kernel.metric.to_owned(),
        piece: kernel.piece.to_owned(),
        ns_per_operation: ranked.time,
        relative_speed: ranked.speed,
        low: ranked.low,
        high: ranked.high,
        rank: ranked.rank as u64,
    };
    let kernels = samples.ranked().into_iter();
    kernels.flat_map(|(kernel, all)| all.into_iter().map(move |ranked| one(kernel, ranked))).collect()
}

/// Each once, `all` among them or not.
fn chosen_backends(ids: &[String]) -> Result<Vec<Backend>, TrialError> {
    let named: Vec<Backend> =
        ids.iter().filter(|id| *id != "all").map(|id| super::backend(id)).collect::<Result<_, _>>()?;
    let all = ids.is_empty() || ids.iter().any(|id| id == "all");
    Ok(Backend::ALL.iter().copied().filter(|backend| all || named.contains(backend)).collect())
}

fn chosen_kernels(ids: &[String]) -> Result<Vec<Kernel>, TrialError> {
    let all = ids.is_empty() || ids.iter().any(|id| id == "all");
    if let Some(unknown) = ids.iter().find(|id| *id != "all" && !METRICS.contains(&id.as_str())) {
        return Err(TrialError::Plan(format!("no metric `{unknown}`; there are {}", METRICS.join(", "))));
    }
    let wanted = METRICS.into_iter().filter(|metric| all || ids.iter().any(|id| id == metric));
    Ok(wanted
        .flat_map(|metric| {
            let pieces: &[&str] = if WHOLE.contains(&metric) { &["-"] } else { &["rook", "bishop", "queen"] };
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
        let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        let among_all = unknown(Plan { backends: ids(&["all", "nothing"]), ..Plan::default() });
        assert!(among_all.contains("`nothing`"), "{among_all}");
        let twice = chosen_backends(&ids(&["pext", "hyperbola", "pext"])).unwrap();
        assert_eq!(twice, [Backend::Hyperbola, Backend::Pext]);
    }

    #[test]
    fn every_sound_backend_is_timed_in_every_round() {
        let plan = Plan { rounds: 2, loop_us: 1, random: 1000, long_perft: false, ..Plan::default() };
        let mut rows = Vec::new();
        let summary = run(&plan, &mut rows, &Progress::default()).unwrap();
        assert_eq!((summary.failed, summary.verified + summary.unsupported), (0, summary.backends));
        let (techniques, rows): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| matches!(row, Row::Technique(_)));
        assert_eq!(techniques.len() as u64, summary.backends);
        // Six metrics of three pieces, which the empty loop has as well, and two without; one line in two of them; explicit batches of
        // three backends.
        let sets = Backend::ALL
            .iter()
            .filter(|b| b.is_supported())
            .filter(|b| matches!(b, Backend::Pext | Backend::Avx2Batch | Backend::Avx512Batch));
        let batches = 3 * sets.count() as u64;
        let timed = rows.iter().filter(|row| matches!(row, Row::Sliders(row) if row.operations > 0));
        assert_eq!(timed.count() as u64, 2 * (summary.verified * 20 + batches + 18 + 6));
        assert_eq!(summary.figures.len() as u64, summary.verified * 20 + batches);
        assert!(summary.figures.iter().all(|f| f.ns_per_operation > 0.0 && f.relative_speed > 0.0));
        assert!(summary.fastest.is_some());
    }
}
